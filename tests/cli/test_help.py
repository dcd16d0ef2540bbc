"""Help: complete, plain off a terminal, without importing what it does not need."""

from __future__ import annotations

import sys

import pytest

from memdir_cli import __version__
from memdir_cli.cli.app import COMMANDS
from tests.sandbox import Sandbox

VERBS = [entry.verb for entry in COMMANDS]
BOXES = "╭╮╰╯│─┏┓┃━"


def test_help_lists_every_command_with_one_line(sandbox: Sandbox) -> None:
    done = sandbox.run("--help")
    assert (done.exit, done.stderr) == (0, "")
    for entry in COMMANDS:
        assert any(line.split() == [entry.verb, *entry.summary.split()] for line in done.stdout.splitlines())
    assert [line for line in done.stdout.splitlines() if line in {"Write:", "Read:", "Care:", "Fit in:"}] == [
        "Write:", "Read:", "Care:", "Fit in:",
    ]  # fmt: skip


def test_listing_the_commands_imports_none_of_them(sandbox: Sandbox) -> None:
    script = (
        "import sys\nfrom memdir_cli.cli.entry import enter\nstatus = enter(['-h'])\n"
        "loaded = [name for name in sys.modules if name.startswith('memdir_cli.cli.commands.') "
        "or name.split('.')[0] in {'rich', 'frontmatter', 'ruamel'} or '.operations' in name]\n"
        "sys.exit(repr(loaded) if loaded else status)"
    )
    done = sandbox.process(sys.executable, "-c", script)
    assert done.exit == 0, done.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_a_command_is_plain_and_has_an_example(sandbox: Sandbox, verb: str) -> None:
    done = sandbox.run(verb, "--help", env={"COLUMNS": "20", "TERM": "xterm-256color", "FORCE_COLOR": "1"})
    assert (done.exit, done.stderr) == (0, "")
    assert f"Usage: memdir {verb} [OPTIONS]" in done.stdout
    assert "\nExamples:\n  memdir " in done.stdout
    assert "--json" in done.stdout
    assert "\x1b" not in done.stdout
    assert not set(BOXES) & set(done.stdout)


def test_help_off_a_terminal_is_the_same_however_wide_it_is(sandbox: Sandbox) -> None:
    narrow = sandbox.run("remember", "--help", env={"COLUMNS": "20"})
    assert sandbox.run("remember", "-h", env={"COLUMNS": "500"}) == narrow


@pytest.mark.parametrize("verb", VERBS)
def test_every_example_uses_options_that_exist(verb: str) -> None:
    import shlex
    from importlib import import_module

    from memdir_cli.cli.app import load

    spelt = {one for param in load(verb).params for one in param.opts}
    for line in import_module(f"memdir_cli.cli.commands.{verb}").EXAMPLES.splitlines():
        words = shlex.split(line.partition(" | ")[0].partition(" > ")[0])
        options = words[: words.index("--")] if "--" in words else words
        assert words[:2] == ["memdir", verb]
        assert {word for word in options if word.startswith("-") and word != "-"} <= spelt


def test_version(sandbox: Sandbox) -> None:
    assert sandbox.run("--version").stdout == f"memdir {__version__}\n"


def test_nothing_at_all_is_wrong_usage_and_shows_the_help(sandbox: Sandbox) -> None:
    done = sandbox.run()
    assert (done.exit, done.stdout) == (2, "")
    assert "remember" in done.stderr


def test_help_at_a_terminal_may_have_boxes_but_not_under_no_color(sandbox: Sandbox) -> None:
    from tests.cli.pseudoterminal import typed

    assert "╭" in typed(sandbox, "get", "-h", env={"TERM": "xterm-256color"}).shown
    assert not set(BOXES + "\x1b") & set(typed(sandbox, "get", "-h", env={"NO_COLOR": "1"}).shown)
