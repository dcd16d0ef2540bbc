"""Globs from the repository root: ``*`` within a name, ``**`` across names, ``?``, ``[a-z]``.

``a/**`` matches ``a`` too, and a path without any wildcard matches itself and everything below it.
Matching takes at most pattern length times path length steps, whatever the pattern.
"""

from __future__ import annotations

import unicodedata

from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WILDCARDS = frozenset("*?[")

#: Longer than any path that a person writes down.
CHARACTERS = 1000


def parse_glob(text: str) -> str:
    """``text`` as a normal glob: NFC, no ``.`` components, no doubled or trailing slash.

    The root itself (``.``) becomes ``**``.

    :raises UsageError: if it is empty, absolute, leaves the repository, or holds a backslash or a
        control character.
    """
    glob = unicodedata.normalize("NFC", text)
    problem = _problem(glob)
    if problem:
        raise UsageError(
            f"The path `{printable(text)}` {problem}.",
            hint="give a glob from the repository root, such as `packages/web/**`",
        )
    return normal_path(glob) or "**"


def _problem(glob: str) -> str:
    if not glob.strip():
        return "is empty"
    if len(glob) > CHARACTERS:
        return f"is longer than {CHARACTERS} characters"
    if glob.startswith("/") or (len(glob) > 1 and glob[1] == ":" and glob[0].isalpha()):
        return "is absolute"
    if "\\" in glob:
        return "holds a backslash; folders are separated by `/`"
    if ".." in glob.split("/"):
        return "leaves the repository with `..`"
    if any(unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp"} for char in glob):
        return "holds a character that cannot be seen"
    return ""


def normal_path(text: str) -> str:
    """A POSIX path without ``.`` components, doubled or trailing slashes, in NFC; ``""`` is the root."""
    return "/".join(part for part in unicodedata.normalize("NFC", text).split("/") if part not in {"", "."})


def literal_prefix(glob: str) -> tuple[str, ...]:
    """The leading components that hold no wildcard: ``packages/old/**`` gives ``("packages", "old")``."""
    prefix = []
    for part in _components(glob):
        if WILDCARDS.intersection(part):
            break
        prefix.append(part)
    return tuple(prefix)


def matches(glob: str, path: str) -> bool:
    """Whether ``path`` (POSIX, from the repository root, ``""`` at the root) lies in ``glob``.

    A glob that :func:`parse_glob` would refuse matches nothing.
    """
    if _problem(glob):
        return False
    pattern, parts = _components(glob), _components(path)
    if not any(WILDCARDS.intersection(part) for part in pattern):
        return parts[: len(pattern)] == pattern
    return _match_parts(pattern, parts)


def within(narrow: str, wide: str) -> bool:
    """Whether ``wide`` surely matches every path that ``narrow`` matches; ``False`` where that cannot be told."""
    return not (_problem(narrow) or _problem(wide)) and _absorbs(_open(wide), _open(narrow))


def _open(glob: str) -> list[str]:
    """The components of a glob; one without any wildcard says that it matches what lies below as well."""
    parts = _components(glob)
    return parts if any(WILDCARDS.intersection(part) for part in parts) else [*parts, "**"]


def _absorbs(wide: list[str], narrow: list[str]) -> bool:
    """Whether each way to fill ``narrow`` fills ``wide``: only ``**`` takes ``**``, only ``*`` takes a pattern."""
    reached = {0}
    for part in (*narrow, None):
        # a `**` may stand for nothing
        for at in range(len(wide)):
            if at in reached and wide[at] == "**":
                reached.add(at + 1)
        if part is not None:
            reached = {
                at if wide[at] == "**" else at + 1 for at in reached if at < len(wide) and _takes(wide[at], part)
            }
    return len(wide) in reached


def _takes(wide: str, part: str) -> bool:
    """Whether one component of a pattern matches all that another one matches."""
    if wide in {"**", part}:
        return True
    if part == "**":
        return False
    return wide == "*" if WILDCARDS.intersection(part) else _match_name(wide, part)


def _components(text: str) -> list[str]:
    return normal_path(text).split("/") if normal_path(text) else []


def _match_parts(pattern: list[str], parts: list[str]) -> bool:
    """Match component by component; ``**`` stands for any number of components, also none."""
    return _covers(pattern, parts, "**", _match_name)


def _match_name(pattern: str, name: str) -> bool:
    """Match one component; a folder really named ``[slug]`` is matched by its own name as well."""
    return pattern == name or _covers(_pieces(pattern), name, "*", _match_char)


def _covers(pattern: list[str], text: Sequence[str], many: str, fits: Callable[[str, str], bool]) -> bool:
    """Whether the pieces of a pattern stand for a text from end to end, ``many`` for any number of its parts.

    Only the last ``many`` ever needs to give way: whatever an earlier one could take, a later one can.
    """
    at = piece = 0
    star = mark = -1
    while at < len(text):
        if piece < len(pattern) and pattern[piece] == many:
            star, mark = piece, at
            piece += 1
        elif piece < len(pattern) and fits(pattern[piece], text[at]):
            piece, at = piece + 1, at + 1
        elif star >= 0:
            mark += 1
            piece, at = star + 1, mark
        else:
            return False
    return all(rest == many for rest in pattern[piece:])


def _pieces(pattern: str) -> list[str]:
    """``a[b-d]*?`` as ``["a", "[b-d]", "*", "?"]``; a ``[`` that nothing closes is itself, as ``"[["``."""
    pieces = []
    at = 0
    while at < len(pattern):
        if pattern[at] != "[":
            pieces.append(pattern[at])
            at += 1
            continue
        # a `]` right after the opening (or its negation) belongs to the class
        first = at + 2 if pattern[at + 1 : at + 2] in {"!", "^"} else at + 1
        end = pattern.find("]", first + 1)
        pieces.append(pattern[at : end + 1] if end > 0 else "[[")
        at = end + 1 if end > 0 else at + 1
    return pieces


def _match_char(piece: str, char: str) -> bool:
    if piece == "?":
        return True
    if piece == "[[":
        return char == "["
    if len(piece) == 1:
        return piece == char
    negated = piece[1] in "!^"
    members = piece[2:-1] if negated else piece[1:-1]
    return _in_class(members, char) != negated


def _in_class(members: str, char: str) -> bool:
    at = 0
    while at < len(members):
        if members[at + 1 : at + 2] == "-" and at + 2 < len(members):
            if members[at] <= char <= members[at + 2]:
                return True
            at += 3
        else:
            if members[at] == char:
                return True
            at += 1
    return False
