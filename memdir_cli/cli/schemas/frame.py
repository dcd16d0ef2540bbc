"""The frame of every answer: version, error, and what stands there when nothing was to be printed."""

from __future__ import annotations

from typing import Any

from memdir_cli.cli.schemas import parts
from memdir_cli.cli.schemas.parts import Schema, flag, keys

VERSION = {"const": 1, "description": "Version of all documents; keys are added without raising it."}
IGNORED = flag("MEMDIR_IGNORE or --ignore-memory: no memory was printed.")


def answer(title: str, properties: dict[str, Any], required: list[str]) -> Schema:
    """An answer with ``properties``, of which the ``required`` ones are there unless something went wrong."""
    everywhere = {"schema": VERSION, "ignored": IGNORED, "error": parts.ERROR}
    body = keys(title, {**everywhere, **properties}, ["schema"])
    # what went wrong, or was not to be printed, has no answer
    alternatives = [{"required": required}, {"required": ["error"]}, {"required": ["ignored"]}]
    return {"title": title, **body, "anyOf": alternatives}


def either(title: str, *answers: Schema) -> Schema:
    """An answer that is one of several; a key that they describe differently is as one of them says."""
    properties: dict[str, Any] = {}
    for one in answers:
        for key, part in one["properties"].items():
            known = properties.setdefault(key, part)
            if known != part:
                properties[key] = {"anyOf": [known, part], "description": known["description"]}
    # each has the alternatives without an answer
    alternatives = [one for number, answer_ in enumerate(answers) for one in answer_["anyOf"][: 1 if number else None]]
    return {**answers[0], "title": title, "description": title, "properties": properties, "anyOf": alternatives}
