"""A unified diff of files, as git prints it; nothing in it steers a terminal, and no secret of a config is told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdir_cli.domain.text import printable

#: A line of config.yaml with the key of the digests: a fresh one is made only when it is written.
_KEY = re.compile(r"^(\s*key\s*:\s*).*$", re.MULTILINE)


def unified(path: str, old: bytes | None, new: bytes | None, around: int = 3) -> str:
    """The diff of one file, ``""`` where nothing changes.

    :param path: absolute, or from where it is shown.
    :param old: ``None`` for a file that is new.
    :param new: ``None`` for one that goes.
    :param around: how many lines are shown around a change.
    """
    from difflib import unified_diff

    name = printable(path).lstrip("/")
    before = "/dev/null" if old is None else f"a/{name}"
    after = "/dev/null" if new is None else f"b/{name}"
    lines = unified_diff(_lines(path, old or b""), _lines(path, new or b""), before, after, lineterm="", n=around)
    return "\n".join(lines)


def moved(path: str, target: str) -> str:
    """The diff of a file that moves and stays as it is."""
    return f"similarity index 100%\nrename from {printable(path)}\nrename to {printable(target)}"


def _lines(path: str, content: bytes) -> list[str]:
    return list(_printed(path, content))


def _printed(path: str, content: bytes) -> Iterator[str]:
    text = content.decode("utf-8", "backslashreplace")
    if path.endswith("config.yaml"):
        text = _KEY.sub(r"\1…", text)
    if not text:
        return  # no bytes are no line, not one that is empty
    # tabs stay; a line end of Windows shows as what it is
    yield from ("\t".join(printable(part) for part in line.split("\t")) for line in text.removesuffix("\n").split("\n"))
