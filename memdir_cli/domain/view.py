"""View: memories as the mappings of the JSON answers, and their sources as labels for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memdir_cli.domain import times
from memdir_cli.domain.effective import Effective
from memdir_cli.domain.memory import Memory, Side
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import PROVEN, Source, labelled
from memdir_cli.shapes import replace

Document = dict[str, object]


def record_document(record: Record, status: Effective) -> Document:
    """A record with the frontmatter's keys, its status as it is now, and where it lies.

    ``path`` is the qualifier of that name; ``file`` is the file, from the memdir's root.
    """
    memory = record.memory
    shown = replace(memory, status=status.status, status_reason=status.reason)
    document = memory_document(shown)
    if status.status != memory.status:
        document["storedStatus"] = memory.status
    return {**document, "memdir": record.layer, "file": record.path}


def memory_document(memory: Memory) -> Document:
    """A memory with the frontmatter's keys in their order; ``value`` always, others where they are set."""
    scope = memory.scope
    keys: dict[str, object] = {
        "id": memory.id,
        "name": memory.name,
        "description": memory.description,
        "type": memory.type,
        "subject": memory.subject,
        "predicate": memory.predicate,
        "scope": scope.text,
        "repository": scope.repository if scope.level == "task" else "",
        "path": scope.path,
        "topic": scope.topic,
        "environment": dict(scope.environment),
        "version": scope.version,
        "status": memory.status,
        "statusReason": memory.status_reason,
        "none": memory.none,
        "sides": [side_document(side) for side in memory.sides],
        "revision": memory.revision,
        "authority": memory.authority,
        "source": source_documents(memory.source),
        "dependsOn": [_filled({"probe": one.probe, "hash": one.hash, "was": one.was}) for one in memory.depends_on],
        "supersedes": memory.supersedes,
        "supersededBy": memory.superseded_by,
        "rival": memory.rival,
        "createdAt": memory.created_at,
        "updatedAt": memory.updated_at,
        "verifiedAt": memory.verified_at,
        "reviewAfter": memory.review_after,
        "expiresAt": memory.expires_at,
    }
    return {**memory.extra, **_filled(keys), "value": memory.value}


def source_documents(sources: Iterable[Source]) -> list[Document]:
    """Provenance with the frontmatter's keys."""
    return [
        _filled({"kind": one.kind, "ref": one.ref, "said": one.said, "at": one.at, "attested": one.attested})
        for one in sources
    ]


def side_document(side: Side) -> Document:
    """One side of a conflict."""
    return {
        "id": side.id,
        "value": side.value,
        "description": side.description,
        "authority": side.authority,
        "source": source_documents(side.source),
        **({"type": side.type} if side.type else {}),
    }


def withheld(memory: Memory) -> Memory:
    """A quarantined memory without any text: what it is called, where it applies, and its times."""
    bare = tuple(Source(one.kind, at=one.at, attested=one.attested) for one in memory.source)
    return replace(memory, name="", description="", value=None, body="", sides=(), depends_on=(), source=bare, extra={})


def conditions(scope: Scope) -> tuple[str, ...]:
    """The qualifiers for people, such as ``path packages/old/**`` and ``os linux``."""
    found = []
    if scope.path:
        found.append(f"path {scope.path}")
    if scope.topic:
        found.append(f"topic {scope.topic}")
    found += [f"{key} {value}" for key, value in scope.environment]
    if scope.version:
        found.append(f"version {scope.version}")
    return tuple(found)


def dated(memory: Memory) -> str:
    """When a memory was last known to hold: verified, else changed, else made; ``""`` if it does not say."""
    return memory.verified_at or memory.updated_at or memory.created_at


def age(memory: Memory, now: str) -> str:
    """The coarse age of :func:`dated`, ``unknown`` where it cannot be read."""
    try:
        return times.age(dated(memory), now)
    except ValueError:
        return "unknown"


def source_label(memory: Memory) -> str:
    """Who stands behind a memory: the last user's word if there is one, else the last source."""
    sources = memory.source
    users = [one for one in sources if one.kind == "user"]
    proven = [one for one in users if one.attested in PROVEN]
    chosen = (proven or users or list(sources))[-1:]
    return label(chosen[0]) if chosen else "nobody"


def label(source: Source) -> str:
    """A source for people: ``user, claimed by agent (session:s1/message:m3)``."""
    words: str = source.kind
    if source.kind == "user" and source.attested not in PROVEN:
        words = "user, claimed by agent" if source.attested == "claimed" else "user, unproven"
    return f"{words} ({labelled(source.ref)})" if source.ref else words


def _filled(keys: Mapping[str, object]) -> Document:
    return {key: value for key, value in keys.items() if value not in (None, "", False, [], {})}
