"""init: a memdir at the top of the repository, and the repository's id fixed once."""

from __future__ import annotations

import pytest

from memdir_cli.errors import UsageError
from memdir_cli.operations.init import init
from memdir_cli.storage.config import read_config
from tests.operations.writing_place import AGENT, Scene, scene, tree
from tests.sandbox import Sandbox

HERE = "github.com/acme/legacy-dashboard"


@pytest.fixture
def bare(sandbox: Sandbox) -> Scene:
    """A repository without a memdir."""
    return scene(sandbox, memdir=False)


def test_a_memdir_is_made_at_the_top_with_the_id_that_git_gives(bare: Scene) -> None:
    folder = bare.top / "packages/web"
    folder.mkdir(parents=True)
    made = init(bare.open(cwd=folder))
    assert (made.created, made.path, made.repository) == (True, str(bare.memdir), HERE)
    assert (made.replaced, made.outside_git, made.user) == ("", False, "42")
    files = tree(bare.memdir)
    assert set(files) == {".gitattributes", ".gitignore", "MEMORY.md", "config.yaml"}
    assert read_config(made.path).repository == HERE
    assert len(read_config(made.path).key) == 64


def test_git_is_told_what_is_not_its_own(bare: Scene) -> None:
    init(bare.open())
    bare.remember("waiting", "v", by=AGENT)
    bare.remember("lint", "eslint")
    bare.sandbox.git("add", ".", cwd=bare.top)
    staged = bare.sandbox.git("diff", "--cached", "--name-only", cwd=bare.top).splitlines()
    assert staged == [
        ".memdir/.gitattributes", ".memdir/.gitignore", ".memdir/MEMORY.md", ".memdir/config.yaml",
        ".memdir/memories/lint.md", ".memdir/receipts/2026-09.jsonl",
    ]  # fmt: skip


def test_the_users_id_is_minted_once(bare: Scene) -> None:
    nobody = {"MEMDIR_USER": ""}
    first = init(bare.open(env=nobody))
    assert len(first.user) == 13
    other = bare.sandbox.repository("other")
    again = init(bare.open(env=nobody, cwd=other))
    assert again.user == first.user
    assert bare.user_memdir.stat().st_mode & 0o777 == 0o700


def test_settings_that_stand_alone_are_completed_and_kept(bare: Scene) -> None:
    bare.user_memdir.mkdir(parents=True, mode=0o755)
    config = bare.user_memdir / "config.yaml"
    config.write_text("# my own\ngate: {attestation: claimed} # I trust it\n", "utf-8")
    init(bare.open())
    text = config.read_text("utf-8")
    assert "# my own\n" in text
    assert "gate: {attestation: claimed} # I trust it\n" in text
    found = read_config(str(bare.user_memdir))
    assert (found.attestation, len(found.key), len(found.user)) == ("claimed", 64, 13)
    assert bare.user_memdir.stat().st_mode & 0o777 == 0o700


def test_repeating_it_changes_nothing(bare: Scene) -> None:
    init(bare.open())
    bare.remember("lint", "eslint")
    before = bare.files()
    again = init(bare.open())
    assert (again.created, again.repository, again.replaced) == (False, HERE, "")
    assert bare.files() == before


def test_what_is_missing_is_made_again_and_what_a_person_wrote_stays(bare: Scene) -> None:
    init(bare.open())
    bare.remember("lint", "eslint")
    (bare.memdir / ".gitignore").write_bytes(b"/local/\n# inbox is shared here\n")
    (bare.memdir / "MEMORY.md").unlink()
    init(bare.open())
    assert (bare.memdir / ".gitignore").read_bytes() == b"/local/\n# inbox is shared here\n"
    assert b"(memories/lint.md)" in (bare.memdir / "MEMORY.md").read_bytes()


