"""What the reading verbs share: ignored memory, remarks, who is reading."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from memdir_cli.cli import streams
from memdir_cli.cli.request import Common
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.text import printable

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from memdir_cli.domain.listing import Filter

    class ReadAnswer(Protocol):
        """What a reading verb found."""

        @property
        def ignored(self) -> bool:
            """Whether memory is not to be used."""

        def document(self) -> Mapping[str, object]:
            """The mapping of ``--json``."""


#: Values of a switch that mean that it is off.
OFF = frozenset({"", "0", "false", "no", "off"})


def ignored(asked: bool) -> bool:
    """Whether no memory may be printed: ``--ignore-memory`` or ``MEMDIR_IGNORE``."""
    return asked or os.environ.get("MEMDIR_IGNORE", "").strip().lower() not in OFF


def wanted(
    everything: bool, status: str | None, scope: str | None, type_: str | None, *, since: str = "", dashes: str = "--"
) -> Filter:
    """Which memories the options of ``list`` and ``search`` ask for.

    :param dashes: what stands before the name of an option where it is told.
    :raises UsageError: for a word that is none of theirs.
    """
    from memdir_cli.cli import words
    from memdir_cli.domain.listing import Filter
    from memdir_cli.domain.memory import TYPES
    from memdir_cli.domain.status import STATUSES

    return Filter(
        everything=everything,
        status=words.one_of(f"{dashes}status", status, STATUSES),
        level=words.scope(scope)[0],
        type=words.one_of(f"{dashes}type", type_, TYPES),
        since=since,
    )


def remarks(cautions: Iterable[Caution], common: Common) -> None:
    """Tell what a reader should know besides the result."""
    for line in warned((caution.message for caution in cautions), common):
        streams.remark(line)


def warned(sentences: Iterable[str], common: Common) -> list[str]:
    """The lines that tell what a reader should know besides the result."""
    return [] if common.quiet else [f"warning: {printable(sentence)}" for sentence in sentences]


def without_result(message: str, hint: str, *, decide: bool = False) -> None:
    """Tell why there is no result; that is no remark, so that ``--quiet`` keeps it.

    :param decide: a person must decide before there can be one.
    """
    for line in no_result(message, hint, decide=decide):
        streams.remark(line)


def no_result(message: str, hint: str, *, decide: bool = False) -> list[str]:
    """The lines of :func:`without_result`."""
    return [f"error: {printable(message)}" if decide else printable(message), *streams.hints(hint)]


def unknown_key(key: str, near: str, verb: str) -> None:
    """Tell that nothing is known of ``key``, and which key was probably meant."""
    hint = f"did you mean `{near}`? memdir {verb} {near}" if near else "memdir list --all"
    without_result(f"Nothing is remembered for `{key}`.", hint)


def is_ignored(common: Common) -> None:
    """Tell why nothing is printed."""
    if not common.quiet:
        streams.remark("Memory is ignored in this call.")


def told(answer: ReadAnswer, common: Common) -> bool:
    """Tell an answer that needs no words: as its JSON document, or that memory is ignored; whether it is told."""
    if common.json:
        from memdir_cli.cli.render import json

        streams.say(json.text(answer.document()))
    elif answer.ignored:
        is_ignored(common)
    return common.json or answer.ignored


def verbatim(text: str) -> str:
    """``text`` for stdout: as it is, but nothing in it may steer a terminal."""
    if sys.stdout.isatty():
        return "\n".join(printable(line) for line in text.split("\n"))
    return text
