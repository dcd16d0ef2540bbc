"""Prompt: what a user typed to an agent, as memdir itself witnessed it through the agent's hook."""

from __future__ import annotations

from memdir_cli.shapes import dataclass

#: A longer prompt is a paste; so much of it is kept.
CHARACTERS = 1 << 18


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt.

    :ivar text: as it was typed, secrets masked.
    :ivar session: id of the session, ``""`` if the agent told none.
    :ivar turn: id by which the agent names it, ``""`` if it told none.
    :ivar root: absolute path of the project in which it was typed.
    :ivar at: when, RFC 3339 in UTC.
    """

    text: str
    session: str
    turn: str
    root: str
    at: str
