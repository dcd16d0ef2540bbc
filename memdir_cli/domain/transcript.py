"""Transcript: which records of an agent's own log are messages of the user, in the dialects that are known.

Both dialects are lines of JSON. Claude Code writes ``{"type": "user", "message": …, "uuid": …}`` for whatever goes to
the model in the user's role: tool results, notices and summaries too. Codex writes an envelope
``{"type": …, "payload": …}``; a ``response_item`` in the user's role may be context that it adds itself, and only the
event beside it says that a user spoke. What is not known to be the user's is nobody's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memdir_cli.domain.rows import text_of
from memdir_cli.shapes import dataclass, replace

#: Marks of a Claude Code record that is not the user's, whatever its role: true in any of these is enough.
_NOT_THE_USERS = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")

#: Keys that only a record of a sub-agent or of a tool has.
_OF_OTHERS = ("agentId", "toolUseResult", "sourceToolUseID", "sourceToolAssistantUUID", "toolDenialKind")

#: Ways into Claude Code by which a program speaks, and no person types.
_PROGRAMS = frozenset({"sdk", "system", "hook", "agent", "cron", "loop"})

#: Sessions of Codex that a program or another agent leads.
_LED = frozenset({"exec", "mcp", "subagent", "subAgent"})


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the user.

    :ivar texts: its pieces, each of which stands alone.
    :ivar ids: every id by which it may be named, the best first.
    :ivar sure: the log says that a user spoke; ``False`` where only the role says it.
    """

    texts: tuple[str, ...]
    ids: tuple[str, ...] = ()
    session: str = ""
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Course:
    """What the records so far say about those to come.

    :ivar session: id of the session.
    :ivar turn: id of the turn that runs.
    :ivar led: no user speaks in this session: a program or another agent leads it.
    :ivar tells: this log says with an event when a user speaks, so that the role alone says nothing.
    """

    session: str = ""
    turn: str = ""
    led: bool = False
    tells: bool = False


def follow(course: Course, record: Mapping[str, object]) -> tuple[Course, Turn | None]:
    """The course after a record, and the user's message if it is one."""
    payload = record.get("payload")
    if isinstance(payload, dict):
        return _codex(course, text_of(record, "type"), payload)
    if record.get("type") == "message":
        # Codex before it had an envelope
        return course, _of_role(course, record)
    return course, _claude(record)


def _claude(record: Mapping[str, object]) -> Turn | None:
    if any(record.get(key) for key in _NOT_THE_USERS) or any(record.get(key) is not None for key in _OF_OTHERS):
        return None
    if record.get("userType", "external") != "external" or text_of(record, "entrypoint").startswith("sdk"):
        return None
    if record.get("type") == "attachment":
        return _queued(record)
    message = record.get("message")
    if record.get("type") != "user" or not isinstance(message, dict) or message.get("role") != "user":
        return None
    if not _by_person(record):
        return None
    texts = tuple(_claude_texts(message.get("content")))
    return _claude_turn(record, texts) if texts else None


def _queued(record: Mapping[str, object]) -> Turn | None:
    """What the user typed while the agent was at work."""
    queued = record.get("attachment")
    if not isinstance(queued, dict) or queued.get("type") != "queued_command" or not _by_person(queued):
        return None
    typed = queued.get("commandMode") == "prompt" or _origin(queued) == "human"
    prompt = queued.get("prompt")
    texts = tuple(_claude_texts(prompt)) if typed else ()
    return _claude_turn(record, texts) if texts else None


def _by_person(record: Mapping[str, object]) -> bool:
    return _origin(record) in {"", "human"} and text_of(record, "promptSource") not in _PROGRAMS


def _origin(record: Mapping[str, object]) -> str:
    origin = record.get("origin")
    return (text_of(origin, "kind") or "unknown") if isinstance(origin, dict) else ""


def _claude_texts(content: object) -> Iterator[str]:
    """The texts of a message; of one that carries the result of a tool, none."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        blocks = [block for block in content if isinstance(block, dict)]
        if not any(block.get("type") in {"tool_result", "tool_use"} for block in blocks):
            yield from _typed(blocks, "text")


def _claude_turn(record: Mapping[str, object], texts: tuple[str, ...]) -> Turn:
    ids = tuple(filter(None, (text_of(record, "uuid"), text_of(record, "promptId"))))
    return Turn(texts, ids, text_of(record, "sessionId"))


def _codex(course: Course, kind: str, payload: Mapping[str, object]) -> tuple[Course, Turn | None]:
    if kind == "session_meta":
        return replace(
            course, session=course.session or text_of(payload, "id"), led=course.led or _is_led(payload)
        ), None
    event = text_of(payload, "type")
    if kind == "turn_context" or (kind == "event_msg" and event in {"task_started", "turn_started"}):
        return replace(course, turn=text_of(payload, "turn_id")), None
    if kind == "response_item":
        return course, _of_role(course, payload)
    if kind == "event_msg" and event == "user_message":
        text = text_of(payload, "message")
        return replace(course, tells=True), _codex_turn(course, payload, (text,) if text else ())
    item = payload.get("item") if kind == "event_msg" and event == "item_completed" else None
    if isinstance(item, dict) and item.get("type") in {"UserMessage", "userMessage", "user_message"}:
        texts = tuple(_typed(item.get("content"), "text"))
        return replace(course, tells=True), _codex_turn(course, {**payload, **item}, texts)
    return course, None


def _is_led(meta: Mapping[str, object]) -> bool:
    source = meta.get("source")
    names = {source} if isinstance(source, str) else set(source) if isinstance(source, dict) else set()
    return bool(names & _LED) or text_of(meta, "thread_source") in _LED or text_of(meta, "originator") == "codex_exec"


def _of_role(course: Course, item: Mapping[str, object]) -> Turn | None:
    """A message of which only the role says that it is the user's."""
    if item.get("type") != "message" or item.get("role") != "user":
        return None
    turn = _codex_turn(course, item, tuple(_typed(item.get("content"), "input_text")))
    return replace(turn, sure=False) if turn is not None else None


def _codex_turn(course: Course, item: Mapping[str, object], texts: tuple[str, ...]) -> Turn | None:
    if course.led or not texts:
        return None
    ids = (*(text_of(item, key) for key in ("client_id", "id", "turn_id")), course.turn)
    return Turn(texts, tuple(filter(None, ids)), course.session)


def _typed(blocks: object, kind: str) -> Iterator[str]:
    """The texts of the blocks of one type."""
    for block in blocks if isinstance(blocks, list) else ():
        if isinstance(block, dict) and block.get("type") == kind and text_of(block, "text"):
            yield text_of(block, "text")
