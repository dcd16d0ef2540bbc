"""Ways in which a file comes to be other than it was written: by hands, merges, crashes, and by intent."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.fuzz import tokens

Mutation = Callable[[bytes, Random, Sequence[bytes]], bytes]


def line_doubled(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    lines = content.splitlines(keepends=True)
    at = random.randrange(len(lines) + 1)
    return b"".join([*lines[:at], *lines[at - 1 : at], *lines[at:]])


def line_dropped(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    lines = content.splitlines(keepends=True)
    at = random.randrange(len(lines) + 1)
    return b"".join([*lines[:at], *lines[at + 1 :]])


def lines_swapped(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    lines = content.splitlines(keepends=True)
    random.shuffle(lines)
    return b"".join(lines)


def cut(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return content[: random.randrange(len(content) + 1)]


def head_lost(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return content[random.randrange(len(content) + 1) :]


def flipped(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    changed = bytearray(content)
    for _ in range(random.randint(1, 4)):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def spliced(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    other = random.choice(others)
    return content[: random.randrange(len(content) + 1)] + other[random.randrange(len(other) + 1) :]


def replaced_by_another(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return random.choice(others)


def emptied(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return random.choice((b"", b"\n", b"\xef\xbb\xbf", b"---\n---\n", b"{}", b"[]", b"\0" * 4096))


def hostile_token(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + random.choice(tokens.BYTES) + content[at:]


def hostile_value(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Another value behind one of the keys of a header, or a key that was not there."""
    lines = content.split(b"\n")
    keyed = [at for at, line in enumerate(lines[:60]) if b":" in line]
    if not keyed:
        return b"---\n" + random.choice(tokens.KEYS) + b": " + random.choice(tokens.SCALARS) + b"\n---\n" + content
    at = random.choice(keyed)
    key = lines[at].partition(b":")[0]
    lines[at] = key + b": " + random.choice(tokens.SCALARS)
    return b"\n".join(lines)


def hostile_key(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    lines = content.split(b"\n")
    at = random.randint(1, min(40, len(lines)))
    lines.insert(
        at, random.choice((b"", b"  ", b"  - ")) + random.choice(tokens.KEYS) + b": " + random.choice(tokens.SCALARS)
    )
    return b"\n".join(lines)


def other_line_ends(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    end = random.choice((b"\r\n", b"\r", b"\n\r", b"\x0b", "\u2028".encode()))
    if random.random() < 0.5:
        return content.replace(b"\n", end)
    return b"".join(line + random.choice((end, b"\n")) for line in content.split(b"\n"))


def other_encoding(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    text = content.decode("utf-8", "replace")
    coding = random.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252", "utf-7", "utf-8-sig"))
    return text.encode(coding, "replace")


def indented(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    by = random.choice((b" ", b"\t", b"  ", b"- ", b"> ", b"\xc2\xa0"))
    lines = content.split(b"\n")
    first, last = sorted(random.randrange(len(lines) + 1) for _ in range(2))
    return b"\n".join(by + line if first <= at < last else line for at, line in enumerate(lines))


def repeated(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """A piece of it a thousand times, but never more than a megabyte."""
    first, last = sorted(random.randrange(len(content) + 1) for _ in range(2))
    piece = content[first : min(last, first + 200)]
    return content[:first] + piece * random.choice((2, 50, 1000, 5000)) + content[last:]


def json_planted(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Something else in the place of one value of a JSON document, or of one line of JSON."""
    lines = content.split(b"\n")
    at = random.randrange(len(lines)) if content.lstrip()[:1] == b"{" and len(lines) > 1 else None
    whole = content if at is None or content.lstrip()[:2] == b"{\n" else lines[at]
    try:
        document = json.loads(whole)
    except (ValueError, RecursionError):
        return hostile_token(content, random, others)
    planted = json.dumps(_marked(document, random)).replace(f'"{_MARK}"', random.choice(tokens.JSON)).encode()
    if whole is content:
        return planted
    assert at is not None
    return b"\n".join([*lines[:at], planted, *lines[at + 1 :]])


_MARK = "@planted@"


def _marked(value: Any, random: Random) -> Any:
    """``value`` with a mark in the place of one of the values in it."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        key = random.choice(sorted(value))
        return {**value, key: _marked(value[key], random)}
    if isinstance(value, list) and value and random.random() < 0.8:
        at = random.randrange(len(value))
        return [*value[:at], _marked(value[at], random), *value[at + 1 :]]
    return _MARK


#: Those that make more of what a reader has to decide stand several times.
MUTATIONS: tuple[Mutation, ...] = (
    line_doubled, line_dropped, lines_swapped, cut, head_lost, flipped, spliced, replaced_by_another, emptied,
    hostile_token, hostile_token, hostile_value, hostile_value, hostile_value, hostile_key, hostile_key,
    other_line_ends, other_encoding, indented, repeated,
)  # fmt: skip

#: Nothing that grows is larger afterwards.
LIMIT = 3 << 20


def mutated(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """``content`` after one to three mutations; files of JSON mostly stay JSON.

    :param others: contents from which pieces are taken.
    """
    looks_like_json = content.lstrip()[:1] in {b"{", b"["}
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        mutation = json_planted if looks_like_json and random.random() < 0.5 else random.choice(MUTATIONS)
        content = mutation(content, random, others)[:LIMIT]
    return content
