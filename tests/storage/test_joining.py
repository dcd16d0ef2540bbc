"""Two descendants of a memdir as one: a memory is followed wherever a verb has moved it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain.memory import Memory
from memdir_cli.storage import codec, index, layout
from memdir_cli.storage.joining import Files, Joined, changed, join
from tests.records import project

BASE = project(value="npm", id="one").memory
PNPM = replace(BASE, value="pnpm", revision=2, supersedes="one@1")
HEARD = replace(BASE, verified_at="2026-09-09T08:00:00Z")
PAST = replace(BASE, status="superseded", status_reason="superseded: by one@2", superseded_by="one@2")


def files(*memories: Memory, **others: bytes) -> dict[str, bytes]:
    """A memdir with these memories where they belong."""
    found = {layout.path_of(memory, "project"): codec.render(memory) for memory in memories}
    return {**found, **{f"{name}.jsonl": content for name, content in others.items()}}


def moved(status: Any, memory: Memory = BASE) -> Memory:
    return replace(memory, status=status, status_reason=f"{status}: why")


def joined(base: Files, ours: Files, theirs: Files) -> Joined:
    result = join(base, ours, theirs, "project")
    other = join(base, theirs, ours, "project")
    assert (other.files.keys(), len(other.problems)) == (result.files.keys(), len(result.problems))
    return result


def told(result: Joined) -> dict[str, tuple[str, str | None]]:
    assert not result.problems
    memories = {path: codec.parse_memory(data) for path, data in result.files.items()}
    return {path: (memory.status, memory.value) for path, memory in memories.items()}


HOME, ARCHIVE, QUARANTINE = (
    "memories/package_manager.md",
    "archive/package_manager~one.md",
    ("quarantine/package_manager~one.md"),
)
HISTORY = "history/package_manager~one@1.md"

TABLE: list[tuple[str, list[Memory], list[Memory], dict[str, tuple[str, str | None]]]] = [
    ("archived and heard again", [moved("archived")], [HEARD], {ARCHIVE: ("archived", "npm")}),
    (
        "archived and corrected", [moved("archived")], [PNPM, PAST],
        {HOME: ("verified", "pnpm"), HISTORY: ("superseded", "npm")},
    ),
    ("ended and heard again", [moved("expired")], [HEARD], {HISTORY: ("expired", "npm")}),
    (
        "ended and corrected", [moved("expired")], [PNPM, PAST],
        {HOME: ("verified", "pnpm"), HISTORY: ("superseded", "npm")},
    ),
    ("archived and ended", [moved("archived")], [moved("expired")],
     {ARCHIVE: ("archived", "npm"), HISTORY: ("expired", "npm")}),
    ("archived and quarantined", [moved("archived")], [moved("quarantined")], {QUARANTINE: ("quarantined", "npm")}),
    (
        "quarantined and corrected", [moved("quarantined")], [PNPM, PAST],
        {QUARANTINE: ("quarantined", "pnpm"), HISTORY: ("superseded", "npm")},
    ),
    ("removed by hand and left", [], [BASE], {}),
    ("removed by hand and heard again", [], [HEARD], {HOME: ("verified", "npm")}),
    ("removed on both sides", [], [], {}),
]  # fmt: skip


@pytest.mark.parametrize(("ours", "theirs", "left"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_where_a_memory_stands_after_both(ours: list[Memory], theirs: list[Memory], left: dict[str, Any]) -> None:
    assert told(joined(files(BASE), files(*ours), files(*theirs))) == left


def test_what_nobody_changed_stays_where_it_lies() -> None:
    odd = {"memories/elsewhere.md": codec.render(BASE), "memories/notes.md": b"mine\n", "config.yaml": b"format: 1\n"}
    assert joined(odd, odd, odd).files == odd
    assert joined(odd, odd, {**odd, "memories/notes.md": b"yours\n"}).files["memories/notes.md"] == b"yours\n"


def test_two_memories_of_one_key_become_one() -> None:
    mine = replace(BASE, id="mine", value="vim", created_at="2026-09-02T08:00:00Z")
    yours = replace(BASE, id="yours", value="nano", created_at="2026-09-03T08:00:00Z")
    result = joined({}, files(mine), files(yours))
    assert told(result) == {HOME: ("conflicted", None)}
    assert codec.parse_memory(result.files[HOME]).id == "mine"


def test_a_version_that_git_put_where_another_one_belongs_is_taken_home() -> None:
    other = replace(BASE, id="two", predicate="linter")
    # ours forgot one and said another, which git takes for a move; theirs heard the first one again
    result = joined({HOME: codec.render(BASE)}, {HOME: codec.render(other)}, {HOME: codec.render(HEARD)})
    assert told(result) == {HOME: ("verified", "npm"), "memories/linter.md": ("verified", "npm")}


def test_lines_of_both_sides_stay() -> None:
    logs = [{"receipts/2026-09.jsonl": content} for content in (b'{"at":""}\n', b'{"a":1}\n', b'{"b":1}\n')]
    result = joined(*logs)
    assert result.files["receipts/2026-09.jsonl"].count(b"\n") == 2


@pytest.mark.parametrize(
    ("path", "ours", "theirs"),
    [
        ("config.yaml", b"user: a\n", b"user: b\n"),
        (HOME, b"<<<<<<<", codec.render(PNPM)),
        (HOME, b"no memory", b"none either"),
    ],
)
def test_what_cannot_be_joined_is_a_problem(path: str, ours: bytes, theirs: bytes) -> None:
    base = {path: codec.render(BASE) if path == HOME else b"user:\n"}
    result = joined(base, {path: ours}, {path: theirs})
    assert [problem.path for problem in result.problems] == [path]


def test_a_file_that_one_side_broke_and_the_other_changed_is_a_problem() -> None:
    result = join(files(BASE), {HOME: b"---\nbroken"}, files(PNPM, PAST), "project")
    assert [problem.path for problem in result.problems] == [HOME]


def test_what_was_forgotten_does_not_come_back() -> None:
    result = join(files(BASE), files(), files(PNPM, PAST), "project", lambda version: version.memory.id == "one")
    assert (result.files, result.problems) == ({}, [])


# files that are no memory

BLOCK = f"Mine.\n{index.BEGIN}\n%s\n{index.END}\n".encode()
RECEIPTS, OLDER = "receipts/2026-09.jsonl", "history/package_manager~one.sources.jsonl"


@pytest.mark.parametrize(
    ("path", "base", "ours", "theirs", "left"),
    [
        ("notes.txt", b"a\n", b"b\n", b"b\n", b"b\n"),
        ("notes.txt", b"a\n", None, None, None),
        ("notes.txt", b"a\n", b"a\n", None, None),
        (RECEIPTS, b'{"at":"1"}\n', b'{"at":"1"}\n{"at":"3"}\n', None, b'{"at":"1"}\n{"at":"3"}\n'),
        (OLDER, b'{"at":"1"}\n', b'{"at":"1"}\n{"at":"3"}\n', b'{"at":"2"}\n', b'{"at":"1"}\n{"at":"2"}\n{"at":"3"}\n'),
        ("MEMORY.md", b"Old.\n", None, b"Old.\nTheirs.\n", b"Old.\nTheirs.\n"),
        # its block is made anew in any case
        ("MEMORY.md", BLOCK % b"- a", BLOCK % b"- a\n- b", None, b""),
        ("config.yaml", b"a: x\nb: x\nc: x\n", b"a: y\nb: x\nc: x\n", b"a: x\nc: x\nd: z\n", b"a: y\nc: x\nd: z\n"),
        ("config.yaml", b"a: x\n", b"a: y\n", b"a: y\nb: z\n", b"a: y\nb: z\n"),
        (".gitignore", b"local/\n", b"local/", b"inbox/ \n\nlocal/  \n", b"local/\ninbox/ \n"),
        (".gitignore", b"", b"local/ \n", b"local/\ninbox/\n", b"local/ \ninbox/\n"),
        (".gitignore", b"local/\n", b"", b"local/\ninbox/\n", b"local/\ninbox/\n"),
        (".gitattributes", None, b"a\n", b" a\nb\n", b"a\n a\nb\n"),
    ],
)
def test_what_both_sides_did_to_a_file_stays(
    path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, left: bytes | None
) -> None:
    three = [{} if content is None else {path: content} for content in (base, ours, theirs)]
    result = joined(*three)
    assert result.problems == []
    assert result.files == ({} if left is None else {path: left})


def test_what_persons_wrote_into_both_indexes_stays() -> None:
    result = joined({"MEMORY.md": b"Old.\n"}, {"MEMORY.md": b"Old.\nOurs.\n"}, {"MEMORY.md": b"Old.\nTheirs.\n"})
    assert (result.files, result.problems) == ({"MEMORY.md": b"Old.\nOurs.\nTheirs.\n"}, [])


@pytest.mark.parametrize(
    ("path", "base", "ours", "theirs", "left", "reason"),
    [
        ("notes.txt", b"a\n", b"b\n", b"c\n", b"b\n", "both sides changed it"),
        ("notes.txt", b"a\n", None, b"c\n", b"c\n", "both sides changed it"),
        ("notes.txt", b"a\n", b"c\n", None, b"c\n", "both sides changed it"),
        ("config.yaml", b"a: 1\n", None, b"a: 2\n", b"a: 2\n", "both sides changed it"),
        ("config.yaml", b"a: 1\n", b"a: 2\n", None, b"a: 2\n", "both sides changed it"),
        (
            "config.yaml",
            b"a: 1\nb: 2\n",
            b"a: 1\nb: 3\n",
            b"a: 1\n",
            b"a: 1\nb: 3\n",
            "both sides changed the same setting",
        ),
        ("config.yaml", None, b"a: 1\n", b"a: 2\n", b"a: 1\n", "both sides changed the same setting"),
    ],
)
def test_what_contradicts_itself_is_a_problem_and_what_is_left_is_kept(
    path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, left: bytes, reason: str
) -> None:
    three = [{} if content is None else {path: content} for content in (base, ours, theirs)]
    result = joined(*three)
    assert [(one.path, one.reason) for one in result.problems] == [(path, reason)]
    assert result.files == {path: left}


# what is over

TOUCHED = replace(PAST, source=(*PAST.source, replace(PAST.source[0], ref="session:s2/message:m2")))
NOT_ONE = "the versions differ in subject, key or scope: they are not one memory"


def test_a_past_revision_that_one_side_let_go_of_is_gone_unless_the_other_has_changed_it() -> None:
    assert joined(files(PNPM, PAST), files(PNPM), files(PNPM, PAST)).files.keys() == {HOME}
    assert joined(files(PNPM, PAST), files(PNPM), files(PNPM)).files.keys() == {HOME}
    result = joined(files(PNPM, PAST), files(PNPM), files(PNPM, TOUCHED))
    assert result.files[HISTORY] == codec.render(TOUCHED)


def test_two_past_revisions_that_are_not_one_memory_are_a_problem() -> None:
    odd = "history/odd.md"
    other = replace(PAST, predicate="linter")
    result = joined({}, {odd: codec.render(PAST)}, {odd: codec.render(other)})
    assert [(one.path, one.reason) for one in result.problems] == [(odd, NOT_ONE)]
    assert result.files == {odd: codec.render(PAST)}


# what stands


@pytest.mark.parametrize("ended", [False, True])
def test_versions_of_one_id_that_are_not_one_memory_are_a_problem(*, ended: bool) -> None:
    ours = files(moved("expired")) if ended else files(HEARD)
    theirs = files(replace(BASE, predicate="linter", revision=2))
    result = join(files(BASE), ours, theirs, "project")
    path = "memories/linter.md" if ended else HOME
    assert [one.reason for one in result.problems] == [NOT_ONE]
    assert result.problems[0].path == path
    assert path in result.files


def test_what_was_over_before_ends_nothing() -> None:
    # ours removed by hand what stood; that an older revision lies in history says nothing of that
    before = files(PNPM, PAST)
    heard = replace(PNPM, verified_at="2026-09-09T08:00:00Z")
    elsewhere = replace(PAST, id="two", predicate="linter", revision=7)
    result = joined(before, files(PAST, elsewhere), files(heard, PAST))
    assert told(result)[HOME] == ("verified", "pnpm")


def test_the_last_revision_is_the_one_that_ended_it() -> None:
    ended = replace(PNPM, status="expired", status_reason="expired: why")
    result = joined(files(BASE), files(PAST, ended), files(HEARD))
    assert told(result) == {
        HISTORY: ("superseded", "npm"),
        "history/package_manager~one@2.md": ("expired", "pnpm"),
    }
    heard = codec.parse_memory(result.files["history/package_manager~one@2.md"])
    assert heard.verified_at == HEARD.verified_at, "it is the one that was heard again"


def test_two_memories_of_one_key_that_lie_elsewhere_become_one_at_its_place() -> None:
    mine, yours = replace(BASE, id="mine", value="vim"), replace(BASE, id="yours", value="nano")
    odd = "memories/elsewhere.md"
    assert told(joined({}, {odd: codec.render(mine)}, {odd: codec.render(yours)})) == {HOME: ("conflicted", None)}


def test_a_place_that_two_memories_claim_is_a_problem() -> None:
    first, second = replace(BASE, id="b", predicate="x"), replace(BASE, id="c", predicate="linter")
    holder = replace(BASE, id="a", predicate="held")
    odd, taken = "memories/odd.md", "memories/linter.md"
    result = joined({}, {odd: codec.render(first)}, {odd: codec.render(second), taken: codec.render(holder)})
    assert [(one.path, one.reason) for one in result.problems] == [(odd, f"`{taken}` is claimed by two memories")]


def test_states_differ_where_a_file_does() -> None:
    assert list(changed({"a": b"1", "b": b"1", "c": b"1"}, {"a": b"1", "b": b"2", "d": b"1"})) == ["b", "c", "d"]
