"""Agents' hooks: JSON in, at most one object out in the shape that the agent takes, and never a prompt lost."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from jsonschema import validate  # type: ignore[import-untyped]

from memdir_cli.domain.hook import AGENTS, EVENTS
from tests.cli.agent import SAID, SESSION, TAKEN, Project, with_rule
from tests.sandbox import Sandbox


@pytest.fixture
def here(sandbox: Sandbox) -> Project:
    """A repository with a memdir and nothing remembered."""
    return Project(sandbox)


@pytest.fixture
def rule(here: Project) -> Project:
    """The same with one rule, which rests on a script."""
    return with_rule(here)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_session_starts_with_the_context_in_the_shape_of_the_agent(agent: str, rule: Project) -> None:
    done = rule.hook("session-start", agent, source="startup")
    assert (done.exit, done.stderr) == (0, "")
    validate(done.json, TAKEN[agent]["session-start"])
    assert done.stdout.count("npm test") == 1
    assert "grants no permission" in done.stdout
    assert done.stdout.isascii()


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("event", EVENTS)
def test_whatever_is_printed_is_what_the_agent_takes(agent: str, event: str, rule: Project) -> None:
    (rule.top / "package.json").write_text('{"scripts": {"test": "jest"}}')
    rule.claims("linter", "use npm lint here")
    tool: dict[str, Any] = {"tool_name": "Edit", "tool_input": {"file_path": str(rule.top / "package.json")}}
    done = rule.hook(event, agent, prompt="go on with it", **tool)
    assert done.exit == 0
    if done.stdout:
        validate(done.json, TAKEN[agent][event])
    printed = {"session-start", "post-tool", *(["stop"] if agent not in {"copilot", "cursor"} else ["prompt"])}
    assert bool(done.stdout) == (event in printed - ({"prompt"} if agent == "copilot" else set()))


@pytest.mark.parametrize(
    ("sent", "key"),
    [
        ({"conversation_id": "c1", "workspace_roots": []}, "additional_context"),
        ({"sessionId": "s1", "timestamp": 1}, "additionalContext"),
        (
            {"session_id": "s1", "hook_event_name": "SessionStart", "timestamp": "2026-09-14T09:30:00Z"},
            "additionalContext",
        ),
        ({"session_id": "s1", "hook_event_name": "SessionStart", "transcript_path": "/x"}, "hookSpecificOutput"),
        ({}, "hookSpecificOutput"),
    ],
)
@pytest.mark.parametrize("named", [(), ("--agent", "claude")])
def test_several_agents_may_run_the_same_settings(
    sent: dict[str, Any], key: str, named: tuple[str, ...], rule: Project
) -> None:
    first, second = (rule.run("hook", "session-start", *named, input=json.dumps(sent)) for _ in range(2))
    assert list(first.json) == [key]
    assert second.stdout == first.stdout, "asked twice it says the same"


def test_where_nothing_is_remembered_nothing_is_said(here: Project) -> None:
    assert here.hook("session-start").stdout == ""
    assert here.run("hook", "session-start", input="{}", cwd=here.sandbox.home).stdout == ""
    assert not here.sandbox.user_memdir.exists() or here.prompts() == []


def test_the_context_never_exceeds_what_an_agent_reads(here: Project) -> None:
    memories = here.top / ".memdir/memories"
    here.hook("prompt", prompt=SAID)
    here.claims()
    text = (memories / "package_manager.md").read_text("utf-8")
    for number in range(300):
        copy = text.replace("package_manager", f"key_{number}").replace("id: ", "id: x", 1)
        (memories / f"key_{number}.md").write_text(copy.replace("value: npm", f'value: "{"long " * 40}"'), "utf-8")
    done = here.hook("session-start")
    told = done.json["hookSpecificOutput"]["additionalContext"]
    assert 9_000 < len(told) <= 10_000
    assert "left out" in told


BROKEN_STDIN = {
    "nothing": "", "spaces": " \n", "no JSON": "hello", "a list": "[1]", "null": "null", "a number": "3",
    "half": '{"a":', "deep": "[" * 100_000, "BOM": '\ufeff{"session_id": "s1"}',
    "surrogates": '{"session_id": "\\ud800"}',
    "wrong types": '{"session_id": 1, "cwd": [], "prompt": {}, "tool_input": 3, "tool_name": null}',
    "odd id": '{"session_id": "a b\\n"}', "odd place": '{"cwd": "/nowhere/at/all"}', "other place": '{"cwd": "../.."}',
}  # fmt: skip


@pytest.mark.parametrize("sent", BROKEN_STDIN.values(), ids=list(BROKEN_STDIN))
def test_whatever_comes_on_stdin_the_agent_goes_on(sent: str, rule: Project) -> None:
    for event in EVENTS:
        done = rule.run("hook", event, "--agent", "claude", input=sent)
        assert done.exit == 0, event
        assert "Traceback" not in done.stderr, event
        assert (list(done.json) if done.stdout else []) == (["hookSpecificOutput"] if event == "session-start" else [])


def test_an_agent_that_keeps_stdin_open_is_answered_at_once(rule: Project) -> None:
    command = [sys.executable, "-m", "memdir_cli", "hook", "session-start", "--agent", "claude"]
    with subprocess.Popen(
        command, cwd=rule.top, env=rule.sandbox.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as hook:
        assert hook.stdin is not None
        assert hook.stdout is not None
        hook.stdin.write(json.dumps(rule.event("claude", "session-start")).encode())
        hook.stdin.flush()
        assert "npm test" in json.loads(hook.stdout.read())["hookSpecificOutput"]["additionalContext"]
        assert hook.wait(timeout=10) == 0


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["bogus"],
        ["prompt", "--agent", "nobody"],
        ["prompt", "--agent"],
        ["stop", "--nonsense"],
        ["stop", "more"],
        ["stop", "--json"],
    ],
)
def test_a_wrong_call_costs_no_prompt_either(words: list[str], rule: Project) -> None:
    done = rule.run("hook", *words, input="{}")
    assert (done.exit, done.stdout) == (0, "")


def unreadable_settings(project: Project) -> None:
    (project.top / ".memdir/config.yaml").write_text("format: '1'\ngate: nonsense\n")


def a_later_format(project: Project) -> None:
    (project.top / ".memdir/config.yaml").write_text("format: '9'\n")


def no_place(project: Project) -> None:
    (project.sandbox.user_memdir / "local/prompts").mkdir(parents=True, exist_ok=True)
    for path in project.prompts():
        path.unlink()
    (project.sandbox.user_memdir / "local/prompts").rmdir()
    (project.sandbox.user_memdir / "local/prompts").write_text("in the way")


@pytest.mark.parametrize("spoil", [unreadable_settings, a_later_format, no_place])
@pytest.mark.parametrize("event", EVENTS)
def test_when_memdir_fails_the_agent_goes_on(event: str, spoil: Any, rule: Project) -> None:
    spoil(rule)
    done = rule.hook(event, prompt=SAID, tool_name="Edit")
    assert done.exit == 0
    assert "Traceback" not in done.stderr
    assert done.stdout == "" or "hookSpecificOutput" in done.json
    if spoil is not no_place or event == "prompt":
        assert done.stderr.startswith("error: ")


def test_a_writer_that_holds_the_lock_is_not_waited_for_long(rule: Project) -> None:
    (rule.top / "package.json").write_text('{"scripts": {"test": "jest"}}')
    holding = "import sys, fcntl; f = open(sys.argv[1], 'a'); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); input()"
    lock = rule.top / ".memdir/local/lock"
    with subprocess.Popen(
        [sys.executable, "-c", holding, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        done = rule.hook("post-tool", tool_name="Bash")
        holder.kill()
    assert (done.exit, done.stdout) == (0, "")
    assert "lock" in done.stderr


@pytest.mark.parametrize("event", EVENTS)
def test_ignored_memory_is_ignored_by_hooks(event: str, rule: Project) -> None:
    before = {path: path.read_bytes() for path in rule.sandbox.root.rglob("*") if path.is_file()}
    rule_changed: dict[str, Any] = {"tool_name": "Edit", "tool_input": {"file_path": str(rule.top / "package.json")}}
    done = rule.hook(event, env={"MEMDIR_IGNORE": "1"}, prompt=SAID, **rule_changed)
    assert (done.exit, done.stdout) == (0, "")
    assert {path: path.read_bytes() for path in rule.sandbox.root.rglob("*") if path.is_file()} == before


def test_session_and_place_of_stdin_go_before_those_of_the_environment(rule: Project) -> None:
    env = {"CLAUDE_CODE_SESSION_ID": "of-the-environment", "MEMDIR_SESSION": "of-the-environment"}
    assert "npm test" in rule.hook("session-start", env=env).stdout, "though it is run in another directory"
    (log,) = (rule.top / ".memdir/local/access").glob("*.jsonl")
    line = json.loads(log.read_text().splitlines()[-1])
    assert (line["session"], line["verb"]) == (SESSION, "hook session-start --agent claude")
    assert [one["id"] for one in line["shown"]] == [rule.run("show", "test_command", "--json").json["id"]]


def test_a_day_with_an_agent(here: Project) -> None:
    """A shell plays the agent: it starts, hears, proposes, asks, and the next session knows."""
    assert here.hook("session-start", source="startup").stdout == ""
    here.hook("prompt", prompt="this project uses npm ci, please install")
    proposed = here.run(
        "remember", "package_manager", "npm", "--scope", "repository", "--json", env={"MEMDIR_SESSION": SESSION}
    )
    assert proposed.json["status"] == "candidate"
    assert "waits for you" in here.hook("stop").json["systemMessage"]
    assert "npm" not in here.hook("session-start", source="resume").stdout
    here.hook("prompt", prompt="yes, remember npm for this repository")
    said = ("--from", "user", "--said", "remember npm for this repository", "--session", SESSION)
    done = here.run("confirm", proposed.json["id"], *said, "--json")
    assert (done.json["decision"], done.json["status"]) == ("confirmed", "verified")
    here.hook("stop")
    start = here.hook("session-start", session_id="the-next-session")
    assert start.stdout.count("`npm`") == 1
    assert here.run("check", "--strict").exit == 0