def test_the_id_stays_fixed_until_a_person_changes_it(bare: Scene) -> None:
    init(bare.open())
    config = bare.memdir / "config.yaml"
    config.write_text(config.read_text("utf-8") + "# ours\nretention: {history: 90d}\n", "utf-8")
    bare.sandbox.git("remote", "set-url", "origin", "https://github.com/acme/renamed.git", cwd=bare.top)
    assert init(bare.open()).repository == HERE
    changed = init(bare.open(), "github.com/acme/renamed")
    assert (changed.repository, changed.replaced) == ("github.com/acme/renamed", HERE)
    assert config.read_text("utf-8").endswith("# ours\nretention: {history: 90d}\n")
    assert init(bare.open()).repository == "github.com/acme/renamed"


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        " ",
        "a b",
        "https://github.com/acme/x",
        "user@github.com:acme/x",
        "x\ny",
        "x" * 201,
        "ünï",
        "x\x1b[2J",
        "x\0",
    ],
)
def test_what_is_no_id_is_refused_before_anything_is_made(bare: Scene, wrong: str) -> None:
    with pytest.raises(UsageError) as error:
        init(bare.open(), wrong)
    assert error.value.exit_status == 2
    assert not bare.memdir.exists()


def test_outside_git_it_is_allowed_and_says_so(sandbox: Sandbox) -> None:
    folder = sandbox.root / "plain"
    folder.mkdir()
    here = Scene(sandbox, folder)
    made = init(here.open())
    assert made.outside_git
    assert made.repository.startswith("local:")
    assert init(here.open()).repository == made.repository
    assert here.remember("k", "v").decision == "created"


def test_without_a_remote_the_root_commit_is_the_id_also_in_a_worktree(sandbox: Sandbox) -> None:
    here = Scene(sandbox, sandbox.repository("app", remote=None))
    made = init(here.open())
    root = sandbox.git("rev-list", "--max-parents=0", "HEAD", cwd=here.top).strip()
    assert root in made.repository
    tree_ = sandbox.root / "linked"
    sandbox.git("worktree", "add", "-q", str(tree_), cwd=here.top)
    linked = Scene(sandbox, tree_)
    assert init(linked.open()).repository == made.repository


def test_an_empty_repository_gets_an_id_of_its_own(sandbox: Sandbox) -> None:
    top = sandbox.root / "empty"
    top.mkdir()
    sandbox.git("init", "-q", cwd=top)
    made = init(Scene(sandbox, top).open())
    assert made.repository.startswith("local:")
    assert not made.outside_git


def failing_git(sandbox: Sandbox, script: str) -> dict[str, str]:
    """The variables under which git is this shell script."""
    folder = sandbox.root / "bin"
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "git").chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin"}


@pytest.mark.parametrize(
    "script",
    ["kill -9 $$", "echo 'fatal: detected dubious ownership in repository' >&2; exit 128", "exec /nowhere/git"],
)
def test_no_id_is_made_up_because_git_fails_once(bare: Scene, script: str) -> None:
    env = failing_git(bare.sandbox, script)
    with pytest.raises(UsageError) as error:
        init(bare.open(env=env))
    assert error.value.code == "repository-unknown"
    assert "--id" in error.value.hint
    assert not bare.memdir.exists()
    assert init(bare.open(env=env), "github.com/acme/given").repository == "github.com/acme/given"
    assert init(bare.open(env=env)).repository == "github.com/acme/given"


def test_without_a_home_a_project_memdir_is_made_all_the_same(bare: Scene) -> None:
    made = init(bare.open(env={"HOME": "", "XDG_DATA_HOME": "", "MEMDIR_USER": ""}))
    assert (made.created, made.user) == (True, "")
    assert bare.memdir.is_dir()


def test_a_file_in_the_place_of_the_memdir_is_not_touched(bare: Scene) -> None:
    bare.memdir.write_text("mine")
    with pytest.raises(Exception, match="memdir"):
        init(bare.open())
    assert bare.memdir.read_text() == "mine"


def test_nothing_else_in_the_repository_changes(bare: Scene) -> None:
    def others() -> dict[str, bytes]:
        found = tree(bare.top).items()
        return {path: content for path, content in found if not path.startswith((".memdir/", ".git/index"))}

    before = others()
    init(bare.open())
    assert others() == before
