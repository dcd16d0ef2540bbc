"""Answer of ``log``: what happened, from the receipts, newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from memdir_cli.domain.rows import text_of
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.view import Document
from memdir_cli.shapes import dataclass, replace


@dataclass(frozen=True, slots=True)
class Happened:
    """One event of a receipt.

    :ivar actor: the kind of source that asked for it.
    :ivar previous: ``id@revision`` that was replaced, or ``""``.
    :ivar key: its key, where the memory still exists and may be told of; receipts hold none.
    """

    at: str
    kind: str
    id: str
    revision: int
    previous: str
    status: str
    authority: str
    level: str
    actor: str
    transaction: str
    memdir: Layer
    key: str = ""

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class LogAnswer:
    """Everything the receipts of both memdirs tell."""

    events: tuple[Happened, ...] = ()

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {"events": [one.document() for one in self.events]}


def newest_first(told: Iterable[tuple[Layer, Iterable[Mapping[str, object]]]]) -> tuple[Happened, ...]:
    """The events of the receipts of each memdir, which come oldest first; what is no event is passed over."""
    events = [event for layer, receipts in told for receipt in receipts for event in _events(layer, receipt)]
    # what was forgotten in a project is told by the user memdir as well, which keeps a copy of the tombstone
    there = {(event.transaction, event.id) for event in events if event.memdir == "project"}
    events = [
        event
        for event in events
        if event.kind != "forgotten" or event.memdir == "project" or (event.transaction, event.id) not in there
    ]
    # within a second, what stands further down happened later
    events.sort(key=lambda event: event.at)
    return tuple(reversed(events))


def named(events: Iterable[Happened], keys: Mapping[str, str]) -> tuple[Happened, ...]:
    """The events with the keys of the memories that still exist.

    :param keys: by id.
    """
    return tuple(replace(event, key=keys.get(event.id, "")) for event in events)


def _events(layer: Layer, receipt: Mapping[str, object]) -> Iterator[Happened]:
    events = receipt.get("events")
    for event in events if isinstance(events, list) else ():
        if isinstance(event, dict):
            yield Happened(
                at=text_of(receipt, "at"),
                kind=text_of(event, "kind"),
                id=text_of(event, "id"),
                revision=revision if isinstance(revision := event.get("revision"), int) else 0,
                previous=text_of(event, "previous"),
                status=text_of(event, "status"),
                authority=text_of(event, "authority"),
                level=text_of(event, "level"),
                actor=text_of(receipt, "actor"),
                transaction=text_of(receipt, "txn"),
                memdir=layer,
            )
