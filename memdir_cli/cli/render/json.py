"""Answers as JSON: one object with ``schema``, ASCII only, the keys of the published schemas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from memdir_cli.domain.answer import Caution, WriteAnswer
from memdir_cli.domain.memory import Memory, Side
from memdir_cli.domain.source import Source
from memdir_cli.errors import MemdirError

#: Version of all documents; raised when a key changes its meaning, not when one is added.
SCHEMA = 1

Document = dict[str, object]


def text(document: Mapping[str, object]) -> str:
    """``document`` as one object, without a final line break."""
    return json.dumps({"schema": SCHEMA, **document}, indent=2)


def error_document(error: MemdirError) -> Document:
    """An error; its facts stand beside code, message and hint."""
    return {"error": {**error.facts, "code": error.code, "message": error.message, "hint": error.hint}}


def warnings(cautions: Iterable[Caution]) -> list[Document]:
    """Remarks as code and sentence."""
    return [{"code": caution.code, "message": caution.message} for caution in cautions]


def source(entries: Iterable[Source]) -> list[Document]:
    """Provenance with the frontmatter's keys; those that are empty are left out."""
    return [
        _filled({"kind": one.kind, "ref": one.ref, "said": one.said, "at": one.at, "attested": one.attested})
        for one in entries
    ]


def sides(entries: Iterable[Side]) -> list[Document]:
    """The sides of a conflict."""
    return [
        {
            "id": side.id,
            "value": side.value,
            "description": side.description,
            "authority": side.authority,
            "source": source(side.source),
        }
        for side in entries
    ]


def memory(one: Memory) -> Document:
    """A memory with the frontmatter's keys; ``value`` always, the others where they are set."""
    scope = one.scope
    keys = {
        "id": one.id,
        "name": one.name,
        "description": one.description,
        "type": one.type,
        "subject": one.subject,
        "predicate": one.predicate,
        "scope": scope.text,
        "repository": scope.repository if scope.level == "task" else "",
        "path": scope.path,
        "topic": scope.topic,
        "environment": dict(scope.environment),
        "version": scope.version,
        "status": one.status,
        "statusReason": one.status_reason,
        "none": one.none,
        "sides": sides(one.sides),
        "revision": one.revision,
        "authority": one.authority,
        "source": source(one.source),
        "dependsOn": [_filled({"probe": entry.probe, "hash": entry.hash}) for entry in one.depends_on],
        "supersedes": one.supersedes,
        "supersededBy": one.superseded_by,
        "rival": one.rival,
        "createdAt": one.created_at,
        "updatedAt": one.updated_at,
        "verifiedAt": one.verified_at,
        "reviewAfter": one.review_after,
        "expiresAt": one.expires_at,
    }
    return {**_filled(keys), "value": one.value}


def write(answer: WriteAnswer) -> Document:
    """The answer of a write verb."""
    after, before = answer.memory, answer.previous
    document: Document = {
        "decision": answer.decision,
        "key": answer.key,
        "id": after.id if after else None,
        "revision": after.revision if after else None,
        "status": after.status if after else None,
        "value": after.value if after else None,
        "scope": after.scope.text if after else None,
        "path": answer.path or None,
        "reason": answer.reason or None,
        "warnings": warnings(answer.warnings),
        "previous": _previous(before) if before else None,
        "choices": [{"scope": choice.scope, "command": choice.command} for choice in answer.choices],
        "sides": sides(after.sides) if after else [],
        "message": answer.message,
        "hint": answer.hint,
    }
    if answer.exit_status:
        code = answer.reason or answer.decision
        document["error"] = {"code": code, "message": answer.message, "hint": answer.hint}
    return document


def _previous(before: Memory) -> Document:
    return {
        "id": before.id,
        "revision": before.revision,
        "value": before.value,
        "status": before.status,
        "source": source(before.source),
    }


def _filled(keys: Mapping[str, object]) -> Document:
    return {key: value for key, value in keys.items() if value not in (None, "", False, [], {})}
