"""What typer has to say about a command line, in one sentence of ours and a hint."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memdir_cli.cli.words import nearest
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError

DASHED = "`--` goes before a value that begins with a dash"


def unknown_command(name: str, known: Iterable[str]) -> UsageError:
    """The error for a command that does not exist; names the nearest that does."""
    close = nearest(name, known)
    hint = f"did you mean `memdir {close}`?" if close else "run `memdir -h` for the list"
    return UsageError(f"memdir has no command `{printable(name)}`.", hint=hint, code="unknown_command")


def as_usage_error(error: Any) -> UsageError:
    """An exception of typer's parser as ours."""
    context = getattr(error, "ctx", None)
    option = getattr(error, "option_name", None)
    if option and type(error).__name__ == "NoSuchOption":
        return _unknown_option(option, context)
    if option:
        return UsageError(f"`{printable(option)}` takes a value.", hint=f"give `{printable(option)} VALUE`")
    command = context.command_path if context else "memdir"
    return UsageError(f"`{command}`: {_sentence(error)}", hint=f"run `{command} -h`")


def _unknown_option(option: str, context: Any) -> UsageError:
    command = context.command_path if context else "memdir"
    spelt = [one for param in context.command.get_params(context) for one in param.opts] if context else []
    close = nearest(option, spelt)
    if close:
        hint = f"did you mean `{close}`? {DASHED}"
    elif command == "memdir":
        hint = "options go after the command: memdir COMMAND OPTIONS"
    else:
        hint = f"run `{command} -h`; {DASHED}"
    return UsageError(f"`{command}` has no option `{printable(option)}`.", hint=hint, code="unknown_option")


def _sentence(error: Any) -> str:
    param = getattr(error, "param", None)
    if type(error).__name__ == "MissingParameter" and param is not None:
        return f"{param.metavar if param.param_type_name == 'argument' else param.opts[0]} is missing."
    sentence = str(error.format_message()).rstrip(".")
    if "unexpected extra argument" in sentence:
        extra = sentence.partition("(")[2].partition("(")[2].rstrip(")")
        return f"`{printable(extra)}` is too much; put quotes around a value with spaces."
    return f"{sentence}."
