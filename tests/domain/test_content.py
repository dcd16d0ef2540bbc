"""Content: what a memory says, the description that is made of it, and two voices that say the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir_cli.domain.content import SHOWN_CHARACTERS, Content, Voice, content_of, describe, saying
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.source import Authority
from tests.domain.test_merging import BASE, PNPM, said

LONG = "word " * 23 + "five."


@pytest.mark.parametrize(
    ("value", "none", "body", "description"),
    [
        ("npm", False, "Because of the lockfile.", "key: npm"),
        ("", False, "Not this.", "key: "),
        (None, True, None, "key: nothing applies"),
        (None, False, "\n  \n Run  npm ci.\r\nNot npm install.\n", "key: Run npm ci."),
        (None, False, None, "key: "),
        ("several\n\tlines", False, None, "key: several lines"),
        (LONG, False, None, f"key: {LONG}"),
        (f"{LONG}!", False, None, f"key: {LONG[:-1]}…"),
    ],
)
def test_a_description_is_one_line_made_from_what_is_said(
    value: str | None, none: bool, body: str | None, description: str
) -> None:
    assert len(LONG) == SHOWN_CHARACTERS
    assert describe("key", value, none, body) == description


@pytest.mark.parametrize(
    "content",
    [
        Content("npm ci", False, "", "project-rule", ""),
        Content(None, True, "", "project-rule", ""),
        Content(None, False, "As it is", "decision", "Several\r\nlines."),
        Content("npm", False, "Install with npm", "fact", "Why."),
    ],
)
def test_a_memory_of_another_content_says_that_and_is_the_same_beside(content: Content) -> None:
    changed = saying(PNPM, content)
    assert content_of(changed) == content
    kept = {name: getattr(PNPM, name) for name in ("value", "none", "description", "type", "body")}
    assert replace(changed, **kept) == PNPM


def test_a_memory_of_another_content_is_described_anew_and_keeps_the_lines_it_has() -> None:
    kept = replace(PNPM, body="\n\nWhy.\n\n")
    changed = saying(kept, replace(content_of(kept), value="yarn"))
    assert (changed.description, changed.body) == ("package_manager: yarn", kept.body)
    for text, body in (("A.\nB.", "A.\nB.\n"), ("A.\r\nB.", "A.\r\nB.\r\n"), ("", "")):
        assert saying(kept, replace(content_of(kept), text=text)).body == body


def voice(authority: Authority, memory: Memory = BASE, side: str = "", day: int = 1) -> Voice:
    return Voice(side, authority, (said(day),), memory)


@pytest.mark.parametrize(
    ("one", "other", "authority"),
    [
        ("policy", "user", "policy"),
        ("user", "inferred", "user"),
        ("inferred", "observed", "observed"),
        ("user", "user", "user"),
    ],
)
def test_two_who_say_the_same_have_the_higher_authority(one: Authority, other: Authority, authority: Authority) -> None:
    joined = voice(one).joined(voice(other, day=2))
    assert (joined.authority, joined.source) == (authority, (said(1), said(2)))
    assert joined == voice(other, day=2).joined(voice(one))


def test_two_who_say_the_same_are_one_whichever_comes_first() -> None:
    spelled = replace(BASE, predicate="Package_Manager", description="Package_Manager: npm")
    for other in (spelled, replace(BASE, body="\r\n"), replace(spelled, body="\n")):
        here, there = voice("user", side="b"), voice("user", other, "a")
        assert here.joined(there) == there.joined(here)
    assert voice("user").joined(voice("user", side="b")).id == "b", "a side of a conflict keeps its id"
