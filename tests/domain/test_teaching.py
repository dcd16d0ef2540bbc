"""Teaching: what agents are told of memdir."""

from __future__ import annotations

import pytest

from memdir_cli.domain.hook import AGENTS
from memdir_cli.domain.teaching import TAUGHT, instructions


@pytest.mark.parametrize("hooks", [True, False])
def test_an_agent_is_told_how_it_comes_to_the_memories(*, hooks: bool) -> None:
    start, *_ = instructions(hooks=hooks)
    assert ("What a hook gave you" in start) is hooks
    assert ("At the start of a session read" in start) is not hooks
    assert "`memdir context`" in start


def test_the_command_lines_name_the_session_as_the_agent_does() -> None:
    lines = instructions(hooks=True, session="$SESSION")
    assert sum(line.count("--session $SESSION") for line in lines) == 2
    assert not [line for line in lines if "\n" in line or "{" in line]
    assert "--session ID" in " ".join(instructions(hooks=True))


@pytest.mark.parametrize("target", [*AGENTS, "agents-md"])
def test_every_agent_is_told_the_whole_in_a_file_of_its_own(target: str) -> None:
    told = "\n".join(TAUGHT[target].lines)
    for verb in ("get", "remember", "correct", "confirm", "forget"):
        assert f"`memdir {verb} " in told
    assert ("At the start of a session read" in told) is (TAUGHT[target].path == "AGENTS.md")
