"""Rules over what was examined, without a disk: what each says, of which file, and whether it can be mended."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.checks.examined import Examined, Index, Leftovers, Settings, Tombstones, Torn
from memdir_cli.checks.registry import RULES
from memdir_cli.checks.rule import Rule, Sighting
from memdir_cli.domain.memory import Side
from memdir_cli.domain.snapshot import Record, Snapshot, Unreadable
from memdir_cli.domain.source import Source
from tests.records import NOW, project, user

OF_CODE: dict[str, Rule] = {rule.code: rule for rule in RULES}


def examined(*records: Record, unreadable: tuple[Unreadable, ...] = (), **keys: Any) -> Examined:
    homes = {record.path: record.path for record in records}
    return Examined(Snapshot("project", records, unreadable), NOW, **{"homes": homes, **keys})


def found(code: str, *records: Record, **keys: Any) -> list[Sighting]:
    return list(OF_CODE[code].look(examined(*records, **keys)))


def told(code: str, *records: Record, **keys: Any) -> list[str]:
    return [one.message for one in found(code, *records, **keys)]


# what refers to the archive

AWAY = project(id="away", predicate="build", value="tsc", status="archived", folder="archive")


@pytest.mark.parametrize(
    ("keys", "refers"),
    [
        ({"value": "see [[build]]"}, True),
        ({"value": None, "body": "as in (memories/build.md).\n"}, True),
        ({"description": "as build.md says: so"}, True),
        ({"description": "ask away!"}, True),
        ({"description": "ask away? or not"}, True),
        ({"value": "see [[build]].", "description": "and build.md, away"}, True),
        ({"supersedes": "away@1"}, True),
        ({"superseded_by": "away@2"}, True),
        ({"rival": "away@1"}, True),
        ({"rival": "away"}, True),
        ({"supersedes": "far@away"}, False),
        ({"value": "build"}, False),
        ({"value": "away/else"}, False),
        ({"value": "x/[[build]]"}, True),
        ({"description": "[[build] ]"}, False),
    ],
)
def test_a_reference_to_the_archive_is_told_once(keys: dict[str, Any], *, refers: bool) -> None:
    record = project(**{"id": "b", "predicate": "editor", "value": "vim", **keys})
    message = "It refers to `build` (away), which is archived; take the reference out, or type `memdir restore away`"
    assert told("M331", record, AWAY) == ([message] if refers else [])
    assert told("M331", record) == []


def test_what_is_named_like_one_in_the_archive_and_is_served_is_meant_itself() -> None:
    other = project(id="other", predicate="test", value="x", status="archived", folder="archive")
    record = project(id="b", predicate="editor", value="see [[build]] and [[test]]")
    anew = project(id="c", predicate="build", value="vite")
    assert [message[:22] for message in told("M331", record, anew, AWAY, other)] == ["It refers to `test` (o"]
    itself = project(id="away", predicate="editor", value="I am away")
    assert told("M331", itself, AWAY) == [], "nothing refers to itself"


# evidence, and what was merged


@pytest.mark.parametrize(
    ("code", "reason", "key"),
    [
        ("M321", "evidence-changed", "dependsOn"),
        ("M322", "evidence-removed", "dependsOn"),
        ("M323", "evidence-moved", "dependsOn"),
        ("M324", "source-unavailable", "source"),
        ("M325", "age-limit", "verifiedAt"),
    ],
)
def test_each_reason_has_its_rule_and_its_sentence_begins_large(code: str, reason: str, key: str) -> None:
    record = project(id="a")
    (one,) = found(code, record, moved={record.path: f"{reason}: it is `so`: indeed"})
    assert (one.path, one.key, OF_CODE[code].severity) == (record.path, key, "warning")
    assert one.message == (
        "It is `so`: indeed; look, then type `memdir confirm package_manager`, "
        "`memdir correct package_manager VALUE` or `memdir expire package_manager`"
    )
    assert found(code, record, moved={record.path: "other: it is so", "elsewhere": f"{reason}: x"}) == []


def test_a_file_that_a_merge_left_torn_is_joined_by_repair_and_any_other_is_mended_by_hand() -> None:
    code = next(rule.code for rule in RULES if rule.name == "conflict-markers")
    torn = Unreadable("memories/a.md", "conflict-markers", "There are conflict markers.", 3, 1)
    (joined,) = found(code, unreadable=(torn,), torn=Torn(files={torn.path: b""}))
    (by_hand,) = found(code, unreadable=(torn,), torn=Torn(files={"memories/b.md": b""}))
    assert joined.message == "There are conflict markers; type `memdir repair`, which joins both sides"
    assert by_hand.message == f"There are conflict markers; {OF_CODE[code].advice}"
    assert (joined.fixable, by_hand.fixable, joined.line, joined.column) == (True, False, 3, 1)


# the index


@pytest.mark.parametrize(
    ("index", "due", "line"),
    [
        (b"a\nb\nc\n", b"a\nx\nc\n", 2),
        (b"x", b"a", 1),
        (b"a\n", b"a\nb\n", 2),
        (b"a\nb\n", b"a\n", 2),
        (b"a", b"a\nb", 1),
    ],
)
def test_a_drift_of_the_index_is_told_on_its_first_line(index: bytes, due: bytes, line: int) -> None:
    (one,) = found("M213", index=Index(index, due))
    assert (one.path, one.line, one.column) == ("MEMORY.md", line, 1)
    assert found("M213", index=Index(index, index)) == []


def test_a_line_is_without_file_if_nothing_lies_there_and_nothing_is_about_to() -> None:
    paths = ["memories/gone.md", "memories/staged.md", "memories/unread.md", "memories/due.md"]
    index = Index(b"a", b"b", tuple(enumerate(paths, 4)), frozenset({"memories/staged.md", "memories/due.md"}))
    there = frozenset({"memories/unread.md", "memories/due.md"})
    (one,) = found("M211", index=index, names=there)
    assert (one.path, one.line) == ("MEMORY.md", 4)
    assert "`memories/gone.md`" in one.message
    assert found("M213", index=index, names=there) == [], "a line without file is drift enough"
    hidden = Unreadable("memories/a.md", "unreachable", "x")
    assert found("M211", index=index, names=there, unreadable=(hidden,)) == []


def test_a_memory_without_line_is_told_and_its_drift_is_not() -> None:
    index = Index(b"a", b"b", ((4, "memories/a.md"),), frozenset({"memories/a.md", "memories/b.md"}))
    assert [one.path for one in found("M212", index=index)] == ["memories/b.md"]
    assert found("M213", index=index) == []


def test_what_the_index_should_say_is_not_known_while_a_memory_cannot_be_looked_at() -> None:
    index = Index(b"a", b"b")
    hidden = Unreadable("memories/a.md", "unreachable", "x")
    assert found("M213", index=index, unreadable=(hidden,)) == []
    apart = Unreadable("archive/a.md", "unreachable", "x")
    broken = Unreadable("memories/a.md", "duplicate-key", "x")
    assert len(found("M213", index=index, unreadable=(apart, broken))) == 1


@pytest.mark.parametrize(
    ("index", "key", "records", "missing"),
    [
        (Index(None), True, (), True),
        (Index(None), False, (), False),
        (Index(None), False, (project(),), True),
        (Index(None, readable=False), True, (), False),
        (Index(b""), True, (), False),
    ],
)
def test_an_index_is_missing_where_memories_are_served_or_would_be(
    index: Index, key: bool, records: tuple[Record, ...], *, missing: bool
) -> None:
    assert bool(found("M214", *records, index=index, settings=Settings(key=key))) is missing


# leftovers


def test_temporary_files_of_a_journal_that_says_nothing_are_told_with_it() -> None:
    left = ("memories/.memdir-t-1.tmp",)
    assert [one.path for one in found("M713", leftovers=Leftovers("none", left))] == list(left)
    assert [one.path for one in found("M713", leftovers=Leftovers("unfinished", left))] == list(left)
    assert found("M713", leftovers=Leftovers("unreadable", left)) == []
    fires = {state: [code for code in ("M711", "M712") if found(code, leftovers=Leftovers(state))]
             for state in ("none", "unfinished", "unreadable")}  # fmt: skip
    assert fires == {"none": [], "unfinished": ["M711"], "unreadable": ["M712"]}


def test_a_tombstone_that_no_receipt_supports_is_told_with_its_line() -> None:
    sightings = found("M734", tombstones=Tombstones(unsupported=(3, 9)))
    assert [(one.path, one.line, one.column) for one in sightings] == [
        ("tombstones.jsonl", 3, 1),
        ("tombstones.jsonl", 9, 1),
    ]


# status, folder and dates

HOME = "inbox/package_manager~a.md"


@pytest.mark.parametrize(
    ("memory", "home", "unattributed", "advice", "target"),
    [
        ({"status": "candidate"}, HOME, "", "; type `memdir repair`", HOME),
        ({"status": "candidate"}, HOME, "status", "; type `memdir repair`", HOME),
        ({"status": "verified", "folder": "archive"}, "memories/a.md", "", "; type `memdir repair`", "memories/a.md"),
        ({"status": "verified", "folder": "archive"}, "memories/a.md", "status",
         "; set its status back, or say it anew with `memdir remember package_manager`", ""),
        ({"status": "verified", "folder": "inbox"}, "memories/a.md", "status",
         "; set its status back to candidate, then type `memdir confirm package_manager`", ""),
        ({"status": "quarantined"}, "quarantine/a.md", "",
         "; type `memdir quarantine a --reason WHY`, which seals it", ""),
        ({"status": "verified", "folder": "quarantine"}, "memories/a.md", "",
         "; set its status back, or say it anew with `memdir remember package_manager`", ""),
    ],
)  # fmt: skip
def test_a_file_is_moved_home_unless_that_would_bring_it_into_service_on_nobodys_word(
    memory: dict[str, Any], home: str, unattributed: str, advice: str, target: str
) -> None:
    record = project(id="a", **memory)
    doubts = {record.path: unattributed} if unattributed else {}
    (one,) = found("M301", record, homes={record.path: home}, unattributed=doubts)
    assert one.message == f"A memory that is {record.memory.status} belongs at `{home}`{advice}"
    assert (one.fixable, one.target, one.key) == (bool(target), target, "status")


def test_a_home_that_is_taken_or_claimed_twice_is_nobodys() -> None:
    one, other = project(id="a", status="candidate"), project(id="b", status="candidate")
    (sighting,) = found("M301", one, homes={one.path: HOME}, names=frozenset([HOME]))
    assert sighting.message.endswith(", which is taken; keep one of the two, then type `memdir repair`")
    assert not sighting.fixable
    both = found("M301", one, other, homes={one.path: HOME, other.path: HOME})
    assert [(each.fixable, each.target) for each in both] == [(False, ""), (False, "")]
    assert found("M301", one, homes={one.path: "memories/elsewhere.md"}) == [], "another name is another rule's"
    mine = user(id="u", status="candidate")
    assert found("M301", mine, homes={mine.path: HOME}) == [], "nothing of a user's has a home in a repository"


def test_every_file_in_the_wrong_folder_is_told() -> None:
    right, wrong, too = (project(id=name, predicate=name, status="candidate") for name in "abc")
    homes = {right.path: right.path, wrong.path: "inbox/b.md", too.path: "inbox/c.md"}
    assert [one.path for one in found("M301", right, wrong, too, homes=homes)] == [wrong.path, too.path]


@pytest.mark.parametrize(
    ("keys", "fires"),
    [
        ({"status": "quarantined", "folder": "quarantine"}, ["M304"]),
        ({"status": "quarantined", "folder": "quarantine", "value": None, "body": ""}, []),
        # what lies elsewhere, or is of another status there, has a wrong folder and no seal to open
        ({"status": "quarantined", "folder": "memories"}, []),
        ({"status": "superseded", "folder": "quarantine"}, []),
    ],
)
def test_what_is_in_quarantine_is_to_be_sealed(keys: dict[str, Any], fires: list[str]) -> None:
    bare = {"source": (), "description": "", **keys}
    assert [code for code in ("M304", "M305") if found(code, project(id="a", **bare))] == fires


@pytest.mark.parametrize(
    ("status", "hint"),
    [("candidate", " or type `memdir confirm package_manager`"), ("stale", " or type `memdir confirm package_manager`"),
     ("archived", ""), ("superseded", "")],
)  # fmt: skip
def test_a_status_without_a_reason_is_told_with_what_gives_one(status: str, hint: str) -> None:
    assert told("M302", project(status=status)) == [
        f"`status` is {status} without a `statusReason`; add `statusReason: why`{hint}"
    ]
    assert told("M302", project(status=status, status_reason="code: why")) == []
    assert told("M302", project()) == []


def test_a_conflict_with_a_value_of_its_own_names_its_sides() -> None:
    sides = (Side("s1", "npm", "", "user"), Side("s2", "pnpm", "", "user"))
    (message,) = told("M303", project(id="a", value="x", status="conflicted", sides=sides))
    assert message == (
        "A conflicted memory has no value of its own; remove `value`, "
        "or type `memdir settle a --keep SIDE-ID` (s1 or s2)"
    )
    assert told("M303", project(value=None, status="conflicted", sides=sides), project(value="x")) == []


@pytest.mark.parametrize(
    ("when", "ahead"),
    [
        ("2026-09-14T23:59:59Z", False), ("2026-09-15", False), ("2026-09-15T09:30:00Z", False),
        ("2026-09-15T09:30:01Z", True), ("2026-09-16", True), ("2027-01-01T00:00:00Z", True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", ["created_at", "updated_at", "verified_at", "at"])
def test_what_is_said_to_have_happened_more_than_a_day_from_now(key: str, when: str, *, ahead: bool) -> None:
    keys: dict[str, Any] = {"source": (Source("user", at=when),)} if key == "at" else {key: when}
    name = {"created_at": "createdAt", "updated_at": "updatedAt", "verified_at": "verifiedAt"}.get(key, key)
    assert [(one.key, when in one.message) for one in found("M311", project(**keys))] == (
        [(name, True)] if ahead else []
    )


def test_a_date_ahead_is_told_beside_dates_that_are_not_given() -> None:
    bare: dict[str, Any] = {"created_at": "", "updated_at": "", "source": (Source("user"),)}
    assert [one.key for one in found("M311", project(verified_at="2027-01-01", **bare))] == ["verifiedAt"]


@pytest.mark.parametrize(
    ("keys", "fires"),
    [
        ({"expires_at": "2026-09-13"}, ["M312"]),
        ({"expires_at": "2026-09-14"}, []),
        ({"review_after": "2026-09-13"}, ["M313"]),
        ({"review_after": "2026-09-14"}, []),
        ({"review_after": "2026-09-13", "expires_at": "2026-09-13"}, ["M312"]),
        ({"review_after": "2026-09-13", "expires_at": "2026-09-15"}, ["M313"]),
        ({"review_after": "2026-09-13", "expires_at": "2026-09-13", "status": "archived", "folder": "archive"}, []),
    ],
)
def test_the_clock_is_told_once(keys: dict[str, Any], fires: list[str]) -> None:
    assert [code for code in ("M312", "M313") if found(code, project(**keys))] == fires
