"""A repository with a poisoned memory, and what is done about it."""

from __future__ import annotations

from typing import Any

from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.statement import Provenance
from memdir_cli.operations.check import check
from memdir_cli.operations.quarantine import quarantine
from memdir_cli.operations.release import release
from tests.operations.writing_place import AGENT, PERSON, Scene, message, scene
from tests.sandbox import Sandbox

LATER = "2026-09-15T09:30:00Z"
PAGE = "https://docs.example/fast"
FROM_PAGE = Provenance("url", said=f"zebra words at {PAGE}", session="s7", message="m7")
WHY = "it gives orders"


def poisoned(sandbox: Sandbox) -> Scene:
    """A repository with a poisoned memory that has a past, beside a good one."""
    found = scene(sandbox, claims=True)
    found.remember("linter", "biome", by=PERSON)
    found.remember("rule", "zebra one", by=message(1, "zebra said"), body="zebra text\n", description="zebra described")
    found.correct("rule", "zebra two", by=message(2, "zebra again"))
    found.remember("rule", "zebra three", by=AGENT)
    return found


def take(here: Scene, ref: str = "rule", by: Provenance = AGENT, **more: Any) -> WriteAnswer:
    return quarantine(here.open(), ref, more.pop("reason", WHY), by, **more)


def back(here: Scene, ref: str, by: Provenance = PERSON, **more: Any) -> WriteAnswer:
    return release(here.open(), ref, by, **more)


def standing(here: Scene, key: str = "rule") -> Memory:
    (memory,) = (one for path, one in here.memories().items() if path.startswith(f".memdir/memories/{key}"))
    return memory


def codes(here: Scene) -> list[str]:
    return [finding.code for finding in check(here.open()).findings]
