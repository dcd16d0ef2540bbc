"""Receipts: what happened, told without content. One JSON line a transaction, one file a month.

A receipt holds ids, revisions, statuses and keyed digests; never values, words, bodies, topics or paths.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator

from memdir_cli.domain.attribution import Claim
from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.source import Source
from memdir_cli.domain.status import STATUSES
from memdir_cli.storage import layout
from memdir_cli.storage.reading import list_folder, read_file

Receipt = dict[str, object]


def digest(key: str, *parts: str) -> str:
    """Keyed digest of texts: HMAC-SHA256, 32 hexadecimal digits; ``""`` of nothing."""
    if not any(parts):
        return ""
    # lengths keep ("ab", "c") and ("a", "bc") apart
    message = "".join(f"{len(part)}:{part}" for part in parts).encode("utf-8", "surrogatepass")
    return hmac.new(key.encode(), message, hashlib.sha256).hexdigest()[:32]


def claim(key: str, memory: Memory, at: str = "") -> Claim:
    """What ``memory`` claims, digested with ``key``."""
    return Claim(
        at,
        memory.status,
        memory.authority,
        _content(key, memory),
        frozenset(source_digest(key, source) for source in _sources(memory)),
    )


def line(key: str, txn: str, at: str, events: Iterable[Event], files: dict[str, bytes]) -> bytes:
    """The receipt of one transaction, one line.

    :param files: bytes of the memory files written, by :attr:`Memory.ref`.
    """
    events = tuple(events)
    receipt: Receipt = {
        "txn": txn,
        "at": at,
        "actor": events[0].actor,
        "message": digest(key, events[0].message),
        "events": [_event(key, event, files.get(event.memory.ref, b"")) for event in events],
    }
    return json.dumps(receipt, separators=(",", ":")).encode()


def read(root: str, naming: str = "") -> Iterator[Receipt]:
    """The receipts, oldest file first. Lines that do not parse are passed over; ``check`` names them.

    :param naming: only those in whose line this text stands, such as an id; the others are not even parsed.
    """
    wanted = naming.encode()
    for entry in list_folder(root, layout.RECEIPTS):
        if entry.kind != "file" or not entry.name.endswith(".jsonl"):
            continue
        content = read_file(root, f"{layout.RECEIPTS}/{entry.name}") or b""
        if wanted not in content:
            continue
        for text in content.split(b"\n"):
            receipt = parse(text) if wanted in text else None
            if receipt is not None:
                yield receipt


def parse(text: bytes) -> Receipt | None:
    """One line as a receipt, ``None`` if it is not one."""
    try:
        receipt = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return receipt if isinstance(receipt, dict) and isinstance(receipt.get("events"), list) else None


def claims(receipts: Iterable[Receipt]) -> dict[str, list[Claim]]:
    """The claims recorded for each memory id."""
    found: dict[str, list[Claim]] = {}
    for receipt in receipts:
        for event in receipt["events"]:  # type: ignore[attr-defined]
            recorded = _recorded(str(receipt.get("at", "")), event)
            if recorded is not None:
                found.setdefault(event["id"], []).append(recorded)
    return found


def _recorded(at: str, event: object) -> Claim | None:
    if not isinstance(event, dict) or not isinstance(event.get("id"), str):
        return None
    status, sources = event.get("status"), event.get("sources")
    if status not in STATUSES or not isinstance(sources, list):
        return None
    digests = frozenset(source for source in sources if isinstance(source, str))
    return Claim(at, status, str(event.get("authority")), str(event.get("content")), digests)


def _event(key: str, event: Event, content: bytes) -> dict[str, object]:
    memory = event.memory
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
    said = (memory.value or "", str(memory.none), memory.description, memory.body, memory.type)
    scope = (memory.subject, memory.predicate, memory.scope.text, memory.scope.qualifiers)
    sides = [part for side in memory.sides for part in (side.id, side.value or "", side.authority)]
    return digest(key, *said, *scope, *sides)


def _sources(memory: Memory) -> tuple[Source, ...]:
    return (*memory.source, *(source for side in memory.sides for source in side.source))


def source_digest(key: str, source: Source) -> str:
    """Keyed digest of a provenance entry, whenever it was said."""
    return digest(key, source.kind, source.ref, source.said, source.attested)
