"""context over real memdirs."""

from __future__ import annotations

import json

import pytest

from memdir_cli.errors import UsageError
from memdir_cli.operations.context import context
from tests.operations.reading_place import Place, founded
from tests.sandbox import Sandbox


@pytest.fixture
def place(sandbox: Sandbox) -> Place:
    """A repository with a memdir."""
    return founded(sandbox)


def test_same_state_and_day_same_bytes(place: Place) -> None:
    for number in range(20):
        place.say(f"key{number}", f"value {number}", "repository" if number % 2 else "user")
    morning, evening = "2026-10-20T00:00:01Z", "2026-10-20T23:59:59Z"
    first = context(place.open(now=morning), feeds=False).text
    assert context(place.open(now=evening)).text == first
    assert context(place.open(now=evening)).text == first, "neither does its own log change it"
    assert "5 weeks" in first


def test_it_gives_each_key_once_and_nobody_elses(place: Place, sandbox: Sandbox) -> None:
    place.say("package_manager", "pnpm", "user")
    place.say("package_manager", "npm", "repository")
    place.say("draft", "unconfirmed", "repository", kind="agent")
    place.say("quotes", "single ones", "repository")
    place.say("quotes", "double ones", "repository")
    other = founded(sandbox, "other")
    other.say("secret", "elsewhere", "repository")
    text = context(place.open()).text
    assert "`npm`" in text
    for absent in ("pnpm", "unconfirmed", "single ones", "double ones", "elsewhere"):
        assert absent not in text
    assert "quotes: conflict: ask" in text
    stranger = context(place.open(env={"MEMDIR_USER": "someone-else"})).text
    assert "npm" in stranger
    assert "`pnpm`" in context(other.open()).text
    assert "`pnpm`" not in context(other.open(env={"MEMDIR_USER": "someone-else"})).text


def test_what_was_left_out_is_a_number_with_the_command(place: Place) -> None:
    for number in range(12):
        place.say(f"key{number}", "v" * 80, "repository")
    answer = context(place.open(), budget=900)
    assert len(answer.text) <= 900
    assert 0 < answer.briefing.left_out < 12
    assert f"{answer.briefing.left_out} of 12 left out (budget 900 characters); all: `memdir list`" in answer.text
    assert answer.document()["left_out"] == answer.briefing.left_out
    line = json.loads(place.accesses()[-1])
    assert line["budget"] == 900
    assert line["characters"] == len(answer.text)
    assert len(line["excluded"]["budget"]) == answer.briefing.left_out
    assert len(line["shown"]) == 12 - answer.briefing.left_out


def test_what_nobody_vouches_for_is_to_be_verified_first(place: Place) -> None:
    made = place.say("node", "22", "repository")
    place.say("npm", "10", "repository", review_after="2026-12-01")
    assert made.memory is not None
    place.change(made.memory.id, value="24")
    text = context(place.open(now="2027-01-01T00:00:00Z")).text
    line = next(line for line in text.splitlines() if line.startswith("- node: `24`"))
    assert " [unattributed: verify first: it was changed by hand since the last receipt" in line
    assert "npm: `10` [stale: verify first: it was to be reviewed after 2026-12-01]" in text


def test_the_query_is_logged_as_a_keyed_digest_only(place: Place) -> None:
    place.say("node", "22", "repository")
    context(place.open(), query="which node version")
    line = json.loads(place.accesses()[-1])
    assert len(line["query"]) == 32
    assert "version" not in place.accesses()[-1]


def test_ignored_memory_prints_nothing(place: Place) -> None:
    place.say("node", "22", "repository")
    assert context(place.open(), ignored=True).text == ""
    answer = context(place.open(), ignored=True, form="json")
    assert json.loads(answer.text) == answer.document() == {"schema": 1, "ignored": True, "memories": []}
    assert place.accesses() == []


def test_both_forms_tell_the_same(place: Place) -> None:
    place.say("node", "22", "repository")
    place.say("formatter", "eslint", "repository", path="src/**")
    answer = context(place.open(), form="json")
    assert json.loads(answer.text) == answer.document()
    markdown = context(place.open())
    assert markdown.document()["memories"] == answer.document()["memories"]


def test_a_file_that_cannot_be_read_is_a_remark_and_hides_nothing(place: Place) -> None:
    place.say("node", "22", "repository")
    folder = place.top / ".memdir/memories"
    (folder / "broken.md").write_bytes(b"---\nid: a\nid: b\n---\n")
    (folder / "notes.md").write_text("# Not ours\n", encoding="utf-8")
    answer = context(place.open())
    assert "`22`" in answer.text
    assert answer.remarks == ("1 file in the project memdir cannot be read; see `memdir check`",)


def test_a_negative_budget_is_wrong_usage(place: Place) -> None:
    with pytest.raises(UsageError):
        context(place.open(), budget=-1)
