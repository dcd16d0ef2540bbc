"""Where the memdirs are, and which ones are not taken."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from memdir_cli.domain.runtime import Fact
from memdir_cli.errors import UsageError
from memdir_cli.probes.checkout import find_checkout
from memdir_cli.probes.memdir_place import (
    Place,
    new_project_memdir,
    project_memdir,
    user_memdir,
    working_directory,
)
from tests.sandbox import Sandbox


def place(sandbox: Sandbox, cwd: Path | str, env: Mapping[str, str] | None = None, given: str | None = None) -> Place:
    environ = {**sandbox.environ, **(env or {})}
    return project_memdir(str(cwd), find_checkout(str(cwd), environ), environ, given)


def made(directory: Path) -> Path:
    (directory / ".memdir").mkdir(parents=True)
    return directory / ".memdir"


def test_found_from_any_subfolder(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    memdir = made(top)
    (top / "src/deep").mkdir(parents=True)
    assert place(sandbox, top / "src/deep") == place(sandbox, top) == Place(str(memdir), "found in the working tree")
    (memdir / "memories").mkdir()
    assert place(sandbox, memdir / "memories").root == str(memdir)


def test_not_past_the_top_level(sandbox: Sandbox) -> None:
    made(sandbox.root / "work")
    top = sandbox.repository("work/inner")
    assert place(sandbox, top).root == ""
    nested = sandbox.repository("work/inner/vendor/nested")
    made(top)
    assert place(sandbox, nested).root == ""


def test_a_submodule_does_not_speak_for_its_superproject(sandbox: Sandbox) -> None:
    inner, outer = sandbox.repository("widgets"), sandbox.repository("app")
    sandbox.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "w", cwd=outer)
    memdir = made(outer)
    assert place(sandbox, outer / "w").root == ""
    assert place(sandbox, outer).root == str(memdir)


def test_the_nearest_of_two(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    made(top)
    assert place(sandbox, top / "web").root == str(top / ".memdir")
    nearer = made(top / "web")
    assert place(sandbox, top / "web").root == str(nearer)


def test_a_linked_worktree_has_its_own_checkout_and_says_where_else_one_is(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    memdir = made(top)
    tree = sandbox.root / "tree"
    sandbox.git("worktree", "add", "-q", "-b", "other", str(tree), cwd=top)
    found = place(sandbox, tree)
    assert found.root == ""
    assert str(memdir) in found.remarks[0]
    own = made(tree)
    assert place(sandbox, tree) == Place(str(own), "found in the working tree")


@pytest.mark.parametrize("name", ["notes/memdir", "../elsewhere", "."])
def test_a_named_one_is_taken_as_given(sandbox: Sandbox, name: str) -> None:
    top = sandbox.repository()
    made(top)
    expected = os.path.normpath(top / name)
    assert place(sandbox, top, {"MEMDIR_DIR": name}) == Place(expected, "environment MEMDIR_DIR")
    assert place(sandbox, top, {"MEMDIR_DIR": "/other"}, name) == Place(expected, "option --dir")
    assert place(sandbox, top, {"MEMDIR_DIR": ""}).root == str(top / ".memdir")


def test_outside_git_upwards_but_not_the_homes_own(sandbox: Sandbox) -> None:
    made(sandbox.home)
    deep = sandbox.home / "notes/deep"
    deep.mkdir(parents=True)
    assert place(sandbox, deep).root == ""
    assert place(sandbox, sandbox.home).root == str(sandbox.home / ".memdir")
    memdir = made(sandbox.home / "notes")
    assert place(sandbox, deep) == Place(str(memdir), "found outside git")


def test_a_memdir_of_the_root_is_never_taken_outside_git(sandbox: Sandbox) -> None:
    # what is looked at is a question of names: no such file has to exist
    from memdir_cli.probes.memdir_place import _searched

    for environ in ({}, {"HOME": "/"}, {"HOME": "relative"}):
        assert _searched("/", None, environ) == []
        assert _searched("/srv/app", None, environ) == ["/srv/app", "/srv"]


def test_a_repository_without_working_tree_has_none(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    made(top)
    assert place(sandbox, top / ".git").root == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_one_of_another_account_is_passed_over_with_a_remark(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    outer = made(top)
    foreign = made(top / "web")
    os.chown(foreign, 65534, 65534)
    found = place(sandbox, top / "web")
    assert found.root == str(outer)
    assert "another account (uid 65534)" in found.remarks[0]
    assert f"--dir {foreign}" in found.remarks[0]
    assert place(sandbox, top / "web", given=str(foreign)).root == str(foreign)
    # as git has it: under sudo the account that called it counts as ours
    assert place(sandbox, top / "web", {"SUDO_UID": "65534"}).root == str(foreign)


def test_a_link_out_of_the_project_is_passed_over_and_one_inside_is_not(sandbox: Sandbox) -> None:
    other, top = sandbox.repository("other"), sandbox.repository("mine")
    made(other)
    (top / ".memdir").symlink_to(other / ".memdir")
    found = place(sandbox, top)
    assert found.root == ""
    assert "link out of the project" in found.remarks[0]
    (top / ".memdir").unlink()
    made(top / "docs")
    (top / ".memdir").symlink_to("docs/.memdir")
    assert place(sandbox, top).root == str(top / ".memdir")


@pytest.mark.parametrize("make", [Path.touch, lambda path: path.symlink_to("nowhere"), os.mkfifo])
def test_what_is_no_directory_is_passed_over(sandbox: Sandbox, make: object) -> None:
    top = sandbox.repository()
    assert callable(make)
    make(top / ".memdir")
    found = place(sandbox, top)
    assert found.root == ""
    assert "not a directory" in found.remarks[0]


def test_where_a_new_one_is_made(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    (top / "src").mkdir()
    checkout = find_checkout(str(top / "src"), sandbox.environ)
    assert new_project_memdir(str(top / "src"), checkout) == str(top / ".memdir")
    assert new_project_memdir(str(sandbox.home), None) == str(sandbox.home / ".memdir")


def test_where_none_may_be_made(sandbox: Sandbox) -> None:
    with pytest.raises(UsageError, match="root of the file system"):
        new_project_memdir("/", None)
    inside = str(sandbox.repository() / ".git")
    with pytest.raises(UsageError, match="without a working tree"):
        new_project_memdir(inside, find_checkout(inside, sandbox.environ))


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"MEMDIR_USER_DIR": "/u", "XDG_DATA_HOME": "/x", "HOME": "/h"}, Fact("/u", "environment MEMDIR_USER_DIR")),
        ({"MEMDIR_USER_DIR": "u/../v", "HOME": "/h"}, Fact("/here/v", "environment MEMDIR_USER_DIR")),
        ({"XDG_DATA_HOME": "/x", "HOME": "/h"}, Fact("/x/memdir", "environment XDG_DATA_HOME")),
        ({"XDG_DATA_HOME": "x", "HOME": "/h"}, Fact("/h/.local/share/memdir", "environment HOME")),
        ({"XDG_DATA_HOME": "", "HOME": "/h"}, Fact("/h/.local/share/memdir", "environment HOME")),
    ],
)
def test_the_user_memdir(environ: dict[str, str], expected: Fact) -> None:
    assert user_memdir(environ, "/here") == expected


@pytest.mark.parametrize("environ", [{}, {"HOME": ""}, {"HOME": "relative", "XDG_DATA_HOME": "relative"}])
def test_without_a_home_there_is_no_place_for_it(environ: dict[str, str]) -> None:
    fact = user_memdir(environ, "/here")
    assert fact.value is None
    assert "MEMDIR_USER_DIR" in fact.origin


def test_a_working_directory_that_was_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    assert working_directory() == str(gone)
    gone.rmdir()
    with pytest.raises(UsageError, match="does not exist any more"):
        working_directory()
