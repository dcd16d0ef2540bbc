"""Hooks in the JSON of others, to the letter: where they are put, and what stays when they are taken out."""

from __future__ import annotations

import pytest

from memdir_cli.storage.json_hooks import Wanted, with_hooks, without_hooks
from memdir_cli.storage.json_spans import NoJsonError

#: A hook that is wanted; in the tables ``E`` stands for it, and ``OLD`` for one that calls memdir in an earlier way.
E = '{"command": "memdir hook stop"}'
OLD = '{"command": "memdir hook stop --old"}'

WANTED = Wanted({"Stop": {"command": "memdir hook stop"}}, {"version": 1}, comments=True)


def text(told: str) -> str:
    return told.replace("OLD", OLD).replace("E", E)


def stop(told: str) -> str:
    """A file with this list of hooks, which is somebody's."""
    return f'{{"hooks": {{"Stop": [{told}]}}}}'


PRETTY_HOOKS = '"hooks": {\n    "Stop": [\n      {\n        "command": "memdir hook stop"\n      }\n    ]\n  }'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # on the line of what stands there
        ('{"a": 1}', '{"version": 1, "hooks": { "Stop": [ E ] }, "a": 1}'),
        ('{ "a": 1 }', '{ "version": 1, "hooks": { "Stop": [ E ] }, "a": 1 }'),
        ('{"hooks": {"Go": []}}', '{"hooks": {"Stop": [ E ], "Go": []}}'),
        (stop("1"), stop("E, 1")),
        (stop('{"hooks": []}'), stop('E, {"hooks": []}')),
        # on a line of its own
        ('{\n  "a": 1\n}\n', f'{{\n  "version": 1,\n  {PRETTY_HOOKS},\n  "a": 1\n}}\n'),
        ('{\n\n  "a": 1\n}\n', f'{{\n  "version": 1,\n  {PRETTY_HOOKS},\n\n  "a": 1\n}}\n'),
        (
            '{\n "hooks": {\n  "Stop": [\n   1\n  ]\n }\n}',
            '{\n "hooks": {\n  "Stop": [\n   {\n    "command": "memdir hook stop"\n   },\n   1\n  ]\n }\n}',
        ),
        (
            '{"hooks":\t{\r\n\t"a": []}}',
            (
                '{"hooks":\t{\r\n\t"Stop": [\r\n\t\t{\r\n'
                '\t\t\t"command": "memdir hook stop"\r\n\t\t}\r\n\t],\r\n\t"a": []}}'
            ),
        ),
        # into what is empty
        ("{}", f'{{"version": 1, {PRETTY_HOOKS}}}'),
        (
            '\n  {"hooks": {}}',
            '\n  {"hooks": {"Stop": [\n      {\n        "command": "memdir hook stop"\n      }\n    ]}}',
        ),
        (stop(""), stop('{\n    "command": "memdir hook stop"\n  }')),
        # before a comment
        ('{/*x*/"a": 1}', '{"version": 1, "hooks": { "Stop": [ E ] }, /*x*/"a": 1}'),
        ('{\n/*x*/"a": 1}', '{"version": 1, "hooks": { "Stop": [ E ] }, \n/*x*/"a": 1}'),
        ('{ // x\n\n  "a": 1\n}', f'{{\n  "version": 1,\n  {PRETTY_HOOKS}, // x\n\n  "a": 1\n}}'),
    ],
)
def test_a_hook_is_put_first_and_written_as_what_stands_there(before: str, after: str) -> None:
    for standing in (before, text(after)):
        fitted = with_hooks(standing, WANTED)
        assert (fitted.text, fitted.edited) == (text(after), ())
    removed = without_hooks(text(after), WANTED)
    assert (removed.text, removed.edited) == (before, ())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (stop("1, OLD"), stop('1, {\n  "command": "memdir hook stop"\n}')),
        (
            '{\n  "hooks": {"Stop": [{"hooks": [{"command": "mine"}, OLD, OLD]}]}\n}',
            (
                '{\n  "hooks": {"Stop": [{"hooks": [{"command": "mine"}, {\n'
                '    "command": "memdir hook stop"\n  }, OLD]}]}\n}'
            ),
        ),
        (stop('{"hooks": [OLD, OLD]}'), stop('{\n  "command": "memdir hook stop"\n}')),
    ],
)
def test_a_hook_that_is_called_in_an_earlier_way_is_written_anew_in_its_place(before: str, after: str) -> None:
    fitted = with_hooks(text(before), WANTED)
    assert (fitted.text, fitted.edited) == (text(after), ())


