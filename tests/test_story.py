"""The story that memdir is for, sentence by sentence, through the real command in real repositories."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.storage import codec
from tests.sandbox import Outcome, Sandbox

TASK = {"MEMDIR_TASK": "fix-42"}


class Story:
    """One user, whose words are claimed by an agent, and the repositories of the story."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        sandbox.user_memdir.mkdir(parents=True, mode=0o700)
        (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", "utf-8")
        self.legacy = sandbox.repository("legacy-dashboard", init=True)
        self.fresh = sandbox.repository("fresh-shop", init=True)
        self.messages = 0

    def says(self, where: Path, words: str, *line: str, env: Mapping[str, str] | None = None) -> Outcome:
        """The user says ``words`` in a conversation, and the agent passes them on."""
        self.messages += 1
        said = ("--from", "user", "--said", words, "--session", "thread-17", "--message", f"m{self.messages}")
        return self.sandbox.run(*line, *said, "--json", cwd=where, env=env)

    def gets(self, where: Path, key: str = "package_manager", **env: str) -> tuple[int, str]:
        """Exit status and output of plain ``get``."""
        done = self.sandbox.run("get", key, cwd=where, env=env)
        return done.exit, done.stdout.strip()

    def asks(self, where: Path, *line: str, env: Mapping[str, str] | None = None) -> Any:
        """The JSON answer of a command."""
        return self.sandbox.run(*line, "--json", cwd=where, env=env).json

    def memories(self) -> dict[str, str | None]:
        """Every memory file of all memdirs, and its value."""
        roots = (self.legacy / ".memdir", self.fresh / ".memdir", self.sandbox.user_memdir)
        return {
            path.relative_to(self.sandbox.root).as_posix(): codec.parse_memory(path.read_bytes()).value
            for root in roots
            for path in sorted(root.rglob("*.md"))
            if path.name != "MEMORY.md"
        }

    def user_prefers(self, value: str) -> Outcome:
        words = f"for new frontend projects use {value} by default"
        return self.says(self.legacy, words, "remember", "package_manager", value, "--scope", "user")

    def repository_keeps(self, value: str) -> Outcome:
        words = "keep package-lock.json here, install with npm ci"
        return self.says(self.legacy, words, "remember", "package_manager", value, "--scope", "repository")


@pytest.fixture
def story(sandbox: Sandbox) -> Story:
    """Two repositories and nothing remembered yet."""
    return Story(sandbox)


@pytest.fixture
def told(story: Story) -> Story:
    """The user's default is pnpm, the old repository keeps npm."""
    assert story.user_prefers("pnpm").json["decision"] == "created"
    assert story.repository_keeps("npm").json["decision"] == "created"
    return story


def test_a_rule_of_one_repository_does_not_replace_the_default_of_the_user(told: Story) -> None:
    assert told.gets(told.legacy) == (0, "npm")
    assert told.gets(told.fresh) == (0, "pnpm")
    assert sorted(told.memories().values(), key=str) == ["npm", "pnpm"]


def test_a_new_project_gets_the_default_also_before_it_has_a_memdir(told: Story) -> None:
    newest = told.sandbox.repository("newest")
    assert told.gets(newest) == (0, "pnpm")
    assert told.gets(told.sandbox.home) == (0, "pnpm")
    assert not (newest / ".memdir").exists(), "reading makes nothing"


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


def test_a_task_that_installs_nothing_gets_none_and_takes_nothing_with_it(told: Story) -> None:
    words = "this ticket is docs only, install nothing"
    done = told.says(told.legacy, words, "remember", "package_manager", "--none", "--scope", "task", env=TASK)
    assert done.json["decision"] == "created"
    answer = told.sandbox.run("get", "package_manager", "--json", cwd=told.legacy, env=TASK)
    assert answer.exit == 1
    assert (answer.json["value"], answer.json["reason"]) == (None, "none")
    assert answer.json["scope"].startswith("task")
    assert told.gets(told.legacy) == (0, "npm"), "outside the task nothing changed"
    assert told.gets(told.legacy, MEMDIR_TASK="fix-43") == (0, "npm")
    later = told.sandbox.run(
        "get", "package_manager", cwd=told.legacy, env={**TASK, "MEMDIR_NOW": "2026-10-15T09:30:00Z"}
    )
    assert (later.exit, later.stdout) == (0, "npm\n"), "a task ends after thirty days at the latest"


def test_from_now_on_npm_supersedes_the_default_and_leaves_the_rule_of_the_repository_alone(told: Story) -> None:
    rule = told.legacy / ".memdir/memories/package_manager.md"
    before = rule.read_bytes()
    done = told.says(told.fresh, "from now on npm", "correct", "package_manager", "npm", "--scope", "user")
    assert (done.exit, done.json["decision"], done.json["revision"]) == (0, "superseded", 2)
    assert done.json["previous"]["value"] == "pnpm"
    assert done.json["previous"]["revision"] == 1
    assert done.json["previous"]["source"]
    assert told.gets(told.fresh) == (0, "npm")
    assert rule.read_bytes() == before
    history = told.sandbox.run("history", "package_manager", cwd=told.fresh).stdout
    assert "pnpm" in history, "the old value and its source are kept"


def test_a_repeated_statement_adds_no_second_record(told: Story) -> None:
    before = told.memories()
    done = told.repository_keeps("npm")
    assert (done.exit, done.json["decision"], done.json["revision"]) == (0, "confirmed", 1)
    assert told.memories() == before
    shown = told.asks(told.legacy, "show", done.json["id"])
    assert len(shown["source"]) == 2


def test_an_ambiguous_statement_writes_nothing_and_asks(told: Story) -> None:
    before = {path: path.read_bytes() for path in told.sandbox.root.rglob("*.md")}
    done = told.says(told.legacy, "use yarn", "remember", "package_manager", "yarn", env=TASK)
    assert (done.exit, done.json["decision"]) == (3, "needs_scope")
    assert [choice["scope"] for choice in done.json["choices"]] == ["repository", "user", "task:fix-42"]
    assert {path: path.read_bytes() for path in told.sandbox.root.rglob("*.md")} == before


def test_what_can_only_mean_one_record_needs_no_scope(told: Story) -> None:
    done = told.says(told.legacy, "npm, as I said", "remember", "package_manager", "npm")
    assert (done.exit, done.json["decision"]) == (0, "confirmed")
    assert done.json["scope"] == "repository:github.com/acme/legacy-dashboard"


def test_an_agents_guess_never_replaces_what_the_user_said(told: Story) -> None:
    line = ("remember", "package_manager", "yarn", "--scope", "repository", "--json")
    done = told.sandbox.run(*line, cwd=told.legacy)
    assert (done.exit, done.json["decision"], done.json["status"]) == (3, "needs_decision", "candidate")
    assert told.gets(told.legacy) == (0, "npm")
    refused = told.sandbox.run("remember", "package_manager", "yarn", "--scope", "user", "--json", cwd=told.legacy)
    assert (refused.exit, refused.json["decision"]) == (4, "refused")


def test_a_late_result_never_beats_a_newer_correction(told: Story) -> None:
    done = told.says(told.legacy, "pnpm here too", "correct", "package_manager", "pnpm", "--scope", "repository")
    assert done.json["revision"] == 2
    late = told.says(
        told.legacy, "npm", "remember", "package_manager", "npm", "--scope", "repository", "--if-revision", "1"
    )
    assert (late.exit, late.json["decision"]) == (5, "revision_conflict")
    assert told.gets(told.legacy) == (0, "pnpm")


def test_two_statements_of_equal_weight_are_kept_and_none_is_served_until_the_user_settles_it(told: Story) -> None:
    done = told.says(told.legacy, "pnpm here", "remember", "package_manager", "pnpm", "--scope", "repository")
    assert (done.exit, done.json["decision"], done.json["status"]) == (3, "conflicted", "conflicted")
    assert told.gets(told.legacy) == (3, ""), "no value, and no fall-through to the user's default"
    sides = told.asks(told.legacy, "show", done.json["id"])["sides"]
    assert [side["value"] for side in sides] == ["npm", "pnpm"]
    done = told.says(told.legacy, "npm it is", "settle", "package_manager", "--keep", sides[0]["id"])
    assert (done.exit, done.json["decision"]) == (0, "settled")
    assert told.gets(told.legacy) == (0, "npm")


def test_explain_names_every_contender_and_the_rule_that_beat_it(told: Story) -> None:
    answer = told.asks(told.legacy, "explain", "package_manager")
    winner = next(one for one in answer["contenders"] if one["outcome"] == "winner")
    assert answer["winner"]["id"] == winner["id"]
    lost = [one for one in answer["contenders"] if one["outcome"] != "winner"]
    assert [one["scope"] for one in lost] == ["user"]
    assert winner["id"] in lost[0]["reason"]


def test_the_context_of_each_repository_shows_its_own_and_the_same_bytes_every_time(told: Story) -> None:
    first, again = (told.sandbox.run("context", cwd=told.legacy).stdout for _ in range(2))
    assert first == again
    assert "`npm`" in first or "npm" in first
    other = told.sandbox.run("context", cwd=told.fresh).stdout
    assert "legacy-dashboard" not in other
    assert told.sandbox.run("context", cwd=told.legacy, env={"MEMDIR_IGNORE": "1"}).stdout == ""


def test_all_that_was_told_is_clean(told: Story) -> None:
    for where in (told.legacy, told.fresh):
        done = told.sandbox.run("check", "--strict", cwd=where)
        assert (done.exit, done.stdout) == (0, "")


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
