"""Projects are apart: what one repository keeps is had by every worktree of it, and by no other project."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.sandbox import Sandbox
from tests.storyteller import Story


@pytest.fixture
def told(sandbox: Sandbox) -> Story:
    """The user's default is pnpm, the old repository keeps npm."""
    story = Story(sandbox)
    story.user_prefers("pnpm")
    story.repository_keeps("npm")
    return story


def test_subfolders_and_worktrees_of_the_old_repository_keep_its_rule(told: Story) -> None:
    folder = told.legacy / "packages/web/src"
    folder.mkdir(parents=True)
    assert told.gets(folder) == (0, "npm")
    told.sandbox.git("add", ".memdir", cwd=told.legacy)
    told.sandbox.git("commit", "-qm", "Remember", cwd=told.legacy)
    linked = told.sandbox.root / "worktrees/hotfix"
    told.sandbox.git("worktree", "add", "-q", str(linked), cwd=told.legacy)
    assert told.gets(linked) == (0, "npm")
    here, there = (told.asks(where, "whoami")["repository"]["value"] for where in (told.legacy, linked))
    assert here == there == "github.com/acme/legacy-dashboard"


def test_a_private_rule_holds_in_every_worktree_and_in_no_other_repository(told: Story) -> None:
    told.says(told.legacy, "I use vim here", "remember", "editor", "vim", "--scope", "repository", "--private")
    linked = told.sandbox.root / "hotfix"
    told.sandbox.git("worktree", "add", "-q", str(linked), cwd=told.legacy)
    assert told.gets(linked, "editor") == (0, "vim")
    assert told.gets(told.fresh, "editor")[0] == 1
    assert not any("vim" in path.read_text("utf-8") for path in (told.legacy / ".memdir").rglob("*.md"))


LAYOUTS = (
    "same folder name", "same remote path on another host", "no remote", "nested repository", "submodule", "no git",
    "moved", "copied without git", "bare worktree", "cloned config", "home as repository", "renamed remote",
)  # fmt: skip


def elsewhere(story: Story, layout: str) -> Path:
    """Another project that could be taken for the old repository."""
    box, root = story.sandbox, story.sandbox.root
    if layout == "same folder name":
        return box.repository("clients/legacy-dashboard", remote="https://github.com/other/legacy-dashboard.git")
    if layout == "same remote path on another host":
        return box.repository("gitlab", remote="https://gitlab.com/acme/legacy-dashboard.git")
    if layout == "no remote":
        return box.repository("local-only", remote=None)
    if layout == "nested repository":
        return box.repository("legacy-dashboard/vendor/inner", remote="https://github.com/acme/inner.git")
    if layout == "submodule":
        inner = box.repository("inner", remote=None)
        box.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub", cwd=story.legacy)
        return story.legacy / "sub"
    if layout == "no git":
        (root / "plain/legacy-dashboard").mkdir(parents=True)
        return root / "plain/legacy-dashboard"
    if layout == "moved":
        other = box.repository("to-move", remote="https://github.com/acme/moving.git")
        return Path(shutil.move(other, root / "moved"))
    if layout == "copied without git":
        (root / "copy").mkdir()
        shutil.copy(story.legacy / "README.md", root / "copy/README.md")
        return root / "copy"
    if layout == "bare worktree":
        other = box.repository("origin-of-bare", remote="https://github.com/acme/bare.git")
        box.git("clone", "-q", "--bare", str(other), str(root / "bare.git"), cwd=root)
        box.git("worktree", "add", "-q", str(root / "from-bare"), cwd=root / "bare.git")
        return root / "from-bare"
    if layout == "home as repository":
        box.git("init", "-q", cwd=box.home)
        return box.home
    if layout == "renamed remote":
        return box.repository("renamed", remote="https://github.com/acme/legacy-dashboard-2.git")
    other = box.repository("fork", remote="https://github.com/evil/fork.git")
    shutil.copytree(story.legacy / ".memdir", other / ".memdir")
    return other


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_one_repositorys_is_never_another_ones(told: Story, layout: str) -> None:
    told.says(told.legacy, "I use vim here", "remember", "editor", "vim", "--scope", "repository", "--private")
    other = elsewhere(told, layout)
    assert told.gets(other, "editor")[0] == 1, "a private rule binds to what git says, not to a name or a config"
    shown = json.dumps(told.asks(other, "list"))
    assert "vim" not in shown
    if layout != "cloned config":
        assert told.gets(other) == (0, "pnpm")
        assert '"npm"' not in shown
    before = (told.legacy / ".memdir/memories/package_manager.md").read_bytes()
    if told.sandbox.run("init", cwd=other).exit == 0:
        told.says(other, "yarn here", "correct", "package_manager", "yarn", "--scope", "repository")
    assert (told.legacy / ".memdir/memories/package_manager.md").read_bytes() == before
    assert told.gets(told.legacy) == (0, "npm")
