"""What each agent's settings hold so that it calls ``memdir hook``, and where: its files, its names, its shape."""

from __future__ import annotations

from collections.abc import Mapping

from memdir_cli.domain.hook import EVENTS, Agent, Event
from memdir_cli.shapes import dataclass, field

Element = dict[str, object]

#: Seconds that an agent waits for a hook; memdir waits less for a lock.
PATIENCE = 10


@dataclass(frozen=True, slots=True)
class Settings:
    """The file in which an agent of this project finds its hooks.

    :ivar path: from the top of the project.
    :ivar events: by memdir's name of an event, the agent's.
    :ivar matchers: by event, for which of its tools it is called; else for all.
    :ivar beside: members that the file must have beside the hooks.
    :ivar comments: whether it may hold comments.
    """

    path: str
    events: Mapping[Event, str]
    matchers: Mapping[Event, str] = field(default_factory=dict)
    beside: Mapping[str, object] = field(default_factory=dict)
    comments: bool = False


def _named(*names: str) -> dict[Event, str]:
    return dict(zip(EVENTS, names, strict=True))


_CLAUDE = _named("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop")

SETTINGS: Mapping[Agent, Settings] = {
    "claude": Settings(".claude/settings.json", _CLAUDE, {"post-tool": "Bash|Edit|MultiEdit|NotebookEdit|Write"}),
    # which tools Codex calls it for has changed; those that only look are passed over by the hook
    "codex": Settings(".codex/hooks.json", _CLAUDE),
    "gemini": Settings(
        ".gemini/settings.json",
        _named("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent"),
        {"post-tool": "replace|run_shell_command|write_file"},
        comments=True,
    ),
    "copilot": Settings(
        ".github/hooks/memdir.json",
        _named("sessionStart", "userPromptSubmitted", "postToolUse", "agentStop"),
        beside={"version": 1},
    ),
    "cursor": Settings(
        ".cursor/hooks.json",
        _named("sessionStart", "beforeSubmitPrompt", "postToolUse", "stop"),
        beside={"version": 1},
        comments=True,
    ),
}


def command(agent: Agent, event: Event) -> str:
    """What an agent is to run at an event."""
    return f"memdir hook {event} --agent {agent}"


def elements(agent: Agent) -> dict[str, object]:
    """By the agent's name of an event, what stands in its list."""
    settings = SETTINGS[agent]
    return {name: _element(agent, event, settings.matchers.get(event)) for event, name in settings.events.items()}


def names(agent: Agent, event: Event, content: str) -> bool:
    """Whether the settings of an agent, as text, have it call memdir at an event."""
    return f'"{command(agent, event)}"' in content


def _element(agent: Agent, event: Event, matcher: str | None) -> Element:
    line = command(agent, event)
    if agent == "cursor":
        return {"command": line}
    if agent == "copilot":
        return {"type": "command", "bash": line, "powershell": line, "timeoutSec": PATIENCE}
    handler: Element = {"type": "command", "command": line, "timeout": PATIENCE}
    if agent == "gemini":
        # it counts in milliseconds, and tells hooks apart by name
        handler = {"name": f"memdir-{event}", **handler, "timeout": PATIENCE * 1000}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}
