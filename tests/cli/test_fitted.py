"""A shell plays the agent: it runs what `memdir install` has written, as it stands there, and does what it is told."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate  # type: ignore[import-untyped]

from memdir_cli.domain.agent_settings import SETTINGS
from memdir_cli.domain.hook import AGENTS, EVENTS
from memdir_cli.domain.teaching import TAUGHT
from tests.cli.agent import NAMES, SESSION, TAKEN, Project
from tests.sandbox import Outcome, Sandbox

#: What the agents set in the shells that they run commands in.
SHELLS: dict[str, dict[str, str]] = {
    "claude": {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": SESSION}, "codex": {"CODEX_THREAD_ID": SESSION},
    "gemini": {"GEMINI_CLI": "1"}, "copilot": {"COPILOT_CLI": "1"}, "cursor": {"CURSOR_AGENT": "1"},
}  # fmt: skip

#: A tool with which each agent writes a file, as its hook is told of it.
WRITING: dict[str, dict[str, Any]] = {
    "claude": {"tool_name": "Edit", "tool_input": {"file_path": "package.json"}},
    "codex": {"tool_name": "Bash", "tool_input": {"command": "npm pkg set scripts.test=jest"}},
    "gemini": {"tool_name": "write_file", "tool_input": {"file_path": "package.json"}},
    "copilot": {"toolName": "edit", "toolArgs": '{"path": "package.json"}'},
    "cursor": {"tool_name": "Write", "tool_input": {"file_path": "package.json"}},
}


class Fitted(Project):
    """A repository in which memdir is installed for agents, and found by a shell."""

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(sandbox)
        memdir = sandbox.root / "bin/memdir"
        memdir.parent.mkdir()
        memdir.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m memdir_cli "$@"\n')
        memdir.chmod(0o755)
        self.env = {"PATH": f"{memdir.parent}:{sandbox.environ['PATH']}"}

    def install(self, *targets: str) -> None:
        for target in targets:
            done = self.run("install", target, "--yes", env=self.env)
            assert done.exit == 0, done.stderr

    def line(self, agent: str, event: str) -> tuple[str, dict[str, Any]]:
        """The command line in the settings of an agent, and the element in which it stands."""
        (name,) = (name for known, name in zip(EVENTS, NAMES[agent], strict=True) if known == event)
        (element,) = json.loads((self.top / SETTINGS[agent].path).read_bytes())["hooks"][name]  # type: ignore[index]
        handler = element["hooks"][0] if "hooks" in element else element
        return str(handler.get("command") or handler["bash"]), element

    def tell(self, agent: str, event: str, *, by: str = "", **more: Any) -> Outcome:
        """What the agent does at an event.

        :param by: the agent whose settings it runs, if not its own.
        """
        sent = json.dumps(self.event(agent, event, **more))
        return self.shell(self.line(by or agent, event)[0], input=sent)

    def shell(self, line: str, **more: Any) -> Outcome:
        env = {**self.env, **more.pop("env", {})}
        return self.sandbox.process("sh", "-c", line, cwd=self.top, env=env, **more)

    def taught(self, target: str, verb: str, **filled: str) -> str:
        """The command line that an agent is told to use for a verb, filled in."""
        text = (self.top / TAUGHT[target].path).read_text()
        line = next(span for span in re.findall(r"`([^`]+)`", text) if span.startswith(f"memdir {verb} "))
        for name, value in filled.items():
            line = re.sub(rf"(?<=\s){name}(?=\s|$)|(?<=\"){name.replace('_', ' ')}(?=\")", value, line)
        return str(line).replace("${CLAUDE_SESSION_ID}", SESSION)


@pytest.fixture
def here(sandbox: Sandbox) -> Fitted:
    return Fitted(sandbox)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_day_with_an_agent(agent: str, here: Fitted) -> None:
    """Start → the user's words → remembered by the agent → confirmed by the user → the next session knows, once."""
    here.install(agent)
    (here.top / "package.json").write_text('{"scripts": {"test": "vitest run"}}')
    assert here.tell(agent, "session-start", source="startup").stdout == ""
    words = "install with npm ci here, and keep package-lock.json"
    here.tell(agent, "prompt", prompt=f"Good morning. {words}, please.")
    remember = here.taught(
        agent, "remember", KEY="package_manager", VALUE="npm", EXACT_WORDS=words, ID=SESSION
    ).replace(f"--message {SESSION}", "--message m-17")
    said = here.shell(f"{remember} --json", env=SHELLS[agent]).json
    assert (said["decision"], said["status"], said["warnings"]) == ("created", "verified", [])
    found = here.shell("memdir remember test_command 'npm run test' --scope repository --json", env=SHELLS[agent]).json
    assert (found["decision"], found["status"]) == ("created", "candidate")
    told = here.tell(agent, "stop")
    # the others show no reminder, or run commands in shells that do not know the session
    assert ("1 memory proposed" in told.stdout) == (agent in {"claude", "codex"})
    start = here.tell(agent, "session-start", source="resume").stdout
    assert (start.count("`npm`"), start.count("npm run test")) == (1, 0), "a candidate is nothing to go by"
    agreed = "yes, npm run test is how we test"
    here.tell(agent, "prompt", prompt=agreed)
    confirm = here.taught(agent, "confirm", ID=found["id"], EXACT_WORDS=agreed)
    confirm = confirm.replace(f"--session {found['id']}", f"--session {SESSION}")
    done = here.shell(f"{confirm} --json", env=SHELLS[agent])
    assert (done.exit, done.json["status"]) == (0, "verified"), done.stderr
    assert here.tell(agent, "stop").stdout == ""
    following = {"sessionId": "next"} if agent == "copilot" else {"session_id": "next", "conversation_id": "next"}
    if agent != "cursor":
        following.pop("conversation_id", None)
    after = here.tell(agent, "session-start", **following)
    validate(after.json, TAKEN[agent]["session-start"])
    assert (after.stdout.count("`npm`"), after.stdout.count("`npm run test`")) == (1, 1)
    (here.top / "package.json").write_text('{"scripts": {"test": "jest"}}')
    moved = here.tell(agent, "post-tool", **WRITING[agent])
    validate(moved.json, TAKEN[agent]["post-tool"])
    assert f"{found['id']} is stale" in moved.stdout
    assert here.run("get", "test_command", "--json").json["status"] == "stale"


