"""Answers of ``get`` and ``explain``, and the mappings that ``--json`` prints (the CLI adds ``schema``)."""

from __future__ import annotations

from memdir_cli.domain import view
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.resolve import Contender, Judged, Resolution, says
from memdir_cli.domain.view import Document
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class GetAnswer:
    """The one value that applies, or why there is none.

    :ivar winner: what applies; with :attr:`reason` ``none`` it is the memory that says that nothing does.
    :ivar opponents: those between which a person must decide; their values are not told.
    :ivar reason: ``""`` where there is a value; else ``none``, ``not_found``, ``not_applicable``,
        ``conflict`` or ``ignored``.
    :ivar message: the same as a sentence, for stderr.
    :ivar nearest: the key that was probably meant, ``""`` if none is near.
    :ivar now: the time of the answer.
    """

    key: str
    now: str
    winner: Judged | None = None
    opponents: tuple[Judged, ...] = ()
    reason: str = ""
    message: str = ""
    hint: str = ""
    nearest: str = ""
    warnings: tuple[Caution, ...] = ()

    @property
    def value(self) -> str | None:
        """What applies: the value, else the body, else the description; ``None`` if nothing does."""
        return says(self.winner.memory)[1] if self.winner is not None and not self.reason else None

    @property
    def ignored(self) -> bool:
        """Whether memory was not to be used."""
        return self.reason == "ignored"

    @property
    def exit_status(self) -> int:
        """0 with a value, 3 where a person must decide, else 1."""
        return 0 if not self.reason else 3 if self.reason == "conflict" else 1

    def document(self) -> Document:
        """The mapping of ``--json``. Under a conflict no value and no words stand anywhere in it."""
        document: Document = {"key": self.key, "value": self.value, **self._memory()}
        document["reason"] = self.reason or None
        document["warnings"] = [{"code": one.code, "message": one.message} for one in self.warnings]
        if self.opponents:
            document["conflict"] = [_opponent(one) for one in self.opponents]
        if self.nearest:
            document["nearest"] = self.nearest
        if self.ignored:
            document["ignored"] = True
        return {**document, "message": self.message, "hint": self.hint}

    def _memory(self) -> Document:
        if self.winner is None:
            status = "conflicted" if self.opponents else None
            scopes = {one.memory.scope.text for one in self.opponents}
            single = self.opponents[0].memory if len(self.opponents) == 1 else None
            return {
                "id": single.id if single else None,
                "revision": single.revision if single else None,
                "status": status,
                "scope": scopes.pop() if len(scopes) == 1 else None,
                "source": [],
                "age": None,
            }
        memory, status_now = self.winner.memory, self.winner.effective
        return {
            "id": memory.id,
            "revision": memory.revision,
            "status": status_now.status,
            "statusReason": status_now.reason or None,
            "scope": memory.scope.text,
            "conditions": list(view.conditions(memory.scope)),
            "type": memory.type,
            "authority": memory.authority,
            "source": view.source_documents(memory.source),
            "sourceLabel": view.source_label(memory),
            "date": view.dated(memory) or None,
            "age": view.age(memory, self.now),
        }


@dataclass(frozen=True, slots=True)
class ExplainAnswer:
    """Every contender for a key and how it fared."""

    key: str
    now: str
    resolution: Resolution
    nearest: str = ""
    ignored: bool = False
    warnings: tuple[Caution, ...] = ()

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """The contenders that may be shown, as they placed."""
        return self.resolution.contenders

    @property
    def exit_status(self) -> int:
        """0 if there is any contender, else 1."""
        return 0 if self.contenders or self.ignored else 1

    def document(self) -> Document:
        """The mapping of ``--json``."""
        won = next((one for one in self.contenders if one.outcome == "winner"), None)
        document: Document = {
            "key": self.key,
            "verdict": self.resolution.verdict,
            "winner": self._contender(won) if won else None,
            "contenders": [self._contender(one) for one in self.contenders],
            "warnings": [{"code": one.code, "message": one.message} for one in self.warnings],
        }
        if self.nearest:
            document["nearest"] = self.nearest
        if self.ignored:
            document["ignored"] = True
        return document

    def _contender(self, one: Contender) -> Document:
        memory, status = one.judged.memory, one.judged.effective
        document: Document = {
            "id": memory.id,
            "revision": memory.revision,
            "scope": memory.scope.text,
            "conditions": list(view.conditions(memory.scope)),
            "status": status.status,
            "statusReason": status.reason or None,
            "outcome": one.outcome,
            "rule": one.rule,
            "reason": one.reason,
            "by": list(one.by),
            "value": None if memory.none else says(memory)[1] or None,
            "none": memory.none,
            "authority": memory.authority,
            "sourceLabel": view.source_label(memory),
            "age": view.age(memory, self.now),
            "memdir": one.judged.record.layer,
            "file": one.judged.record.path,
        }
        if memory.sides:
            document["sides"] = [view.side_document(side) for side in memory.sides]
        return document


def _opponent(one: Judged) -> Document:
    """A memory in conflict, without anything that could give its value away."""
    memory = one.memory
    return {
        "id": memory.id,
        "revision": memory.revision,
        "scope": memory.scope.text,
        "status": one.effective.status,
        "sides": [side.id for side in memory.sides],
    }
