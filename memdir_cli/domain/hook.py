"""Hook: what an agent tells at an event, in the words of whichever agent it is, and the answer in its own.

Agents tell the same things under different names and want them in different shapes; one wrong key makes an answer
invalid. Unknown fields come with every release and are passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Literal

from memdir_cli.shapes import dataclass

Agent = Literal["claude", "codex", "gemini", "copilot", "cursor"]
Event = Literal["session-start", "prompt", "post-tool", "stop"]

AGENTS: tuple[Agent, ...] = ("claude", "codex", "gemini", "copilot", "cursor")
EVENTS: tuple[Event, ...] = ("session-start", "prompt", "post-tool", "stop")

#: An agent reads so many characters of context; more is cut, or becomes a file.
CONTEXT = 10_000

Answer = dict[str, object]


@dataclass(frozen=True, slots=True)
class Call:
    """One event.

    :ivar session: id of the session, ``""`` if none was told; so are the other texts.
    :ivar cwd: working directory of the session.
    :ivar turn: id of the turn that the prompt begins.
    :ivar tool: name of the tool that was used.
    :ivar paths: files that the tool names.
    :ivar sub_agent: it happened in a sub-agent, to which no user speaks.
    :ivar again: the agent goes on because a hook at its stop said so.
    """

    agent: Agent
    event: Event
    session: str = ""
    cwd: str = ""
    turn: str = ""
    prompt: str = ""
    tool: str = ""
    paths: tuple[str, ...] = ()
    sub_agent: bool = False
    again: bool = False


def call(event: Event, given: Mapping[str, object], named: Agent | None) -> Call:
    """What ``given``, the object on stdin, tells of an event.

    :param named: the agent that the caller names.
    """
    paths = (*_paths(_tool_input(given)), *_paths({"file_path": given.get("file_path")}))
    return Call(
        agent=_agent(given, named),
        event=event,
        session=_first(given, "session_id", "sessionId", "conversation_id", "conversationId"),
        cwd=_first(given, "cwd") or next(iter(_texts(given.get("workspace_roots"))), ""),
        turn=_first(given, "turn_id", "prompt_id", "generation_id"),
        prompt=_first(given, "prompt"),
        tool=_first(given, "tool_name", "toolName"),
        paths=paths,
        sub_agent=bool(_first(given, "agent_id", "agentId")),
        again=given.get("stop_hook_active") is True or _count(given.get("loop_count")) > 0,
    )


def context(told: Call, text: str) -> Answer | None:
    """The answer that gives the agent a text to read; ``None`` where its hooks take none."""
    if not text:
        return silence(told)
    style, names = _DIALECTS[told.agent]
    text = text[:CONTEXT]
    if style == "specific":
        return {"hookSpecificOutput": {"hookEventName": names[told.event], "additionalContext": text}}
    return {style: text}


def reminder(told: Call, text: str) -> Answer | None:
    """The answer that shows the user a sentence and lets the agent end its turn."""
    shows = _DIALECTS[told.agent][0] == "specific"
    return {"systemMessage": text} if text and shows else silence(told)


def silence(told: Call) -> Answer | None:
    """The answer that says nothing: none at all, but where an agent waits for one."""
    return _WAITED_FOR.get((told.agent, told.event))


def may_change(tool: str) -> bool:
    """Whether a tool may have changed a file; one that is not known may."""
    return tool.lower().replace("_", "") not in _LOOKING


#: By agent: the key under which it takes context, and what it calls the events.
_DIALECTS: dict[Agent, tuple[str, dict[Event, str]]] = {
    "claude": ("specific", dict(zip(EVENTS, ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"), strict=True))),
    "codex": ("specific", dict(zip(EVENTS, ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"), strict=True))),
    "gemini": ("specific", dict(zip(EVENTS, ("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent"), strict=True))),
    "copilot": ("additionalContext", {}),
    "cursor": ("additional_context", {}),
}

_WAITED_FOR: dict[tuple[Agent, Event], Answer] = {("cursor", "prompt"): {"continue": True}}

#: Tools that only look, by their names without underscores.
_LOOKING = frozenset(
    {
        "read", "readfile", "readmanyfiles", "view", "viewimage", "grep", "grepsearch", "searchfilecontent", "glob",
        "ls", "listdir", "listdirectory", "webfetch", "websearch", "fetch", "googlewebsearch", "todowrite", "todoread",
        "writetodos", "updateplan", "exitplanmode", "askuserquestion", "askuser", "toolsearch", "codebasesearch",
    }
)  # fmt: skip

_PATH_KEYS = ("file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "file", "files")
_PATCHED = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


def _agent(given: Mapping[str, object], named: Agent | None) -> Agent:
    """Which agent speaks: several run the settings of Claude Code, so that name alone says little."""
    if named is not None and named != "claude":
        return named
    if "conversation_id" in given or "cursor_version" in given:
        return "cursor"
    if "sessionId" in given or ("timestamp" in given and "transcript_path" not in given):
        return "copilot"
    if _first(given, "hook_event_name") in {"BeforeAgent", "AfterAgent", "AfterTool"}:
        return "gemini"
    return "claude"


def _tool_input(given: Mapping[str, object]) -> Mapping[str, object]:
    found = given.get("tool_input", given.get("toolArgs"))
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except (ValueError, RecursionError):
            found = {"patch": found}
    return found if isinstance(found, dict) else {}


def _paths(tool: Mapping[str, object]) -> Iterator[str]:
    """The files that the input of a tool names, also those of a patch."""
    for key in _PATH_KEYS:
        found = tool.get(key)
        yield from (found,) if isinstance(found, str) and found else _texts(found)
    for text in (tool.get("input"), tool.get("patch"), tool.get("command")):
        for line in text.splitlines() if isinstance(text, str) else ():
            yield from (line.removeprefix(mark).strip() for mark in _PATCHED if line.startswith(mark))


def _first(given: Mapping[str, object], *keys: str) -> str:
    return next((found for key in keys if isinstance(found := given.get(key), str) and found), "")


def _texts(found: object) -> tuple[str, ...]:
    return tuple(one for one in found if isinstance(one, str) and one) if isinstance(found, list) else ()


def _count(found: object) -> int:
    return found if isinstance(found, int) else 0
