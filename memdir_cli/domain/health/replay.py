"""Replay: from the receipts alone, how the memories stood at a time that is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from memdir_cli.domain.happenings import Happened
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.status import STATUSES, Status
from memdir_cli.shapes import dataclass

#: After these a memory is no more, whatever status its receipt names. ``dropped`` may be a revision in history.
GONE = frozenset({"absorbed", "dropped", "forgotten", "rejected"})

#: A user stands behind what these leave verified.
VOUCHED = frozenset({"created", "superseded", "settled", "narrowed"})

#: Ended; what has these lies in history and is not counted as living.
ENDED: frozenset[Status] = frozenset({"superseded", "expired"})

#: By memdir and id.
Name = tuple[Layer, str]

_STATUS: dict[str, Status] = {status: status for status in STATUSES}


@dataclass(frozen=True, slots=True)
class Standing:
    """How one memory stood.

    :ivar since: since when it had this status.
    :ivar verified: when a user last stood behind it, ``""`` if never.
    :ivar created: when a receipt first named it.
    """

    layer: Layer
    id: str
    revision: int
    status: Status
    level: str
    since: str
    verified: str
    created: str


@dataclass(frozen=True, slots=True)
class Past:
    """How it all stood at one moment.

    :ivar living: everything but history.
    :ivar ended: how many revisions lay in history, by status.
    """

    living: dict[Name, Standing]
    ended: Counter[Status]


def replay(happened: Iterable[Happened], moments: Sequence[str]) -> Iterator[Past]:
    """The past at each of ``moments``.

    :param happened: oldest first.
    :param moments: last seconds that count, oldest first.
    """
    living: dict[Name, Standing] = {}
    ended: dict[Name, dict[int, Status]] = {}
    waiting = iter(happened)
    event = next(waiting, None)
    for moment in moments:
        while event is not None and event.at <= moment:
            _apply(living, ended, event)
            event = next(waiting, None)
        yield Past(dict(living), Counter(status for old in ended.values() for status in old.values()))


def _apply(living: dict[Name, Standing], ended: dict[Name, dict[int, Status]], event: Happened) -> None:
    name: Name = (event.memdir, event.id)
    status = _STATUS.get(event.status)
    history = ended.setdefault(name, {})
    if event.kind == "forgotten":
        living.pop(name, None)
        history.clear()
    elif event.kind in GONE:
        if history.pop(event.revision, None) is None:
            living.pop(name, None)
    elif status in ENDED:
        living.pop(name, None)
        history[event.revision] = status
    elif status is not None:
        standing = living.get(name)
        living[name] = _next(standing, event, status)
        if standing is None or standing.status in {"candidate", "conflicted"} or status == "conflicted":
            return  # a candidate was no revision yet, and the sides of a conflict are still open
        if standing.revision < event.revision:
            history[standing.revision] = "superseded"


def _next(standing: Standing | None, event: Happened, status: Status) -> Standing:
    vouched = status == "verified" and (event.kind in VOUCHED or (event.kind == "confirmed" and event.actor == "user"))
    known = standing.verified if standing is not None else ""
    return Standing(
        event.memdir,
        event.id,
        event.revision,
        status,
        event.level,
        standing.since if standing is not None and standing.status == status else event.at,
        event.at if vouched else known,
        standing.created if standing is not None else event.at,
    )
