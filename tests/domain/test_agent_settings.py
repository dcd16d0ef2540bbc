"""What an agent's settings hold for memdir: each event under the agent's own name, in the agent's own shape."""

from __future__ import annotations

import pytest

from memdir_cli.domain import agent_settings
from memdir_cli.domain.hook import AGENTS, EVENTS, Agent


def hook(event: str, agent: Agent) -> str:
    return f"memdir hook {event} --agent {agent}"


#: By agent, what stands in its list for a tool that was used: the tools, if it can tell, and how long it waits.
AFTER_A_TOOL: dict[Agent, dict[str, object]] = {
    "claude": {
        "matcher": "Bash|Edit|MultiEdit|NotebookEdit|Write",
        "hooks": [{"type": "command", "command": hook("post-tool", "claude"), "timeout": 10}],
    },
    "codex": {"hooks": [{"type": "command", "command": hook("post-tool", "codex"), "timeout": 10}]},
    "gemini": {
        "matcher": "replace|run_shell_command|write_file",
        "hooks": [
            {
                "name": "memdir-post-tool",
                "type": "command",
                "command": hook("post-tool", "gemini"),
                "timeout": 10_000,  # milliseconds there
            }
        ],
    },
    "copilot": {
        "type": "command",
        "bash": hook("post-tool", "copilot"),
        "powershell": hook("post-tool", "copilot"),
        "timeoutSec": 10,
    },
    "cursor": {"command": hook("post-tool", "cursor")},
}


@pytest.mark.parametrize("agent", AGENTS)
def test_after_a_tool_memdir_is_called_in_the_shape_of_the_agent(agent: Agent) -> None:
    name = agent_settings.SETTINGS[agent].events["post-tool"]
    assert agent_settings.elements(agent)[name] == AFTER_A_TOOL[agent]


@pytest.mark.parametrize("agent", AGENTS)
def test_every_event_has_a_name_of_the_agents_own_and_calls_memdir(agent: Agent) -> None:
    settings = agent_settings.SETTINGS[agent]
    assert tuple(settings.events) == EVENTS
    elements = agent_settings.elements(agent)
    assert list(elements) == list(settings.events.values())
    for event, name in settings.events.items():
        assert hook(event, agent) in str(elements[name])


def test_settings_name_an_event_where_they_quote_the_whole_command() -> None:
    content = '{"command": "memdir hook stop --agent cursor"}'
    assert agent_settings.names("cursor", "stop", content)
    assert not agent_settings.names("cursor", "prompt", content)
    assert not agent_settings.names("cursor", "stop", "memdir hook stop --agent cursor-nightly")
    assert not agent_settings.names("cursor", "stop", '"memdir hook stop --agent cursor --quiet"')
