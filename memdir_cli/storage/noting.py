"""Noting: a line of the access log, put together and written. Imports next to nothing.

When it was and in which session stand first, so that a read that is answered again can be noted anew.
"""

from __future__ import annotations

import os
from contextlib import suppress

from memdir_cli.errors import MemdirError
from memdir_cli.storage import disk


def line(at: str, verb: str, session: str | None, rest: str) -> str:
    """One line of JSON.

    :param rest: the members that follow, with their commas, and the closing brace.
    """
    told = f'"session":{_quoted(session)},' if session else ""
    return f'{{"at":{_quoted(at)},"verb":{_quoted(verb)},{told}{rest}'


def append(root: str, path: str, text: str, *, private: bool) -> None:
    """Write a line, if this account may write to the memdir at ``root``; what cannot be written is not logged."""
    with suppress(MemdirError, OSError):
        if os.access(root, os.W_OK):
            disk.append_unlocked(root, path, text.encode(), private=private)


def _quoted(text: str) -> str:
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    import json

    return json.dumps(text)
