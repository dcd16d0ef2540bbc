"""remember where there is no place, no content, or something in the way: nothing is ever covered."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.errors import FaultError, MemdirError, NoMemdirError, RefusedError, UsageError
from memdir_cli.operations.init import init
from tests.operations.writing_place import Scene, scene
from tests.sandbox import Outcome, Sandbox

HERE = "github.com/acme/legacy-dashboard"


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository whose user believes what is proven only."""
    return scene(sandbox)


# no place


def test_without_a_memdir_the_way_to_one_is_told(sandbox: Sandbox) -> None:
    here = scene(sandbox, memdir=False)
    with pytest.raises(NoMemdirError) as error:
        here.remember("k", "v")
    assert (error.value.exit_status, error.value.code) == (2, "no_memdir")
    assert "memdir init" in error.value.hint
    assert not here.memdir.exists()


def test_outside_any_repository_a_rule_of_one_is_refused_and_nothing_guessed(sandbox: Sandbox) -> None:
    bare = sandbox.root / "bare"
    bare.mkdir()
    here = Scene(sandbox, bare)
    with pytest.raises(NoMemdirError) as error:
        here.remember("k", "v")
    assert "not a git repository" in error.value.message
    with pytest.raises(UsageError):
        here.remember("k", "v", private=True)
    assert here.remember("k", "v", "user").decision == "created"
    assert list(bare.iterdir()) == []


def test_without_a_home_a_rule_of_the_user_has_no_place_but_one_of_the_repository_has(here: Scene) -> None:
    homeless = {"HOME": "", "XDG_DATA_HOME": ""}
    with pytest.raises(UsageError) as error:
        here.remember("k", "v", "user", env=homeless)
    assert "MEMDIR_USER_DIR" in error.value.hint
    assert here.remember("k", "v", env=homeless).decision == "created"


# content


@pytest.mark.parametrize(
    "said",
    [
        {}, {"body": ""}, {"body": " \n"}, {"value": "v", "none": True}, {"value": "\ud800"},
        {"value": "v", "description": "\udcff"}, {"value": "v", "private": True, "level": "user"},
    ],
)  # fmt: skip
def test_a_statement_that_says_nothing_or_two_things_is_a_usage_error(here: Scene, said: dict[str, Any]) -> None:
    before = here.files()
    with pytest.raises(UsageError) as error:
        here.remember("k", **said)
    assert error.value.hint
    assert here.files() == before


@pytest.mark.parametrize(
    "key", ["con", "NUL", "aux.notes", "日本語", "한글", "🚀", "é" * 150, "x" * 300, "Straße", "v2.0"]
)
def test_any_key_makes_a_file_that_every_system_can_hold(here: Scene, key: str) -> None:
    answer = here.remember(key, "v")
    assert answer.memory is not None
    assert answer.memory.predicate == key
    name = Path(answer.path).name
    assert len(name.encode()) <= 200
    assert here.correct(key.upper(), "w").decision == "superseded"
    assert [memory.predicate for path, memory in here.memories().items() if "/memories/" in path] == [key.upper()]


def test_the_second_of_two_identities_that_share_a_path_is_refused_with_both_named(here: Scene) -> None:
    first = here.remember("lint", "a", topic="t")
    taken = Path(first.path).stem
    before = here.files()
    with pytest.raises(RefusedError) as refused:
        here.remember(taken, "b")
    assert refused.value.exit_status == 4
    assert "`lint`" in refused.value.message
    assert f"`{taken}`" in refused.value.message
    assert here.files() == before


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"# notes\n", b"---\nid: a\nid: b\n---\n"])
def test_an_unreadable_file_in_the_way_is_told_and_never_rewritten(here: Scene, content: bytes) -> None:
    where = here.memdir / "memories/lint.md"
    where.parent.mkdir(exist_ok=True)
    where.write_bytes(content)
    before = here.files()
    with pytest.raises(FaultError) as fault:
        here.remember("lint", "a")
    assert fault.value.exit_status == 6
    assert here.files() == before
    assert here.remember("other", "b").decision == "created", "a bad file hides no good one"


def test_two_files_of_one_identity_are_for_a_person_to_sort_out(here: Scene) -> None:
    here.remember("lint", "a")
    lying = here.memdir / "memories/lint.md"
    (lying.with_name("lint (copy).md")).write_bytes(lying.read_bytes())
    before = here.files()
    with pytest.raises(FaultError) as fault:
        here.remember("lint", "b", explicit=True)
    assert fault.value.code == "identity-twice"
    assert here.files() == before


def test_a_moved_file_is_still_the_memory_and_makes_no_second_one(here: Scene) -> None:
    here.remember("lint", "a")
    lying = here.memdir / "memories/lint.md"
    lying.rename(lying.with_name("moved.md"))
    before = here.files()
    with pytest.raises(FaultError) as fault:
        here.remember("lint", "b", explicit=True)
    assert fault.value.code == "misplaced"
    assert here.files() == before


def read_only(root: Path, *, fifo: bool = False) -> None:
    """Take the right to write from every file: also the superuser respects that here."""
    for path in root.rglob("*"):
        if path.is_file() and not path.name.startswith("lock"):
            path.chmod(0o444)


def test_what_somebody_made_read_only_is_kept(here: Scene) -> None:
    here.remember("lint", "a")
    read_only(here.memdir)
    before = here.files()
    with pytest.raises(MemdirError) as fault:
        here.remember("lint", "b", explicit=True)
    assert fault.value.exit_status == 6
    assert here.files() == before


def test_a_memdir_that_may_not_be_written_is_a_fault_at_once_and_can_be_read(here: Scene) -> None:
    here.remember("lint", "a")
    folders = [here.memdir, *(path for path in here.memdir.rglob("*") if path.is_dir())]
    before = here.files()
    said = ("--from", "user", "--said", "b", "--replace", "--scope", "repository")
    try:
        for folder in folders:
            folder.chmod(0o555)
        written = bound(here, "remember", "lint", "b", *said, "--json")
        assert (written.exit, written.json["error"]["code"]) == (6, "no_permission")
        assert bound(here, "get", "lint").stdout == "a\n"
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert here.files() == before


def bound(here: Scene, *words: str) -> Outcome:
    """Run the command as an account that modes bind: the superuser gives up its right to pass over them."""
    as_others = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
    if as_others and here.sandbox.process(*as_others, "true").exit:
        pytest.skip("setpriv is not installed, or may not bind this account")
    return here.sandbox.process(*as_others, sys.executable, "-m", "memdir_cli", *words, cwd=here.top)


def test_the_memdir_of_another_clone_keeps_its_own_id(here: Scene) -> None:
    other = here.sandbox.repository("fork", remote="https://github.com/acme/fork.git")
    answer = init(here.open(cwd=other))
    assert answer.repository == "github.com/acme/fork"
    here.remember("k", "v")
    assert replace(here, top=other).memories() == {
        path: memory for path, memory in here.memories().items() if path.startswith("user/")
    }
