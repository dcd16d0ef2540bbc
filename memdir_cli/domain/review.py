"""Review: what waits for a person, why, and what may be typed about it; and a sample for a check-up."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from memdir_cli.domain import times, view, visibility
from memdir_cli.domain.conflict import side_as_memory
from memdir_cli.domain.doubt import UNATTRIBUTED
from memdir_cli.domain.memory import Memory, Side
from memdir_cli.domain.resolve import Judged, says
from memdir_cli.domain.text import printable
from memdir_cli.domain.view import Document
from memdir_cli.shapes import dataclass

Why = Literal["candidate", "conflicted", "unattributed", "source-less", "stale"]

#: In this order they are reviewed: what is served and doubtful stands after what cannot be served at all.
ORDER: tuple[Why, ...] = ("conflicted", "candidate", "unattributed", "source-less", "stale")

#: How many memories a check-up looks at.
SAMPLE = 10


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory that a person should look at.

    :ivar reason: the same as ``why``, as a sentence.
    """

    judged: Judged
    why: Why
    reason: str

    @property
    def memory(self) -> Memory:
        """The memory as it lies in its file."""
        return self.judged.memory

    def commands(self) -> dict[str, str]:
        """What may be typed, by what it does; every one of them needs a user's word."""
        memory = self.memory
        if memory.sides:
            keep = {f"keep {side.id}": f"memdir settle {memory.id} --keep {side.id}" for side in memory.sides}
            narrow = {f"narrow {side.id}": f"memdir narrow {side.id} --path GLOB" for side in memory.sides}
            return {**keep, **narrow, "correct": correction(memory)}
        drop = "reject" if memory.status == "candidate" else "expire"
        return {
            "accept": f"memdir confirm {memory.id}",
            "narrow": f"memdir narrow {memory.id} --path GLOB",
            "correct": correction(memory),
            "reject": f"memdir {drop} {memory.id}",
        }

    def document(self) -> Document:
        """The mapping of ``--json``."""
        document = view.record_document(self.judged.record, self.judged.effective)
        commands = [{"action": name, "command": command} for name, command in self.commands().items()]
        return {**document, "why": self.why, "reason": self.reason, "commands": commands}


@dataclass(frozen=True, slots=True)
class Sampled:
    """One memory of a check-up.

    :ivar revisions: how many files of it lie in history.
    """

    judged: Judged
    revisions: int

    def deletion(self) -> str:
        """How it would be deleted, in words."""
        memory = self.judged.memory
        ends = [f"it ends by itself on {memory.expires_at}"] if memory.expires_at else []
        past = [f"with {self.revisions} in history"] if self.revisions else []
        forget = " ".join((f"`memdir forget {memory.id}`", *past))
        return "; ".join((*ends, f"{forget}; what git keeps it lists"))

    def document(self, now: str) -> Document:
        """The mapping of ``--json``."""
        memory = self.judged.memory
        document = view.record_document(self.judged.record, self.judged.effective)
        return {
            **document,
            "conditions": list(view.conditions(memory.scope)),
            "sourceLabel": view.source_label(memory),
            "confirmed": memory.verified_at or None,
            "age": view.age(memory, now) if memory.verified_at else None,
            "deletion": self.deletion(),
        }


@dataclass(frozen=True, slots=True)
class ReviewAnswer:
    """What waits for a person, or a sample of what is there.

    :ivar sample: ``None`` where no check-up was asked for.
    """

    now: str
    entries: tuple[Entry, ...] = ()
    sample: tuple[Sampled, ...] | None = None
    ignored: bool = False
    remarks: tuple[str, ...] = ()

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``."""
        if self.ignored:
            return {"ignored": True}
        if self.sample is not None:
            return {"sample": [one.document(self.now) for one in self.sample]}
        return {"entries": [one.document() for one in self.entries]}


def waiting(judged: Iterable[tuple[Judged, str]]) -> tuple[Entry, ...]:
    """What waits for a person, in the order of a review.

    :param judged: with what the receipts do not support of each, as a code.
    """
    found = [entry for one, unsupported in judged if (entry := _entry(one, unsupported)) is not None]
    return tuple(sorted(found, key=_place))


def sample(judged: Sequence[Judged], past: Iterable[Memory], now: str) -> tuple[Sampled, ...]:
    """Ten memories, others every day, the same all day."""
    kept: dict[str, int] = {}
    for memory in past:
        kept[memory.id] = kept.get(memory.id, 0) + 1
    drawn = sorted(judged, key=lambda one: hashlib.sha256(f"{now[:10]}{one.memory.id}".encode()).digest())
    return tuple(Sampled(one, kept.get(one.memory.id, 0)) for one in drawn[:SAMPLE])


def correction(memory: Memory) -> str:
    """The command that says another value in the place of ``memory``."""
    return f"memdir correct {shlex.quote(memory.predicate)} VALUE --scope {_scope(memory)}{_narrowed(memory)}"


def statements(memory: Memory) -> Iterator[tuple[Side | None, str]]:
    """What it says, on one line; of a conflict what each side says."""
    for side in memory.sides:
        yield side, _said(side_as_memory(memory, side))
    if not memory.sides:
        yield None, _said(memory)


def _said(memory: Memory) -> str:
    return "(nothing applies)" if memory.none else printable(" ".join(says(memory)[1].split()))


def _entry(one: Judged, unsupported: str) -> Entry | None:
    memory, status = one.memory, one.effective
    if not visibility.here(one):
        return None
    if memory.status == "candidate":
        return Entry(one, "candidate", status.sentence or "it waits for a user's word")
    if not one.servable:
        return None
    if status.status == "conflicted":
        return Entry(one, "conflicted", "its sides contradict each other")
    if unsupported:
        return Entry(one, "unattributed", UNATTRIBUTED.get(unsupported, unsupported))
    if not memory.source:
        return Entry(one, "source-less", "nobody is named who said it")
    return Entry(one, "stale", status.sentence or "it is to be verified") if status.status == "stale" else None


def _place(entry: Entry) -> tuple[int, int, str, str]:
    memory = entry.memory
    return (ORDER.index(entry.why), times.order(memory.updated_at or memory.created_at), memory.predicate, memory.id)


def _scope(memory: Memory) -> str:
    level = memory.scope.level
    return shlex.quote(f"task:{memory.scope.task}") if level == "task" else level


def _narrowed(memory: Memory) -> str:
    scope = memory.scope
    words = ["--private"] if memory.subject.startswith("user:") and scope.level == "repository" else []
    for option, text in (("--path", scope.path), ("--topic", scope.topic), ("--for-version", scope.version)):
        words += [option, text] if text else []
    words += [part for name, value in scope.environment for part in ("--env", f"{name}={value}")]
    return "".join(f" {shlex.quote(word)}" for word in words)
