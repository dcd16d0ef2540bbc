"""Tombstones: what was forgotten stays away, and nobody has lost or made up the word on it (M7)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Rule, Sighting

TOMBSTONES = "tombstones.jsonl"

#: The code of files that were forgotten and are there again.
RETURNED = "M732"


def _torn(examined: Examined) -> Iterator[Sighting]:
    for line in examined.tombstones.torn:
        message = "This line is no tombstone; restore the file from git or remove the line, then type `memdir check`"
        yield Sighting(TOMBSTONES, message, line, 1)


def _returned(examined: Examined) -> Iterator[Sighting]:
    for one in examined.tombstones.returned:
        said = f"This was forgotten on {one.at[:10]} and is here again; nothing serves it"
        if one.certain:
            advice = "type `memdir check --fix`, or `memdir remember KEY VALUE --after-forget` if the user wants it"
        elif one.readable:
            advice = (
                "no receipt tells of that, so it is for a person to say: `memdir forget` this file, or remove the "
                f"line from `{TOMBSTONES}`"
            )
        else:
            advice = "it cannot be read otherwise; type `memdir forget` with its path"
        yield Sighting(one.path, f"{said}; {advice}", key="id", fixable=one.certain)


def _lost(examined: Examined) -> Iterator[Sighting]:
    lost = len(examined.tombstones.lost)
    if lost:
        lines = "A line is" if lost == 1 else f"{lost} lines are"
        message = f"{lines} gone from here, so that others may see again what you forgot; type `memdir repair`"
        yield Sighting(TOMBSTONES, message)


def _made_up(examined: Examined) -> Iterator[Sighting]:
    for line in examined.tombstones.unsupported:
        message = (
            "No receipt tells of this line; restore the receipts from git, or remove it if nobody forgot, then type "
            "`memdir check`"
        )
        yield Sighting(TOMBSTONES, message, line, 1)


RULES: tuple[Rule, ...] = (
    Rule("M731", "torn-tombstone", "warning",
         "A line of the tombstones cannot be read.",
         "[half a line of JSON]", "[the whole line]", _torn),
    Rule(RETURNED, "forgotten-returned", "error",
         "A memory that was forgotten is there again: by hand, by a merge, by `git revert`.",
         "[the file of a forgotten memory restored from git]", "[the same after `memdir check --fix`]", _returned,
         fixable=True),
    Rule("M733", "tombstone-lost", "warning",
         "The memdir has lost a tombstone of which your own memdir has the copy on this machine.",
         "[`git revert` of a forgetting]", "[the file after `memdir repair`]", _lost, fixable=True),
    Rule("M734", "tombstone-unsupported", "warning",
         "No receipt tells that this was forgotten, or that it may be remembered again.",
         "[a line written by hand]", "[a line that `memdir forget` wrote]", _made_up),
)  # fmt: skip
