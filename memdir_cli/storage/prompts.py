"""Prompts: what users typed to agents, kept for a while as proof of their words.

A file a prompt in ``local/prompts/`` of the user memdir, of mode 0600. Its name tells when it was typed, a digest of
the session and one of the text: so a prompt is forgotten without any other being touched, and nothing is read in vain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress

from memdir_cli.domain import times
from memdir_cli.domain.prompt import Prompt
from memdir_cli.domain.rows import row
from memdir_cli.errors import FaultError
from memdir_cli.storage import disk, layout
from memdir_cli.storage.ids import new_id
from memdir_cli.storage.reading import list_folder, read_file

#: The same words typed again within so many seconds are the same prompt: two hooks told of it.
AGAIN = 60

#: A file with more bytes is none of ours.
_LIMIT = 1 << 21


def note(root: str, prompt: Prompt) -> bool:
    """Keep a prompt; ``False`` if it is kept already.

    :raises FaultError: if it cannot be written.
    """
    name = _name(prompt)
    since = times.start(prompt.at) - AGAIN
    for path in _paths(root):
        if layout.name_of(path)[_STAMP:] == name[_STAMP:] and times.start(_at(path)) >= since:
            return False
    content = {
        "at": prompt.at,
        "session": prompt.session,
        "turn": prompt.turn,
        "root": prompt.root,
        "text": prompt.text,
    }
    data = json.dumps(content).encode()
    disk.write_file(root, layout.join(layout.PROMPTS, name), data, new_id(), private=True)
    return True


def kept(root: str, session: str | None, kept_for: str, now: str) -> Iterator[Prompt]:
    """The prompts whose time is not over, the newest first.

    :param session: only those of this session, ``None`` for all.
    :param kept_for: a span such as ``14d``, ``""`` for ever.
    """
    wanted = None if session is None else _digest(session)
    for path in reversed(_paths(root)):
        of_session = wanted in {None, layout.name_of(path)[_STAMP + 1 :][:_DIGEST]}
        prompt = _read(root, path) if of_session and not times.over(_at(path), kept_for, now) else None
        if prompt is not None and session in {None, prompt.session}:
            yield prompt


def over(root: str, kept_for: str, now: str) -> tuple[str, ...]:
    """The paths of the prompts whose time is over."""
    return tuple(path for path in _paths(root) if times.over(_at(path), kept_for, now))


def let_go(root: str, kept_for: str, now: str) -> None:
    """Remove the prompts whose time is over; what cannot be removed stays for the next time."""
    with suppress(FaultError):
        for path in over(root, kept_for, now):
            disk.remove(root, path)


_STAMP, _DIGEST = len("20260914T093000Z"), 8


def _name(prompt: Prompt) -> str:
    stamp = prompt.at.replace("-", "").replace(":", "")
    return f"{stamp}-{_digest(prompt.session)}-{_digest(prompt.text)}.json"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]


def _paths(root: str) -> tuple[str, ...]:
    """The prompts, the oldest first; whatever else lies there is nobody's."""
    try:
        entries = list_folder(root, layout.PROMPTS)
    except FaultError:
        return ()
    names = [entry.name for entry in entries if entry.kind == "file" and entry.name.endswith(".json")]
    return tuple(layout.join(layout.PROMPTS, name) for name in names if times.is_kept(_at(name)))


def _at(path: str) -> str:
    """When a prompt was typed, as its name tells."""
    stamp = layout.name_of(path)[:_STAMP]
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:11]}:{stamp[11:13]}:{stamp[13:]}"


def text_in(content: bytes) -> str | None:
    """The text of a prompt from the bytes of its file, ``None`` if they are none."""
    prompt = _parsed(content)
    return prompt.text if prompt is not None else None


def _read(root: str, path: str) -> Prompt | None:
    try:
        return _parsed(read_file(root, path, limit=_LIMIT) or b"")
    except FaultError:
        return None


def _parsed(content: bytes) -> Prompt | None:
    found = row(content) or {}
    texts = [found.get(key) for key in ("text", "session", "turn", "root", "at")]
    return Prompt(*map(str, texts)) if all(isinstance(text, str) for text in texts) else None
