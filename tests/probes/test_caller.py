"""User, task, session, message, agent: memdir's own variables first, then those of agents and CI."""

from __future__ import annotations

import pytest

from memdir_cli.domain.runtime import UNKNOWN, Fact
from memdir_cli.errors import UsageError
from memdir_cli.probes import caller

OWN = {"MEMDIR_USER": caller.user, "MEMDIR_TASK": caller.task, "MEMDIR_MESSAGE": caller.message}


def test_the_user_is_the_variable_then_the_config_then_unknown() -> None:
    assert caller.user({"MEMDIR_USER": "u7"}, "minted") == Fact("u7", "environment MEMDIR_USER")
    assert caller.user({"MEMDIR_USER": "user:u7"}, None).value == "u7"
    assert caller.user({"MEMDIR_USER": " "}, "minted") == Fact("minted", "user memdir's config.yaml")
    assert caller.user({"USER": "root", "LOGNAME": "root"}, None) == UNKNOWN


@pytest.mark.parametrize(
    ("environ", "fact"),
    [
        ({"MEMDIR_SESSION": "s1", "CLAUDE_CODE_SESSION_ID": "c"}, Fact("s1", "environment MEMDIR_SESSION")),
        ({"CLAUDE_CODE_SESSION_ID": "c", "CODEX_THREAD_ID": "t"}, Fact("c", "environment CLAUDE_CODE_SESSION_ID")),
        ({"CODEX_THREAD_ID": "t"}, Fact("t", "environment CODEX_THREAD_ID")),
        ({"GEMINI_SESSION_ID": "g"}, Fact("g", "environment GEMINI_SESSION_ID")),
        ({"CLAUDE_CODE_REMOTE_SESSION_ID": "r"}, Fact("r", "environment CLAUDE_CODE_REMOTE_SESSION_ID")),
        # only a placeholder in skill texts, never a variable
        ({"CLAUDE_SESSION_ID": "x"}, UNKNOWN),
        ({"GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "7"}, Fact("github-actions-7", "environment GITHUB_RUN_ID")),
        ({"GITLAB_CI": "true", "CI_PIPELINE_ID": "9"}, Fact("gitlab-ci-9", "environment CI_PIPELINE_ID")),
        ({"GITHUB_RUN_ID": "7"}, UNKNOWN),
        ({"CODEX_THREAD_ID": "two words"}, UNKNOWN),
        ({}, UNKNOWN),
    ],
)
def test_the_session(environ: dict[str, str], fact: Fact) -> None:
    assert caller.session(environ) == fact


def test_task_and_message_are_told_by_memdirs_own_variables_alone() -> None:
    environ = {"MEMDIR_TASK": "build-42", "MEMDIR_MESSAGE": "m7"}
    assert caller.task(environ) == Fact("build-42", "environment MEMDIR_TASK")
    assert caller.message(environ) == Fact("m7", "environment MEMDIR_MESSAGE")
    assert caller.task({"CLAUDE_CODE_SESSION_ID": "c"}) == caller.message({}) == UNKNOWN


@pytest.mark.parametrize("name", ["MEMDIR_USER", "MEMDIR_TASK", "MEMDIR_SESSION", "MEMDIR_MESSAGE"])
@pytest.mark.parametrize("value", ["two words", "a\nb", "\x1b[31m", "a\u202eb", "x" * 201])
def test_an_own_variable_that_is_no_id_is_refused_and_shown_escaped(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=name) as refused:
        caller.own_variable({name: value}, name)
    assert refused.value.message.isprintable()
    assert len(refused.value.message) < 120


@pytest.mark.parametrize(
    ("environ", "name", "variable"),
    [
        ({"AI_AGENT": "claude-code/2.1", "CODEX_CI": "1"}, "claude-code/2.1", "AI_AGENT"),
        ({"AGENT": "amp"}, "amp", "AGENT"),
        ({"AGENT": "1"}, "agent", "AGENT"),
        ({"AGENT": "1", "OPENCODE": "1"}, "opencode", "AGENT"),
        ({"AI_AGENT": "\x1b[2J"}, "agent", "AI_AGENT"),
        ({"CLAUDECODE": "1"}, "claude-code", "CLAUDECODE"),
        ({"CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1"}, "claude-code", "CLAUDE_CODE_CHILD_SESSION"),
        ({"CODEX_SANDBOX": "seatbelt"}, "codex", "CODEX_SANDBOX"),
        ({"GEMINI_CLI": "1"}, "gemini-cli", "GEMINI_CLI"),
        ({"CURSOR_AGENT": "1"}, "cursor", "CURSOR_AGENT"),
        ({"COPILOT_CLI": "1"}, "copilot-cli", "COPILOT_CLI"),
        ({"AUGMENT_AGENT": "1"}, "augment", "AUGMENT_AGENT"),
        ({"GITHUB_ACTIONS": "true", "CI": "true"}, "github-actions", "GITHUB_ACTIONS"),
        ({"GITLAB_CI": "true"}, "gitlab-ci", "GITLAB_CI"),
        ({"CI": "1"}, "ci", "CI"),
        ({"CI": "true", "CURSOR_AGENT": "1"}, "cursor", "CURSOR_AGENT"),
    ],
)
def test_the_agent_or_ci(environ: dict[str, str], name: str, variable: str) -> None:
    assert caller.agent(environ) == Fact(name, f"environment {variable}")


@pytest.mark.parametrize("environ", [{}, {"CI": "false"}, {"CI": ""}, {"CLAUDECODE": "0"}, {"AGENT": "false"}])
def test_a_person(environ: dict[str, str]) -> None:
    assert caller.agent(environ) == UNKNOWN
