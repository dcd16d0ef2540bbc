"""Bullets: the items of the lists in a Markdown text, each with the headings above it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memdir_cli.shapes import dataclass

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_ITEM = re.compile(r"( {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+)(\S.*)$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
# backticks further on make it code within a sentence
_FENCE = re.compile(r"[ \t]*(`{3,}(?!.*`)|~{3,})")
_INDENTED = ("  ", "\t", " \t")


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
        at += 1
        fence = _fence_after(fence, line)
        if fence:
            continue
        if heading := _HEADING.match(line):
            headings = [one for one in headings if one[0] < len(heading[1])] + [(len(heading[1]), heading[2])]
        elif (item := _ITEM.match(line)) and not _RULE.match(line):
            end = _end(lines, at, _fence_after("", item[2]))
            below = _dedented(lines[at:end], len(item[1]))
            yield Bullet(at, tuple(words for _, words in headings), (item[2].strip(), *below))
            at = end


def _without(lines: list[str], marks: tuple[str, str]) -> list[str]:
    """``lines`` with those between two marks blank; their numbers stay."""
    kept: list[str] = []
    inside = False
    for line in lines:
        inside = inside or line.strip().startswith(marks[0])
        kept.append("" if inside else line)
        inside = inside and line.strip() != marks[1]
    return kept


def _end(lines: list[str], start: int, fence: str) -> int:
    """The line after the last one that belongs to the item whose first line lies before ``start``.

    :param fence: the one that the item's first line opens.
    """
    end = start
    for at in range(start, len(lines)):
        line = lines[at].rstrip()
        if not line:
            continue
        was, fence = fence, _fence_after(fence, line)
        # what follows without a gap goes on with the sentence
        lazy = at == end and not (fence or _HEADING.match(line) or _ITEM.match(line) or _RULE.match(line))
        if not (was or lazy or line.startswith(_INDENTED)):
            break
        end = at + 1
    return end


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open after ``line``; ``fence`` is the one before, empty where none is."""
    mark = _FENCE.match(line)
    if not mark or not fence:
        return mark[1] if mark else fence
    return "" if mark[1].startswith(fence) and line.strip() == mark[1] else fence


def _dedented(lines: Iterable[str], indent: int) -> Iterator[str]:
    for line in lines:
        bare = line.rstrip()
        blank = len(bare) - len(bare.lstrip())
        yield bare[min(blank, indent) :]
