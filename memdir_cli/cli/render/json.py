"""Answers as JSON: one object with ``schema``, ASCII only, the keys of the published schemas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from memdir_cli.domain import view
from memdir_cli.domain.answer import Caution, WriteAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.errors import MemdirError, RefusedError

#: Version of all documents; raised when a key changes its meaning, not when one is added.
SCHEMA = 1


def text(document: Mapping[str, object]) -> str:
    """``document`` as one object, without a final line break."""
    return json.dumps({"schema": SCHEMA, **document}, indent=2)


def line(document: Mapping[str, object]) -> str:
    """``document`` as one object on one line, for a stream of them."""
    return json.dumps({"schema": SCHEMA, **document}, separators=(",", ":"))


def error_document(error: MemdirError) -> view.Document:
    """An error; its facts stand beside code, message and hint. A refusal is told as by the verbs that decide."""
    document: view.Document = {
        "error": {**error.facts, "code": error.code, "message": error.message, "hint": error.hint}
    }
    return {"decision": "refused", "reason": error.code, **document} if isinstance(error, RefusedError) else document


def warnings(cautions: Iterable[Caution]) -> list[view.Document]:
    """Remarks as code and sentence."""
    return [{"code": caution.code, "message": caution.message} for caution in cautions]


def write(answer: WriteAnswer) -> view.Document:
    """The answer of a write verb."""
    after, before = answer.memory, answer.previous
    document: view.Document = {
        "decision": answer.decision,
        "key": answer.key,
        "id": after.id if after else None,
        "revision": after.revision if after else None,
        "status": answer.status,
        "value": after.value if after else None,
        "scope": after.scope.text if after else None,
        "path": answer.path or None,
        "reason": answer.reason or None,
        "warnings": warnings(answer.warnings),
        "previous": _previous(before) if before else None,
        "choices": [{"scope": choice.scope, "command": choice.command} for choice in answer.choices],
        "sides": [view.side_document(side) for side in after.sides] if after else [],
        "message": answer.message,
        "hint": answer.hint,
    }
    if answer.exit_status:
        code = answer.reason or answer.decision
        document["error"] = {"code": code, "message": answer.message, "hint": answer.hint}
    return document


def _previous(before: Memory) -> view.Document:
    return {
        "id": before.id,
        "revision": before.revision,
        "value": before.value,
        "status": before.status,
        "source": view.source_documents(before.source),
    }
