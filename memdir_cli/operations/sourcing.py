"""Sourcing: the provenance entry of a statement, and the full words that stay on this machine."""

from __future__ import annotations

import hashlib
import json

from memdir_cli.domain.changes import Put
from memdir_cli.domain.gate import Speaker
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.source import Source, label
from memdir_cli.domain.statement import Provenance
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import layout
from memdir_cli.storage.store import Store

#: Characters of the original words that a project memdir, which others read, keeps.
SAID_CHARACTERS = 280


def source(workplace: Workplace, store: Store, speaker: Speaker, provenance: Provenance) -> Source:
    """The entry for a statement, short enough for the memdir it goes to."""
    said = shortened(speaker.said) if store.layer == "project" else speaker.said
    return Source(speaker.kind, ref(workplace, store, provenance), said, workplace.runtime.now, speaker.attested)


def shortened(said: str) -> str:
    """The words as a project memdir keeps them."""
    return said if len(said) <= SAID_CHARACTERS else f"{said[: SAID_CHARACTERS - 1]}…"


def is_cut(kept: str, whole: str) -> bool:
    """Whether a memory keeps no more than the beginning of these words."""
    return kept != whole and kept == shortened(whole)


def ref(workplace: Workplace, store: Store, provenance: Provenance) -> str:
    """``session:…/message:…``; labels in a project memdir, whole ids in the user's own."""
    shown = label if store.layer == "project" else str
    parts = [
        f"{name}:{shown(whole)}"
        for name, whole in (
            ("session", session_of(workplace, provenance)),
            ("message", message_of(workplace, provenance)),
        )
        if whole
    ]
    return "/".join(parts)


def session_of(workplace: Workplace, provenance: Provenance) -> str:
    """The whole id of the session: the option, else the runtime's."""
    return provenance.session or workplace.runtime.session.value or ""


def message_of(workplace: Workplace, provenance: Provenance) -> str:
    """The whole id of the message: the option, else the runtime's."""
    return provenance.message or workplace.runtime.message.value or ""


def keep_full(
    workplace: Workplace, store: Store, memory: Memory, speaker: Speaker, provenance: Provenance
) -> tuple[Put, ...]:
    """The file that keeps whole ids and words on this machine, where the memory holds only labels."""
    if store.layer != "project":
        return ()
    session, message = session_of(workplace, provenance), message_of(workplace, provenance)
    whole = len(speaker.said) <= SAID_CHARACTERS and label(session or "-") == (session or "-")
    if whole and label(message or "-") == (message or "-"):
        return ()
    entry = {
        "ref": ref(workplace, store, provenance),
        "session": session,
        "message": message,
        "said": speaker.said,
        "at": workplace.runtime.now,
    }
    return (added(store, layout.sources_path(memory.id), entry),)


def added(store: Store, path: str, entry: dict[str, str]) -> Put:
    """The file at ``path``, lines of JSON, with one more line."""
    standing = store.content(path)
    line = json.dumps(entry, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
    expected = hashlib.sha256(standing).hexdigest() if standing is not None else None
    return Put(path, (standing or b"") + line, expected)
