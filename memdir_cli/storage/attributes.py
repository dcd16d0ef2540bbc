"""Attributes: the lines of ``.gitattributes`` in a memdir, which tell git how to merge what is in it."""

from __future__ import annotations

from memdir_cli.storage import layout
from memdir_cli.storage.managed_block import HASH, outside, with_block, without_block

#: The name under which git's configuration knows our driver.
DRIVER = "memdir"

#: Files of which the lines of both sides stay. git does that by itself, in every clone.
UNION: tuple[str, ...] = tuple(
    f"/{path} merge=union"
    for path in (
        layout.INDEX,
        f"{layout.RECEIPTS}/*.jsonl",
        layout.TOMBSTONES,
        f"{layout.HISTORY}/*.jsonl",
    )
)

#: Files that our driver merges. Where it is not configured git merges them as any text.
DRIVEN: tuple[str, ...] = tuple(
    f"/{folder}/*.md merge={DRIVER}"
    for folder in (layout.MEMORIES, layout.INBOX, layout.QUARANTINE, layout.HISTORY, layout.ARCHIVE)
)

#: The file that a new memdir gets.
NEW = "".join(
    f"{line}\n" for line in ("# made by memdir: git keeps the lines of both sides of a merge in these files", *UNION)
).encode()

_WORDS = "(written by `memdir install git`; git's configuration says what the driver is)"


def with_driver(content: bytes | None) -> bytes:
    """``content`` of ``.gitattributes`` with every line that merging needs."""
    around = set(outside(content or b"", HASH))
    lines = [line for line in (*UNION, *DRIVEN) if line not in around]
    return with_block(content, lines, HASH, _WORDS)


def without_driver(content: bytes) -> bytes:
    """``content`` without what :func:`with_driver` put in."""
    return without_block(content, HASH)


def names_driver(content: bytes | None) -> bool:
    """Whether git is told to use our driver."""
    lines = (content or b"").decode("utf-8", "replace").splitlines()
    return any(not line.startswith("#") and line.split()[1:].count(f"merge={DRIVER}") for line in lines)
