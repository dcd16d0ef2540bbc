"""The short way says exactly what the parser says, or nothing."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.cli import app, lane, request
from tests.sandbox import Sandbox

OTHERS = ["k", "x=y", "", "-", "--", "-h", "--json=1", "--path=p", "a/b", "-5", "--no-such", "-qq"]


def words_of(verb: str) -> st.SearchStrategy[list[str]]:
    """Command lines of a verb, most of them wrong; half of the words are options that it takes."""
    spelt = list(lane._spelt(*lane.TAKES[verb][2:]))
    return st.lists(st.one_of(st.sampled_from(spelt), st.sampled_from(OTHERS)), max_size=7)


def parsed(verb: str, words: list[str]) -> dict[str, Any] | None:
    """What the parser would call the command with, ``None`` if it refuses or shows help."""
    called: dict[str, Any] = {}

    def command(**arguments: Any) -> int:
        called.update(arguments)
        return 0

    module = __import__(f"memdir_cli.cli.commands.{verb.replace('-', '_')}", fromlist=["command"])
    command.__signature__ = inspect.signature(module.command, eval_str=True)  # type: ignore[attr-defined]
    command.__annotations__ = {n: p.annotation for n, p in command.__signature__.parameters.items()}  # type: ignore[attr-defined]
    made = app.made(verb, command, help_="", examples="", decorated=False)
    try:
        with made.make_context(verb, list(words)) as context:
            made.invoke(context)
    except (typer.Exit, typer.TyperException):
        return None
    return called


@pytest.mark.parametrize("verb", lane.TAKES)
@given(drawn=st.data())
def test_where_it_answers_the_parser_answers_the_same(verb: str, drawn: st.DataObject) -> None:
    words = drawn.draw(words_of(verb))
    given_ = lane.parse([verb, *words])
    if given_ is not None:
        short = lane.grouped(verb, given_)
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
        ["list", "--status", "candidate", "--json"],
        ["context", "--budget", "4000", "--query", "upgrade the build", "--format", "json"],
        ["remember", "k", "v", "--scope", "repository", "--from", "user", "--said", "keep v"],
        ["remember", "k", "--none", "--scope", "user"],
        ["hook", "session-start", "--agent", "claude"],
    ],
)
def test_it_answers_what_agents_type(words: list[str]) -> None:
    assert lane.parse(words) is not None


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["show", "k"],
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


@pytest.mark.parametrize("verb", lane.TAKES)
def test_it_knows_all_that_the_verb_takes(verb: str) -> None:
    arguments, last, own, groups = lane.TAKES[verb]
    module = __import__(f"memdir_cli.cli.commands.{verb.replace('-', '_')}", fromlist=["command"])
    # paths may be any number, which is for the parser
    assert [name for name in inspect.signature(module.command).parameters if name != "paths"] == [
        *arguments, *([last] if last else []), *own, *(lane.HOLDS[group] for group in groups),
    ]  # fmt: skip


@pytest.mark.parametrize("group", lane.GROUPS)
def test_it_knows_every_group_of_options(group: str) -> None:
    fields = {field.name: field.type for field in dataclasses.fields(getattr(request, group))}
    assert tuple(fields) == lane.GROUPS[group]
    several = {name for name, kind in fields.items() if "tuple" in str(kind)}
    assert several == lane.REPEATED & fields.keys()


#: Modules of the standard library of which each takes a tenth of a write or more to import.
DEAR = {"argparse", "ast", "dataclasses", "inspect", "logging", "pathlib", "subprocess", "tempfile", "threading"}


@pytest.mark.parametrize("verb", ["remember", "correct"])
def test_the_verbs_that_write_import_nothing_that_is_dear(sandbox: Sandbox, verb: str) -> None:
    allowed = ["--scope", "repository", "--from", "user", "--said", "from now on pnpm"]
    top = sandbox.repository("web", remote="https://github.com/acme/web.git", init=True)
    (sandbox.user_memdir / "config.yaml").parent.mkdir(parents=True, exist_ok=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n")
    script = (
        "import sys\nbefore = set(sys.modules)\nfrom memdir_cli.cli.entry import enter\n"
        f"status = enter({[verb, 'package_manager', 'pnpm', *allowed]!r})\n"
        f"sys.exit(repr((status, sorted((set(sys.modules) - before) & {DEAR!r}))))"
    )
    done = sandbox.process(sys.executable, "-c", script, cwd=top)
    assert done.stderr.splitlines()[-1] == "(0, [])"


@pytest.mark.parametrize("verb", lane.TAKES)
def test_the_hot_verbs_import_no_parser_and_nothing_third_party(sandbox: Sandbox, verb: str) -> None:
    arguments, _, _, groups = lane.TAKES[verb]
    said = ["v", "--scope", "user"] if "Saying" in groups else []
    line = [verb, *("k" for _ in arguments), *said]
    script = (
        "import sys\nbefore = set(sys.modules)\nfrom memdir_cli.cli.entry import enter\n"
        f"enter({line!r})\n"
        "roots = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "sys.exit(repr(sorted(roots - set(sys.stdlib_module_names) - {'memdir_cli'})))"
    )
    assert sandbox.process(sys.executable, "-c", script).stderr.splitlines()[-1] == "[]"
