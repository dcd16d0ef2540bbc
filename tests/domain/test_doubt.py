"""Why a value should be verified first, and what is said of files that could not be served."""

from __future__ import annotations

import pytest

from memdir_cli.domain import doubt
from memdir_cli.domain.resolve import judge
from memdir_cli.domain.snapshot import Layer, Record, Snapshot, Unreadable
from tests.records import project, runtime, user


def warned(record: Record, unsupported: str = "") -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in doubt.doubts(judge(record, runtime()), unsupported)]


def broken(layer: Layer, *reasons: str) -> Snapshot:
    files = tuple(Unreadable(f"memories/{reason}.md", reason, reason, layer=layer) for reason in reasons)
    return Snapshot(layer, unreadable=files)


def test_a_verified_memory_that_receipts_support_raises_no_doubt() -> None:
    assert warned(project(value="npm")) == []


def test_a_stale_memory_is_to_be_verified_first_and_says_why() -> None:
    stale = project(value="npm", status="stale", status_reason="rule-changed: `AGENTS.md` changed")
    assert warned(stale) == [("stale", "stale: verify first: `AGENTS.md` changed")]
    assert warned(project(value="npm", status="stale")) == [("stale", "stale: verify first")]


@pytest.mark.parametrize(("unsupported", "sentence"), [*doubt.UNATTRIBUTED.items(), ("unheard-of", "unheard-of")])
def test_what_no_receipt_supports_is_to_be_verified_first_and_can_be_adopted(unsupported: str, sentence: str) -> None:
    expected = f"unattributed: verify first: {sentence}; `memdir confirm` adopts it"
    assert warned(project(value="npm"), unsupported) == [("unattributed", expected)]
    both = warned(project(value="npm", status="stale"), unsupported)
    assert [code for code, _ in both] == ["stale", "unattributed"]


def test_each_file_of_a_key_that_says_nothing_is_named_with_who_judges_it() -> None:
    ours = Snapshot("project", unreadable=broken("project", "not-utf8").unreadable, copies=(project(id="c"),))
    own = Snapshot("user", unreadable=broken("user", "not-utf8").unreadable, returned=(user(id="r"),))
    there = "see `memdir check` with `--dir` and your own memdir"
    assert [(one.code, one.message) for one in doubt.obscured((ours, own))] == [
        (
            "unreadable",
            "`memories/not-utf8.md` of the project memdir cannot be read and may say otherwise; see `memdir check`",
        ),
        ("quarantined", "`memories/package_manager-c.md` is a copy of what is in quarantine; see `memdir check`"),
        ("unreadable", f"`memories/not-utf8.md` of the user memdir cannot be read and may say otherwise; {there}"),
        ("forgotten", f"`memories/package_manager-r.md` holds what was forgotten; {there}"),
    ]


def test_files_that_are_not_told_of_are_counted() -> None:
    assert doubt.unreadable(Snapshot("project")) == []
    assert doubt.unreadable(broken("project", "not-utf8")) == [
        "1 file in the project memdir cannot be read; see `memdir check`"
    ]
    assert doubt.unreadable(broken("user", "not-utf8", "no-fence")) == [
        "2 files in the user memdir cannot be read; see `memdir check` with `--dir` and your own memdir"
    ]


def test_files_that_nobody_meant_to_be_memories_are_not_counted() -> None:
    assert doubt.unreadable(broken("project", "no-header", "unmanaged")) == []
    (remark,) = doubt.unreadable(broken("project", "no-header", "not-utf8", "unmanaged"))
    assert remark.startswith("1 file ")


@pytest.mark.parametrize(
    ("count", "told"), [(1, "1 file in the project memdir holds"), (2, "2 files in the project memdir hold")]
)
def test_what_was_forgotten_and_what_is_in_quarantine_is_told_of_too(count: int, told: str) -> None:
    records = tuple(project(id=f"r{n}") for n in range(count))
    (remark,) = doubt.unreadable(Snapshot("project", returned=records))
    assert remark == f"{told} what was forgotten; see `memdir check`"
    (remark,) = doubt.unreadable(Snapshot("project", copies=records))
    files = told.rpartition(" ")[0]
    assert remark == f"{files} of what is in quarantine, which nothing serves; see `memdir check`"
