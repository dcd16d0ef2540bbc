"""Isolation: a memory out of everybody's reach, and back again. What its files held is sealed whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memdir_cli.domain import forgetting
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.seal import seal
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.source import Source, label, labelled
from memdir_cli.domain.view import Document
from memdir_cli.shapes import dataclass, replace

#: Characters of the reason that the header keeps.
REASON_CHARACTERS = 280

CODE = "quarantined"


@dataclass(frozen=True, slots=True)
class Isolated:
    """One memory that was taken out, told without any of its words.

    :ivar first: it began with the source that was named; otherwise that only joined later.
    """

    id: str
    revision: int
    key: str
    scope: str
    memdir: Layer
    path: str
    first: bool = True

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class QuarantineAnswer:
    """Everything that one source wrote, taken out."""

    memories: tuple[Isolated, ...]
    warnings: tuple[tuple[str, str], ...] = ()

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``; ``id``, ``revision``, ``status`` and ``path`` where it is one memory."""
        only = self.memories[0] if len(self.memories) == 1 else None
        return {
            "decision": "quarantined",
            "id": only.id if only else None,
            "revision": only.revision if only else None,
            "status": "quarantined",
            "path": only.path if only else None,
            "reason": CODE,
            "memories": [one.document() for one in self.memories],
            "warnings": [{"code": code, "message": message} for code, message in self.warnings],
        }


def sealed(memory: Memory, reason: str, files: Mapping[str, bytes]) -> Memory:
    """``memory`` as it lies in quarantine: what memdir must know of it, and its files under a seal.

    :param files: by their paths from the memdir's root.
    """
    return Memory(
        id=memory.id,
        subject=memory.subject,
        predicate=memory.predicate,
        scope=memory.scope,
        status="quarantined",
        status_reason=f"{CODE}: {_short(reason)}",
        type=memory.type,
        revision=memory.revision,
        authority=memory.authority,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        verified_at=memory.verified_at,
        review_after=memory.review_after,
        expires_at=memory.expires_at,
        body=seal(memory.id, files),
    )


def released(memory: Memory, header: Memory, *, vouched: bool) -> Memory:
    """A memory of a seal as it comes back.

    :param header: as it lay in quarantine, whose subject and repository are those of today.
    :param vouched: the receipts supported it before; otherwise it waits for a user's word.
    """
    scope = replace(memory.scope, repository=header.scope.repository)
    back = replace(memory, subject=header.subject, scope=scope)
    known = vouched and memory.status != "quarantined"
    if known or memory.status in {"candidate", "superseded", "expired", "archived"}:
        return back
    reason = "unconfirmed: released from quarantine, and no receipt shows that anybody vouched for it"
    return replace(back, status="candidate", status_reason=reason)


def wrote(sources: Iterable[Source], wanted: str) -> bool:
    """Whether one of ``sources`` is the one that ``wanted`` names: a session, a message, a file, an address.

    An address counts too where somebody passed on what it said.
    """
    labels = {wanted, label(wanted), labelled(wanted)}
    address = "://" in wanted
    return any(
        any(forgetting.comes_from(source, name) for name in labels)
        or (address and (source.kind != "user" and _names(source.said, wanted)))
        or (address and _names(source.ref, wanted))
        for source in sources
    )


def _names(text: str, address: str) -> bool:
    """Whether an address stands in a text whole, or as the beginning of a longer one of the same place."""
    at = text.find(address)
    while at >= 0:
        after = text[at + len(address) : at + len(address) + 1]
        if address.endswith("/") or not after or not (after.isalnum() or after in "-_%.~"):
            return True
        if after == "." and not text[at + len(address) + 1 : at + len(address) + 2].isalnum():
            return True
        at = text.find(address, at + 1)
    return False


def _short(reason: str) -> str:
    text = " ".join(reason.split())
    return text if len(text) <= REASON_CHARACTERS else f"{text[: REASON_CHARACTERS - 1]}…"
