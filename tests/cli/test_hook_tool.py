"""The hooks after a tool and at the end of a turn: what changed is known, what was proposed is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import validate  # type: ignore[import-untyped]

from memdir_cli.domain.hook import AGENTS
from tests.cli.agent import TAKEN, Project, with_rule
from tests.sandbox import Sandbox


@pytest.fixture
def here(sandbox: Sandbox) -> Project:
    """A repository with a memdir and nothing remembered."""
    return Project(sandbox)


@pytest.fixture
def rule(here: Project) -> Project:
    """The same with one rule, which rests on a script."""
    return with_rule(here)


def edited(project: Project, tool: str, path: str) -> dict[str, Any]:
    (project.top / "package.json").write_text('{"scripts": {"test:unit": "vitest run"}}')
    return {"tool_name": tool, "tool_input": {"file_path": path}}


def stored(project: Project) -> str:
    text = (project.top / ".memdir/memories/test_command.md").read_text("utf-8")
    return text.partition("\nstatus: ")[2].partition("\n")[0]


@pytest.mark.parametrize(
    ("agent", "tool"),
    [
        ("claude", {"tool_name": "Edit", "tool_input": {"file_path": "{top}/package.json"}}),
        ("claude", {"tool_name": "Bash", "tool_input": {"command": "npm pkg set scripts.test=jest"}}),
        (
            "codex",
            {"tool_name": "apply_patch", "tool_input": {"command": "*** Begin Patch\n*** Update File: package.json\n"}},
        ),
        ("gemini", {"tool_name": "write_file", "tool_input": {"file_path": "package.json"}}),
        ("copilot", {"toolName": "edit", "toolArgs": '{"path": "{top}/package.json"}'}),
        ("cursor", {"file_path": "{top}/package.json", "edits": []}),
        ("cursor", {"tool_name": "Write", "tool_input": {"file_path": "package.json"}}),
    ],
)
def test_an_edit_of_what_a_memory_rests_on_makes_it_stale_and_says_so(
    agent: str, tool: dict[str, Any], rule: Project
) -> None:
    (rule.top / "package.json").write_text('{"scripts": {"test:unit": "vitest run"}}')
    sent = json.loads(json.dumps(tool).replace("{top}", str(rule.top)))
    done = rule.hook("post-tool", agent, **sent)
    validate(done.json, TAKEN[agent]["post-tool"])
    memory = rule.run("show", "test_command", "--json").json
    assert (stored(rule), memory["id"] in done.stdout) == ("stale", True)
    assert "npm test" not in done.stdout, "nothing of its content"
    assert rule.hook("post-tool", agent, **sent).stdout == "", "what is known is not said again"


@pytest.mark.parametrize("tool", ["Read", "Grep", "read_file", "WebFetch", "view"])
def test_a_tool_that_only_looks_moves_nothing(tool: str, rule: Project) -> None:
    assert rule.hook("post-tool", **edited(rule, tool, str(rule.top / "package.json"))).stdout == ""
    assert stored(rule) == "verified"


def test_a_file_outside_the_project_moves_nothing(rule: Project) -> None:
    assert rule.hook("post-tool", **edited(rule, "Write", str(rule.sandbox.home / "notes.md"))).stdout == ""
    assert stored(rule) == "verified"


@pytest.mark.parametrize("agent", AGENTS)
def test_the_user_hears_once_of_what_the_agent_proposed(agent: str, here: Project) -> None:
    assert here.hook("stop", agent).stdout == ""
    here.hook("prompt", agent, prompt="do something else")
    here.claims("a", "words that nobody typed")
    here.claims("b", "words that nobody typed either", session="another")
    done = here.hook("stop", agent)
    if agent in {"copilot", "cursor"}:
        assert done.stdout == ""
        return
    assert done.json == {
        "systemMessage": "memdir: 1 memory proposed in this turn waits for you; see `memdir list --status candidate`"
    }
    assert here.hook("stop", agent, stop_hook_active=True).stdout == ""
    later = {"MEMDIR_NOW": "2026-09-14T10:30:00Z"}
    here.hook("prompt", agent, env=later, prompt="go on with the rest")
    assert here.hook("stop", agent, env=later).stdout == "", "it was said at the end of its own turn"
