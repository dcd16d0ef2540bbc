"""The way in: from the bytes of the command line to an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from memdir_cli.cli import again, boundary, streams
from memdir_cli.errors import UsageError


def enter(argv: Sequence[str]) -> int:
    """Run one command line as the operating system gave it, without the program's name."""
    _speak_utf8()
    streams.prepare()
    hooked = list(argv[:1]) == ["hook"]
    status = boundary.guarded(lambda: _run(argv), json=not hooked and _wants_json(argv))
    # what an agent's hook calls must neither end the agent's turn nor cost the user a prompt
    return 0 if hooked else status


def _run(argv: Sequence[str]) -> int:
    words = [_decoded(word) for word in argv]
    status = again.run(words)
    if status is not None:
        return status
    # dear to import, from here on
    from memdir_cli.cli import lane

    status = lane.run(words)
    if status is not None:
        return status
    from memdir_cli.cli.app import run

    return run(words)


def _decoded(word: str) -> str:
    """One word of the command line as the UTF-8 that it must be."""
    if "\0" in word:
        # no process is given one, but whoever calls this from a program may
        raise UsageError("The command line holds a NUL character.", hint="leave it out")
    try:
        return os.fsencode(word).decode()
    except UnicodeDecodeError as error:
        raise UsageError(
            f"The command line is not UTF-8 (`{os.fsencode(word)!r}`).", hint="write the word in UTF-8"
        ) from error


def _wants_json(argv: Sequence[str]) -> bool:
    """Whether ``--json`` stands among the options; known before they are parsed, so that errors obey."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in options


def _speak_utf8() -> None:
    """Start again in UTF-8 mode where the locale has another encoding: file names here are UTF-8."""
    if sys.getfilesystemencoding() == "utf-8" or sys.flags.utf8_mode:
        return
    again = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
    os.execv(sys.executable, again)  # noqa: S606 (the same command line, word by word)
