"""A repository with memories of several kinds, and a place outside of it to export to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain.exporting import ExportAnswer, Form
from memdir_cli.domain.statement import Provenance
from memdir_cli.operations.export import export
from tests.operations.reading_place import Place, founded
from tests.sandbox import Sandbox

WORD = Provenance("user", "yes, as you say", "s1", "m9")


@pytest.fixture
def place(sandbox: Sandbox) -> Place:
    """A repository with a memdir and a few memories of each kind."""
    made = founded(sandbox)
    made.say("package_manager", "pnpm", "user", description="pnpm everywhere")
    made.say("package_manager", "npm", "repository", description="Run npm ci")
    made.say("formatter", "prettier", "repository", path="packages/old/**")
    made.say("editor", "vim", "user")
    made.say("gotcha.proxy", None, "repository", body="The proxy keeps sockets open.\n\n- restart it\n")
    made.say("waits", "never told", "repository", kind="agent")
    return made


@pytest.fixture
def outside(place: Place) -> Path:
    """A folder that is in no repository."""
    folder = place.sandbox.root / "outside"
    folder.mkdir()
    return folder


def give(place: Place, form: Form, path: Path | str, **options: Any) -> ExportAnswer:
    return export(place.open(), form, str(path), **options)


def shape(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}
