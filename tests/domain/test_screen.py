"""What may be written nowhere: how it is refused, and where it is found in a file that holds it all the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdir_cli.domain import screen
from memdir_cli.domain.memory import Evidence, Memory, Side
from memdir_cli.domain.screen import Trace, bar, bar_permission, is_folded, memory_texts, statement_texts, traces
from memdir_cli.domain.source import Source
from memdir_cli.domain.statement import Provenance, Qualification, Statement
from memdir_cli.storage import codec
from tests.domain.secret_samples import samples
from tests.records import project

MADE = {name: secret for name, secret, _ in samples()}
TOKEN = MADE["github-classic"]
MASK = f"github-token: `{TOKEN[:4]}… (40 characters)`"


def filed(memory: Memory) -> tuple[Trace, ...]:
    """What is found in the file that memdir writes of a memory."""
    return traces(codec.render(memory).decode(), memory)


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("predicate", "The key"),
        ("value", "The value"),
        ("body", "The text"),
        ("the command line", "The command line"),
        ("--topic", "`--topic`"),
    ],
)
def test_a_refusal_names_the_place_and_repeats_nothing(name: str, called: str) -> None:
    secret = bar([("--path", "src"), (name, f"use {TOKEN}")])
    assert secret is not None
    assert (secret.reason, secret.message.partition(" holds ")[0]) == ("secret", called)
    assert "(github-token)" in secret.message
    assert TOKEN[4:12] not in repr(secret)
    unseen = bar([(name, "a\u200bb\u200b\u202e")])
    assert unseen is not None
    assert unseen.reason == "hidden-characters"
    told = "U+200B zero-width space, U+202E direction override and 1 more"
    assert unseen.message == f"{called} holds characters that show nothing: {told}."
    granted = bar_permission([(name, "push without asking")], "tool")
    assert granted is not None
    assert (granted.reason, granted.message.partition(" grants ")[0]) == ("permission", called)
    assert "`tool`" in granted.message
    assert granted.hint == "ask the user; memory grants nothing: permissions belong in the settings of the agent"


def test_nothing_is_refused_of_what_holds_nothing() -> None:
    assert bar([("value", "package_manager: npm"), ("body", "Why.\n")]) is None
    assert bar_permission([("value", "package_manager: npm")], "tool") is None


def test_a_key_that_is_a_secret_is_shown_masked() -> None:
    assert screen.shown("package_manager") == "package_manager"
    assert TOKEN[4:12] not in screen.shown(f"k.{TOKEN}")


def test_every_text_of_a_memory_is_looked_at_under_its_key() -> None:
    said = Source("user", "ref-1", "said-1")
    memory = project(
        predicate="k", value="v", name="name-1", description="description-1", status_reason="reason-1", body="body-1",
        path="path-1", topic="topic-1", version="version-1", environment={"os": "linux-1"}, source=(said,),
        depends_on=(Evidence("probe-1", "", "was-1"), Evidence("probe-2")),
        sides=(Side("s", "side-1", "side-2", "user", (Source("user", "ref-2", "said-2"),)),),
        extra={"mine": "extra-1", "tags": ["extra-2", {"deep": "extra-3"}], "more": {"list": ["extra-4"]}},
    ).memory  # fmt: skip
    assert set(memory_texts(memory)) == {
        ("predicate", "k"), ("value", "k: v"), ("name", "name-1"), ("description", "description-1"),
        ("statusReason", "reason-1"), ("body", "body-1"), ("path", "path-1"), ("topic", "topic-1"),
        ("version", "version-1"), ("environment", "os=linux-1"), ("source", "ref-1"), ("source", "said-1"),
        ("dependsOn", "probe-1"), ("dependsOn", "was-1"), ("dependsOn", "probe-2"), ("sides", "side-1"),
        ("sides", "side-2"), ("sides", "ref-2"), ("sides", "said-2"), ("mine", "extra-1"), ("tags", "extra-2"),
        ("tags", "deep: extra-3"), ("more", "extra-4"),
    }  # fmt: skip


def test_every_text_of_a_statement_is_looked_at_under_the_option_that_gave_it() -> None:
    statement = Statement(
        "k", "v", task="task-1", description="description-1", body="body-1", depends_on=("probe-1",),
        expires="2027-01-01", review_after="2027-01-02",
        qualification=Qualification("path-1", "topic-1", (("os", "linux-1"),), "version-1"),
        provenance=Provenance("user", "said-1", "session-1", "message-1", "transcript-1", command_line="typed-1"),
    )  # fmt: skip
    assert set(statement_texts(statement)) == {
        ("predicate", "k"), ("value", "k: v"), ("--description", "description-1"), ("--body-file", "body-1"),
        ("--path", "path-1"), ("--topic", "topic-1"), ("--for-version", "version-1"), ("--scope", "task-1"),
        ("--expires", "2027-01-01"), ("--review-after", "2027-01-02"), ("--env", "os=linux-1"),
        ("--depends-on", "probe-1"), ("--said", "said-1"), ("--session", "session-1"), ("--message", "message-1"),
        ("--transcript", "transcript-1"), ("the command line", "typed-1"),
    }  # fmt: skip


# --- what is found in a file --------------------------------------------------------------------


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("text", "line", "column"),
    [(TOKEN, 1, 1), (f"a {TOKEN}", 1, 3), (f"a\n{TOKEN}", 2, 1), (f"a\r\nbc {TOKEN}\n", 2, 4), (f"\n\n{TOKEN}", 3, 1)],
)
def test_a_secret_is_told_by_line_and_column_and_a_byte_order_mark_is_no_column(
    mark: str, text: str, line: int, column: int
) -> None:
    assert traces(mark + text) == (Trace("secret", line, column, MASK),)
    unseen = text.replace(TOKEN, "\u200b")
    assert traces(mark + unseen) == (Trace("hidden", line, column, "U+200B zero-width space"),)


def test_hidden_characters_are_told_line_by_line_each_kind_once() -> None:
    assert traces("a\u200b\u200b\u200b\nb\n\u202ec\x07\x1b\u00ad\u200b\n") == (
        Trace("hidden", 1, 2, "U+200B zero-width space and 2 more"),
        Trace(
            "hidden", 3, 1, "U+202E direction override, U+0007 control character, U+001B control character and 2 more"
        ),
    )


def test_a_hundred_places_of_a_file_are_told_and_no_more() -> None:
    assert len(traces(f"- {TOKEN}.\n\n" * 101)) == 100
    found = traces("\u200b\n" * 101)
    assert (len(found), found[-1].line) == (100, 100)


@pytest.mark.parametrize(
    ("keys", "line"), [({"description": f"use {TOKEN}"}, 4), ({"body": f"Why:\n{TOKEN[:18]}\n  {TOKEN[18:]}\n"}, 0)]
)
def test_what_stands_openly_in_a_memory_is_told_once_where_it_stands(keys: dict[str, Any], line: int) -> None:
    memory = project(value="npm", name="n", **keys).memory
    (trace,) = filed(memory)
    text = codec.render(memory).decode()
    at = text.index(TOKEN[:18])
    assert (trace.line, trace.key) == (text.count("\n", 0, at) + 1, "")
    assert trace.column == at - text.rindex("\n", 0, at)


def test_a_hidden_character_that_stands_openly_in_a_header_is_told_where_it_stands() -> None:
    memory = project(value="npm", name="a\u200bb", source=()).memory
    assert traces("---\nname: a\u200bb\n---\n", memory) == (Trace("hidden", 2, 8, "U+200B zero-width space"),)
    assert traces("\ufeff---\nname: ab\n---\n", replace(memory, name="ab")) == ()


def test_no_token_goes_on_in_the_next_line_of_a_header() -> None:
    assert filed(project(value="npm", name=TOKEN[:18], description=TOKEN[18:]).memory) == ()


def test_what_stands_in_an_escape_of_a_header_is_told_by_its_key() -> None:
    text = f'---\nname: a\ndescription: "{TOKEN[:18]}\\x{ord(TOKEN[18]):02x}{TOKEN[19:]}"\n---\n'
    memory = project(value="npm", description=TOKEN, source=()).memory
    assert traces(text, memory) == (Trace("secret", 0, 0, MASK, "description"),)
    assert traces('---\nname: "a\\u200b"\n---\n', project(value="npm", name="a\u200b").memory) == (
        Trace("hidden", 0, 0, "U+200B zero-width space", "name"),
    )


def test_an_escape_before_a_secret_hides_no_place() -> None:
    text = f'---\ndescription: "use\\n{TOKEN}"\n---\n'
    assert traces(text, project(value="npm", description=f"use\n{TOKEN}").memory) == (Trace("secret", 2, 20, MASK),)


def test_what_goes_on_in_the_next_line_is_read_as_one() -> None:
    secret = MADE["password-is"]
    text = f"---\ndescription: The database\n  password is\n  {secret}\n---\n"
    (trace,) = traces(text, project(value="npm", description=f"The database password is {secret}").memory)
    assert (trace.rule, trace.line, trace.key) == ("secret", 0, "description")


def test_the_same_is_told_once_of_a_header_in_whatever_keys_it_stands() -> None:
    text = '---\nname: "\\u200b\\u0067"\n---\nWhy.\n'
    keys: dict[str, Any] = {"value": "npm", "body": "Why.\n", "source": (Source("user", said=f"{TOKEN}\u200b"),)}
    twice = project(name=f"{TOKEN}\u200b", description=f"{TOKEN}\u200b", **keys).memory
    assert [(one.rule, one.key) for one in traces(text, twice)] == [("secret", "name"), ("hidden", "name")]
    last = project(name="n", description="d", **keys).memory
    assert [(one.rule, one.key) for one in traces(text, last)] == [("secret", "source"), ("hidden", "source")]
    openly = f'---\nname: "\\x41"\ndescription: {TOKEN}\ntopic: \u200b\n---\nWhy.\n'
    assert [(one.rule, one.key) for one in traces(openly, twice)] == [("secret", ""), ("hidden", "")]


@pytest.mark.parametrize(
    ("key", "value"), [("service.api_key", MADE["api-key"]), ("otp", "482913"), ("totp", "482 913")]
)
def test_what_a_write_refuses_because_of_its_key_is_found_in_a_file(key: str, value: str) -> None:
    memory = project(predicate=key, value=value, name="n", id="a").memory
    assert bar(memory_texts(memory)) is not None
    assert [(one.rule, one.key) for one in filed(memory)] == [("secret", "value")]
    assert filed(replace(memory, predicate="checksum")) == ()


def test_the_whole_file_is_looked_at_whatever_the_text_below_is_said_to_be() -> None:
    memory = project(value="npm", body="x" * 1000).memory
    assert traces(f"---\nname: a\n---\n{TOKEN}\n", memory) == (Trace("secret", 4, 1, MASK),)
    said = project(value="npm", name="A", source=(), body=TOKEN).memory
    assert traces('---\nname: "\\x41"\n---\nWhy.\n', said) == ()


@pytest.mark.parametrize(
    ("head", "folded"),
    [
        ("---\nname: a\ndescription: b\n---\n", False),
        ("---\nname: a|b\nvalue: a>b c\n---\n", False),
        ("---\nsource:\n  - kind: user\n    ref: x\n---\n", False),
        ("---\nenvironment:\n  os: linux\n---\n", False),
        ("---\nname: a\n  b\n---\n", True),
        ("---\nname: |\n  a\n---\n", True),
        ("---\nname: >-\n  a\n---\n", True),
        ("---\nname: |2 \n---\n", True),
        ("---\nname: >\n---\n", True),
    ],
)
def test_a_value_of_several_lines_is_seen(head: str, *, folded: bool) -> None:
    assert is_folded(head) is folded