@pytest.mark.parametrize("agent", AGENTS)
def test_every_line_that_is_written_answers_as_the_agent_documents(agent: str, here: Fitted) -> None:
    here.install(agent)
    here.tell(agent, "prompt", prompt="use npm in this repository")
    here.claims("package_manager", "use npm in this repository")
    for event in EVENTS:
        done = here.tell(agent, event, prompt="go on with it", **WRITING[agent])
        assert (done.exit, done.stderr) == (0, ""), event
        if done.stdout:
            validate(done.json, TAKEN[agent][event])
        empty = here.shell(here.line(agent, event)[0], input="")
        assert empty.exit == 0, "whatever an agent sends, it goes on"
    _, element = here.line(agent, "post-tool")
    tool = WRITING[agent].get("tool_name", "")
    assert re.fullmatch(element.get("matcher", ".*"), tool), "the tools that write files are matched"
    assert not re.fullmatch(element.get("matcher", "x"), "Read")


@pytest.mark.parametrize("agent", ["cursor", "copilot"])
def test_an_agent_that_runs_the_settings_of_claude_code_too_is_told_once(agent: str, here: Fitted) -> None:
    here.install("claude")
    here.tell("claude", "prompt", prompt="use npm in this repository")
    here.claims("package_manager", "use npm in this repository")
    alone = here.tell(agent, "session-start", by="claude")
    validate(alone.json, TAKEN[agent]["session-start"])
    here.install(agent)
    both = [here.tell(agent, "session-start", by=by).stdout for by in ("claude", agent)]
    assert both == ["", alone.stdout]
    assert "`npm`" in here.tell("claude", "session-start").stdout, "Claude Code itself is answered as before"
    with ThreadPoolExecutor() as pool:
        told = [
            pool.submit(here.tell, agent, "prompt", by=by, prompt="run the tests with jest") for by in ("claude", agent)
        ]
    assert [one.result().exit for one in told] == [0, 0]
    assert sum("jest" in path.read_text() for path in here.prompts()) == 1
    (here.top / "package.json").write_text("{}")
    ran = [here.tell(agent, "post-tool", by=by, **WRITING[agent]) for by in ("claude", agent)]
    assert [one.exit for one in ran] == [0, 0]


def test_agents_without_hooks_read_what_they_are_told_to(here: Fitted) -> None:
    here.install("agents-md")
    text = (here.top / "AGENTS.md").read_text()
    assert "`memdir context`" in text
    said = here.taught(
        "agents-md", "remember", KEY="package_manager", VALUE="pnpm", EXACT_WORDS="use pnpm here", ID="s1"
    )
    unproven = here.shell(f"{said} --json", env={"AGENT": "amp"}).json
    assert unproven["status"] == "candidate", "nobody has seen the words"
    assert here.shell("memdir context").stdout.count("pnpm") == 0


def test_without_memdir_on_the_path_no_prompt_is_lost(here: Fitted) -> None:
    here.install("claude")
    for event in EVENTS:
        done = subprocess.run(["/bin/sh", "-c", here.line("claude", event)[0]], env={"PATH": "/nowhere"}, check=False,
                              capture_output=True, cwd=Path(here.top))  # fmt: skip
        assert done.returncode not in {0, 2}, "2 would block"
