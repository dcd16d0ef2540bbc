"""Hook: what each agent tells, and the answers in its own words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.hook import AGENTS, CONTEXT, EVENTS, Agent, Call, Event, call, context, may_change, reminder

CLAUDE = {
    "session_id": "s1", "transcript_path": "/t.jsonl", "cwd": "/app", "hook_event_name": "PostToolUse",
    "permission_mode": "default",
}  # fmt: skip
CODEX = {"session_id": "s1", "turn_id": "t1", "transcript_path": None, "cwd": "/app", "hook_event_name": "Stop"}
GEMINI = {
    "session_id": "s1", "transcript_path": "/t", "cwd": "/app", "hook_event_name": "BeforeAgent",
    "timestamp": "2026-09-14T09:30:00Z",
}  # fmt: skip
COPILOT = {"sessionId": "s1", "cwd": "/app", "timestamp": 1789378200000}
CURSOR = {
    "conversation_id": "s1", "generation_id": "t1", "hook_event_name": "stop", "workspace_roots": ["/app", "/lib"],
    "cursor_version": "2.0",
}  # fmt: skip


def told(**keys: Any) -> Call:
    """A call after a tool of Claude Code, which may be another by its fields."""
    return call("post-tool", {**CLAUDE, **keys}, None)


@pytest.mark.parametrize(
    ("named", "given_", "expected"),
    [
        (None, {**CLAUDE, "prompt": "Hello"}, Call("claude", "prompt", "s1", "/app", prompt="Hello")),
        (None, {**CLAUDE, "prompt_id": "p1"}, Call("claude", "prompt", "s1", "/app", "p1")),
        (None, {**CLAUDE, "agent_id": "a1"}, Call("claude", "prompt", "s1", "/app", sub_agent=True)),
        ("codex", CODEX, Call("codex", "prompt", "s1", "/app", "t1")),
        ("gemini", GEMINI, Call("gemini", "prompt", "s1", "/app")),
        ("copilot", {**COPILOT, "toolName": "edit"}, Call("copilot", "prompt", "s1", "/app", tool="edit")),
        ("copilot", {**COPILOT, "agentId": "a1"}, Call("copilot", "prompt", "s1", "/app", sub_agent=True)),
        ("cursor", CURSOR, Call("cursor", "prompt", "s1", "/app", "t1")),
        ("cursor", {**CURSOR, "cwd": "/app/web"}, Call("cursor", "prompt", "s1", "/app/web", "t1")),
        (None, {}, Call("claude", "prompt")),
        (None, {"session_id": 5, "cwd": None, "prompt": ["x"], "tool_name": ""}, Call("claude", "prompt")),
        (None, {"session_id": "", "conversationId": "s2"}, Call("claude", "prompt", "s2")),
    ],
)
def test_agents_tell_the_same_under_other_names(named: Agent | None, given_: dict[str, Any], expected: Call) -> None:
    assert call("prompt", given_, named) == expected


@pytest.mark.parametrize(
    ("given_", "agent"),
    [
        (CLAUDE, "claude"),
        (CODEX, "claude"),
        ({**GEMINI, "hook_event_name": "BeforeAgent"}, "gemini"),
        ({**GEMINI, "hook_event_name": "AfterTool"}, "gemini"),
        ({**GEMINI, "hook_event_name": "AfterAgent"}, "gemini"),
        # at the start of a session it sends what Claude Code sends, and takes the same
        ({**GEMINI, "hook_event_name": "SessionStart"}, "claude"),
        (COPILOT, "copilot"),
        ({"sessionId": "s1"}, "copilot"),
        ({"timestamp": 1, "cwd": "/app"}, "copilot"),
        (CURSOR, "cursor"),
        ({"conversation_id": "s1", "transcript_path": "/t"}, "cursor"),
        ({"cursor_version": "2.0", "sessionId": "s1"}, "cursor"),
        ({}, "claude"),
        ({"hook_event_name": ["AfterTool"]}, "claude"),
    ],
)
def test_an_agent_that_runs_the_settings_of_claude_is_known_by_what_it_sends(
    given_: dict[str, Any], agent: Agent
) -> None:
    assert call("stop", given_, "claude").agent == agent
    assert call("stop", given_, None).agent == agent
    assert call("stop", given_, "codex").agent == "codex", "whoever is named otherwise is that"


@pytest.mark.parametrize(
    ("keys", "again"),
    [
        ({"stop_hook_active": True}, True),
        ({"stop_hook_active": False}, False),
        ({"stop_hook_active": "no"}, False),
        ({"loop_count": 0}, False),
        ({"loop_count": 1}, True),
        ({"loop_count": "1"}, False),
        ({"stop_hook_active": False, "loop_count": 2}, True),
        ({"stop_hook_active": True, "loop_count": 0}, True),
        ({}, False),
    ],
)
def test_an_agent_says_that_a_hook_made_it_go_on(keys: dict[str, Any], *, again: bool) -> None:
    assert told(**keys).again is again


PATCH = "*** Begin Patch\n*** Update File: a.py\r\n*** Move to:  b.py \n-*** Add File: no\n*** Delete File: c.py\n"


@pytest.mark.parametrize(
    ("keys", "paths"),
    [
        ({"tool_input": {"file_path": "/app/a.py", "content": "*** Add File: no"}}, ["/app/a.py"]),
        ({"tool_input": {"notebook_path": "/app/a.ipynb", "path": "x"}}, ["x", "/app/a.ipynb"]),
        ({"tool_input": {"files": ["a.py", "", 5, "b.py"]}}, ["a.py", "b.py"]),
        ({"tool_input": {"file_path": "", "path": 5}}, []),
        ({"toolArgs": json.dumps({"filePath": "a.py"})}, ["a.py"]),
        ({"tool_input": {"command": PATCH}}, ["a.py", "b.py", "c.py"]),
        ({"tool_input": {"input": PATCH, "patch": ["*** "], "command": 5}}, ["a.py", "b.py", "c.py"]),
        ({"tool_input": {"patch": "*** Add File: d.py"}}, ["d.py"]),
        ({"toolArgs": PATCH}, ["a.py", "b.py", "c.py"]),
        ({"toolArgs": "[" * 100_000}, []),
        ({"tool_input": '["file_path"]'}, []),
        ({"tool_input": None, "toolArgs": {"path": "a.py"}}, []),
        ({"file_path": "a.py", "edits": []}, ["a.py"]),
        ({}, []),
    ],
)
def test_the_files_of_a_tool_are_those_that_its_input_names(keys: dict[str, Any], paths: list[str]) -> None:
    assert list(told(**keys).paths) == paths


KEYS = [*CLAUDE, *COPILOT, *CURSOR, "tool_input", "toolArgs", "file_path", "files", "command", "loop_count", "prompt"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6), st.sampled_from([*AGENTS, None]))
def test_whatever_an_agent_sends_is_a_call(given_: dict[str, Any], named: Agent | None) -> None:
    found = call("stop", given_, named)
    assert found.agent in AGENTS
    assert all(found.paths)


@pytest.mark.parametrize(
    ("agent", "event", "shape"),
    [
        (
            "claude",
            "session-start",
            {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "x"}},
        ),
        ("codex", "prompt", {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "x"}}),
        ("gemini", "post-tool", {"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "x"}}),
        ("copilot", "session-start", {"additionalContext": "x"}),
        ("cursor", "session-start", {"additional_context": "x"}),
    ],
)
def test_context_has_the_shape_that_the_agent_takes(agent: Agent, event: Event, shape: dict[str, Any]) -> None:
    assert context(Call(agent, event), "x") == shape
    long = json.dumps(context(Call(agent, event), "x" * (CONTEXT + 1)))
    assert long.count("x") - json.dumps(shape).count("x") == CONTEXT - 1, "no more than an agent reads"


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("event", EVENTS)
def test_with_nothing_to_say_no_answer_is_given_but_where_one_is_waited_for(agent: Agent, event: Event) -> None:
    silent = {"continue": True} if (agent, event) == ("cursor", "prompt") else None
    assert context(Call(agent, event), "") == silent
    assert reminder(Call(agent, event), "") == silent


@pytest.mark.parametrize("agent", AGENTS)
def test_a_user_is_reminded_where_the_agent_shows_it(agent: Agent) -> None:
    shown = {"systemMessage": "2 wait"} if agent in {"claude", "codex", "gemini"} else None
    assert reminder(Call(agent, "stop"), "2 wait") == shown


@pytest.mark.parametrize(
    ("tool", "changes"),
    [
        ("Read", False), ("read_file", False), ("WebFetch", False), ("TodoWrite", False), ("grep", False),
        ("Edit", True), ("Bash", True), ("apply_patch", True), ("mcp__files__read", True), ("", True),
    ],
)  # fmt: skip
def test_a_tool_that_is_not_known_may_change_files(tool: str, *, changes: bool) -> None:
    assert may_change(tool) is changes
