"""Sighting: how the files among the memories stood when somebody last looked at them, and since when that holds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from memdir_cli.domain.snapshot import Record
from memdir_cli.shapes import dataclass
from memdir_cli.storage import cache, layout
from memdir_cli.storage.cache import Rows, Stats
from memdir_cli.storage.filed import Filed
from memdir_cli.storage.memories import Found


@dataclass(frozen=True, slots=True)
class Sighting:
    """One look at all files in ``memories/``.

    :ivar moment: that of :func:`journal.moment`, before the look.
    :ivar since: the time before the look, in nanoseconds since 1970.
    :ivar stats: tells how the files stood.
    """

    moment: object
    since: int
    stats: Callable[[], Stats]


@dataclass(frozen=True, slots=True)
class Names:
    """One look at the names of the files of a key.

    :ivar moment: that of :func:`journal.moment`, before the look.
    :ivar names: by folder, those that begin with the stem of the key.
    """

    moment: object
    stem: str
    names: Mapping[str, Sequence[str]]


def look(root: str, moment: object) -> Sighting:
    """A look at the files as they are now."""
    since, stats = time.time_ns(), cache.stats_of(root, layout.MEMORIES)
    return Sighting(moment, since, lambda: stats)


def names(seen: Names | None, moment: object, stem: str, folder: str) -> Sequence[str] | None:
    """The names in a folder that begin like this, ``None`` where nobody has just looked."""
    return seen.names.get(folder) if seen is not None and (seen.moment, seen.stem) == (moment, stem) else None


def filing(
    place: str, root: str, key: str, found: Iterable[Found], rows: Rows, seen: Sighting
) -> Callable[[], None] | None:
    """What saves what was read for the next reader; ``None`` where that is not worth it.

    :param place: the cache folder of this account.
    :param rows: the cache, of which the rest was taken.
    """
    records = [one for one in found if isinstance(one, Record)]
    if sum(not isinstance(record.memory, Filed) for record in records) < cache.WORTH_SAVING:
        return None
    return partial(cache.save_read, place, root, key, records, seen.stats(), rows, now=seen.since)
