"""Receipts and leftovers: the log can be read, and no writer left its work half done (M7)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Rule, Sighting

JOURNAL = "local/journal.json"


def _torn_receipt(examined: Examined) -> Iterator[Sighting]:
    for path, line in examined.torn_receipts:
        message = "This line is no receipt; restore the file from git or remove the line, then type `memdir check`"
        yield Sighting(path, message, line, 1)


def _unfinished(examined: Examined) -> Iterator[Sighting]:
    if examined.leftovers.journal == "unfinished":
        message = "A writer was interrupted before everything was in its place; type `memdir repair`"
        yield Sighting(JOURNAL, message)


def _journal_unreadable(examined: Examined) -> Iterator[Sighting]:
    if examined.leftovers.journal == "unreadable":
        message = "The journal of an interrupted writer cannot be read, and nothing can be written until it is gone"
        yield Sighting(JOURNAL, f"{message}; type `memdir repair`, which sets it aside")


def _temporary(examined: Examined) -> Iterator[Sighting]:
    # a journal that says nothing may need any of them: they are set aside together with it
    for path in examined.leftovers.temporary if examined.leftovers.journal != "unreadable" else ():
        yield Sighting(path, "A killed writer left this temporary file; type `memdir repair`")


def _set_aside(examined: Examined) -> Iterator[Sighting]:
    for path in examined.leftovers.set_aside:
        message = (
            "This version was kept aside because somebody edited the file meanwhile; take over what you need, "
            "remove it, then type `memdir check`"
        )
        yield Sighting(path, message)


RULES: tuple[Rule, ...] = (
    Rule("M701", "torn-receipt", "warning",
         "A line of the receipts cannot be read.",
         "[half a line of JSON]", "[the whole line]", _torn_receipt),
    Rule("M711", "unfinished", "error",
         "A transaction was interrupted after it was promised.",
         "[`local/journal.json` after a power cut]", "[the memdir after the next write]", _unfinished, fixable=True),
    Rule("M712", "journal-unreadable", "error",
         "The journal of an interrupted transaction cannot be read.",
         "[`local/journal.json` cut by hand]", "[the memdir after `memdir repair`]", _journal_unreadable,
         fixable=True),
    Rule("M713", "temporary-file", "warning",
         "A killed writer left a temporary file.",
         "[`memories/.memdir-….tmp`]", "[the memdir after the next write]", _temporary, fixable=True),
    Rule("M714", "set-aside", "warning",
         "A version of a file was set aside and waits for a person.",
         "[a file in `local/set-aside/`]", "[the folder emptied]", _set_aside),
)  # fmt: skip
