"""MEMORY.md: a function of the files alone, small enough to be read whole, and a person's own text kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memdir_cli.domain.memory import Side
from memdir_cli.domain.snapshot import Record
from memdir_cli.storage.index import BEGIN, END, MAX_BYTES, MAX_LINES, join, links, listed, render
from tests import records

EMPTY = f"# Memory\n\n{BEGIN}\n{END}\n"


def rule(key: str, **keys: Any) -> Record:
    return records.project(**{"predicate": key, "id": key, "description": f"About {key}", **keys})


def lines(content: bytes) -> list[str]:
    """The generated lines."""
    whole = [line.removesuffix("\r") for line in content.decode("utf-8", "surrogateescape").split("\n")]
    return whole[whole.index(BEGIN) + 1 : whole.index(END)]


def names(content: bytes) -> list[str]:
    return [line.partition("]")[0].removeprefix("- [") for line in lines(content) if line.startswith("- [")]


def test_a_new_index_has_a_title_and_an_empty_block() -> None:
    assert render(None, []) == EMPTY.encode()


def test_a_line_says_name_file_description_value_and_date() -> None:
    (line,) = lines(render(None, [rule("lint", value="npm run lint", verified_at="2026-09-14T09:30:00Z")]))
    assert line == "- [lint](memories/lint-lint.md) — About lint · `npm run lint` · 2026-09-14"


SIDES = (Side("a", "npm", "", "user"), Side("b", "pnpm", "", "user"))


@pytest.mark.parametrize(
    ("keys", "marked"),
    [
        ({"value": "npm", "status": "stale"}, "`npm` (stale: verify first)"),
        ({"value": None, "status": "conflicted", "sides": SIDES}, "conflict: ask"),
        ({"value": None, "none": True}, "nothing applies"),
        ({"value": None, "body": "text"}, "About lint · 2026-09-01"),
        ({"value": ""}, "``"),
        ({"value": "a `b` c"}, "``a `b` c``"),
        ({"value": "`x`"}, "`` `x` ``"),
        ({"value": "run `x`"}, "`` run `x` ``"),
        ({"value": "`x` runs"}, "`` `x` runs ``"),
        ({"value": "`a` or ``b`` or `c`."}, "· ```` `a` or ``b`` or `c`. ````".replace("````", "```")),
        ({"value": "", "status": "stale"}, "`` (stale: verify first)"),
        ({"value": None, "status": "stale"}, "About lint · (stale: verify first)"),
        ({"name": ""}, "- [lint](memories/"),
        ({"name": "Linter"}, "- [Linter](memories/"),
        ({"value": "two\nlines\x1b[2J"}, r"`two lines\x1b[2J`"),
        ({"value": "x" * 500}, "`" + "x" * 119 + "…`"),
        ({"value": "npm", "path": "a/**", "topic": "t"}, "only path a/**, topic t"),
        ({"value": "npm", "environment": {"os": "linux"}}, "only environment.os linux"),
        ({"value": "npm", "verified_at": "", "updated_at": "2026-08-02"}, "`npm` · 2026-08-02"),
        ({"verified_at": "", "updated_at": "2026-08-02T10:00:00Z", "path": "a/**"}, " · 2026-08-02 · only path a/**"),
        ({"description": "[x](http://evil) `code` <b>"}, r"\[x\](http://evil) \`code\` \<b>"),
    ],
)
def test_the_line_marks_what_a_reader_must_know(keys: dict[str, Any], marked: str) -> None:
    (line,) = lines(render(None, [rule("lint", **keys)]))
    assert marked in line
    assert line.isprintable()


@pytest.mark.parametrize(
    ("verified", "date"), [("2026-09-14T09:30:00Z", "2026-09-14"), ("", "2026-08-02")], ids=["verified", "never"]
)
def test_what_grants_a_permission_is_listed_by_its_key_and_date_alone(verified: str, date: str) -> None:
    keys = {"value": "you may push without asking", "verified_at": verified, "updated_at": "2026-08-02T10:00:00Z"}
    (line,) = lines(render(None, [rule("push", **keys)]))
    assert line.startswith("- [push](memories/push-push.md) — ")
    assert line.endswith(f" · {date}")
    assert "without asking" not in line


def test_a_users_rule_for_one_repository_says_so() -> None:
    (line,) = lines(render(None, [records.private(predicate="lint")]))
    assert line.endswith(f" · only repository {records.HERE}")
    (line,) = lines(render(None, [records.private(predicate="lint", path="a/**")]))
    assert line.endswith(f" · only repository {records.HERE}, path a/**")


def test_a_users_rule_for_everywhere_says_only_what_binds_it() -> None:
    (line,) = lines(render(None, [records.user(predicate="lint", path="a/**")]))
    assert line.endswith(" · only path a/**")
    (line,) = lines(render(None, [records.user(predicate="lint")]))
    assert "only" not in line


@pytest.mark.parametrize(
    ("keys", "size"), [("name", 80), ("value", 120), ("description", 160), ("path", 120 - len("path "))]
)
def test_a_text_may_have_so_many_letters_and_is_cut_beyond(keys: str, size: int) -> None:
    whole, more = (lines(render(None, [rule("lint", **{keys: "x" * length})]))[0] for length in (size, size + 1))
    assert "x" * size in whole
    assert "…" not in whole
    assert "x" * (size - 1) + "…" in more


@pytest.mark.parametrize(
    "path", ["a%0a", "100%", "a — b", "a) — b", "a\nb", "a\x1b[2J", "caf\udce9", "日本", "a\u2028b", "a](memories/b"]
)
def test_a_file_with_any_name_is_linked_on_one_line_and_found_again(path: str) -> None:
    content = render(None, [replace(rule("lint"), path=f"memories/{path}.md")])
    (line,) = lines(content)
    assert line.isprintable()
    assert links(content) == [(4, f"memories/{path}.md")]


@pytest.mark.parametrize("status", ["candidate", "quarantined", "superseded", "expired", "archived"])
def test_what_may_not_be_used_gets_no_line_wherever_it_lies(status: str) -> None:
    assert render(None, [rule("lint", status=status)]) == EMPTY.encode()


@pytest.mark.parametrize("folder", ["inbox", "history", "archive", "quarantine", "local/tasks"])
def test_what_lies_elsewhere_gets_no_line_whatever_its_status(folder: str) -> None:
    assert render(None, [rule("lint", folder=folder)]) == EMPTY.encode()


def test_the_order_is_policy_corrected_others_each_newest_verified_first_then_by_name() -> None:
    found = [
        rule("others-b", verified_at="2026-09-01"),
        rule("others-a", verified_at="2026-09-01"),
        rule("others-new", verified_at="2026-09-14T09:30:00Z"),
        # half past midnight in Tokyo is the day before in UTC
        rule("others-tokyo", verified_at="2026-09-15T00:30:00+09:00"),
        rule("corrected-old", supersedes="x@1", verified_at="2026-01-01"),
        rule("corrected-new", supersedes="x@2", verified_at="2026-09-14"),
        rule("policy", authority="policy", verified_at="2020-01-01"),
        rule("never", verified_at=""),
    ]
    wanted = [
        "policy", "corrected-new", "corrected-old", "others-tokyo", "others-new", "others-a", "others-b", "never",
    ]  # fmt: skip
    assert names(render(None, found)) == wanted
    assert names(render(None, reversed(found))) == wanted
    assert names_in_order(found) == wanted


def test_an_index_never_outgrows_what_agents_load_and_counts_what_dropped() -> None:
    found = [rule(f"rule-{n:04}", verified_at=f"2026-09-{n % 28 + 1:02}") for n in range(400)]
    content = render(None, found)
    assert content.count(b"\n") == MAX_LINES
    assert len(content) <= MAX_BYTES
    last = lines(content)[-1]
    assert last == f"<!-- {400 - len(names(content))} more not shown here: `memdir list` shows all -->"


def test_as_many_memories_as_there_are_lines_are_shown_without_a_word_of_more() -> None:
    found = [rule(f"r{n}") for n in range(MAX_LINES - EMPTY.count("\n"))]
    content = render(None, found)
    assert (content.count(b"\n"), len(names(content))) == (MAX_LINES, len(found))
    assert len(names(render(None, [*found, rule("one-more")]))) == len(found) - 1


def test_nothing_is_shown_that_stands_below_what_dropped() -> None:
    found = [rule("a"), rule("b", description="long " * 30), rule("c")]
    spare = MAX_BYTES - len(render(b"\n", found))
    assert names(render(b"x" * (spare + 60) + b"\n", found)) == ["a"], "though there is room for the last one"


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_long_lines_stay_under_the_limit_of_bytes_too(ending: str) -> None:
    found = [rule(f"rule-{n:04}", description="é" * 160, value="日" * 120) for n in range(190)]
    content = render(f"# Mine{ending}".encode(), found)
    assert MAX_BYTES - 1000 < len(content) <= MAX_BYTES


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_room_is_used_to_the_last_byte_and_never_beyond(ending: str) -> None:
    found = [rule(f"rule-{n}", value="x" * 100) for n in range(5)]
    spare = MAX_BYTES - len(render(ending.encode(), found))
    contents = [render(b"x" * (spare + more) + ending.encode(), found) for more in range(300)]
    assert (len(contents[0]), len(names(contents[0]))) == (MAX_BYTES, 5)
    assert len(names(contents[1])) < 5
    assert max(map(len, contents[1:])) == MAX_BYTES


def test_corrections_drop_last_and_stand_in_their_order() -> None:
    found = [rule(f"policy-{n:03}", authority="policy") for n in range(150)]
    found += [rule(f"corrected-{n:03}", supersedes="x@1", value="c") for n in range(150)]
    found += [rule(f"other-{n:03}") for n in range(150)]
    kept = names(render(None, found))
    assert sum(name.startswith("corrected") for name in kept) == 150
    assert not any(name.startswith("other") for name in kept)
    assert kept[0].startswith("policy"), "what is kept stands where it belongs"
    assert kept == [name for name in names_in_order(found) if name in kept]


def names_in_order(found: list[Record]) -> list[str]:
    return [record.memory.name for record in sorted(found, key=listed)]


def test_what_a_person_writes_around_the_block_stays_byte_for_byte() -> None:
    before, after = b"# Ours\r\n\r\nRead the wiki first.\n", b"\nAfterword \xff\xfe\n\n- a list\n"
    old = before + f"{BEGIN}\n- [gone](memories/gone.md) — x\n{END}\n".encode() + after
    content = render(old, [rule("lint")])
    assert content.startswith(before + BEGIN.encode())
    assert content.endswith(f"{END}\r\n".encode() + after)
    assert b"gone" not in content


def test_what_somebody_wrote_into_the_block_goes() -> None:
    block = f"{BEGIN}\nfirst\n\n<!-- 3 more not shown here -->\n{END}\n"
    assert render(f"# Mine\n{block}Below.\n".encode(), []) == f"# Mine\n{BEGIN}\n{END}\nBelow.\n".encode()


def test_an_empty_block_keeps_its_place() -> None:
    around = f"# Mine\n{BEGIN}\n{END}\nBelow.\n"
    assert render(around.encode(), []) == around.encode()


def test_rendering_again_changes_nothing() -> None:
    found = [rule("lint"), rule("test", status="stale")]
    for existing in (None, b"", b"# Mine\n", b"no line end", b"\xef\xbb\xbf# Mine\r\n"):
        once = render(existing, found)
        assert render(once, found) == once


def test_lost_markers_cost_no_text_and_leave_no_line_twice() -> None:
    whole = render(b"# Mine\n\nText.\n", [rule("lint")]).decode()
    for lost in (BEGIN + "\n", END + "\n", f"{BEGIN}\n|{END}\n"):
        damaged = whole
        for marker in lost.split("|"):
            damaged = damaged.replace(marker, "")
        content = render(damaged.encode(), [rule("lint")])
        assert names(content) == ["lint"]
        assert content.startswith(b"# Mine\n\nText.\n")
        assert content.count(BEGIN.encode()) == content.count(END.encode()) == 1


def test_lines_of_ours_that_lost_their_markers_go_whatever_they_describe() -> None:
    found = [rule("lint", description="see [the other](memories/other.md)"), rule("test"), rule("a", name="b) — c")]
    left = "".join(f"{line}\n" for line in lines(render(None, found)))
    own = "- [a page](https://example.org) — mine\n- [notes](memories/notes.md)\n"
    assert render(f"{left}{own}".encode(), []) == f"{own}{BEGIN}\n{END}\n".encode()
    assert render(left.encode(), []) == render(b"", []) == f"{BEGIN}\n{END}\n".encode()


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("theirs_ending", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "Without a line end"])
def test_what_persons_wrote_into_both_is_joined_line_by_line(ending: str, theirs_ending: str, last: str) -> None:
    ours = f"# Memory\nSaid by both.\nOurs.\n{BEGIN}\n{END}\n{last}".replace("\n", ending).encode()
    theirs = f"# Memory\nSaid by both.\n\nTheirs.\n{BEGIN}\n{END}\n".replace("\n", theirs_ending).encode()
    break_before = ending if last else ""
    assert join(None, ours, theirs) == ours + f"{break_before}Theirs.{ending}".encode()
    known = theirs.replace(b"Theirs.", b"Ours.")
    assert join(None, ours, known) == ours, "nothing is new"
    assert join(None, b"", theirs) == b"# Memory\nSaid by both.\nTheirs.\n"


def test_what_one_side_alone_changed_is_taken_as_it_is() -> None:
    base, ours, theirs = (render(f"{text}\n".encode(), []) for text in ("# Base", "# Ours", "# Theirs"))
    other = render(b"# Base\n", [rule("lint")])
    assert join(base, ours, other) == ours
    assert join(base, other, theirs) == theirs
    assert join(base, ours, ours) == ours


def test_the_two_blocks_of_a_union_merge_become_one() -> None:
    one, other = render(None, [rule("lint")]), render(None, [rule("test")])
    content = render(one + other.removeprefix(b"# Memory\n\n"), [rule("lint"), rule("test")])
    assert sorted(names(content)) == ["lint", "test"]
    assert content.count(BEGIN.encode()) == 1


def test_the_links_of_an_index_come_with_their_lines() -> None:
    content = render(b"# Mine\n", [rule("lint", description="see [x](memories/y.md) — z"), rule("test")])
    assert links(content) == [(3, "memories/lint-lint.md"), (4, "memories/test-test.md")]
    assert links(b"- [a](b.md)\n[c](memories/c.md)\n- [d](memories/d.md\n- [e](memories/e.md)") == [
        (4, "memories/e.md")
    ]


texts = st.text(st.characters(codec="utf-8"), max_size=40)


@given(st.lists(st.tuples(texts, texts, texts), max_size=6), texts)
@example([("a", "", END), (BEGIN, f"x {END} y", "")], "")
@example([("", "", "")], "\r")
def test_no_text_of_a_memory_breaks_the_block_or_hides_a_line(said: list[tuple[str, str, str]], own: str) -> None:
    own = own.replace(BEGIN, "").replace(END, "")
    found = [
        rule(f"r{n}", name=name, description=description, value=value)
        for n, (name, description, value) in enumerate(said)
    ]
    content = render(own.encode(), found)
    assert render(content, found) == content
    assert len(lines(content)) == len(found)
    assert sorted(path for _, path in links(content)) == sorted(record.path for record in found)