@pytest.mark.parametrize(
    ("before", "left"),
    [
        # of commas one goes, of blanks those that came with it
        (stop("E"), stop("")),
        (stop("E, 1"), stop("1")),
        (stop("E,1"), stop("1")),
        (stop("E,  1"), stop(" 1")),
        (stop(" E, 1"), stop(" 1")),
        (stop("1 ,E"), stop("1")),
        (stop("1, E, 2"), stop("1, 2")),
        (stop("1, 2, E, 3, 4"), stop("1, 2, 3, 4")),
        (stop("\n  E,\n  1\n"), stop("\n  1\n")),
        (stop("\n 1,\n E\n"), stop("\n 1\n")),
        (stop("E,"), stop("")),
        (stop("1, E,"), stop("1,")),
        (stop("E, 1, E"), stop("1")),
        # of comments nothing goes
        (stop("1 /*a*/, E"), stop("1 /*a*/ ")),
        (stop("1, /*a*/ E"), stop("1 /*a*/ ")),
        (stop("1, /*a*/ E, 2"), stop("1, /*a*/  2")),
        (stop("0, 1, /*a*/ E, 2, 3"), stop("0, 1, /*a*/  2, 3")),
        (stop("0, 1, /*a*/ E"), stop("0, 1 /*a*/ ")),
        (stop("/*a*/ E, 2"), stop("/*a*/  2")),
        (stop("/*a*/ E"), stop("/*a*/ ")),
        (stop("E /*a*/, 2"), stop(" /*a*/ 2")),
        (stop(" E /*a*/"), stop("  /*a*/")),
        (stop("\n E, // mine\n 1\n"), stop(" // mine\n 1\n")),
        # what was made for it goes with it, what was empty stays
        (stop(" E"), '{"hooks": {}}'),
        (stop(" E,"), '{"hooks": {}}'),
        ('{"a": 1, "hooks": { "Stop": [ E ] }}', '{"a": 1}'),
        ('{"hooks": { "Stop": [ E ], "Go": [] }}', '{"hooks": { "Go": [] }}'),
        ('{"hooks": { "Stop": [ E ] }}', "{}"),
        ('// mine\n{ "hooks": { "Stop": [ E ] } }', "// mine\n{  }"),
        ('{ "hooks": { "Stop": [ E ] } } // mine', "{  } // mine"),
        ('\n{ "hooks": { "Stop": [ E ] } }\n', None),
    ],
)  # fmt: skip
def test_with_a_hook_goes_only_what_came_with_it(before: str, left: str | None) -> None:
    removed = without_hooks(text(before), WANTED)
    assert (removed.text, removed.edited) == (left, ())


@pytest.mark.parametrize(
    ("hooks", "left"),
    [
        ('{ "Stop": [ {"hooks": [E, {"command": "x"}]} ] }', '{ "Stop": [ {"hooks": [{"command": "x"}]} ] }'),
        ('{ "Stop": [ {"hooks": [{"command": "x"}, E]}, 1 ] }', '{ "Stop": [ {"hooks": [{"command": "x"}]}, 1 ] }'),
        ('{ "Stop": [ 1, {"hooks": [E, E]} ] }', '{ "Stop": [ 1 ] }'),
        ('{ "Stop": [ 1, {"hooks": 7, "command": "memdir hook stop"} ] }', '{ "Stop": [ 1 ] }'),
        ('{ "Stop": [ 1, {"command": "x", "bash": "memdir hook stop"} ] }', '{ "Stop": [ 1 ] }'),
    ],
)
def test_a_hook_of_somebodys_making_is_told_and_leaves_what_calls_others(hooks: str, left: str) -> None:
    removed = without_hooks(text(f'{{"hooks": {hooks}}}'), WANTED)
    assert (removed.text, removed.edited) == (f'{{"hooks": {left}}}', ("Stop",))


