"""The three standard streams, made safe: open, in an encoding that never raises, quiet when nobody reads."""

from __future__ import annotations

import io
import os
import sys

from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

#: What a shell reports for a program that a closed pipe ended, as it does for git.
CLOSED_PIPE = 141

#: Code of the error that the result could not be printed.
UNWRITTEN = "unprinted"

#: So many bytes of stdin are read at a time.
PIECE = 1 << 16


def prepare() -> None:
    """Make the standard streams safe to use.

    A closed descriptor is opened on the null device: else the next file that is opened, such as a lock,
    would take its number and be printed into. Text that the stream's encoding lacks is escaped.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            # the lowest free number is taken, which is this one: those below are open by now
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(descriptor, "w" if descriptor else "r", encoding="utf-8", closefd=False))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def abandon() -> None:
    """Send what is still buffered to the null device: its reader is gone, and nobody must hear of it."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(null, stream.fileno())
    os.close(null)


def arriving(silence: float) -> Iterator[bytes]:
    """What comes on stdin, piece by piece, until it ends or nothing more came for some seconds."""
    from select import select

    try:
        descriptor = sys.stdin.fileno()
    except OSError:
        # it is no file of the system's
        yield sys.stdin.buffer.read()
        return
    while select([descriptor], [], [], silence)[0]:
        part = os.read(descriptor, PIECE)
        if not part:
            return
        yield part


def say(text: str) -> None:
    """Print ``text`` as a line of the result."""
    write(text + "\n")


def write(text: str) -> None:
    """Print ``text`` as the result, exactly as it is.

    :raises FaultError: ``unprinted``, if there is no room for it.
    """
    if not text:
        return  # a full disk refuses even nothing
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritten(error) from error


def finish() -> None:
    """Hand over all that was printed as the result.

    :raises FaultError: ``unprinted``, if there is no room for it.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritten(error) from error


def _unwritten(error: OSError) -> FaultError:
    """What is told where the result could not be printed; what is left of it goes nowhere, so that it can be told."""
    abandon()
    return FaultError(f"The answer could not be printed: {error.strerror}.", code=UNWRITTEN)


def remark(text: str) -> None:
    """Print ``text`` as a line for whoever looks on."""
    # a result that was printed before must not appear after the remark on it
    finish()
    sys.stderr.write(text + "\n")


def hint(text: str) -> None:
    """Print what to type next, if there is something; further lines of it are indented."""
    for line in hints(text):
        remark(line)


def hints(text: str) -> list[str]:
    """The lines of :func:`hint`."""
    if not text:
        return []
    first, *more = (printable(line) for line in text.split("\n"))
    return [f"hint: {first}", *(f"  {line.strip()}" for line in more)]


def decorated(stream: TextIO) -> bool:
    """Whether ``stream`` is a terminal on which a person wants colour and boxes."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") not in {None, "", "dumb"}
