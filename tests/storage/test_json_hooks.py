"""Hooks in the JSON of others: in and out again without a trace, however the file is written."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir_cli.domain.agent_settings import SETTINGS, elements
from memdir_cli.domain.hook import AGENTS
from memdir_cli.storage.json_hooks import Wanted, missing, with_hooks, without_hooks
from memdir_cli.storage.json_spans import DEPTH, NoJsonError, parse

WANTED = {agent: Wanted(elements(agent), SETTINGS[agent].beside, comments=SETTINGS[agent].comments) for agent in AGENTS}
STRICT, LENIENT = WANTED["claude"], WANTED["cursor"]

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=8)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
HANDLERS = st.fixed_dictionaries({"type": st.just("command"), "command": st.sampled_from(["make lint", "echo hi", ""])})
GROUPS = st.fixed_dictionaries({"hooks": st.lists(HANDLERS, max_size=2)}, optional={"matcher": st.just("Bash")})
EVENTS = st.sampled_from(["SessionStart", "Stop", "PreToolUse", "beforeSubmitPrompt", "sessionStart"])
HOOKS = st.dictionaries(EVENTS, st.lists(GROUPS | HANDLERS, max_size=2), max_size=3)
FILES = st.builds(
    lambda before, hooks, behind: {**before, **hooks, **behind},
    st.dictionaries(st.text(max_size=6), VALUES, max_size=2),
    st.fixed_dictionaries({}, optional={"version": st.just(1), "hooks": HOOKS}),
    st.dictionaries(st.text(max_size=6), VALUES, max_size=2),
).filter(lambda file: isinstance(file.get("hooks", {}), dict))


@st.composite
def texts(draw: st.DrawFn, comments: bool = False) -> str:
    """A file of settings as somebody may have written it."""
    file = draw(FILES)
    style = draw(st.sampled_from(["pretty", "tabs", "one line", "tight", "wild", "windows"]))
    if style == "wild":
        blanks = ["", " ", "\n", "\t", "\r\n", "\n    "]
        blanks += ["/* note */", " // note, [\n", "\n// memdir hook stop\n  "] if comments else []
        return _wild(draw, file, st.sampled_from(blanks))
    shapes: dict[str, dict[str, Any]] = {
        "tabs": {"indent": "\t"}, "one line": {}, "tight": {"separators": (",", ":")},
    }  # fmt: skip
    text = json.dumps(file, **shapes.get(style, {"indent": 2}), ensure_ascii=draw(st.booleans()))
    text += draw(st.sampled_from(["", "\n", " \n\n"]))
    return text.replace("\n", "\r\n") if style == "windows" else text


def _wild(draw: st.DrawFn, value: object, blanks: st.SearchStrategy[str]) -> str:
    def gap() -> str:
        return draw(blanks)

    if isinstance(value, dict):
        parts = [f"{gap()}{json.dumps(key)}{gap()}:{_wild(draw, one, blanks)}" for key, one in value.items()]
        return f"{gap()}{{{','.join(parts)}{gap()}}}{gap()}"
    if isinstance(value, list):
        return f"{gap()}[{','.join(_wild(draw, one, blanks) for one in value)}{gap()}]{gap()}"
    return f"{gap()}{json.dumps(value)}{gap()}"


@settings(max_examples=400)
@given(texts(), st.sampled_from(AGENTS))
def test_what_is_put_in_comes_out_again_without_a_trace(text: str, agent: str) -> None:
    wanted = WANTED[agent]  # type: ignore[index]
    _goes_and_comes(text, wanted)


@settings(max_examples=400)
@given(texts(comments=True))
def test_comments_stay_where_they_are(text: str) -> None:
    _goes_and_comes(text, LENIENT)


def _goes_and_comes(text: str, wanted: Wanted) -> None:
    before = parse(text, comments=wanted.comments).value
    assert isinstance(before, dict)
    once = with_hooks(text, wanted).text
    assert once is not None
    assert with_hooks(once, wanted).text == once, "twice is once"
    after = parse(once, comments=wanted.comments).value
    assert isinstance(after, dict)
    for event, element in wanted.events.items():
        assert after["hooks"][event] == [element, *before.get("hooks", {}).get(event, [])]
    others = {key: value for key, value in after.items() if key != "hooks"}
    assert {**(wanted.beside if "hooks" not in before else {}), **others} == others
    assert {key: others[key] for key in before if key != "hooks"} == {k: v for k, v in before.items() if k != "hooks"}
    assert without_hooks(once, wanted).text == text
    assert _is_within(text, once), "nothing was moved"
    if not wanted.comments:
        assert json.loads(once) == after


def _is_within(part: str, whole: str) -> bool:
    """Whether ``part`` is ``whole`` with some characters left out."""
    rest = iter(whole)
    return all(char in rest for char in part)


@given(st.text() | texts().map(lambda text: text[:-3]) | st.sampled_from(["[1,]", "[,1]", '{"a" 1}', "01", "[" * 500]))
def test_what_json_does_not_know_is_no_json(text: str) -> None:
    try:
        known = json.loads(text)
    except (ValueError, RecursionError):
        with pytest.raises(NoJsonError):
            parse(text)
        return
    assert parse(text).value == known or re.search(r"NaN|Infinity", text)


@pytest.mark.parametrize("text", ["\n {}", '{"a" : 1}', '{ "a"\n:\t[ 1 , 2 ] }\n', ' "a" ', "[ ]"])
def test_blanks_may_stand_between_all_parts(text: str) -> None:
    assert parse(text).value == json.loads(text)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_lists_and_objects_may_be_equally_deep(opening: str, closing: str) -> None:
    text = f"{opening * (DEPTH + 1)}1{closing * (DEPTH + 1)}"
    assert parse(text).value == json.loads(text)
    with pytest.raises(NoJsonError, match="nested too deeply"):
        parse(f"{opening * (DEPTH + 2)}1{closing * (DEPTH + 2)}")


@pytest.mark.parametrize(
    ("text", "why", "line"),
    [
        ("x", "that is no value", 1),
        ("\n\nx", "that is no value", 3),
        ('{\n"a": 1,\n"b": }', "a value is missing", 3),
        ('{\n"a": ', "a value is missing", 2),
        ('{"a": yes\n}', "that is no value", 1),
        ("[\n\n1 2]", "a comma is missing", 3),
        ("[1,\n]", "a comma stands before the end", 2),
        ('{\n"a', "a string is not closed", 2),
    ],
)
def test_what_is_no_json_is_told_with_its_line(text: str, why: str, line: int) -> None:
    with pytest.raises(NoJsonError) as caught:
        parse(text)
    assert (caught.value.why, caught.value.line) == (why, line)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_file_that_is_made_for_them_goes_with_them(agent: str) -> None:
    wanted = WANTED[agent]  # type: ignore[index]
    made = with_hooks(None, wanted).text
    assert made is not None
    assert made == f"{json.dumps(json.loads(made), indent=2)}\n"
    assert with_hooks(made, wanted).text == made
    assert without_hooks(made, wanted).text is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a value is missing"), ("[]", "it holds no object"), ('{"hooks": []}', "its `hooks` is no object"),
        ('{"hooks": {"Stop": {}}}', "its `Stop` is no list"), ('{"a": 1, "a": 2}', "a key stands there twice"),
        ('{\n"a": 1 // b\n}', "a comma is missing"), ('{"a": 1} x', "something follows after its end"),
        ('{"a": "\\x"}', "a string cannot be read"), ("{1: 2}", "a key is missing"), ('{"a" 1}', "a colon is missing"),
    ],
)  # fmt: skip
def test_what_is_something_else_is_not_changed(text: str, why: str) -> None:
    with pytest.raises(NoJsonError, match=re.escape(why)):
        with_hooks(text, STRICT)


def test_a_hook_that_somebody_has_changed_stays_and_goes_with_the_others() -> None:
    made = with_hooks('{"model": "x"}\n', STRICT).text or ""
    changed = made.replace('"timeout": 10}]}], "Stop"', '"timeout": 60}]}], "Stop"', 1)
    changed = changed.replace('"Bash|Edit|MultiEdit|NotebookEdit|Write"', '"Edit"')
    again = with_hooks(changed, STRICT)
    assert (again.text, again.edited) == (changed, ("PostToolUse",))
    removed = without_hooks(changed, STRICT)
    assert (removed.text, removed.edited) == ('{"model": "x"}\n', ("PostToolUse",))


def test_a_hook_of_an_earlier_way_to_call_is_written_anew() -> None:
    made = with_hooks(None, STRICT).text or ""
    old = made.replace("memdir hook prompt --agent claude", "/opt/memdir hook prompt")
    assert with_hooks(old, STRICT).text == made
    mixed = '{"hooks": {"Stop": [{"hooks": [{"command": "mine"}, {"command": "memdir hook stop"}]}]}}'
    fitted = with_hooks(mixed, STRICT).text or ""
    assert [one["command"] for one in json.loads(fitted)["hooks"]["Stop"][0]["hooks"]] == [
        "mine", "memdir hook stop --agent claude",
    ]  # fmt: skip
    assert without_hooks(fitted, STRICT).text == '{"hooks": {"Stop": [{"hooks": [{"command": "mine"}]}]}}'


def test_what_somebody_added_around_a_hook_stays() -> None:
    made = with_hooks(None, LENIENT).text or ""
    first = made.replace('"hooks": {', '"hooks": { // mine\n    "stop2": [],', 1)
    left = without_hooks(first, LENIENT).text or ""
    assert parse(left, comments=True).value == {"hooks": {"stop2": []}, "version": 1}
    second = made.replace('"version": 1,', '// why\n  "version": 1, "own": 2, // here')
    left = without_hooks(second, LENIENT).text or ""
    assert parse(left, comments=True).value == {"version": 1, "own": 2}
    assert "// why" in left
    assert "// here" in left


def test_a_comment_of_somebodys_in_what_was_made_for_a_hook_stays() -> None:
    line = '{"command": "memdir hook stop --agent cursor"}'
    text = f'{{\n  "hooks": {{ // why\n    "stop": [\n      {line},\n    ]\n  }}\n}}\n'
    left = without_hooks(text, LENIENT).text or ""
    assert "// why" in left
    assert parse(left, comments=True).value == {"hooks": {}}


def test_what_cursor_wants_beside_is_told_where_it_is_missing() -> None:
    assert missing('{"hooks": {}}', LENIENT) == ("version",)
    assert missing('{"version": 1}', LENIENT) == missing("{}", STRICT) == ()


@pytest.mark.parametrize("indent", [2, 4, "\t"])
def test_hooks_are_laid_out_as_the_file_is(indent: int | str) -> None:
    text = f"{json.dumps({'model': 'x'}, indent=indent)}\n"
    events = {event: [element] for event, element in STRICT.events.items()}
    assert with_hooks(text, STRICT).text == f"{json.dumps({'hooks': events, 'model': 'x'}, indent=indent)}\n"


def test_only_what_somebody_has_changed_is_told_as_changed() -> None:
    put = with_hooks('{"hooks": {"Stop": [{"hooks": [{"command": "mine"}]}]}}', STRICT)
    assert put.edited == ()
    again = with_hooks(put.text, STRICT)
    assert (again.text, again.edited) == (put.text, ())
    events = json.loads(put.text or "")["hooks"]
    ours, mine = events["Stop"]
    events["Stop"] = [{"hooks": [*mine["hooks"], *ours["hooks"]]}]
    together = json.dumps({"hooks": events})
    fitted = with_hooks(together, STRICT)
    assert (fitted.text, fitted.edited) == (together, ("Stop",)), "ours stands among somebody's own"
