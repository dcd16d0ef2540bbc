"""Rejecting: what a user did not want, or not so widely, known again when it is proposed once more.

The receipt knows it by keyed digests. Why the user did not want it is kept on this machine only.
"""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.domain import gate
from memdir_cli.domain.changes import Put
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.rows import rows, text_of
from memdir_cli.domain.text import printable
from memdir_cli.operations import sourcing
from memdir_cli.shapes import dataclass
from memdir_cli.storage import layout, receipts
from memdir_cli.storage.store import Store


@dataclass(frozen=True, slots=True)
class Rejection:
    """One candidate that a user has dropped, or narrowed.

    :ivar at: when, RFC 3339 in UTC.
    :ivar heir: ``id@revision`` of the narrower memory, ``""`` where there is none.
    """

    id: str
    at: str
    heir: str = ""


def earlier(store: Store, memory: Memory) -> Rejection | None:
    """The latest rejection of what ``memory`` says again, or of the entry from which it was imported."""
    key = store.config.key
    claimed = receipts.claim(key, memory)
    entries = {
        receipts.source_digest(key, source)
        for source in memory.source
        if source.kind == "import" and source.ref and source.said
    }
    found = [
        Rejection(str(event.get("id")), at, str(event.get("previous") or ""))
        for at, event in _rejections(store)
        if event.get("content") == claimed.content or entries & set(_texts(event.get("sources")))
    ]
    return max(found, key=lambda one: one.at, default=None)


def refusal(store: Store, key: str, rejection: Rejection) -> gate.Refusal:
    """The plain answer to who proposes it once more."""
    day = rejection.at[:10]
    if rejection.heir:
        message = f"A user narrowed this for `{key}` on {day}; where it holds it is `{rejection.heir}`."
    else:
        reason = _reason(store, rejection.id)
        message = f"A user did not want this for `{key}` on {day}{f': {printable(reason)}' if reason else '.'}"
    return gate.Refusal(
        "rejected",
        message,
        "leave it; if the user wants it after all: `--from user --said 'their words' --session ID --message ID`",
    )


def keep_reason(store: Store, memory_id: str, reason: str, now: str) -> tuple[Put, ...]:
    """The file that keeps on this machine why the user did not want it."""
    if not reason:
        return ()
    return (sourcing.added(store, layout.sources_path(memory_id), {"reason": reason, "at": now}),)


def _rejections(store: Store) -> Iterator[tuple[str, dict[str, object]]]:
    for kind in ("rejected", "narrowed"):
        for receipt in store.receipts(f'"kind":"{kind}"'):
            events = receipt["events"]
            for event in events if isinstance(events, list) else ():
                # what was narrowed after it had held may be said again
                if isinstance(event, dict) and (event.get("kind"), event.get("status")) == (kind, "candidate"):
                    yield str(receipt.get("at", "")), event


def _reason(store: Store, memory_id: str) -> str:
    """The last one that was given, ``""`` for none."""
    told = [text_of(entry, "reason") for entry in rows(store.content(layout.sources_path(memory_id)) or b"")]
    return next(filter(None, reversed(told)), "")


def _texts(found: object) -> list[str]:
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
