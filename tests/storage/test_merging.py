"""Three versions of a file in, one out: the lines that nobody changed stay as they are."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from memdir_cli.domain import isolation, seal
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.merging import UnmergeableError, merge
from memdir_cli.storage import codec
from memdir_cli.storage.codec import Malformed
from memdir_cli.storage.merging import merge_lines
from tests.domain.test_merging import memories
from tests.storage.merged_files import merge_files

FILE = """\
---
# whose rule this is: ask Kim
id: one
predicate: package_manager   # the key
name: 'package_manager'
subject: project:github.com/acme/app
scope: repository:github.com/acme/app
status: verified
x-owner: kim
value: npm # for now
description: Install with npm
revision: 1
source:
  # from the first meeting
  - {kind: user, ref: "message:m1", said: "npm here", attested: claimed}
updatedAt: "2026-09-01T08:00:00Z"
verifiedAt: "2026-09-01T08:00:00Z"
---
Why: the lockfile.
"""
STATED = FILE.replace("npm # for now", "pnpm # for now").replace("revision: 1", "revision: 2")
DESCRIBED = FILE.replace("Install with npm", "Install, and keep the lockfile").replace("revision: 1", "revision: 2")


def test_only_the_lines_that_came_out_otherwise_change() -> None:
    merged = merge_files(FILE.encode(), STATED.encode(), DESCRIBED.encode()).decode()
    assert merged == STATED.replace("Install with npm", "Install, and keep the lockfile").replace(
        "revision: 2", "revision: 3"
    )


@pytest.mark.parametrize("form", ["\r\n", "\ufeff", "no end"])
def test_line_ends_byte_order_mark_and_a_missing_end_stay(form: str) -> None:
    def dressed(text: str) -> bytes:
        text = text.removesuffix("\n") if form == "no end" else text
        text = text.replace("\n", "\r\n") if form == "\r\n" else text
        return (f"\ufeff{text}" if form == "\ufeff" else text).encode()

    merged = merge_files(*map(dressed, (FILE, STATED, DESCRIBED)))
    assert merged == dressed(merge_files(FILE.encode(), STATED.encode(), DESCRIBED.encode()).decode())


def test_a_comment_of_theirs_is_taken_where_ours_has_none_of_its_own() -> None:
    commented = FILE.replace("x-owner: kim", "x-owner: kim # and Sam")
    merged = merge_files(FILE.encode(), STATED.encode(), commented.encode()).decode()
    assert merged == STATED.replace("x-owner: kim", "x-owner: kim # and Sam")
    both = merge_files(FILE.encode(), STATED.replace("# for now", "# until May").encode(), commented.encode()).decode()
    assert both == STATED.replace("# for now", "# until May")


def test_a_side_that_alone_was_changed_is_taken_with_its_form() -> None:
    commented = STATED.replace("x-owner: kim", "x-owner: kim # and Sam").encode()
    assert merge_files(FILE.encode(), FILE.encode(), commented) == commented
    assert merge_files(FILE.encode(), commented, FILE.encode()) == commented


def test_a_base_of_which_the_form_cannot_be_kept_is_in_nobodys_way() -> None:
    keys = 'id: one, predicate: p, subject: "user:u", scope: user, status: verified, value: npm'
    base = f"---\n{{{keys}}}\n---\nWhy.\n".encode()
    stated = f"---\n{keys.replace(', ', chr(10)).replace('npm', 'pnpm')}\n---\nWhy.\n".encode()
    commented = f"---\n# mine\n{keys.replace(', ', chr(10))}\n---\nWhy.\n".encode()
    assert merge_files(base, base, stated) == stated
    assert merge_files(base, stated, base) == stated
    assert merge_files(base, stated, commented) == stated


def test_of_keys_that_both_sides_add_ours_come_first() -> None:
    ours = STATED.replace("---\nWhy", "x-one: yarn\n---\nWhy").encode()
    theirs = DESCRIBED.replace("---\nWhy", "x-two: bun\n---\nWhy").encode()
    assert b"\nx-one: yarn\nx-two: bun\n---\n" in merge_files(FILE.encode(), ours, theirs)
    assert b"\nx-two: bun\nx-one: yarn\n---\n" in merge_files(FILE.encode(), theirs, ours)


def test_two_values_leave_no_markers() -> None:
    merged = merge_files(FILE.encode(), STATED.encode(), STATED.replace("pnpm", "yarn").encode())
    assert b"<<<<" not in merged
    memory = codec.parse_memory(merged)
    assert [side.value for side in memory.sides] in (["pnpm", "yarn"], ["yarn", "pnpm"])
    assert "# whose rule this is: ask Kim" in merged.decode()
    assert memory.body.count("Why: the lockfile.") == 2


@pytest.mark.parametrize(
    "broken",
    [b"", b"no memory\n", FILE.replace("status: verified", "status: sure").encode(), FILE.encode("utf-16")],
)
def test_a_side_that_cannot_be_read_is_no_guess(broken: bytes) -> None:
    for ours, theirs in ((broken, STATED.encode()), (STATED.encode(), broken)):
        with pytest.raises(Malformed):
            merge_files(FILE.encode(), ours, theirs)


def test_a_base_that_cannot_be_read_is_none() -> None:
    assert codec.parse_memory(merge_files(b"<<<<<<<", STATED.encode(), FILE.encode())).status == "conflicted"


def test_versions_of_two_memories_are_not_merged() -> None:
    with pytest.raises(UnmergeableError):
        merge_files(FILE.encode(), STATED.encode(), FILE.replace("predicate: package_manager", "predicate: x").encode())


@settings(max_examples=200)
@given(memories(), memories(), memories())
def test_what_memdir_wrote_comes_out_the_same_on_both_machines(base: Memory, ours: Memory, theirs: Memory) -> None:
    files = [codec.render(memory) for memory in (base, ours, theirs)]
    merged = merge_files(*files)
    assert codec.parse_memory(merged) == merge(base, ours, theirs)
    if all(not memory.extra for memory in (base, ours, theirs)):
        assert merge_files(files[0], files[2], files[1]) == merged


def row(at: str, txn: str) -> bytes:
    return json.dumps({"txn": txn, "at": f"2026-09-{at}T08:00:00Z"}).encode() + b"\n"


def test_lines_of_both_sides_stand_once_and_in_the_order_of_their_times() -> None:
    past = row("01", "a")
    ours, theirs = past + row("02", "z") + row("04", "y"), past + row("03", "c") + row("04", "x")
    both = past + row("02", "z") + row("03", "c") + row("04", "x") + row("04", "y")
    assert merge_lines(ours, theirs) == merge_lines(theirs, ours) == both
    assert merge_lines(both, ours) == both
    assert merge_lines(b"half a li", b"") == b"half a li\n", "what cannot be read is kept all the same"
    torn = merge_lines(past + b"half a li\n[]\n", past + row("02", "z"))
    assert set(torn.splitlines(keepends=True)) == {past, b"half a li\n", b"[]\n", row("02", "z")}


def test_a_body_of_another_form_survives() -> None:
    memory = codec.parse_memory(FILE.encode())
    ours = codec.render(replace(memory, body="\r\nText.\r\n"))
    theirs = codec.render(replace(memory, value="pnpm"))
    assert codec.parse_memory(merge_files(codec.render(memory), ours, theirs)).body == "\r\nText.\r\n"


def sealed(memory: Memory, **files: bytes) -> bytes:
    """The file of a memory in quarantine."""
    bundle = {"memories/package_manager.md": codec.render(memory), **files}
    return codec.render(isolation.sealed(memory, "poison", bundle))


def opened(data: bytes) -> dict[str, bytes]:
    memory = codec.parse_memory(data)
    assert (memory.status, seal.plain(memory)) == ("quarantined", ())
    return seal.opened(memory.body)


def test_what_one_side_says_of_what_the_other_took_out_goes_under_the_seal() -> None:
    memory = codec.parse_memory(FILE.encode())
    corrected = codec.render(replace(memory, value="zebra", revision=2))
    shut = sealed(memory)
    merged = merge_files(FILE.encode(), shut, corrected)
    assert merge_files(FILE.encode(), corrected, shut) == merged
    assert b"zebra" not in merged
    files = opened(merged)
    assert files.pop("memories/package_manager.md") == corrected
    assert list(files.values()) == [codec.render(memory)]
    assert codec.parse_memory(merged).revision == 2
    assert merge_files(FILE.encode(), merged, corrected) == merged


def test_what_both_sides_took_out_lies_under_one_seal() -> None:
    memory = codec.parse_memory(FILE.encode())
    one, two = sealed(memory, a=b"mine"), sealed(memory, b=b"yours")
    merged = merge_files(None, one, two)
    assert merge_files(None, two, one) == merged
    assert set(opened(merged)) == {"memories/package_manager.md", "a", "b"}


def test_a_seal_that_is_damaged_is_kept_under_the_other_one() -> None:
    memory = codec.parse_memory(FILE.encode())
    whole = sealed(memory)
    lines = whole.decode().replace("```sealed\n", "```sealed\nAAAA")
    merged = merge_files(None, whole, lines.encode())
    assert merge_files(None, lines.encode(), whole) == merged
    assert {codec.render(memory), lines.encode()} == set(opened(merged).values())


def test_what_is_said_beside_a_seal_keeps_the_name_that_the_seal_knows() -> None:
    memory = codec.parse_memory(FILE.encode())
    corrected = codec.render(replace(memory, value="zebra", revision=2))
    shut = codec.render(isolation.sealed(memory, "poison", {"memories/of_a_user.md": codec.render(memory)}))
    files = opened(merge_files(None, shut, corrected))
    assert files.pop("memories/of_a_user.md") == corrected
    assert list(files.values()) == [codec.render(memory)]


def test_every_old_revision_under_a_seal_keeps_its_own_name() -> None:
    memory = codec.parse_memory(FILE.encode())
    old = replace(memory, status="superseded")
    first, second = "history/package_manager~one@1.md", "history/package_manager~one@2.md"
    shut = codec.render(isolation.sealed(memory, "poison", {first: codec.render(old)}))
    beside = codec.render(replace(old, revision=2))
    assert opened(merge_files(None, shut, beside)) == {first: codec.render(old), second: beside}


def test_a_release_is_not_undone_by_a_side_that_knows_nothing_of_it() -> None:
    memory = codec.parse_memory(FILE.encode())
    shut = sealed(memory)
    released = codec.render(replace(memory, revision=2))
    assert merge_files(shut, shut, released) == merge_files(shut, released, shut) == released


def test_of_two_seals_the_later_one_says_why_and_when() -> None:
    memory = replace(codec.parse_memory(FILE.encode()), updated_at="2026-09-03T08:00:00Z")
    later = replace(memory, revision=2, updated_at="2026-09-02T08:00:00Z")
    bundle = {"memories/package_manager.md": FILE.encode()}
    one = codec.render(isolation.sealed(memory, "poison: the first", bundle))
    two = codec.render(isolation.sealed(later, "poison: the second", {**bundle, "a": b"mine"}))
    for merged in (merge_files(None, one, two), merge_files(None, two, one)):
        found = codec.parse_memory(merged)
        assert found.status_reason == codec.parse_memory(two).status_reason
        assert (found.revision, found.updated_at) == (2, memory.updated_at)


def test_under_a_seal_a_memory_keeps_its_name_before_what_cannot_be_read() -> None:
    memory = codec.parse_memory(FILE.encode())
    one, two = sealed(memory, a=b"!broken"), sealed(memory, a=FILE.encode())
    files = opened(merge_files(None, one, two))
    assert files["a"] == FILE.encode()
    assert sorted(files.values()) == sorted([b"!broken", FILE.encode(), codec.render(memory)])


def test_a_seal_in_the_text_of_a_memory_that_is_served_hides_nothing_of_the_other_side() -> None:
    text = seal.seal("one", {"memories/package_manager.md": b"x"})
    base, ours, theirs = (one.replace("Why: the lockfile.\n", text).encode() for one in (FILE, STATED, DESCRIBED))
    merged = codec.parse_memory(merge_files(base, ours, theirs))
    assert (merged.status, merged.value, merged.body) == ("verified", "pnpm", text)
    assert merged.description == "Install, and keep the lockfile"