@pytest.mark.parametrize(
    "before",
    [
        '{ "version": 1 }',
        '{ "version": 1, "hooks": {} }',
        '{ "version": 1, "hooks": { "Stop": [] } }',
        '{ "version": 1, "hooks": { "Stop": [ {"hooks": []}, 1, "memdir hook stop", {"command": "x"} ] } }',
        '{ "version": 1, "hooks": { "Stop": 7 } }',
    ],
)
def test_where_nothing_calls_memdir_nothing_goes(before: str) -> None:
    removed = without_hooks(before, WANTED)
    assert (removed.text, removed.edited) == (before, ())


@pytest.mark.parametrize(
    ("before", "left"),
    [
        ('{ "version": 1, "hooks": { "Stop": [ E ] } }', None),
        ('{"version": 1, "hooks": { "Stop": [ E ] }, "a": 1}', '{"a": 1}'),
        ('{"a": 1, "version": 1, "hooks": { "Stop": [ E ] }}', '{"a": 1}'),
        ('{"b": 1, "a": 1, "version": 1, "hooks": { "Stop": [ E ] }}', '{"b": 1, "a": 1}'),
        ('{ /*x*/ "version": 1, "hooks": { "Stop": [ E ] }, "a": 1}', '{ /*x*/   "a": 1}'),
        # somebody's
        ('{"version": 2, "hooks": { "Stop": [ E ] }}', '{"version": 2}'),
        ('{"hooks": { "Stop": [ E ] }, "version": 1}', '{"version": 1}'),
        ('{"version": 1, "a": 1, "hooks": { "Stop": [ E ] }}', '{"version": 1, "a": 1}'),
        # the hooks were there before
        ('{"version": 1, "hooks": {"Stop": [ E ]}}', '{"version": 1, "hooks": {}}'),
        ('{"version": 1, "hooks": { "Stop": [E] }}', '{"version": 1, "hooks": { "Stop": [] }}'),
        ('{"version": 1, "hooks": { "Stop": [ E, 1 ] }}', '{"version": 1, "hooks": { "Stop": [ 1 ] }}'),
        ('{"version": 1, "hooks": { "Stop": [ E ], "Go": [ 1 ] }}', '{"version": 1, "hooks": { "Go": [ 1 ] }}'),
        ('{"version": 1, "hooks": { "Go": [], "Stop": [ E ] }}', '{"version": 1, "hooks": { "Go": [] }}'),
        (
            '{"version": 1, "hooks": { "Stop": [ E, {"hooks": []} ] }}',
            '{"version": 1, "hooks": { "Stop": [ {"hooks": []} ] }}',
        ),
        (
            '{"version": 1, "hooks": { "Stop": [ E, {"hooks": [{"command": "x"}]} ] }}',
            '{"version": 1, "hooks": { "Stop": [ {"hooks": [{"command": "x"}]} ] }}',
        ),
    ],
)
def test_what_was_put_beside_the_hooks_goes_with_the_last_of_them(before: str, left: str | None) -> None:
    removed = without_hooks(text(before), WANTED)
    assert (removed.text, removed.edited) == (left, ())


def test_of_hooks_that_somebody_shares_what_stands_beside_stays() -> None:
    before = text('{"version": 1, "hooks": { "Stop": [ {"hooks": [E, {"command": "x"}]} ] }}')
    assert without_hooks(before, WANTED).text == before.replace(f"{E}, ", "")


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("\n[]", "it holds no object"),
        ('{\n"hooks": []}', "its `hooks` is no object"),
        ('{\n"hooks": {"Stop": {}}}', "its `Stop` is no list"),
        ('{\n"a": 1, "a": 2}', "a key stands there twice"),
        ('{\n"hooks": {"Stop": [], "Stop": []}}', "a key stands there twice"),
    ],
)
def test_a_file_that_holds_something_else_is_refused_as_a_whole(before: str, why: str) -> None:
    with pytest.raises(NoJsonError) as caught:
        with_hooks(before, WANTED)
    assert (caught.value.why, caught.value.line) == (why, 1)
