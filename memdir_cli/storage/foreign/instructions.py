"""Instructions: files in which each item of a list is a memory, such as CLAUDE.md and AGENTS.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdir_cli.domain.bullets import Bullet, bullets
from memdir_cli.domain.foreign import VALUE_LETTERS, Entry, Unread
from memdir_cli.storage.foreign.sheet import OURS, Sheet, word

#: So many words of an item are its name.
_WORDS = 6

_LINK = re.compile(r"\[[^\]]*\]\([^)\s]+\.md\)|\[\[[^\]]+\]\]")
_GROUP = re.compile(r"^# Task Group:[ \t]*(.*)$", re.MULTILINE)
_THREAD = re.compile(r"\bthread_id=([0-9a-f-]{36})\b")


def instructions(sheet: Sheet) -> Iterator[Entry | Unread]:
    """Every item of the outermost lists; what memdir itself has written there is left out."""
    found = [_entry(sheet, bullet) for bullet in _items(sheet)]
    yield from found
    if not found:
        yield Unread(sheet.whole, "empty", "It holds no list.")


def index(sheet: Sheet) -> Iterator[Entry | Unread]:
    """A MEMORY.md: the items that lead to no file of their own."""
    found = [_entry(sheet, bullet) for bullet in _items(sheet) if not _LINK.search(bullet.lines[0])]
    yield from found
    if not found:
        yield Unread(sheet.whole, "index", "It lists the other files.")


def handbook(sheet: Sheet) -> Iterator[Entry | Unread]:
    """The MEMORY.md of Codex: a block for every group of tasks; without any, its items."""
    text = sheet.text
    starts = [match.start() for match in _GROUP.finditer(text)]
    if not starts:
        yield from index(sheet)
        return
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        block = text[start:end].rstrip()
        title = block.partition("\n")[0].partition(":")[2].strip()
        thread = _THREAD.search(block)
        yield Entry(
            path=sheet.whole,
            line=1 + text.count("\n", 0, start),
            original=block,
            name=(title,),
            description=title,
            body=f"{block}\n",
            type="fact",
            session=thread[1] if thread else "",
        )


def _items(sheet: Sheet) -> Iterator[Bullet]:
    values, body, line, _ = sheet.parts()
    if word(values, "memdir"):
        return
    for bullet in bullets(body, skip=OURS):
        yield Bullet(bullet.line + line - 1, bullet.headings, bullet.lines)


def _entry(sheet: Sheet, bullet: Bullet) -> Entry:
    text = bullet.text
    short = bullet.plain and len(text) <= VALUE_LETTERS
    words = " ".join(re.sub(r"[`*_]{1,3}", " ", bullet.lines[0]).split()[:_WORDS])
    return Entry(
        path=sheet.whole,
        line=bullet.line,
        original=text,
        name=(*bullet.headings[-1:], words),
        value=text if short else None,
        description=" ".join(bullet.lines[0].split()),
        body="" if short else f"{text}\n",
        type="project-rule",
    )
