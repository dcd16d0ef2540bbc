"""A file as a whole: its parsed value where its name promises one, else its text, else its bytes."""

from __future__ import annotations

import hashlib

from memdir_cli.domain.evidence import Observation, Probe, canonical_hash
from memdir_cli.probes import documents
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.seeing import of_unseen
from memdir_cli.probes.workspace import Unseen


def look_at_content(probe: Probe, ground: Ground) -> Observation:
    """The whole file. One that does not parse (JSON with comments) counts as text."""
    content = ground.content(probe.path)
    if isinstance(content, Unseen):
        return of_unseen(content)
    if documents.parser_of(probe.path) is not None:
        document = ground.document(probe.path)
        if not isinstance(document, Unseen):
            return Observation("seen", canonical_hash(document))
    return Observation("seen", canonical_hash(_text(content)))


def _text(content: bytes) -> object:
    """Text without byte order mark, with one form of line end and none at the end; else the bytes' digest."""
    try:
        text = documents.text_of(content)
    except documents.UnparsableError:
        return {"bytes": hashlib.sha256(content).hexdigest()}
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
