"""The working tree found without git, beside git's own answer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdir_cli.probes.checkout import Checkout, find_checkout
from tests.sandbox import Sandbox


def found(sandbox: Sandbox, directory: Path) -> Checkout | None:
    return find_checkout(str(directory), sandbox.environ)


def agrees(sandbox: Sandbox, directory: Path) -> Checkout:
    """The checkout of ``directory``, after git said the same about top level and directories."""
    checkout = found(sandbox, directory)
    assert checkout is not None
    asked = ("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")
    git_dir, common_dir = sandbox.git(*asked, cwd=directory).splitlines()
    assert (checkout.git_dir, checkout.common_dir) == (git_dir, common_dir)
    if checkout.top:
        assert checkout.top == sandbox.git("rev-parse", "--show-toplevel", cwd=directory).rstrip("\n")
    else:
        assert sandbox.process("git", "rev-parse", "--show-toplevel", cwd=directory).exit != 0
    return checkout


def test_the_top_level_and_its_subfolders(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    deep = top / "packages/web/ünder score"
    deep.mkdir(parents=True)
    assert agrees(sandbox, top) == agrees(sandbox, deep)
    assert agrees(sandbox, deep).kind == "main"


@pytest.mark.parametrize("where", ["beside", "legacy-dashboard/trees/inside"])
def test_a_linked_worktree_has_a_top_of_its_own_and_shares_the_rest(sandbox: Sandbox, where: str) -> None:
    top = sandbox.repository()
    tree = sandbox.root / where
    sandbox.git("worktree", "add", "-q", "-b", "other", str(tree), cwd=top)
    (tree / "src").mkdir()
    linked = agrees(sandbox, tree / "src")
    assert (linked.kind, linked.top) == ("linked", str(tree))
    assert linked.common_dir == agrees(sandbox, top).git_dir


def test_a_submodule_is_a_repository_of_its_own(sandbox: Sandbox) -> None:
    inner, outer = sandbox.repository("widgets"), sandbox.repository("app")
    sandbox.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "lib/w", cwd=outer)
    submodule = agrees(sandbox, outer / "lib/w")
    assert (submodule.kind, submodule.top) == ("submodule", str(outer / "lib/w"))
    assert agrees(sandbox, outer / "lib").top == str(outer)


def test_a_worktree_of_a_submodule_shares_with_the_submodule(sandbox: Sandbox) -> None:
    inner, outer = sandbox.repository("widgets"), sandbox.repository("app")
    sandbox.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "w", cwd=outer)
    sandbox.git("worktree", "add", "-q", "-b", "other", str(sandbox.root / "tree"), cwd=outer / "w")
    linked = agrees(sandbox, sandbox.root / "tree")
    assert (linked.kind, linked.common_dir) == ("linked", str(outer / ".git/modules/w"))


def test_a_nested_repository_ends_the_search(sandbox: Sandbox) -> None:
    outer = sandbox.repository("outer")
    nested = sandbox.repository("outer/vendor/nested")
    assert agrees(sandbox, nested).top == str(nested)
    assert agrees(sandbox, outer / "vendor").top == str(outer)


def test_a_repository_that_lies_elsewhere(sandbox: Sandbox) -> None:
    top = sandbox.root / "tree"
    sandbox.git("init", "-q", "--separate-git-dir", str(sandbox.root / "store"), str(top), cwd=sandbox.root)
    assert agrees(sandbox, top).kind == "separate"


def test_a_git_file_with_a_relative_path(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    (top / ".git").rename(sandbox.root / "moved")
    (top / ".git").write_text("gitdir: ../moved\n")
    assert agrees(sandbox, top).git_dir == str(sandbox.root / "moved")


@pytest.mark.parametrize("inside", ["", "refs/heads"])
def test_a_bare_repository_has_no_working_tree(sandbox: Sandbox, inside: str) -> None:
    sandbox.git("init", "-q", "--bare", "store.git", cwd=sandbox.root)
    bare = agrees(sandbox, sandbox.root / "store.git" / inside)
    assert (bare.kind, bare.top) == ("bare", "")


def test_inside_dot_git_there_is_no_working_tree(sandbox: Sandbox) -> None:
    assert agrees(sandbox, sandbox.repository() / ".git/hooks").kind == "bare"


def test_dot_git_that_serves_worktrees_only(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    sandbox.git("config", "core.bare", "true", cwd=top)
    assert agrees(sandbox, top).kind == "bare"


def test_a_directory_named_dot_git_that_is_none_is_passed_over(sandbox: Sandbox) -> None:
    outer = sandbox.repository("outer")
    (outer / "inner/.git").mkdir(parents=True)
    assert agrees(sandbox, outer / "inner").top == str(outer)


@pytest.mark.parametrize("text", ["gitdir: /nowhere/at/all\n", "nonsense", "", "gitdir: \n"])
def test_a_git_file_that_points_at_nothing_is_broken_and_not_the_repository_around(sandbox: Sandbox, text: str) -> None:
    inner = sandbox.repository("outer") / "inner"
    inner.mkdir()
    (inner / ".git").write_text(text)
    checkout = found(sandbox, inner)
    assert checkout is not None
    assert (checkout.kind, checkout.top) == ("broken", str(inner))
    assert sandbox.process("git", "status", cwd=inner).exit == 128


def test_outside_git(sandbox: Sandbox) -> None:
    assert found(sandbox, sandbox.home) is None


def test_a_ceiling_ends_the_search_as_in_git(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    deep = top / "a/b"
    deep.mkdir(parents=True)
    for ceiling, expected in ((top, None), (top / "a", None), (deep, str(top)), (top.parent, str(top))):
        environ = {**sandbox.environ, "GIT_CEILING_DIRECTORIES": str(ceiling)}
        checkout = find_checkout(str(deep), environ)
        git = sandbox.process("git", "rev-parse", "--show-toplevel", cwd=deep, env=environ)
        assert (checkout.top if checkout else None) == expected == (git.stdout.strip() or None)


def test_the_way_through_a_link_leads_to_the_real_place(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    (sandbox.root / "link").symlink_to(top)
    assert agrees(sandbox, sandbox.root / "link").top == str(top)


def test_the_variables_of_a_hook_are_not_heard(sandbox: Sandbox) -> None:
    other, top = sandbox.repository("other"), sandbox.repository("mine")
    environ = {**sandbox.environ, "GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other)}
    checkout = find_checkout(str(top), environ)
    assert checkout is not None
    assert checkout.top == str(top)


def test_a_directory_that_was_deleted_is_no_error(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    checkout = found(sandbox, top / "gone/deeper")
    assert checkout is None or checkout.top == str(top)


def test_a_fifo_named_dot_git_holds_nobody(sandbox: Sandbox) -> None:
    os.mkfifo(sandbox.home / ".git")
    assert found(sandbox, sandbox.home) is None


def test_heads_of_every_form(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    sandbox.git("checkout", "-q", "--detach", cwd=top)
    assert agrees(sandbox, top).kind == "main"
    (top / ".git/HEAD").unlink()
    (top / ".git/HEAD").symlink_to("refs/heads/main")
    assert agrees(sandbox, top).kind == "main"


def test_a_repository_without_its_objects_is_none(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    (top / ".git/objects").rename(top / ".git/elsewhere")
    assert found(sandbox, top) is None
    assert sandbox.process("git", "status", cwd=top).exit == 128


def test_a_repository_without_config_has_a_working_tree(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    (top / ".git/config").unlink()
    assert agrees(sandbox, top).kind == "main"
