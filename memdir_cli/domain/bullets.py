"""Bullets: the items of the lists in a Markdown text, each with the headings above it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memdir_cli.shapes import dataclass

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_ITEM = re.compile(r"( {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+)(\S.*)$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Bullet:
    """One item of a list, with all that is indented below it.

    :ivar line: where it begins, 1-based.
    :ivar headings: the headings above it, the widest first.
    :ivar lines: its text without mark and indentation; more than one where it goes on below.
    """

    line: int
    headings: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def plain(self) -> bool:
        """Whether it is one sentence or paragraph, with nothing below it."""
        return not any(not line or _ITEM.match(line) or _FENCE.match(line) for line in self.lines[1:])

    @property
    def text(self) -> str:
        """All of it; a plain one on one line."""
        return " ".join(line.strip() for line in self.lines) if self.plain else "\n".join(self.lines)


def bullets(text: str, *, skip: Iterable[tuple[str, str]] = ()) -> Iterator[Bullet]:
    """The items of the outermost lists of ``text``.

    :param skip: pairs of lines between which nothing is looked at, more may follow on the first; one that is not
        closed reaches to the end.
    """
    headings: list[tuple[int, str]] = []
    fence = ""
    lines = text.split("\n")
    for marks in skip:
        lines = _without(lines, marks)
    at = 0
    while at < len(lines):
        line = lines[at].rstrip("\r")
        mark = _FENCE.match(line)
        heading = _HEADING.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
        elif heading:
            headings = [one for one in headings if one[0] < len(heading[1])] + [(len(heading[1]), heading[2])]
        elif (item := _ITEM.match(line)) and not _RULE.match(line):
            end = _end(lines, at, len(item[1]))
            below = _dedented(lines[at + 1 : end], len(item[1]))
            yield Bullet(at + 1, tuple(words for _, words in headings), (item[2].strip(), *below))
            at = end - 1
        at += 1


def _without(lines: list[str], marks: tuple[str, str]) -> list[str]:
    """``lines`` with those between two marks blank; their numbers stay."""
    kept: list[str] = []
    inside = False
    for line in lines:
        inside = inside or line.strip().startswith(marks[0])
        kept.append("" if inside else line)
        inside = inside and line.strip() != marks[1]
    return kept


def _end(lines: list[str], start: int, indent: int) -> int:
    """The line after the last one that belongs to the item which begins at ``start``."""
    end, at, fence = start + 1, start + 1, ""
    while at < len(lines):
        line = lines[at].rstrip()
        mark = _FENCE.match(line)
        indented = line[:1] in {" ", "\t"} and len(line) - len(line.lstrip()) >= min(indent, 2)
        # what follows without a gap goes on with the sentence
        lazy = at == end and line and not (_HEADING.match(line) or _ITEM.match(line) or _RULE.match(line) or mark)
        if not line and not fence:
            at += 1
            continue
        if not (fence or indented or lazy):
            break
        if mark and (fence or indented):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        at += 1
        end = at
    return end


def _dedented(lines: Iterable[str], indent: int) -> Iterator[str]:
    for line in lines:
        bare = line.rstrip()
        blank = len(bare) - len(bare.lstrip())
        yield bare[min(blank, indent) :]
