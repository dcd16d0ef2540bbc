"""Receipts: what happened, told without content. One JSON line a transaction, one file a month.

A receipt holds ids, revisions, statuses and keyed digests; never values, words, bodies, topics or paths.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from sys import intern
from typing import TYPE_CHECKING

from memdir_cli.domain.attribution import Claim
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.rows import row
from memdir_cli.domain.source import Source
from memdir_cli.domain.status import STATUSES
from memdir_cli.shapes import replace
from memdir_cli.storage import layout
from memdir_cli.storage.reading import list_folder, read_file

if TYPE_CHECKING:
    from memdir_cli.domain.event import Event

Receipt = dict[str, object]

#: Bytes that SHA-256 takes at a time.
_BLOCK = 64

_SECOND = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
#: A time in a line that was written by :func:`line`.
_TIME = re.compile(rf'"(?:at|after)": ?"({_SECOND.pattern})"'.encode())


def digest(key: str, *parts: str) -> str:
    """Keyed digest of texts: HMAC-SHA256, 32 hexadecimal digits; ``""`` of nothing."""
    if not any(parts):
        return ""
    # lengths keep ("ab", "c") and ("a", "bc") apart
    message = "".join([f"{len(part)}:{part}" for part in parts]).encode("utf-8", "surrogatepass")
    inner, outer = _pads(key)
    return sha256(outer + sha256(inner + message).digest()).hexdigest()[:32]


@lru_cache(maxsize=8)
def _pads(key: str) -> tuple[bytes, bytes]:
    """What HMAC (RFC 2104) puts before a message, and before its digest; `hmac` makes it anew for each of thousands."""
    block = key.encode()
    block = (sha256(block).digest() if len(block) > _BLOCK else block).ljust(_BLOCK, b"\0")
    return bytes(byte ^ 0x36 for byte in block), bytes(byte ^ 0x5C for byte in block)


def claim(key: str, memory: Memory, at: str = "") -> Claim:
    """What ``memory`` claims, digested with ``key``."""
    return Claim(
        at,
        memory.status,
        memory.authority,
        _content(key, memory),
        frozenset([source_digest(key, source) for source in memory.sources]),
        memory.revision,
    )


def contents(key: str, memory: Memory) -> frozenset[str]:
    """The digests of what ``memory`` says, with whatever line ends stood around its text."""
    text = memory.body.strip("\r\n")
    bodies = {memory.body, text, f"{text}\n", f"\n{text}\n"}
    return frozenset(_content(key, replace(memory, body=body)) for body in bodies)


def line(key: str, txn: str, at: str, events: Iterable[Event], files: dict[str, bytes], *, after: str = "") -> bytes:
    """The receipt of one transaction, one line.

    :param files: bytes of the memory files written, by :attr:`Memory.ref`.
    :param after: what :func:`ahead` found.
    """
    events = tuple(events)
    receipt: Receipt = {
        "txn": txn,
        "at": at,
        **({"after": after} if after else {}),
        "actor": events[0].actor,
        "message": digest(key, events[0].message),
        "events": [_event(key, event, files.get(event.memory.ref, b"")) for event in events],
    }
    return json.dumps(receipt, separators=(",", ":")).encode()


def ahead(root: str, ids: Container[str], at: str) -> str:
    """The latest time in the receipts of these memories that lies ahead of ``at``, ``""`` if none does.

    A clock that was ahead must not have the last word for ever: what comes after such a receipt says so, and
    goes into the file of the same month, below it.
    """
    latest = at
    for entry in list_folder(root, layout.RECEIPTS):
        # months that are over hold no time that lies ahead
        if entry.kind != "file" or entry.name < at[:7]:
            continue
        content = read_file(root, f"{layout.RECEIPTS}/{entry.name}") or b""
        if max(_TIME.findall(content), default=b"") > at.encode():
            receipts = (receipt for text in content.split(b"\n") if (receipt := parse(text)) is not None)
            latest = max(latest, *(moment(receipt) for receipt in receipts if _names(receipt, ids)), "")
    return latest if latest != at else ""


def moment(receipt: Receipt) -> str:
    """When a receipt counts as made: at its time, or that of the one that it comes after; ``""`` for no time."""
    at = receipt.get("at")
    if "after" not in receipt:
        return at if isinstance(at, str) and _SECOND.fullmatch(at) else ""
    told = (at, receipt.get("after"))
    return max((time for time in told if isinstance(time, str) and _SECOND.fullmatch(time)), default="")


def read(root: str, naming: str = "", torn: list[tuple[str, int]] | None = None) -> Iterator[Receipt]:
    """The receipts, oldest file first. Lines that do not parse are passed over.

    :param naming: only those in whose line this text stands, such as an id; the others are not even parsed.
    :param torn: takes down path and line of everything that is no receipt and should be one, where all are read;
        empty lines are not meant to be any.
    :raises FaultError: if what there is cannot be read; without ``torn``, what is no file is passed over.
    """
    wanted = naming.encode()
    for entry in list_folder(root, layout.RECEIPTS):
        if not entry.name.endswith(".jsonl") or (entry.kind != "file" and torn is None):
            continue
        path = f"{layout.RECEIPTS}/{entry.name}"
        content = read_file(root, path) or b""
        if wanted:
            # a merge may have doubled lines
            for text in dict.fromkeys(_lines_with(content, wanted)):
                receipt = parse(text)
                if receipt is not None:
                    yield receipt
            continue
        seen: dict[bytes, bool] = {}
        for number, text in enumerate(content.split(b"\n"), 1):
            # a merge may have doubled lines
            if text not in seen:
                receipt = parse(text)
                seen[text] = receipt is None and bool(text.strip())
                if receipt is not None:
                    yield receipt
            if torn is not None and seen[text]:
                torn.append((path, number))


def _lines_with(content: bytes, wanted: bytes) -> Iterator[bytes]:
    """The lines in which something stands; to take thousands apart for one of them takes long."""
    at = content.find(wanted)
    while at >= 0:
        end = content.find(b"\n", at)
        end = len(content) if end < 0 else end
        yield content[content.rfind(b"\n", 0, at) + 1 : end]
        at = content.find(wanted, end)


def parse(text: bytes) -> Receipt | None:
    """One line as a receipt, ``None`` if it is not one."""
    receipt = row(text)
    return receipt if receipt is not None and isinstance(receipt.get("events"), list) else None


def happened(receipt: Receipt) -> Iterator[tuple[str, str]]:
    """Kind and memory id of every event of a receipt."""
    for event in receipt["events"]:  # type: ignore[attr-defined]
        if isinstance(event, dict):
            yield str(event.get("kind")), str(event.get("id"))


def sources(receipts: Iterable[Receipt]) -> frozenset[str]:
    """The keyed digests of all provenance entries of which the receipts tell."""
    found: set[str] = set()
    for receipt in receipts:
        for event in receipt["events"]:  # type: ignore[attr-defined]
            told = event.get("sources") if isinstance(event, dict) else None
            found.update(one for one in told if isinstance(one, str)) if isinstance(told, list) else None
    return frozenset(found)


def claims(receipts: Iterable[Receipt]) -> dict[str, list[Claim]]:
    """The claims recorded for each memory id."""
    found: dict[str, list[Claim]] = {}
    for receipt in receipts:
        for event in receipt["events"]:  # type: ignore[attr-defined]
            recorded = _recorded(moment(receipt), event)
            if recorded is not None:
                found.setdefault(event["id"], []).append(recorded)
    return found


def _names(receipt: Receipt, ids: Container[str]) -> bool:
    events = receipt["events"]
    assert isinstance(events, list)
    told = [event.get("id") for event in events if isinstance(event, dict)]
    return any(isinstance(one, str) and one in ids for one in told)


def _recorded(at: str, event: object) -> Claim | None:
    if not isinstance(event, dict) or not isinstance(event.get("id"), str):
        return None
    status, sources = event.get("status"), event.get("sources")
    if status not in STATUSES or not isinstance(sources, list):
        return None
    digests = frozenset(source for source in sources if isinstance(source, str))
    revision = event.get("revision")
    number = revision if isinstance(revision, int) else 1
    # one text for the words that stand in every receipt
    one = STATUSES[STATUSES.index(status)]
    return Claim(at, one, intern(str(event.get("authority"))), str(event.get("content")), digests, number)


def _event(key: str, event: Event, content: bytes) -> dict[str, object]:
    memory = event.memory
    if not event.vouched:
        return {"kind": event.kind, "id": memory.id, "revision": memory.revision, "level": memory.scope.level}
    claimed = claim(key, memory)
    return {
        "kind": event.kind,
        "id": memory.id,
        "revision": memory.revision,
        "previous": event.previous,
        "level": memory.scope.level,
        "status": memory.status,
        "authority": memory.authority,
        "content": claimed.content,
        "sources": sorted(claimed.sources),
        "file": digest(key, content.decode("utf-8", "replace")) if content else "",
    }


def _content(key: str, memory: Memory) -> str:
    # subject, key and scope are in it: a memory moved to another scope by hand says something new
    scope = memory.scope
    said = (memory.value or "", str(memory.none), memory.description, memory.body, memory.type)
    sides = [part for side in memory.sides for part in (side.id, side.value or "", side.authority)]
    return digest(key, *said, memory.subject, memory.predicate, scope.text, scope.qualifiers, *sides)


def source_digest(key: str, source: Source) -> str:
    """Keyed digest of a provenance entry, whenever it was said."""
    return digest(key, source.kind, source.ref, source.said, source.attested)
