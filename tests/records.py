"""Records for tests of reading: plain memories with everything but the point left at a default."""

from __future__ import annotations

from typing import Any

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.runtime import Fact, Runtime
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.source import Source

NOW = "2026-09-14T09:30:00Z"
HERE = "github.com/acme/app"
ELSEWHERE = "github.com/acme/other"
USER = "user:42"
PROJECT = f"project:{HERE}"


def runtime(**facts: Any) -> Runtime:
    """User 42 at the root of the repository HERE; facts given as plain values replace what stands."""
    known: dict[str, Any] = {"user": "42", "repository": HERE, "project": HERE, "path": "", **facts}
    now = known.pop("now", NOW)
    environment = {key: Fact(value, "test") for key, value in known.pop("environment", {}).items()}
    told: dict[str, Any] = {key: Fact(value, "test") for key, value in known.items()}
    return Runtime(now, environment=environment, **told)


def user(**keys: Any) -> Record:
    """A memory at level user."""
    return record(USER, Scope("user", **_qualifiers(keys)), **keys)


def private(*, repository: str = HERE, **keys: Any) -> Record:
    """A user's own rule for one repository."""
    return record(USER, Scope("repository", repository=repository, **_qualifiers(keys)), **keys)


def project(*, repository: str = HERE, **keys: Any) -> Record:
    """A rule of a project."""
    scope = Scope("repository", repository=repository, **_qualifiers(keys))
    return record(f"project:{repository}", scope, **keys)


def task(name: str, *, repository: str | None = HERE, **keys: Any) -> Record:
    """A memory of one task."""
    return record(USER, Scope("task", name, repository, **_qualifiers(keys)), folder="local/tasks", **keys)


def record(subject: str, scope: Scope, *, folder: str = "memories", layer: Layer | None = None, **keys: Any) -> Record:
    """A record; its id is the value unless one is given."""
    value = keys.get("value", "npm")
    keys = {
        "id": value or "none",
        "predicate": "package_manager",
        "value": value,
        "status": "verified",
        "authority": "user",
        "source": (Source("user", "session:s1/message:m1", "words", "2026-09-01T08:00:00Z", "transcript"),),
        "created_at": "2026-09-01T08:00:00Z",
        "updated_at": "2026-09-01T08:00:00Z",
        "verified_at": "2026-09-01T08:00:00Z",
        **keys,
    }
    keys.setdefault("name", keys["predicate"])
    memory = Memory(subject=subject, scope=scope, **keys)
    home: Layer = layer or ("user" if subject.startswith("user:") else "project")
    return Record(memory, f"{folder}/{memory.predicate}-{memory.id}.md", "0" * 64, home)


def _qualifiers(keys: dict[str, Any]) -> dict[str, Any]:
    names = {"path", "topic", "environment", "version"} & keys.keys()
    found: dict[str, Any] = {name: keys.pop(name) for name in names}
    if "environment" in found:
        found["environment"] = tuple(sorted(found["environment"].items()))
    return found
