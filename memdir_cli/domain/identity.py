"""Identity: subject + predicate + scope. Equal in all three, or a different memory."""

from __future__ import annotations

import hashlib
import unicodedata

from memdir_cli.domain.scope import Scope
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.shapes import dataclass

#: Longest file stem in UTF-8 bytes; leaves room for ``~ID@REV.md`` below the 255 of file systems.
STEM_BYTES = 160

#: Names that Windows keeps for devices, whatever their extension.
RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{device}{n}" for device in ("com", "lpt") for n in "0123456789¹²³")}
)

#: Letters and marks that show nothing: with them two keys that look the same would differ.
INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes two statements speak of the same memory."""

    subject: str
    predicate: str
    scope: Scope

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """The comparable form: subject, folded predicate, scope, repository of a task, qualifiers."""
        scope = self.scope
        return (self.subject, fold(self.predicate), scope.text, scope.repository or "", scope.qualifiers)


def fold(predicate: str) -> str:
    """The form in which predicates are compared: NFC, case-folded."""
    if predicate.isascii():
        return predicate.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", predicate).casefold())


def parse_predicate(text: str) -> str:
    """``text`` as a predicate in NFC.

    :raises UsageError: for anything that is not a slug; the hint holds a slug made from it.
    """
    predicate = unicodedata.normalize("NFC", text)
    if not predicate.strip():
        raise UsageError("The key is empty.", hint="give a key such as `package_manager`")
    bad = next((char for char in predicate if not allowed(char)), None)
    if bad is None and predicate[0] not in ".-" and predicate[-1] not in ".-" and ".." not in predicate:
        return predicate
    slug = _slug(predicate)
    if bad is not None:
        what = f"holds U+{ord(bad):04X}"
    else:
        what = "begins or ends with a dot or a dash, or holds two dots in a row"
    raise UsageError(
        f"The key `{printable(text)}` {what}; a key is made of letters, digits, `_`, `-` and `.`.",
        hint=f"use `{slug}`" if slug else "give a key such as `package_manager`",
    )


def stem(identity: Identity, *, repository: bool) -> str:
    """The file stem of an identity, safe on every file system.

    The predicate in its comparable form, plus ``--`` and 8 hex digits of the canonical qualifiers.

    :param repository: whether the repository id belongs to the qualifiers (in the user memdir it does).
    """
    scope = identity.scope
    name = fold(identity.predicate)
    if name.split(".")[0] in RESERVED or len(name.encode()) > STEM_BYTES - 10:
        # a name that cannot be a file name becomes one that still differs from every other
        name = f"{_cut(name, STEM_BYTES - 20)}--{_hex8(name)}"
        if name.split(".")[0].split("--")[0] in RESERVED:
            name = f"_{name}"
    narrowed = scope.qualifiers
    if repository and scope.repository:
        narrowed = f"repository={scope.repository}\n{narrowed}"
    if scope.task:
        narrowed = f"task={scope.task}\n{narrowed}"
    return f"{name}--{_hex8(narrowed)}" if narrowed else name


def allowed(char: str) -> bool:
    """Whether a letter may stand in a predicate."""
    if char.isascii():
        return char.isalnum() or char in "_-."
    category = unicodedata.category(char)
    return (category[0] in "LMN" or category == "So") and char not in INVISIBLE


def _slug(text: str) -> str:
    kept = "".join(char if allowed(char) else "_" for char in text)
    while ".." in kept:
        kept = kept.replace("..", ".")
    return kept.strip(".-_")


def _hex8(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _cut(text: str, size: int) -> str:
    """``text`` cut to ``size`` UTF-8 bytes at a character boundary."""
    return text.encode()[:size].decode(errors="ignore")
