"""The short way says exactly what the parser says, or nothing."""

from __future__ import annotations

import sys
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.cli import app, lane, options
from tests.sandbox import Sandbox

SPELT = [*lane.FLAGS, *lane.VALUES, *lane.REPEATED]
WORDS = st.lists(
    st.sampled_from([*SPELT, "k", "x=y", "", "-", "--", "-h", "--json=1", "--path=p", "a/b", "-5"]), max_size=6
)


def parsed(verb: str, words: list[str]) -> dict[str, Any] | None:
    """What the parser would call the command with, ``None`` if it refuses or shows help."""
    called: dict[str, Any] = {}

    def command(**arguments: Any) -> int:
        called.update(arguments)
        return 0

    module = __import__(f"memdir_cli.cli.commands.{verb.replace('-', '_')}", fromlist=["command"])
    command.__signature__ = options.inspect.signature(module.command, eval_str=True)  # type: ignore[attr-defined]
    command.__annotations__ = {n: p.annotation for n, p in command.__signature__.parameters.items()}  # type: ignore[attr-defined]
    parser = app.made(verb, command, help_="", examples="", decorated=False)
    try:
        with parser.make_context(verb, list(words)) as context:
            parser.invoke(context)
    except (typer.Exit, typer.TyperException):
        return None
    return called


@pytest.mark.parametrize("verb", lane.ARGUMENTS)
@given(words=WORDS)
def test_where_it_answers_the_parser_answers_the_same(verb: str, words: list[str]) -> None:
    short = lane.parse([verb, *words])
    if short is not None:
        whole = parsed(verb, words)
        assert whole is not None
        assert {name: whole[name] for name in short} == short
        assert all(value in (None, False, ()) for name, value in whole.items() if name not in short)


@pytest.mark.parametrize(
    "words",
    [
        ["get", "k"],
        ["get", "k", "--json"],
        ["get", "--path", "a", "k", "--env", "a=b", "--env", "c=d"],
        ["context"],
        ["merge-driver", "O", "A", "B", "P"],
        ["search", "two words", "--scope", "repo", "--all"],
    ],
)
def test_it_answers_what_agents_type(words: list[str]) -> None:
    assert lane.parse(words) is not None


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["list"],
        ["get"],
        ["get", "-h"],
        ["get", "a", "b"],
        ["get", "--", "k"],
        ["search", "two", "words"],
        ["search", "x", "--path", "p"],
        ["get", "k", "--all"],
        ["search"],
    ],
)
def test_it_leaves_the_rest_to_the_parser(words: list[str]) -> None:
    assert lane.parse(words) is None


@pytest.mark.parametrize("verb", list(lane.ARGUMENTS))
def test_the_hot_verbs_import_no_parser_and_nothing_third_party(sandbox: Sandbox, verb: str) -> None:
    line = [verb, *("k" for _ in lane.ARGUMENTS[verb])]
    script = (
        "import sys\nbefore = set(sys.modules)\nfrom memdir_cli.cli.entry import enter\n"
        f"enter({line!r})\n"
        "roots = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "sys.exit(repr(sorted(roots - set(sys.stdlib_module_names) - {'memdir_cli'})))"
    )
    assert sandbox.process(sys.executable, "-c", script).stderr.splitlines()[-1] == "[]"
