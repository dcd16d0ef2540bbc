"""The identity that git gives: the same from everywhere in one repository, different for any two."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from memdir_cli.domain.runtime import Fact
from memdir_cli.probes.checkout import find_checkout
from memdir_cli.probes.survey import repository_fact
from tests.sandbox import Sandbox


def identity(sandbox: Sandbox, directory: Path, env: Mapping[str, str] | None = None) -> Fact:
    environ = {**sandbox.environ, **(env or {})}
    return repository_fact(find_checkout(str(directory), environ), environ)


def root_commit(sandbox: Sandbox, top: Path) -> str:
    return f"root:{sandbox.git('rev-list', '--max-parents=0', 'HEAD', cwd=top).strip()}"


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/acme/site.git",
        "https://u1:ghp_S3CR3T@github.com/acme/site.git",
        "git@github.com:acme/site.git",
        "ssh://git@github.com:22/Acme/Site",
    ],
)
def test_one_remote_has_one_identity_whatever_the_way_to_it(sandbox: Sandbox, remote: str) -> None:
    top = sandbox.repository(remote=remote)
    assert identity(sandbox, top) == Fact("github.com/acme/site", "git remote origin")


def test_two_repositories_of_one_folder_name_differ(sandbox: Sandbox) -> None:
    one = sandbox.repository("a/utils", remote="https://github.com/u1/utils")
    other = sandbox.repository("b/utils", remote="https://github.com/u2/utils")
    assert identity(sandbox, one).value != identity(sandbox, other).value


def test_two_clones_of_one_remote_share(sandbox: Sandbox) -> None:
    one, other = (sandbox.repository(name, remote="git@github.com:acme/site") for name in ("one", "two"))
    assert identity(sandbox, one) == identity(sandbox, other)


def test_names_that_differ_in_odd_characters_never_meet(sandbox: Sandbox) -> None:
    tops = [sandbox.repository(name, remote=None) for name in ("a_b", "a-b", "a.b", "項目", "目項")]
    for top in tops:
        (top / "name").write_text(top.name)
        sandbox.git("add", "name", cwd=top)
        sandbox.git("commit", "-q", "--amend", "-m", top.name, cwd=top)
    assert len({identity(sandbox, top).value for top in tops}) == 5


@pytest.mark.parametrize("remote", ["", None])
def test_subfolders_and_linked_worktrees_share(sandbox: Sandbox, remote: str | None) -> None:
    top = sandbox.repository(remote=remote)
    (top / "src/deep").mkdir(parents=True)
    sandbox.git("worktree", "add", "-q", "-b", "one", str(sandbox.root / "beside"), cwd=top)
    sandbox.git("worktree", "add", "-q", "-b", "two", str(top / "trees/inside"), cwd=top)
    places = [top / "src/deep", sandbox.root / "beside", top / "trees/inside", top / ".git"]
    assert {identity(sandbox, place).value for place in places} == {identity(sandbox, top).value}


def test_a_submodule_and_a_nested_repository_are_their_own(sandbox: Sandbox) -> None:
    inner, outer = sandbox.repository("widgets"), sandbox.repository("app")
    sandbox.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "w", cwd=outer)
    sandbox.git("remote", "set-url", "origin", "https://github.com/acme/widgets", cwd=outer / "w")
    nested = sandbox.repository("app/vendor/nested")
    assert identity(sandbox, outer / "w").value == "github.com/acme/widgets"
    assert identity(sandbox, nested).value == "github.com/acme/nested"
    assert identity(sandbox, outer).value == "github.com/acme/app"


def test_a_bare_repository_has_an_identity(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    sandbox.git("clone", "-q", "--bare", str(top), "store.git", cwd=sandbox.root)
    assert identity(sandbox, sandbox.root / "store.git").value == root_commit(sandbox, top)


def test_without_remote_the_root_commit(sandbox: Sandbox) -> None:
    top = sandbox.repository(remote=None)
    expected = root_commit(sandbox, top)
    sandbox.git("commit", "-q", "--allow-empty", "-m", "More", cwd=top)
    assert identity(sandbox, top) == Fact(expected, "git root commit (no remote)")


def test_of_several_roots_the_one_that_was_there_first(sandbox: Sandbox) -> None:
    top, other = sandbox.repository("mine", remote=None), sandbox.repository("other", remote=None)
    expected = root_commit(sandbox, top)
    sandbox.git("commit", "-q", "--amend", "-m", "Another start", cwd=other)
    sandbox.git("fetch", "-q", str(other), "main", cwd=top)
    merge = ("merge", "-q", "--allow-unrelated-histories", "-X", "ours", "--no-edit", "FETCH_HEAD")
    sandbox.git(*merge, cwd=top)
    assert identity(sandbox, top).value == expected


def test_no_commit_yet(sandbox: Sandbox) -> None:
    sandbox.git("init", "-q", "new", cwd=sandbox.root)
    assert identity(sandbox, sandbox.root / "new") == Fact(None, "no remote, and no commit yet")


def test_a_shallow_clone_says_so_instead_of_taking_its_first_commit(sandbox: Sandbox) -> None:
    top = sandbox.repository(remote=None)
    sandbox.git("commit", "-q", "--allow-empty", "-m", "More", cwd=top)
    sandbox.git("clone", "-q", "--depth", "1", f"file://{top}", "shallow", cwd=sandbox.root)
    fact = identity(sandbox, sandbox.root / "shallow")
    assert fact.value is None
    assert "shallow clone" in fact.origin
    assert "git fetch --unshallow" in fact.origin


def test_a_shallow_clone_of_a_shared_remote_has_the_remote(sandbox: Sandbox) -> None:
    top = sandbox.repository(remote=None)
    sandbox.git("commit", "-q", "--allow-empty", "-m", "More", cwd=top)
    sandbox.git("clone", "-q", "--depth", "1", f"file://{top}", "shallow", cwd=sandbox.root)
    shallow = sandbox.root / "shallow"
    sandbox.git("remote", "set-url", "origin", "https://github.com/acme/site", cwd=shallow)
    assert identity(sandbox, shallow).value == "github.com/acme/site"


def test_a_local_remote_names_no_shared_place(sandbox: Sandbox) -> None:
    top = sandbox.repository(remote="/srv/git/site.git")
    expected = Fact(root_commit(sandbox, top), "git root commit (remote origin names no shared place)")
    assert identity(sandbox, top) == expected


def test_origin_comes_before_others(sandbox: Sandbox) -> None:
    top = sandbox.repository(remote="https://github.com/u1/fork")
    sandbox.git("remote", "add", "upstream", "https://github.com/acme/site", cwd=top)
    assert identity(sandbox, top).value == "github.com/u1/fork"


def test_without_origin_the_only_remote(sandbox: Sandbox) -> None:
    top = sandbox.repository(remote=None)
    sandbox.git("remote", "add", "hub", "https://github.com/acme/site", cwd=top)
    assert identity(sandbox, top) == Fact("github.com/acme/site", "git remote hub")


def test_of_several_without_origin_the_upstream_of_the_branch_else_none(sandbox: Sandbox) -> None:
    top = sandbox.repository(remote=None)
    sandbox.git("remote", "add", "one", "https://github.com/acme/one", cwd=top)
    sandbox.git("remote", "add", "two", "https://github.com/acme/two", cwd=top)
    assert identity(sandbox, top).value == root_commit(sandbox, top)
    sandbox.git("config", "branch.main.remote", "two", cwd=top)
    assert identity(sandbox, top) == Fact("github.com/acme/two", "git remote two")
    sandbox.git("checkout", "-q", "--detach", cwd=top)
    assert identity(sandbox, top).value == root_commit(sandbox, top)


def test_instead_of_counts(sandbox: Sandbox) -> None:
    sandbox.git("config", "--global", "url.https://github.com/.insteadOf", "gh:", cwd=sandbox.home)
    top = sandbox.repository(remote="gh:acme/site")
    assert identity(sandbox, top).value == "github.com/acme/site"


def test_the_variables_of_a_hook_do_not_make_git_answer_for_another(sandbox: Sandbox) -> None:
    committing, mine = sandbox.repository("committing"), sandbox.repository("mine")
    hook = {
        "GIT_DIR": str(committing / ".git"),
        "GIT_INDEX_FILE": str(committing / ".git/index"),
        "GIT_WORK_TREE": str(committing),
        "GIT_COMMON_DIR": str(committing / ".git"),
        "GIT_PREFIX": "",
        "GIT_CONFIG_PARAMETERS": "'remote.origin.url=https://github.com/evil/site'",
    }
    assert identity(sandbox, mine, hook).value == "github.com/acme/mine"
    assert identity(sandbox, mine, {"GIT_CONFIG_COUNT": "0", **hook}).value == "github.com/acme/mine"


def test_a_real_hook_of_another_repository(sandbox: Sandbox) -> None:
    import sys

    committing, mine = sandbox.repository("committing"), sandbox.repository("mine")
    sandbox.git("worktree", "add", "-q", "-b", "other", str(sandbox.root / "tree"), cwd=committing)
    script = (
        "import os;from memdir_cli.probes.checkout import find_checkout;"
        "from memdir_cli.probes.survey import repository_fact;"
        f"print(repository_fact(find_checkout({str(mine)!r}, os.environ), os.environ).value)"
    )
    hook = committing / ".git/hooks/pre-commit"
    hook.write_text(
        f'#!/bin/sh\nexport >"{sandbox.root}/seen"\n{sys.executable} -c "{script}" >"{sandbox.root}/told"\n'
    )
    hook.chmod(0o755)
    sandbox.git("commit", "-q", "--allow-empty", "-m", "With a hook", cwd=sandbox.root / "tree")
    assert "GIT_DIR=" in (sandbox.root / "seen").read_text()
    assert (sandbox.root / "told").read_text() == "github.com/acme/mine\n"


def test_a_repository_of_another_account_is_refused_with_the_way_out(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    fact = identity(sandbox, top, {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    assert fact.value is None
    assert f"git config --global --add safe.directory {top}" in fact.origin
    sandbox.git("config", "--global", "--add", "safe.directory", str(top), cwd=sandbox.home)
    trusted = identity(sandbox, top, {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    assert trusted.value == "github.com/acme/legacy-dashboard"


def test_without_git_on_the_path(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    fact = identity(sandbox, top, {"PATH": str(sandbox.home)})
    assert fact.value is None
    assert "on PATH" in fact.origin


def test_a_git_that_does_not_answer_is_given_up(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    top = sandbox.repository()
    slow = sandbox.home / "git"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setattr("memdir_cli.probes.git.TIMEOUT", 0.2)
    fact = identity(sandbox, top, {"PATH": f"{sandbox.home}{os.pathsep}{os.environ['PATH']}"})
    assert fact.value is None
    assert "did not answer" in fact.origin


def test_a_broken_pointer_is_not_the_repository_around_it(sandbox: Sandbox) -> None:
    inner = sandbox.repository("outer") / "inner"
    inner.mkdir()
    (inner / ".git").write_text("gitdir: ../nowhere\n")
    fact = identity(sandbox, inner)
    assert fact.value is None
    assert "no git repository" in fact.origin


def test_a_repository_that_only_git_finds_damaged_is_not_the_one_around_it(sandbox: Sandbox) -> None:
    sandbox.repository("outer")
    inner = sandbox.repository("outer/inner")
    (inner / ".git/HEAD").write_text("ref: not-a-branch\n")
    assert identity(sandbox, inner) == Fact(None, "git takes `.git` here for no repository")


@pytest.mark.parametrize("damage", ["[core\n", "[core]\n\trepositoryformatversion = 99\n"])
def test_a_configuration_that_git_cannot_use(sandbox: Sandbox, damage: str) -> None:
    top = sandbox.repository()
    (top / ".git/config").write_text(damage)
    fact = identity(sandbox, top)
    assert fact.value is None
    assert "git" in fact.origin


def test_outside_git(sandbox: Sandbox) -> None:
    assert identity(sandbox, sandbox.home) == Fact(None, "not in a git repository")


def test_a_replaced_root_does_not_change_the_identity(sandbox: Sandbox) -> None:
    top = sandbox.repository(remote=None)
    expected = root_commit(sandbox, top)
    sandbox.git("commit", "-q", "--allow-empty", "-m", "More", cwd=top)
    fake = sandbox.git("commit-tree", "-m", "Fake root", "HEAD^{tree}", cwd=top).strip()
    sandbox.git("replace", expected.removeprefix("root:"), fake, cwd=top)
    assert identity(sandbox, top).value == expected


def test_asking_changes_nothing(sandbox: Sandbox) -> None:
    top = sandbox.repository(remote=None)
    before = {path: path.stat().st_mtime_ns for path in top.rglob("*")}
    identity(sandbox, top)
    assert {path: path.stat().st_mtime_ns for path in top.rglob("*")} == before
