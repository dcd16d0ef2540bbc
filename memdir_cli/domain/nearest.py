"""The nearest name to one that does not exist."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, names: Iterable[str]) -> str:
    """The other one of ``names`` that ``name`` was probably meant to be, ``""`` if none is near."""
    import difflib  # only a mistake pays for it

    by_folded = {one.casefold(): one for one in sorted(names) if one.casefold() != name.casefold()}
    found = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[found[0]] if found else ""
