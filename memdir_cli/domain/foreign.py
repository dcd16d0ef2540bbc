"""Foreign: what other tools keep as memories, on its way to become candidates."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Literal

from memdir_cli.domain.identity import allowed, fold
from memdir_cli.domain.memory import Type
from memdir_cli.shapes import dataclass

Form = Literal[
    "claude", "serena", "cline", "cursor", "codex", "basic-memory", "agent-memory-git", "mcp", "markdown"
]  # fmt: skip
FORMS: tuple[Form, ...] = (
    "claude", "serena", "cline", "cursor", "codex", "basic-memory", "agent-memory-git", "mcp", "markdown",
)  # fmt: skip

#: Whom an entry is about: the project, the user in this project, or the user everywhere.
Reach = Literal["project", "personal", "everywhere"]

#: What other agents call the types of their memories.
TYPES: Mapping[str, Type] = {
    "user": "preference",
    "feedback": "project-rule",
    "project": "fact",
    "reference": "fact",
}

_HUMPS = re.compile("[a-z][A-Z]")

#: Letters of a key, and of a value; what is longer is told by the text.
KEY_LETTERS, VALUE_LETTERS = 60, 200


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory of another tool.

    :ivar path: absolute path of the file that holds it.
    :ivar line: where in the file it begins, 1-based.
    :ivar original: it as it stands there: by this it is known again.
    :ivar name: what its key is made of, the wider parts first.
    :ivar type: ``None`` where the tool has no word for it.
    :ivar glob: the files to which it is bound, as a glob of ours; ``""`` for all.
    :ivar at: when it was written, in the form in which times are kept; ``""`` if it does not say.
    :ivar session: id of the session in which it was written, ``""`` if it does not say.
    :ivar id: what its tool calls it, ``""`` where that has no ids.
    :ivar remarks: what its reader has to tell of it.
    :ivar supersedes: the ids of those that it replaced.
    """

    path: str
    line: int
    original: str
    name: tuple[str, ...]
    value: str | None = None
    description: str = ""
    body: str = ""
    type: Type | None = None
    reach: Reach = "project"
    glob: str = ""
    at: str = ""
    session: str = ""
    id: str = ""
    remarks: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the original, its first 16 hexadecimal digits."""
        return hashlib.sha256(self.original.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Unread:
    """A file, or a part of one, from which nothing was taken.

    :ivar path: absolute path.
    :ivar reason: stable word.
    """

    path: str
    reason: str
    message: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """What lies at a place.

    :ivar unread: what could not be read.
    :ivar left: what is no memory: indexes, raw material, what memdir wrote itself.
    """

    entries: tuple[Entry, ...] = ()
    unread: tuple[Unread, ...] = ()
    left: tuple[Unread, ...] = ()


def key_of(name: Iterable[str]) -> str:
    """The key that is made of ``name``; ``note`` where none of its letters can stand in one."""
    parts = [slug for part in name if (slug := _slug(part))]
    return ".".join(parts) or "note"


def keyed(entries: Iterable[Entry], taken: Iterable[str] = ()) -> list[tuple[str, Entry]]:
    """Every entry with a key that no other one has; what says the same under the same name comes once.

    :param taken: keys that none of them may have.
    """
    found: list[tuple[str, Entry]] = []
    used = {fold(key) for key in taken}
    said: set[tuple[str, str | None, str]] = set()
    for entry in entries:
        key = key_of(entry.name)
        same = (fold(key), entry.value, entry.body.strip())
        if same in said:
            continue
        said.add(same)
        number, free = 1, key
        while fold(free) in used:
            number += 1
            free = f"{key}-{number}"
        used.add(fold(free))
        found.append((free, entry))
    return found


def _slug(text: str) -> str:
    """``text`` as one part of a key: words with dashes between them, cut at a word where it is long."""
    kept = "".join(char if allowed(char) and char != "." else " " for char in unicodedata.normalize("NFC", text))
    words = kept.split()
    if len(words) > 1 or not _HUMPS.search(kept):
        # what is no identifier, such as `activeContext`
        words = [word.lower() for word in words]
    slug = words[0][:KEY_LETTERS] if words else ""
    for word in words[1:]:
        if len(slug) + 1 + len(word) > KEY_LETTERS:
            break
        slug += f"-{word}"
    return slug.strip("-_")
