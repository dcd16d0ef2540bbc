"""The nearest name to one that does not exist."""

from __future__ import annotations

from collections.abc import Iterable

#: How alike two names are of which one may have been meant for the other.
ALIKE = 0.6


def nearest(name: str, names: Iterable[str]) -> str:
    """The other one of ``names`` that ``name`` was probably meant to be, ``""`` if none is near."""
    return next(iter(near(name, sorted(names), 1)), "")


def near(name: str, names: Iterable[str], count: int) -> list[str]:
    """Up to ``count`` others of ``names`` that ``name`` may have been meant to be, the nearest first."""
    import difflib  # only a mistake pays for it

    wanted = name.casefold()
    # to compare two names takes long; most have too few letters in common whatever their order
    others = str.maketrans("", "", wanted)
    size = len(wanted)
    possible = {
        folded: one
        for one in names
        if 2 * (len(folded := one.casefold()) - len(folded.translate(others))) >= ALIKE * (size + len(folded))
        and folded != wanted
    }
    return [possible[one] for one in difflib.get_close_matches(wanted, possible, n=count, cutoff=ALIKE)]
