"""Who tells the stories: one user, whose words an agent passes on, and the repositories in which it happens."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

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

    def holding(self, *words: str) -> list[str]:
        """The files of all memdirs and of the home in which one of the words can be read."""
        folders = (self.legacy / ".memdir", self.fresh / ".memdir", self.sandbox.home)
        files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
        return sorted(str(path) for path in files if any(word.encode() in path.read_bytes() for word in words))

    def user_prefers(self, value: str) -> Outcome:
        words = f"for new frontend projects use {value} by default"
        return self.says(self.legacy, words, "remember", "package_manager", value, "--scope", "user")

    def repository_keeps(self, value: str) -> Outcome:
        words = "keep package-lock.json here, install with npm ci"
        return self.says(self.legacy, words, "remember", "package_manager", value, "--scope", "repository")
