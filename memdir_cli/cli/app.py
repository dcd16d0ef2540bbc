"""The table of commands, each imported only when it runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from memdir_cli import __version__
from memdir_cli.cli import completing, plain, streams
from memdir_cli.cli.parser import spread
from memdir_cli.cli.usage import as_usage_error, unknown_command
from memdir_cli.shapes import dataclass

WRITE, READ, CARE, FIT_IN = "Write", "Read", "Care", "Fit in"


@dataclass(frozen=True, slots=True)
class Entry:
    """One command: the verb, the module ``commands.<verb>`` behind it, one line of help, its panel."""

    verb: str
    summary: str
    panel: str


#: In the order of the help. A new command is one line here and one module.
COMMANDS: tuple[Entry, ...] = (
    Entry("init", "Make a project memdir in this repository.", WRITE),
    Entry("remember", "Say a value for a key, with its scope and its source.", WRITE),
    Entry("correct", "Replace what is remembered; needs a user's word.", WRITE),
    Entry("confirm", "Confirm a memory, or take a candidate in; needs a user's word.", WRITE),
    Entry("reject", "Drop a candidate that nobody wants; needs a user's word.", WRITE),
    Entry("narrow", "Say where a memory holds, and nowhere else; needs a user's word.", WRITE),
    Entry("settle", "End a conflict by keeping one of its sides; needs a user's word.", WRITE),
    Entry("expire", "End a memory that holds no longer; needs a user's word.", WRITE),
    Entry("forget", "Remove a memory for good, with all of its past; not to be undone.", WRITE),
    Entry("archive", "Put a memory away, kept whole; or everything that lies cold.", WRITE),
    Entry("restore", "Take a memory back from the archive.", WRITE),
    Entry("quarantine", "Take a memory out of everybody's reach at once.", WRITE),
    Entry("release", "Bring back what was in quarantine; needs a user's word.", WRITE),
    Entry("get", "Print the one value that applies now.", READ),
    Entry("explain", "Show every contender for a key and why it won or lost.", READ),
    Entry("list", "List the memories that may be used here.", READ),
    Entry("show", "Show one memory whole.", READ),
    Entry("search", "Find memories by words of their text, the best first.", READ),
    Entry("history", "Show the revisions of a key.", READ),
    Entry("context", "Print what an agent may use, within a budget.", READ),
    Entry("log", "Show what happened, from the receipts.", READ),
    Entry("whoami", "Show who asks, from where, and how memdir knows.", READ),
    Entry("check", "Look for faults in the memdirs; writes nothing.", CARE),
    Entry("refresh", "Move statuses to what clock and evidence say now.", CARE),
    Entry("watch", "Refresh whenever what memories depend on changes.", CARE),
    Entry("review", "Walk through what waits for a person; a list off a terminal.", CARE),
    Entry("trace", "Show which sessions were given a memory, and what followed.", CARE),
    Entry("health", "Report on the memdirs, month by month.", CARE),
    Entry("repair", "Finish what a crash interrupted and mend what is derived.", CARE),
    Entry("hook", "Answer an event of an agent's session.", FIT_IN),
    Entry("mcp", "Serve an agent over MCP on stdin and stdout; needs memdir-cli[mcp].", FIT_IN),
    Entry("sync", "Sync a memdir that is a git repository with its remote.", FIT_IN),
    Entry("install", "Fit memdir into another program, such as git.", FIT_IN),
    Entry("import", "Take in the memories of another tool as candidates.", FIT_IN),
    Entry("export", "Give what is remembered to another program, in its own form.", FIT_IN),
    Entry("rule", "Explain what check looks for, rule by rule.", FIT_IN),
    Entry("schema", "Print the JSON Schemas of files and answers.", FIT_IN),
    Entry("completion", "Print what lets a shell complete commands and keys.", FIT_IN),
)

#: What other programs call; not in the help.
HIDDEN: tuple[Entry, ...] = (Entry("merge-driver", "Merge three versions of a memory file for git.", FIT_IN),)


def run(argv: Sequence[str]) -> int:
    """Run one command line (without the program's name) and give its exit status.

    :raises MemdirError: for everything that is told by the boundary, wrong usage included.
    """
    group = _group(decorated=streams.decorated(sys.stdout))
    if not argv and completing.VARIABLE in os.environ:
        return completing.answer(group, os.environ)
    if not argv:
        streams.remark(group.get_help(group.make_context("memdir", [], resilient_parsing=True)))
        return 2
    try:
        with group.make_context("memdir", list(argv)) as context:
            status = group.invoke(context)
    except typer.Exit as leave:
        return leave.exit_code
    except typer.TyperException as error:
        raise as_usage_error(error) from error
    return status if isinstance(status, int) else 0


class Verbs(TyperGroup):
    """All commands; lists them without importing any."""

    decorated = False

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str, Any, list[str]]:  # noqa: ARG002
        """The command of that name, now imported, and its arguments."""
        name = args[0]
        if name not in self.commands:
            raise unknown_command(name, self.commands)
        return name, load(name, decorated=self.decorated), args[1:]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """The commands under the headings of their panels."""
        plain.write_commands(COMMANDS, formatter)


class Verb(TyperCommand):
    """One command; its help off a terminal keeps the lines of the examples."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage line, without the braces that typer puts around what is required."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """The examples as they stand."""
        plain.write_examples(self.epilog or "", formatter)


def load(verb: str, *, decorated: bool = False) -> TyperCommand:
    """Import the module of ``verb`` and make a command of its function ``command``.

    :param decorated: whether help goes to a person at a terminal.
    """
    module = import_module(f"memdir_cli.cli.commands.{verb.replace('-', '_')}")
    return made(verb, module.command, help_=module.__doc__ or "", examples=module.EXAMPLES, decorated=decorated)


def made(verb: str, act: Callable[..., int], *, help_: str, examples: str, decorated: bool) -> TyperCommand:
    """A command that parses what ``act`` takes, and calls it."""
    app = typer.Typer(add_completion=False, rich_markup_mode="rich" if decorated else None)
    settings = plain.settings(decorated=decorated)
    epilog = f"Examples:\n{examples}"
    app.command(verb, cls=Verb, help=help_, epilog=epilog, context_settings=settings)(spread(act))
    command = typer.main.get_command(app)
    assert isinstance(command, TyperCommand)
    return command


def _group(*, decorated: bool) -> Verbs:
    app = typer.Typer(
        cls=Verbs,
        help="Long-term memory for coding agents: who said it, where it applies, whether it may be used.",
        epilog="`memdir COMMAND -h` shows the options of a command, and examples.",
        add_completion=False,
        rich_markup_mode="rich" if decorated else None,
        context_settings=plain.settings(decorated=decorated),
    )
    app.callback()(_root)
    group = typer.main.get_command(app)
    assert isinstance(group, Verbs)
    group.decorated = decorated
    for entry in COMMANDS:
        group.add_command(TyperCommand(entry.verb, help=entry.summary, rich_help_panel=entry.panel))
    for entry in HIDDEN:
        group.add_command(TyperCommand(entry.verb, help=entry.summary, hidden=True))
    return group


def _version(asked: bool) -> None:
    if asked:
        streams.say(f"memdir {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""
