"""A reader of the headers that memdir writes: a known key and a scalar a line, lists of mappings of these.

Nearly every header is of this form, and each line of it says by its beginning alone where its value belongs, so that
one look in a table is all that a line costs. Whatever is not is left to :mod:`fast_reader`, which reads everything
accepted here the same.
"""

from __future__ import annotations

from typing import Literal

from memdir_cli.storage.codec.keys import ENTRIES, LISTS, ORDER
from memdir_cli.storage.codec.scalars import Value

#: Where the value of a line goes: to a key of the header, to a new entry of a list, or to the entry begun.
_Place = Literal["header", "new entry", "entry"]

#: Everything before the colon of a line that is known, with the key and the place that it means.
_BEGINNINGS: dict[str, tuple[str, _Place]] = {
    **{key: (key, "header") for key in ORDER if key not in LISTS},
    **{f"  - {key}": (key, "new entry") for key in ENTRIES},
    **{f"    {key}": (key, "entry") for key in ENTRIES},
}

#: Lines that begin a list, with its key.
_LISTS = {f"{key}:": key for key in LISTS}

#: What a plain scalar that needs no second look may begin with, besides letters and digits of any script.
SIMPLE = frozenset("_/.~(^$+<=;\\")


def read_own(header: str) -> dict[str, Value] | None:
    """The keys of ``header``, in which there is nothing odd; ``None`` if it is not of this form."""
    if not header.endswith("\n") or "\\" in header:
        return None
    values: dict[str, Value] = {}
    entries: list[Value] | None = None
    entry: dict[str, Value] = {}
    for line in header[:-1].split("\n"):
        beginning, _, rest = line.partition(": ")
        known = _BEGINNINGS.get(beginning)
        if known is None or not rest:
            name = _LISTS.get(line)
            if name is None or name in values or entries == []:
                return None
            values[name] = entries = []
            continue
        key, place = known
        if place == "header":
            if entries == []:
                return None
            into, entries = values, None
        elif entries is None or (place == "entry" and not entries):
            return None
        elif place == "entry":
            into = entry
        else:
            into = entry = {}
            entries.append(entry)
        if key in into:
            return None
        if rest[0] == '"':
            if rest.find('"', 1) != len(rest) - 1:
                return None
            into[key] = rest[1:-1]
        elif is_simple(rest):
            into[key] = rest
        else:
            return None
    return None if entries == [] else values


def is_simple(rest: str) -> bool:
    """Whether ``rest`` is a plain scalar for certain: no comment, no key, no blank at its end."""
    first, last = rest[0], rest[-1]
    return (first.isalnum() or first in SIMPLE) and last not in " :" and "#" not in rest and ": " not in rest
