"""Merges: what git could not merge, and clones in which it does not know how (M2, M7)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Rule, Sighting

GITATTRIBUTES = ".gitattributes"


def _unmerged(examined: Examined) -> Iterator[Sighting]:
    torn = examined.torn
    told = f"`git add -A {torn.place}`"
    for path, reason in sorted(torn.unmerged.items()):
        if reason:
            message = (
                f"git has this file in conflict, and memdir cannot settle it: {reason}; "
                f"make one file of both by hand, then type {told}"
            )
        elif torn.files:
            message = f"git has this file in conflict; type `memdir repair`, which settles it, then {told}"
        else:
            message = f"git has this file in conflict, which is settled; tell git: {told}"
        yield Sighting(path, message, fixable=not reason and bool(torn.files))


def _driver_missing(examined: Examined) -> Iterator[Sighting]:
    if examined.settings.driver_missing:
        message = (
            "git is told to merge memories with memdir's driver and does not know it in this clone, so that it merges "
            "them line by line; type `memdir install git`"
        )
        yield Sighting(GITATTRIBUTES, message)


RULES: tuple[Rule, ...] = (
    Rule("M209", "unmerged", "error",
         "git has a file of the memdir in conflict.",
         "[a memory that one branch removed and the other changed]", "[the same after `memdir repair` and `git add`]",
         _unmerged, fixable=True),
    Rule("M727", "driver-missing", "info",
         "This clone does not know the driver with which memories are to be merged.",
         "[a fresh clone]", "[the same after `memdir install git`]", _driver_missing),
)  # fmt: skip
