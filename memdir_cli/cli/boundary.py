"""The boundary: the only place where errors become messages and exit statuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from memdir_cli.cli import streams
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, MemdirError

#: Exit status of a run that the user interrupted, as a shell counts it: 128 + SIGINT.
INTERRUPTED = 130


def guarded(act: Callable[[], int], *, json: bool) -> int:
    """Run ``act`` and give the exit status of the process; nothing is ever raised.

    :param json: whether errors are one JSON document on stdout instead of sentences on stderr.
    """
    try:
        status = _spoken(act, json=json)
        sys.stderr.flush()
        return status
    except BrokenPipeError:
        streams.abandon()
        return streams.CLOSED_PIPE
    except KeyboardInterrupt:
        streams.abandon()
        return INTERRUPTED
    except (FaultError, OSError):
        # even the report of an error could not be printed
        streams.abandon()
        return FaultError.exit_status


def _spoken(act: Callable[[], int], *, json: bool) -> int:
    """``act`` with its errors told, and all it printed handed over while a failure to print can be told."""
    try:
        status = act()
        streams.finish()
        return status
    except BrokenPipeError:
        raise
    except Exception as error:
        told = as_told(error)
    try:
        status = _tell(told, json=json and told.code != streams.UNWRITTEN)
        streams.finish()
        return status
    except FaultError as error:
        return _tell(error, json=False)


def as_told(error: Exception) -> MemdirError:
    """Whatever went wrong as a caller is told it: code, sentence and hint, without a secret in them."""
    # what is wrong is often quoted, and what was typed may be what nobody should read
    from memdir_cli.domain.secrets import masked

    told = _known(error)
    told.message, told.hint = masked(told.message), masked(told.hint)
    return told


def _known(error: Exception) -> MemdirError:
    if isinstance(error, MemdirError):
        return error
    if isinstance(error, MemoryError):
        return FaultError("There is not enough memory for that.", code="memory")
    _trace()
    return _of_the_disk(error) if isinstance(error, OSError) else _own(error)


def _tell(error: MemdirError, *, json: bool) -> int:
    if json:
        from memdir_cli.cli.render.json import error_document, text

        streams.say(text(error_document(error)))
    else:
        streams.remark(f"error: {printable(error.message)}")
        streams.hint(error.hint)
    return error.exit_status


def _own(error: Exception) -> MemdirError:
    return MemdirError(
        f"memdir failed with {type(error).__name__}, which is an error of its own.",
        hint="set MEMDIR_DEBUG=1 to see where, and report it",
        code="internal",
    )


def _of_the_disk(error: OSError) -> FaultError:
    where = f"`{os.fsdecode(error.filename)}`" if isinstance(error.filename, str | bytes) else "The disk"
    return FaultError(f"{where} cannot be used: {error.strerror or type(error).__name__}.", code="io")


def _trace() -> None:
    if os.environ.get("MEMDIR_DEBUG") == "1":
        import traceback

        streams.remark(traceback.format_exc().rstrip("\n"))
