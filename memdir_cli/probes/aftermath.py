"""Aftermath: what sessions did after a moment, from the transcripts in a folder. Names and numbers, never content."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from memdir_cli.domain.deeds import deeds, session_of
from memdir_cli.domain.rows import row, text_of
from memdir_cli.domain.text import printable
from memdir_cli.shapes import dataclass, field

#: Larger transcripts, and longer lines of one, are not read.
FILE_BYTES, LINE_BYTES = 1 << 30, 1 << 24

#: The session of a transcript shows in its name, or so far from its beginning.
HEAD_BYTES = 1 << 16

#: What a line must hold to tell of a call, or of the session.
_MARKS = (b'"tool_use"', b"_call", b"session_meta")

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(slots=True)
class Trail:
    """What one session did.

    :ivar tools: how often each tool was called.
    :ivar risks: how many of the calls show each risk.
    """

    tools: Counter[str] = field(default_factory=Counter)
    risks: Counter[str] = field(default_factory=Counter)


def follow(folder: str, since: Mapping[str, str]) -> tuple[dict[str, Trail], tuple[str, ...]]:
    """The trails of sessions of which ``folder`` has transcripts, and a sentence on each that cannot be read.

    :param since: by the id of each session, from when on its calls count (RFC 3339 in UTC).
    """
    found: dict[str, Trail] = {}
    troubles: list[str] = []
    for path in _transcripts(folder):
        try:
            with open(os.open(path, _READ), "rb", buffering=1 << 20) as stream:
                _check(os.fstat(stream.fileno()))
                _read(stream, os.path.basename(path), since, found)
        except OSError as error:
            troubles.append(f"`{printable(path)}` cannot be read: {error.strerror}")
    return found, tuple(troubles)


def _transcripts(folder: str) -> Iterator[str]:
    """The files of JSON lines in and below a folder; links are not followed."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(place, name) for name in sorted(names) if name.endswith(".jsonl"))


def _check(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "it is not a regular file")
    if status.st_size > FILE_BYTES:
        raise OSError(0, f"it holds {status.st_size} bytes; {FILE_BYTES} are read at most")


def _read(stream: BinaryIO, name: str, since: Mapping[str, str], found: dict[str, Trail]) -> None:
    """Add what one transcript tells of wanted sessions to ``found``."""
    head = stream.read(HEAD_BYTES)
    bare = name.removesuffix(".jsonl")
    session = next((one for one in since if bare == one or bare.endswith(f"-{one}")), "")
    if session:
        found.setdefault(session, Trail())
    elif not any(one.encode() in head for one in since):
        return
    stream.seek(0)
    at = ""
    while line := stream.readline(LINE_BYTES):
        whole = line.endswith(b"\n") or len(line) < LINE_BYTES
        while not line.endswith(b"\n") and len(line) == LINE_BYTES:
            line = stream.readline(LINE_BYTES)
        record = row(line) if whole and any(mark in line for mark in _MARKS) else None
        if record is None:
            continue
        session = session_of(record) or session
        at = text_of(record, "timestamp")[:19] or at
        if session in since:
            trail = found.setdefault(session, Trail())
            # a call whose time nobody knows may have followed
            if not at or at >= since[session][:19]:
                for deed in deeds(record):
                    trail.tools[deed.tool] += 1
                    trail.risks.update(deed.risks)
