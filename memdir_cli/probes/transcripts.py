"""Transcripts: where agents keep them, and whether words stand in one as the user's own.

A transcript is read once, line by line, and only as far as it must be. It may be larger than memory: a line is held
at a time, and one that no message could fill is passed over.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import BinaryIO, Literal

from memdir_cli.domain import utterance
from memdir_cli.domain.rows import row
from memdir_cli.domain.text import printable
from memdir_cli.domain.transcript import Course, Turn, follow
from memdir_cli.shapes import dataclass

#: Larger transcripts, and longer lines of one, are not read.
FILE_BYTES, LINE_BYTES = 1 << 30, 1 << 24

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

#: What a line must hold to matter although the words do not stand in it.
_MARKS = (b"session_meta", b"user_message", b"UserMessage", b"userMessage", b"turn_context", b"_started")

Verdict = Literal["own", "quoted", "absent", "other-message", "unreadable"]


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for.

    :ivar message: id of the one message that counts, ``""`` for any.
    """

    said: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What a transcript says of words.

    :ivar message: id of the message in which they stand, ``""`` if it has none.
    :ivar session: id of its session, ``""`` if the transcript does not say.
    :ivar reason: why the transcript could not be read, a sentence.
    """

    verdict: Verdict
    message: str = ""
    session: str = ""
    reason: str = ""


def search(path: str, sought: Sought) -> Found:
    """Look for words in the transcript at ``path``; whatever is wrong with it is a verdict, never an error."""
    try:
        with _opened(path) as stream:
            return _search(stream, sought)
    except OSError as error:
        return Found("unreadable", reason=f"`{printable(path)}` {_fault(error)}.")


def of_session(session: str, environ: Mapping[str, str]) -> Iterator[str]:
    """The transcripts that agents keep of a session on this machine, without any being read."""
    if not session or not session.isascii() or not all(char.isalnum() or char in "-_" for char in session):
        return
    home = environ.get("HOME", "")
    claude = environ.get("CLAUDE_CONFIG_DIR", "") or (os.path.join(home, ".claude") if home else "")
    if os.path.isabs(claude):
        projects = os.path.join(claude, "projects")
        for project in _names(projects):
            path = os.path.join(projects, project, f"{session}.jsonl")
            if os.path.lexists(path):
                yield path
    codex = environ.get("CODEX_HOME", "") or (os.path.join(home, ".codex") if home else "")
    if os.path.isabs(codex):
        end = f"-{session}.jsonl"
        for folder in _days(codex):
            for name in _names(folder):
                if name.startswith("rollout-") and name.endswith(end):
                    yield os.path.join(folder, name)


def _days(codex: str) -> Iterator[str]:
    """The folders in which Codex keeps sessions, the newest first."""
    root = os.path.join(codex, "sessions")
    for year in _names(root):
        for month in _names(os.path.join(root, year)):
            for day in _names(os.path.join(root, year, month)):
                yield os.path.join(root, year, month, day)
    yield os.path.join(codex, "archived_sessions")


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder), reverse=True)
    except OSError:
        return []


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    """The transcript, if it is a file of this account that nobody else may write.

    :raises OSError: if it is not.
    """
    parts = path.split(os.sep)
    if "subagents" in parts[:-1] or parts[-1].startswith("agent-"):
        raise OSError(0, "is the record of a sub-agent, in which no user speaks")
    try:
        descriptor = os.open(path, _READ)
    except ValueError:
        raise OSError(errno.EINVAL, "is no path") from None
    try:
        _check(os.fstat(descriptor))
        with os.fdopen(descriptor, "rb", buffering=1 << 20, closefd=False) as stream:
            yield stream
    finally:
        os.close(descriptor)


def _check(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "is not a regular file")
    if status.st_uid != os.geteuid():
        raise OSError(0, "belongs to another account")
    if status.st_mode & stat.S_IWOTH:
        raise OSError(0, "may be written by every account")
    if status.st_size > FILE_BYTES:
        raise OSError(0, f"holds {status.st_size} bytes; {FILE_BYTES} are read at most")


def _fault(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "is a symbolic link, which is not followed"
    if error.errno == errno.ENOENT:
        return "does not exist"
    return f"cannot be read: {error.strerror}" if error.errno else str(error.strerror)


def _search(stream: BinaryIO, sought: Sought) -> Found:
    """The best that can be said of the words, as soon as nothing better can come."""
    course = Course()
    doubtful: Found | None = None
    worst = Found("absent")
    for record in _records(stream, sought):
        course, turn = follow(course, record)
        verdict = _judge(turn, sought) if turn is not None else "absent"
        if turn is None or verdict == "absent":
            continue
        if verdict == "own":
            found = Found("own", turn.ids[0] if turn.ids else "", turn.session)
            if turn.sure:
                return found
            doubtful = doubtful or found
        elif worst.verdict != "other-message":
            worst = Found(verdict)
    return doubtful if doubtful is not None and not (course.tells or course.led) else worst


def _judge(turn: Turn, sought: Sought) -> Verdict:
    standings = {utterance.standing(sought.said, text) for text in turn.texts}
    if "own" not in standings:
        return "quoted" if "quoted" in standings else "absent"
    if not sought.message:
        return "own"
    if not utterance.telling(sought.said):
        whole = any(utterance.is_whole(sought.said, text) for text in turn.texts)
        return "own" if whole and sought.message in turn.ids else "absent"
    # a log that names no messages cannot say that it was another one
    return "own" if sought.message in turn.ids or not turn.ids else "other-message"


def _records(stream: BinaryIO, sought: Sought) -> Iterator[Mapping[str, object]]:
    """The records that may matter; what is no JSON object is none."""
    needles = _needles(sought.said)
    for line in _lines(stream):
        if not any(needle in line for needle in needles) and not any(mark in line for mark in _MARKS):
            continue
        record = row(line)
        if record is not None:
            yield record


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, without those that are too long."""
    while line := stream.readline(LINE_BYTES):
        if line.endswith(b"\n") or len(line) < LINE_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LINE_BYTES)


def _needles(said: str) -> Iterable[bytes]:
    """Some of the words as they stand in a line of JSON, in any form in which it may write them."""
    runs = "".join(char if char.isascii() and char.isalnum() else " " for char in said).split()
    longest = max(runs, key=len, default="")
    if len(longest) > 1:
        return (longest.encode(),)
    # letters of other scripts may be escaped or decomposed: look at every line
    return (b"",)
