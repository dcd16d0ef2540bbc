"""A memory to the bytes of a file: a new one, or the lines that changed in one that is there."""

from __future__ import annotations

from collections.abc import Mapping

from memdir_cli.domain.memory import Evidence, Memory, Side
from memdir_cli.domain.source import Source
from memdir_cli.storage.codec.fences import FILE_LIMIT, encode
from memdir_cli.storage.codec.header import read_header
from memdir_cli.storage.codec.keys import ORDER, TEXTS, TIMES
from memdir_cli.storage.codec.line_edit import Change, edit
from memdir_cli.storage.codec.list_edit import Entries
from memdir_cli.storage.codec.memory_reader import header_to_memory
from memdir_cli.storage.codec.scalars import Value, block, double_quote
from memdir_cli.storage.layout import SEALED_LIMIT
from memdir_cli.storage.problems import Malformed

#: Keys whose scalars are numbers or booleans for every reader and are written bare.
_BARE = frozenset({"revision", "none"})

#: Keys below which a time stands, and whose times are quoted however they look.
_TIMES = frozenset({*TIMES, "at"})


def render(memory: Memory) -> bytes:
    """The bytes of a new file for ``memory``, its keys in memdir's order.

    :raises Malformed: if no file can say it, such as a body that begins with a second header.
    :raises UsageError: if a text is not text.
    """
    keys = memory_to_header(memory)
    lines = "".join(f"{key}:{_rendered(key, value)}\n" for key, value in keys.items())
    result = encode(f"---\n{lines}---\n{memory.body}")
    _checked(result, keys, memory.body, SEALED_LIMIT if memory.status == "quarantined" else FILE_LIMIT)
    return result


def update(data: bytes, old: Memory, new: Memory) -> bytes:
    """``data``, the file of ``old``, changed so that it says ``new``: only the keys that differ are touched.

    :raises Malformed: as :func:`memdir_cli.storage.codec.line_edit.edit`.
    """
    before, after = memory_to_header(old), memory_to_header(new)
    changes: dict[str, Change] = {key: None for key in before if key not in after}
    for key, value in after.items():
        standing = before.get(key)
        if value == standing:
            continue
        if isinstance(value, list) and isinstance(standing, list):
            changes[key] = Entries.between(standing, value)
        else:
            changes[key] = _rendered(key, value)
    result = edit(data, changes, body=None if new.body == old.body else new.body)
    if result is not data:
        _checked(result, after, new.body)
    return result


def memory_to_header(memory: Memory) -> dict[str, Value]:
    """The keys that say ``memory``, in the order in which a new file has them; empty ones are left out."""
    scope = memory.scope
    found: dict[str, Value | None] = {
        "id": memory.id,
        "type": memory.type,
        "subject": memory.subject,
        "predicate": memory.predicate,
        "scope": scope.text,
        "repository": scope.repository if scope.level == "task" else None,
        "path": scope.path,
        "topic": scope.topic,
        "environment": dict(scope.environment),
        "version": scope.version,
        "status": memory.status,
        "value": memory.value,
        "none": "true" if memory.none else "",
        "sides": [_side(side) for side in memory.sides],
        "revision": str(memory.revision),
        "authority": memory.authority,
        "source": [_source(source) for source in memory.source],
        "dependsOn": [_evidence(evidence) for evidence in memory.depends_on],
    }
    for names in (TEXTS, TIMES):
        found.update((key, getattr(memory, field)) for key, field in names.items())
    # an empty value is one
    kept = {key: value for key in ORDER if (value := found[key]) or (key == "value" and value is not None)}
    kept.update((key, value) for key, value in memory.extra.items() if key not in kept)  # type: ignore[misc]
    return kept


def _checked(data: bytes, keys: dict[str, Value], body: str, limit: int = FILE_LIMIT) -> None:
    """Raise unless ``data`` is a memory that says ``keys`` and ``body``: nothing else may be written."""
    read = header_to_memory(read_header(data, limit))
    if memory_to_header(read) != keys or read.body != body:
        raise Malformed("uneditable", "The memory cannot be written so that it reads the same.")


def _rendered(key: str, value: Value) -> str:
    """``value`` as it stands behind ``key:``."""
    if isinstance(value, str):
        if key in _BARE:
            return f" {value}"
        return f" {double_quote(value)}" if key in _TIMES else block(value)
    return block(value)


def _source(source: Source) -> Value:
    attested = "" if source.attested == "none" and source.kind != "user" else source.attested
    return _present(
        {"kind": source.kind, "ref": source.ref, "said": source.said, "at": source.at, "attested": attested}
    )


def _evidence(evidence: Evidence) -> Value:
    return _present({"probe": evidence.probe, "hash": evidence.hash, "was": evidence.was})


def _side(side: Side) -> Value:
    kept = _present({"id": side.id, "description": side.description, "type": side.type, "authority": side.authority})
    sources: list[Value] = [_source(source) for source in side.source]
    value: dict[str, Value] = {} if side.value is None else {"value": side.value}
    result = {"id": kept.pop("id"), **value, **kept}
    if sources:
        result["source"] = sources
    return result


def _present(texts: Mapping[str, str | None]) -> dict[str, Value]:
    return {key: text for key, text in texts.items() if text}
