"""Sourcing: the provenance entry of a statement, and the full words that stay on this machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memdir_cli.domain.changes import Put, replacing
from memdir_cli.domain.gate import Speaker
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.rows import rows
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.source import ATTESTATIONS, KINDS, Source, label
from memdir_cli.domain.statement import Provenance
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import layout
from memdir_cli.storage.store import Store

#: Characters of the original words that a memory keeps: few where others read it, and never a whole transcript.
SAID_CHARACTERS: Mapping[Layer, int] = {"project": 280, "user": 1000}


def source(workplace: Workplace, store: Store, speaker: Speaker, provenance: Provenance) -> Source:
    """The entry for a statement, short enough for the memdir it goes to."""
    said = shortened(speaker.said, store.layer)
    return Source(speaker.kind, ref(workplace, store, provenance), said, workplace.runtime.now, speaker.attested)


def shortened(said: str, layer: Layer) -> str:
    """The words as a memory in such a memdir keeps them."""
    room = SAID_CHARACTERS[layer]
    return said if len(said) <= room else f"{said[: room - 1]}…"


def is_cut(kept: str, whole: str) -> bool:
    """Whether a memory keeps no more than the beginning of these words."""
    return kept != whole and kept in {shortened(whole, layer) for layer in SAID_CHARACTERS}


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
    """The file that keeps whole ids and words on this machine, where the memory holds only a part of them."""
    session, message = session_of(workplace, provenance), message_of(workplace, provenance)
    labelled = store.layer == "project" and any(one and label(one) != one for one in (session, message))
    if not labelled and len(speaker.said) <= SAID_CHARACTERS[store.layer]:
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
    return replacing(path, (standing or b"") + line, standing)


def older(store: Store, memory: Memory) -> tuple[Source, ...]:
    """The sources for which the header of ``memory`` has no room any more; lines that are none are passed over."""
    content = store.content(layout.older_sources_path(memory, store.layer)) or b""
    return tuple(source for entry in rows(content) if (source := _source(entry)) is not None)


def _source(entry: dict[str, Any]) -> Source | None:
    kind, attested = entry.get("kind"), entry.get("attested", "none")
    texts = all(isinstance(text, str) for text in entry.values())
    if not texts or kind not in KINDS or attested not in ATTESTATIONS:
        return None
    return Source(kind, entry.get("ref", ""), entry.get("said", ""), entry.get("at", ""), attested)
