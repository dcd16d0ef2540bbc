"""Retaining: what the settings let go of after a while, besides memories themselves."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.domain import times
from memdir_cli.domain.changes import ChangeSet, Put, Remove
from memdir_cli.domain.effective import UNAVAILABLE
from memdir_cli.domain.rows import row, text_of
from memdir_cli.domain.snapshot import Record, digest_of
from memdir_cli.operations.sourcing import is_cut
from memdir_cli.shapes import dataclass
from memdir_cli.storage import layout, prompts
from memdir_cli.storage.reading import list_folder
from memdir_cli.storage.store import Store


@dataclass(frozen=True, slots=True)
class Kept:
    """What is let go of.

    :ivar files: the files that change or go.
    :ivar lost: ids of memories whose original words go with them, with the reason.
    """

    files: ChangeSet
    lost: dict[str, str]


def let_go(store: Store, records: tuple[Record, ...], now: str) -> Kept:
    """The logs of reads and refusals, full sources and prompts of one memdir that are older than it keeps them.

    :param records: the memories, whose own entries say which words are cut there.
    """
    logs = tuple(_logs(store, now))
    puts: list[Put] = []
    removes: list[Remove] = []
    lost: dict[str, str] = {}
    kept_for = store.config.retention["sources"]
    by_id = {record.memory.id: record for record in records}
    for path, content in _files(store, layout.SOURCES) if kept_for else ():
        whole = content.split(b"\n")
        over = [line for line in whole if _is_over(line, kept_for, now)]
        if not over:
            continue
        rest = [line for line in whole if line.strip() and line not in over]
        if rest:
            puts.append(Put(path, b"\n".join(rest) + b"\n", digest_of(content)))
        else:
            removes.append(Remove(path, digest_of(content)))
        record = by_id.get(layout.name_of(path).removesuffix(".jsonl"))
        if record is not None and any(_is_original(line, record) for line in over):
            lost[record.memory.id] = f"{UNAVAILABLE}: its original words were kept for {kept_for}, and that is over"
    for path in prompts.over(store.root, store.config.retention["prompts"], now):
        removes += [Remove(path, digest_of(typed)) for typed in (store.content(path),) if typed is not None]
    return Kept(ChangeSet(files=tuple(puts), discards=(*logs, *removes)), lost)


def ended(store: Store) -> dict[str, str]:
    """When each revision was replaced or ended, by ``id@revision``, as the receipts tell it."""
    found: dict[str, str] = {}
    for receipt in store.receipts():
        events = receipt["events"]
        for event in events if isinstance(events, list) else ():
            for ref in _ended_by(event) if isinstance(event, dict) else ():
                found[ref] = str(receipt.get("at", ""))
    return found


def _ended_by(event: dict[str, object]) -> Iterator[str]:
    if event.get("previous"):
        yield str(event["previous"])
    if event.get("status") in {"expired", "superseded"}:
        yield f"{event.get('id')}@{event.get('revision')}"


def _logs(store: Store, now: str) -> Iterator[Remove]:
    """The logs of whole months that are over: lines are added to them without a lock, so that none is rewritten."""
    kept_for = store.config.retention["accessLog"]
    for path, content in (*_files(store, layout.ACCESS), *_files(store, layout.REFUSALS)) if kept_for else ():
        month = layout.name_of(path).removesuffix(".jsonl")
        if times.is_kept(f"{month}-01") and times.over(times.month_end(month), kept_for, now):
            yield Remove(path, digest_of(content))


def _files(store: Store, folder: str) -> Iterator[tuple[str, bytes]]:
    for entry in list_folder(store.root, folder):
        if entry.kind == "file" and entry.name.endswith(".jsonl"):
            path = layout.join(folder, entry.name)
            content = store.content(path)
            if content is not None:
                yield path, content


def _is_over(line: bytes, kept_for: str, now: str) -> bool:
    return times.over(text_of(row(line) or {}, "at"), kept_for, now)


def _is_original(line: bytes, record: Record) -> bool:
    """Whether the memory itself holds only the beginning of the words in a line."""
    entry = row(line) or {}
    ref, said = text_of(entry, "ref"), text_of(entry, "said")
    return any(one.ref == ref and is_cut(one.said, said) for one in record.memory.source)
