"""What is told of a file that is no memory: the key, the sentence, the words that stand there."""

from __future__ import annotations

import pytest

from memdir_cli.domain.identity import parse_predicate
from memdir_cli.domain.memory import TYPES
from memdir_cli.errors import UsageError
from memdir_cli.storage.codec import PROBLEMS, Malformed, parse_memory, render
from tests.storage.codec_texts import WHOLE


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        ("id: 7k3f9x2aqm  ", "ident: 7k3f9x2aqm", "id", "`id` is missing."),
        ("id: 7k3f9x2aqm  ", "id: a/b", "id", "`id` is not made of letters, digits, `-` and `_` (it is `a/b`)."),
        ("type: project-rule", "type: rule", "type", f"`type` is none of {', '.join(TYPES)} (it is `rule`)."),
        ("type: project-rule", "type:", "type", f"`type` is none of {', '.join(TYPES)}."),
        ("value: npm", "value: [npm]", "value", "`value` holds a list or a mapping instead of text."),
        ("  - kind: file   # found", "  - kin: file", "source", PROBLEMS["bad-source"]),
        ("revision: 2", f"revision: {'9' * 500}", "revision", f"{PROBLEMS['bad-revision'][:-1]} (it is `{'9' * 80}`)."),
    ],
)
def test_what_cannot_be_served_is_told_with_its_key_and_what_stands_there(
    old: str, new: str, key: str, message: str
) -> None:
    with pytest.raises(Malformed) as caught:
        parse_memory(WHOLE.replace(old, new).encode())
    assert (caught.value.facts["key"], caught.value.message) == (key, message)


def test_a_predicate_that_is_no_key_is_told_as_on_the_command_line() -> None:
    with pytest.raises(UsageError) as typed:
        parse_predicate("two words")
    with pytest.raises(Malformed) as caught:
        parse_memory(WHOLE.replace("predicate: package_manager", "predicate: two words").encode())
    assert caught.value.message.startswith(typed.value.message.removesuffix("."))
    with pytest.raises(Malformed) as caught:
        parse_memory(WHOLE.replace("predicate: package_manager", f"predicate: {'two words ' * 99}").encode())
    assert caught.value.message == "`predicate` cannot be one."


@pytest.mark.parametrize(
    ("key", "reason"), [("source", "bad-source"), ("dependsOn", "bad-evidence"), ("sides", "bad-sides")]
)
@pytest.mark.parametrize("value", ["{}", "{a: b}", "text"])
def test_what_has_entries_is_a_list(key: str, reason: str, value: str) -> None:
    header = f"id: x1\nsubject: user:u\npredicate: p\nscope: user\nstatus: verified\n{key}: {value}\n"
    with pytest.raises(Malformed) as caught:
        parse_memory(f"---\n{header}---\n".encode())
    assert (caught.value.reason, caught.value.line) == (reason, 7)


SIDES = "sides:\n  - id: a\n    value: npm\n  - id: b\n    value: pnpm\n"


def test_a_conflict_that_was_quarantined_keeps_its_sides_and_has_two() -> None:
    header = "id: x1\nsubject: user:u\npredicate: p\nscope: user\nstatus: quarantined\n"
    memory = parse_memory(f"---\n{header}{SIDES}---\n".encode())
    assert [(side.id, side.value) for side in memory.sides] == [("a", "npm"), ("b", "pnpm")]
    with pytest.raises(Malformed) as caught:
        parse_memory(f"---\n{header}{SIDES.partition('  - id: b')[0]}---\n".encode())
    assert (caught.value.reason, caught.value.line) == ("bad-sides", 7)


def test_a_side_keeps_the_type_that_it_had() -> None:
    header = "id: x1\nsubject: user:u\npredicate: p\nscope: user\nstatus: conflicted\n"
    sides = SIDES.replace("value: npm", "value: npm\n    type: decision")
    memory = parse_memory(f"---\n{header}{sides}---\n".encode())
    assert [side.type for side in memory.sides] == ["decision", None]
    assert parse_memory(render(memory)).sides == memory.sides
