"""What `repair` says it did."""

from __future__ import annotations

from memdir_cli.domain.repairs import Action, RepairAnswer

MOVED = Action(".memdir/memories/a.md", "moved to .memdir/memories/b.md", "M201")
ODD = Action(".memdir/memories/\udcff\x1b.md", "removed \x1b[2J", "M208")


def test_a_deed_is_one_line_that_steers_no_terminal() -> None:
    assert MOVED.text == ".memdir/memories/a.md: moved to .memdir/memories/b.md"
    assert ODD.text == ".memdir/memories/\\udcff\\x1b.md: removed \\x1b[2J"


def test_the_document_has_a_diff_of_what_only_would_be_done() -> None:
    done = {"path": MOVED.path, "action": MOVED.deed, "code": "M201"}
    assert RepairAnswer((MOVED,)).document() == {"done": [done], "dryRun": False}
    planned = RepairAnswer((MOVED,), dry_run=True, diff="--- a")
    assert planned.document() == {"done": [done], "dryRun": True, "diff": "--- a"}
    odd = {"path": ".memdir/memories/\\udcff\x1b.md", "action": ODD.deed, "code": "M208"}
    assert RepairAnswer((ODD,)).document()["done"] == [odd], "a name that is no UTF-8 can be written all the same"
