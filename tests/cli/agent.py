"""An agent as its hooks show it: what each kind sends, and which answers it takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memdir_cli.domain.hook import EVENTS
from tests.sandbox import Outcome, Sandbox

SAID = "keep package-lock.json here, use npm ci"
SESSION = "0b6f3c52-7a41-4c0e-9d52-3f1f5f0c8a11"
NAMES = {
    "claude": ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"),
    "codex": ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"),
    "gemini": ("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent"),
    "copilot": ("sessionStart", "userPromptSubmitted", "postToolUse", "agentStop"),
    "cursor": ("sessionStart", "beforeSubmitPrompt", "postToolUse", "stop"),
}


def closed(**properties: Any) -> dict[str, Any]:
    """An object that may have these keys and no other."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


TEXT = {"type": "string", "minLength": 1, "maxLength": 10_000}


def specific(name: str) -> dict[str, Any]:
    inner = {**closed(hookEventName={"const": name}, additionalContext=TEXT), "required": ["hookEventName"]}
    return closed(hookSpecificOutput=inner, systemMessage=TEXT, **{"continue": {"const": True}})


#: What each agent takes, by its documents: for Codex an unknown key makes the whole answer invalid.
TAKEN: dict[str, dict[str, dict[str, Any]]] = {
    **{
        agent: {event: specific(name) for event, name in zip(EVENTS, NAMES[agent], strict=True)}
        for agent in ("claude", "codex", "gemini")
    },
    "copilot": dict.fromkeys(EVENTS, closed(additionalContext=TEXT)),
    "cursor": {
        **dict.fromkeys(EVENTS, closed(additional_context=TEXT)),
        "prompt": closed(**{"continue": {"const": True}}),
    },
}
TAKEN["codex"]["stop"] = closed(systemMessage=TEXT, **{"continue": {"const": True}})


class Project:
    """A repository with a memdir, in which an agent works."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.top = sandbox.repository(init=True)

    def run(self, *words: str, **more: Any) -> Outcome:
        return self.sandbox.run(*words, **{"cwd": self.top, **more})

    def event(self, agent: str, event: str, **more: Any) -> dict[str, Any]:
        """What an agent sends, with fields that nobody knows."""
        name = dict(zip(EVENTS, NAMES[agent], strict=True))[event]  # type: ignore[index]
        common: dict[str, Any] = {"unknown": {"a": [1]}, "cwd": str(self.top)}
        if agent == "copilot":
            return {**common, "sessionId": SESSION, "timestamp": 1789378200000, **more}
        if agent == "cursor":
            return {
                "conversation_id": SESSION, "generation_id": "g1", "hook_event_name": name, "cursor_version": "2.0",
                "workspace_roots": [str(self.top)], **more,
            }  # fmt: skip
        return {**common, "session_id": SESSION, "transcript_path": None, "hook_event_name": name, **more}

    def hook(self, event: str, agent: str = "claude", env: Mapping[str, str] | None = None, **more: Any) -> Outcome:
        sent = json.dumps(self.event(agent, event, **more))
        return self.run("hook", event, "--agent", agent, input=sent, env=env, cwd=self.sandbox.home)

    def prompts(self) -> list[Path]:
        return sorted((self.sandbox.user_memdir / "local/prompts").glob("*"))

    def claims(self, key: str = "package_manager", said: str = SAID, session: str = SESSION, **more: Any) -> Any:
        """An agent passes on what the user said."""
        line = ("remember", key, "npm", "--scope", "repository", "--from", "user", "--said", said, "--json")
        return self.run(*line, *(("--session", session) if session else ()), **more).json


def with_rule(project: Project) -> Project:
    """The project with one rule, which rests on a script."""
    (project.top / "package.json").write_text('{"scripts": {"test": "vitest run"}}')
    project.hook("prompt", prompt="run the tests with npm test")
    line = ("remember", "test_command", "npm test", "--scope", "repository", "--from", "user", "--session", SESSION)
    assert project.run(*line, "--said", "run the tests with npm test").exit == 0
    return project
