"""Deeds: the calls of tools in an agent's own log, by name and by what could be the matter with them.

Of a call nothing is kept but the name of its tool, when it was made, and the risks that its words show.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Literal

from memdir_cli.domain.rows import text_of
from memdir_cli.shapes import dataclass

Risk = Literal["deletion", "push", "network", "credentials"]
RISKS: tuple[Risk, ...] = ("deletion", "push", "network", "credentials")

#: A name that is none is not repeated: it may be anything.
_NAME = re.compile(r"[\w.:/-]{1,80}\Z")
UNNAMED = "unnamed"

#: So much of what a call was given is looked at.
INPUT_CHARACTERS = 20_000

_PATTERNS: Mapping[Risk, str] = {
    "deletion": r"\brm\s+-|\brm\s+[\w./~*\"']|\brmdir\b|\bunlink\b|\bshred\b|\btruncate\b|-delete\b|\bRemove-Item\b"
    r"|\bgit\s+(?:clean|reset\s+--hard|branch\s+-D|push\s[^\n]*--force|push\s[^\n]*--delete|checkout\s+--)"
    r"|\b(?:drop|truncate)\s+(?:table|database|schema)\b|\bdelete\s+from\b|\bkubectl\s+delete\b|\bterraform\s+destroy\b"
    r"|\bdocker\s[^\n]*\b(?:rm|rmi|prune)\b|\*\*\* Delete File:",
    "push": r"\bgit\s[^\n]*\bpush\b|\b(?:npm|pnpm|yarn|cargo|poetry|uv|gem)\s[^\n]*\bpublish\b|\btwine\s+upload\b"
    r"|\bdocker\s[^\n]*\bpush\b|\bgh\s+(?:pr\s+(?:create|merge)|release\s+create|workflow\s+run)\b|\bglab\s+mr\b"
    r"|\bkubectl\s+(?:apply|rollout)\b|\bhelm\s+(?:install|upgrade)\b|\bterraform\s+apply\b|\bvercel\b|\bfly\s+deploy\b",
    "network": r"https?://|(?<![\w./-])(?:curl|wget|ssh|scp|sftp|ftp|ncat|nc|telnet|rsync|Invoke-WebRequest)\b",
    "credentials": r"(?:^|[\s/\"'=])\.env\b|\.ssh\b|\bid_(?:rsa|ed25519|ecdsa)\b|\.aws\b|\.netrc\b|\.npmrc\b|\.pypirc\b"
    r"|\.kube/config|\bprintenv\b|\bgh\s+auth\b|\bsecurity\s+find-|\bgpg\s[^\n]*--export-secret|\bvault\s+(?:read|kv)\b"
    r"|\bop\s+read\b|\bpass\s+show\b|\bcredentials?\b|\b\w*(?:TOKEN|SECRET|PASSWORD|API_?KEY|PRIVATE_KEY)\b",
}
_COMPILED = {risk: re.compile(pattern, re.IGNORECASE) for risk, pattern in _PATTERNS.items()}

#: What a tool does by its very name.
_BY_NAME: Mapping[Risk, re.Pattern[str]] = {
    "network": re.compile(r"web_?(?:fetch|search)|\bfetch\b|http|browser", re.IGNORECASE),
    "deletion": re.compile(r"delete|remove", re.IGNORECASE),
    "push": re.compile(r"push|publish|deploy|merge_pull_request|create_pull_request", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class Deed:
    """One call of a tool."""

    tool: str
    risks: frozenset[Risk] = frozenset()


def session_of(record: Mapping[str, object]) -> str:
    """The session that a record says it belongs to, ``""`` if it does not say."""
    payload = record.get("payload")
    if record.get("type") == "session_meta" and isinstance(payload, dict):
        return text_of(payload, "id")
    return text_of(record, "sessionId")


def deeds(record: Mapping[str, object]) -> Iterator[Deed]:
    """The calls of tools that one record of Claude Code or Codex tells of."""
    payload = record.get("payload")
    if isinstance(payload, dict):
        if record.get("type") == "response_item":
            yield from _codex(payload)
        return
    message = record.get("message")
    if record.get("type") == "assistant" and isinstance(message, dict):
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_use":
                yield _deed(text_of(block, "name"), block.get("input"))
        return
    # Codex before it had an envelope
    yield from _codex(record)


def _codex(item: Mapping[str, object]) -> Iterator[Deed]:
    kind = text_of(item, "type")
    if kind in {"function_call", "custom_tool_call", "mcp_tool_call"}:
        yield _deed(text_of(item, "name") or kind, item.get("arguments") or item.get("input"))
    elif kind == "local_shell_call":
        yield _deed("shell", item.get("action"))
    elif kind == "web_search_call":
        yield _deed("web_search", item.get("action"))


def _deed(name: str, given: object) -> Deed:
    words = _words(given)
    risks = {risk for risk, pattern in _COMPILED.items() if pattern.search(words)}
    risks |= {risk for risk, pattern in _BY_NAME.items() if pattern.search(name)}
    return Deed(name if _NAME.match(name) else UNNAMED, frozenset(risks))


def _words(given: object) -> str:
    """What a call was given, as one text; a command in pieces is put together."""
    if isinstance(given, str):
        try:
            inner = json.loads(given)
        except (ValueError, RecursionError):
            return given[:INPUT_CHARACTERS]
        return _words(inner)
    if isinstance(given, dict):
        return "\n".join(_words(value) for value in given.values())[:INPUT_CHARACTERS]
    if isinstance(given, list):
        return " ".join(_words(value) for value in given)[:INPUT_CHARACTERS]
    return ""
