"""REF: which memory a verb acts on, and what is said when that is none or several."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Level
from memdir_cli.domain.status import Status
from memdir_cli.errors import PersonNeededError, UsageError
from memdir_cli.operations import referring
from tests.operations.writing_place import AGENT, Scene, scene
from tests.sandbox import Sandbox

ALIVE: tuple[Status, ...] = ("candidate", "verified", "stale", "conflicted")


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository with a rule, a correction in history, a candidate, and a default of the user."""
    found = scene(sandbox)
    found.remember("lint", "eslint")
    found.correct("lint", "biome")
    found.remember("port", "8080", by=AGENT)
    found.remember("package_manager", "pnpm", "user")
    return found


def named(
    here: Scene, ref: str, statuses: tuple[Status, ...] = ALIVE, *, level: Level | None = None, cwd: Path | None = None
) -> Memory:
    _, record = referring.find(here.open(cwd=cwd), ref, statuses, level=level)
    return record.memory


@pytest.mark.parametrize("ref", ["lint", "LINT", "Lint"])
def test_a_key_is_a_name_in_any_case(here: Scene, ref: str) -> None:
    assert named(here, ref).value == "biome"


def test_an_id_a_unique_prefix_and_a_revision_name_one(here: Scene) -> None:
    memory = named(here, "lint")
    for ref in (memory.id, memory.id.upper(), memory.id[:9], memory.ref, f"{memory.id[:9]}@2"):
        assert named(here, ref) == memory


def test_what_is_past_is_not_acted_on(here: Scene) -> None:
    with pytest.raises(UsageError) as error:
        named(here, f"{named(here, 'lint').id}@1")
    assert error.value.code == "unknown-ref"


def test_a_path_names_its_memory_from_the_memdir_from_here_or_from_the_root(here: Scene) -> None:
    folder = here.top / "src"
    folder.mkdir()
    file = here.memdir / "memories/lint.md"
    for ref, cwd in (
        ("memories/lint.md", here.top),
        (".memdir/memories/lint.md", here.top),
        ("../.memdir/memories/lint.md", folder),
        ("lint.md", here.memdir / "memories"),
        (str(file), folder),
        (os.path.relpath(file, folder), folder),
    ):
        assert named(here, ref, cwd=cwd).predicate == "lint"


def test_a_key_may_look_like_a_file(here: Scene) -> None:
    here.remember("readme.md", "short")
    assert named(here, "readme.md").value == "short"


@pytest.mark.parametrize("ref", ["", "@", "@1", " ", "/", ".", "..", "../../etc/passwd", "memories/", "x\0y", "\n"])
def test_what_is_no_name_names_nothing_even_if_there_is_only_one(sandbox: Sandbox, ref: str) -> None:
    here = scene(sandbox)
    here.remember("lint", "biome")
    with pytest.raises(UsageError) as error:
        named(here, ref)
    assert (error.value.code, error.value.exit_status) == ("unknown-ref", 2)


def test_a_near_miss_is_told_the_nearest_key(here: Scene) -> None:
    with pytest.raises(UsageError) as error:
        named(here, "packge_manager")
    assert error.value.hint == "did you mean `package_manager`?"
    with pytest.raises(UsageError) as error:
        named(here, "zebra")
    assert error.value.hint == "memdir list --all"


def test_a_verb_acts_only_on_statuses_it_is_for(here: Scene) -> None:
    with pytest.raises(UsageError) as error:
        named(here, "port", ("verified",))
    assert error.value.code == "wrong-status"
    assert "candidate" in error.value.message


def test_several_are_listed_for_a_person_and_a_level_narrows(here: Scene) -> None:
    here.remember("package_manager", "npm")
    with pytest.raises(PersonNeededError) as error:
        named(here, "package_manager")
    ids = error.value.facts["ids"]
    assert isinstance(ids, list)
    assert len(ids) == 2
    assert all(memory_id in error.value.hint for memory_id in ids)
    assert named(here, "package_manager", level="user").value == "pnpm"
    assert named(here, "package_manager", level="repository").value == "npm"
    with pytest.raises(UsageError) as unknown:
        named(here, "package_manager", level="task")
    assert unknown.value.code == "unknown-ref"
    assert unknown.value.hint == "it is remembered in another scope; memdir explain package_manager"


def test_a_prefix_that_several_share_is_no_name(here: Scene) -> None:
    folder = here.memdir / "memories"
    text = (folder / "lint.md").read_text("utf-8")
    memory = named(here, "lint")
    for key, memory_id in (("a", "same1"), ("b", "same12")):
        copy = text.replace(memory.id, memory_id).replace("predicate: lint", f"predicate: {key}")
        (folder / f"{key}.md").write_text(copy, "utf-8")
    assert named(here, "same1").predicate == "a", "a whole id is exact"
    assert named(here, "same12").predicate == "b"
    with pytest.raises(PersonNeededError):
        named(here, "same")


def test_memories_of_another_user_are_not_named(here: Scene) -> None:
    memory = named(here, "package_manager")
    environ = {**here.sandbox.environ, "MEMDIR_USER": "7"}
    other = replace(here, sandbox=replace(here.sandbox, environ=environ))
    for ref in ("package_manager", memory.id):
        with pytest.raises(UsageError):
            named(other, ref)


def test_a_task_is_named_only_in_its_own(here: Scene) -> None:
    here.remember("reply", "short", "task", task="T9")
    environ = {**here.sandbox.environ, "MEMDIR_TASK": "T9"}
    inside = replace(here, sandbox=replace(here.sandbox, environ=environ))
    assert named(inside, "reply").value == "short"
    with pytest.raises(UsageError):
        named(here, "reply")
