"""What an installation tells of itself, for programs and for people."""

from __future__ import annotations

from memdir_cli.domain.installing import Edit, InstallAnswer

EDITS = (
    Edit("/h/new.json", None, b"{}"),
    Edit("/h/old\x1b.json", b"{}", b"{ }"),
    Edit("/h/gone.json", b"{}", None),
)


def test_a_program_is_told_every_file_with_what_was_done_to_it() -> None:
    answer = InstallAnswer("claude-code", EDITS, removed=True, dry_run=True, diff="@@", remarks=("Start it anew.",))
    assert answer.document() == {
        "target": "claude-code",
        "done": [
            {"path": "/h/new.json", "action": "created"},
            {"path": "/h/old\\x1b.json", "action": "changed"},
            {"path": "/h/gone.json", "action": "removed"},
        ],
        "removed": True,
        "dryRun": True,
        "diff": "@@",
        "warnings": [{"code": "install", "message": "Start it anew."}],
    }
    assert answer.lines == ("created /h/new.json", "changed /h/old\\x1b.json", "removed /h/gone.json")


def test_where_nothing_had_to_be_done_nothing_is_told() -> None:
    assert InstallAnswer("git").document() == {
        "target": "git", "done": [], "removed": False, "dryRun": False, "diff": "", "warnings": [],
    }  # fmt: skip
    assert InstallAnswer("git").lines == ()
