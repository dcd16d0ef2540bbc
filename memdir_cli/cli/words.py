"""Words of the command line as values of the domain; what cannot be read is a sentence and a hint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from memdir_cli.domain.scope import LEVELS, Level
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError

Word = TypeVar("Word", bound=str)

#: Other words for a level that people use.
LEVEL_OF_WORD: dict[str, Level] = {
    "task": "task",
    "repository": "repository",
    "repo": "repository",
    "project": "repository",
    "user": "user",
}

#: Bytes of a text that are read: a memory file holds no more, and a device never ends.
BODY_LIMIT = 1 << 20

#: Seconds to wait for the lock when nothing else is said.
LOCK_TIMEOUT = 10.0


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that ``word`` was probably meant to be, or ``""``."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), n=1)), "")


def one_of(option: str, text: str | None, allowed: Sequence[Word]) -> Word | None:
    """``text`` as one of the words that ``option`` takes, ``None`` if the option was not given."""
    if text is None:
        return None
    for word in allowed:
        if word == text:
            return word
    choice = nearest(text, allowed) or "|".join(allowed)
    raise UsageError(f"`{option}` takes {_listed(allowed)}, not `{printable(text)}`.", hint=f"give `{option} {choice}`")


def version(text: str | None) -> str | None:
    """The version that ``--for-version`` of a reading verb names, ``None`` if it was not given."""
    if text is not None:
        from memdir_cli.domain.version_range import parse_version

        if parse_version(text) is None:
            raise UsageError(f"`{printable(text)}` is no version.", hint="give one such as `--for-version 2.1.0`")
    return text


def argument(name: str, text: str, allowed: Sequence[Word]) -> Word:
    """``text`` as one of the words that the argument ``name`` may be."""
    for word in allowed:
        if word == text:
            return word
    choice = nearest(text, allowed) or "|".join(allowed)
    raise UsageError(f"{name} is {_listed(allowed)}, not `{printable(text)}`.", hint=f"give `{choice}`")


def form(text: str | None, allowed: Sequence[Word], *, json: bool) -> str:
    """The form that ``--format`` names; left out, JSON where ``--json`` asks for it, else the first one."""
    chosen = one_of("--format", text, allowed)
    if json and chosen not in {None, "json"}:
        raise UsageError(f"`--json` and `--format {chosen}` ask for two forms.", hint="leave out one of the two")
    return chosen or ("json" if json else allowed[0])


def scope(text: str | None) -> tuple[Level | None, str | None]:
    """Level and task id of ``--scope``: ``user``, ``repository`` (``repo``, ``project``), ``task[:ID]``."""
    if text is None:
        return None, None
    word, colon, task = text.partition(":")
    level = LEVEL_OF_WORD.get(word)
    if level is None:
        choice = LEVEL_OF_WORD.get(nearest(word, LEVEL_OF_WORD), "user|repository|task[:ID]")
        raise UsageError(
            f"`--scope` takes {_listed(LEVELS)}, not `{printable(text)}`.", hint=f"give `--scope {choice}`"
        )
    if colon and level != "task":
        raise UsageError(
            f"`--scope {printable(text)}` names an id, which only a task takes.",
            hint=f"give `--scope {level}`",
        )
    if colon and not task.strip():
        raise UsageError("`--scope task:` names no task.", hint="give `--scope task:ID`, or set MEMDIR_TASK")
    if task:
        from memdir_cli.probes.caller import ID_CHARACTERS, is_id

        if not is_id(task):
            raise UsageError(
                f"`{printable(task[:40])}` is no id of a task.",
                hint=f"give up to {ID_CHARACTERS} visible characters without spaces",
            )
    return level, task or None


def pairs(option: str, texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Repeated ``K=V`` as sorted pairs."""
    found: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (equals and key.strip() and value):
            raise UsageError(
                f"`{option}` takes K=V, not `{printable(text)}`.",
                hint=f"give for example `{option} os=linux`",
            )
        if found.setdefault(key, value) != value:
            raise UsageError(f"`{option}` gives `{printable(key)}` two values.", hint=f"keep one of the two `{option}`")
    return tuple(sorted(found.items()))


def count(option: str, text: str | None) -> int | None:
    """A whole number, zero or more."""
    if text is None:
        return None
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise UsageError(
        f"`{option}` takes a whole number, not `{printable(text)}`.", hint=f"give for example `{option} 2`"
    )


def seconds(option: str, text: str | None, default: float = LOCK_TIMEOUT) -> float:
    """A span in seconds, zero or more."""
    if text is None:
        return default
    try:
        value = float(text) if text.isascii() and "_" not in text else -1.0
    except ValueError:
        value = -1.0
    # a day is longer than anybody waits, and infinity would be for ever
    if 0 <= value <= 86_400:
        return value
    raise UsageError(f"`{option}` takes seconds, not `{printable(text)}`.", hint=f"give for example `{option} 10`")


def codes(text: str | None) -> tuple[str, ...]:
    """Codes separated by commas.

    :raises UsageError: if there is none although the option was given.
    """
    found = tuple(code.strip() for code in (text or "").split(",") if code.strip())
    if text is not None and not found:
        raise UsageError(f"`{printable(text)}` names nothing.", hint="give words separated by commas, or leave it out")
    return found


def body(file: str | None) -> str | None:
    """The text of ``--body-file``, ``-`` for stdin; ``None`` if the option was not given.

    :raises UsageError: for a file that cannot be read or is not UTF-8.
    """
    if file is None:
        return None
    name = "stdin" if file == "-" else f"`{printable(file)}`"
    try:
        data = _bytes(file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not a file name"
        raise UsageError(
            f"{name} cannot be read: {reason}.", hint="give `--body-file FILE`, or `-` for stdin"
        ) from error
    if len(data) > BODY_LIMIT:
        raise UsageError(f"{name} holds more than 1 MiB.", hint="a memory is one page; give a shorter text")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8 (byte {error.start}).", hint="convert it to UTF-8 first") from error


def _bytes(file: str) -> bytes:
    if file == "-":
        import sys

        return sys.stdin.buffer.read(BODY_LIMIT + 1)
    # not pathlib, which is dear to import
    with open(file, "rb") as stream:
        return stream.read(BODY_LIMIT + 1)


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else f"only `{words[0]}`"
