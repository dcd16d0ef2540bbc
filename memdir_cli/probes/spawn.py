"""Spawn: run a program and take what it says. Imports next to nothing, unlike :mod:`subprocess`."""

from __future__ import annotations

import os
import select
from collections.abc import Mapping, Sequence
from time import monotonic

#: Exit status, standard output, standard error; a negative status is the number of the signal that ended it.
Outcome = tuple[int, bytes, bytes]

#: What no program ever says: it could not be run, or not to its end.
FAILED: Outcome = (-1000, b"", b"")

_CHUNK = 1 << 16
_KILL = 9


def run(argv: Sequence[str], environ: Mapping[str, str], timeout: float) -> Outcome:
    """Run a program, looked up on the PATH of ``environ``, with nothing to read.

    :param timeout: seconds after which it is killed.
    :raises TimeoutError: if it was.
    :raises OSError: if there is no such program, or it cannot be run.
    :raises ValueError: for an argument or variable that no program can be given.
    """
    out, out_end = os.pipe()
    err, err_end = os.pipe()
    actions: list[tuple[object, ...]] = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, out_end, 1),
        (os.POSIX_SPAWN_DUP2, err_end, 2),
    ]
    try:
        try:
            process = _start(list(argv), environ, actions)
        finally:
            os.close(out_end)
            os.close(err_end)
        return _listen(process, out, err, monotonic() + timeout)
    finally:
        os.close(out)
        os.close(err)


def _start(argv: list[str], environ: Mapping[str, str], actions: list[tuple[object, ...]]) -> int:
    trouble: OSError = FileNotFoundError(2, "no such program", argv[0])
    for folder in os.get_exec_path(environ):
        program = os.path.join(folder, argv[0])
        if not os.path.exists(program):
            continue  # to find that out by starting it costs a process
        try:
            return os.posix_spawn(program, argv, dict(environ), file_actions=actions)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            trouble = error
    raise trouble


def _listen(process: int, out: int, err: int, end: float) -> Outcome:
    """What a process says until it has closed both streams, and how it ended."""
    heard = {out: b"", err: b""}
    listening = select.poll()
    for descriptor in heard:
        listening.register(descriptor, select.POLLIN)
    closed: set[int] = set()
    try:
        while len(closed) < len(heard):
            ready = listening.poll(max(0, end - monotonic()) * 1000)
            if not ready:
                raise TimeoutError
            for descriptor, _ in ready:
                part = os.read(descriptor, _CHUNK)
                heard[descriptor] += part
                if not part:
                    listening.unregister(descriptor)
                    closed.add(descriptor)
    except BaseException:
        os.kill(process, _KILL)
        os.waitpid(process, 0)
        raise
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), heard[out], heard[err]
