"""Facts of the caller: user, task, session, message, and the agent or CI that runs memdir.

memdir's own variables come first; then those that agents and CI systems are documented to set. All are
hints for provenance and scope, never a permission.
"""

from __future__ import annotations

from collections.abc import Mapping

from memdir_cli.domain.runtime import UNKNOWN, Fact
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.probes.machine import OFF

#: Variables that hold the id of the running session.
SESSION_VARIABLES = (
    "CLAUDE_CODE_SESSION_ID",
    "CODEX_THREAD_ID",
    "GEMINI_SESSION_ID",
    "CLAUDE_CODE_REMOTE_SESSION_ID",
)

#: CI systems: the variable that recognises each, its name, the variable that numbers a run.
CI_SYSTEMS = (
    ("GITHUB_ACTIONS", "github-actions", "GITHUB_RUN_ID"),
    ("GITLAB_CI", "gitlab-ci", "CI_PIPELINE_ID"),
)

#: Variables whose value names the agent.
NAMING_VARIABLES = ("AI_AGENT", "AGENT")

#: Variables that are set where one agent runs; the first that is set wins.
AGENT_VARIABLES = (
    ("CLAUDE_CODE_CHILD_SESSION", "claude-code"),
    ("CLAUDECODE", "claude-code"),
    ("CODEX_THREAD_ID", "codex"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_CI", "codex"),
    ("GEMINI_CLI", "gemini-cli"),
    ("CURSOR_AGENT", "cursor"),
    ("COPILOT_CLI", "copilot-cli"),
    ("OPENCODE", "opencode"),
    ("AUGMENT_AGENT", "augment"),
)

#: Variables of a shell that an agent runs commands in; what such a shell says is the agent's, not a user's.
SANDBOX_VARIABLES = ("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED")

#: Longest id that is taken from a variable.
ID_CHARACTERS = 200


def user(environ: Mapping[str, str], configured: str | None) -> Fact:
    """The user's id: ``MEMDIR_USER``, else the one in the user memdir's config.

    :raises UsageError: if ``MEMDIR_USER`` is no id.
    """
    given = own_variable(environ, "MEMDIR_USER")
    if given.value is not None:
        return Fact(given.value.removeprefix("user:") or None, given.origin)
    return Fact(configured, "user memdir's config.yaml") if configured else UNKNOWN


def task(environ: Mapping[str, str]) -> Fact:
    """The task: ``MEMDIR_TASK``. No agent tells one, and none is guessed."""
    return own_variable(environ, "MEMDIR_TASK")


def message(environ: Mapping[str, str]) -> Fact:
    """The message that is being answered: ``MEMDIR_MESSAGE``."""
    return own_variable(environ, "MEMDIR_MESSAGE")


def session(environ: Mapping[str, str]) -> Fact:
    """The session: ``MEMDIR_SESSION``, else the agent's own variable, else the run of a known CI."""
    own = own_variable(environ, "MEMDIR_SESSION")
    if own.value is not None:
        return own
    for name in SESSION_VARIABLES:
        if (value := environ.get(name, "").strip()) and is_id(value):
            return Fact(value, f"environment {name}")
    for sign, system, run in CI_SYSTEMS:
        value = environ.get(run, "").strip()
        if _on(environ, sign) and value and is_id(value):
            return Fact(f"{system}-{value}", f"environment {run}")
    return UNKNOWN


def agent(environ: Mapping[str, str]) -> Fact:
    """The agent, else the CI, that runs this; unknown where a person seems to type.

    Nested agents set several variables; the first of the table is taken.
    """
    for name in NAMING_VARIABLES:
        if _on(environ, name):
            value = environ[name].strip()
            named = value.lower() not in {"1", "true", "yes", "on"} and is_id(value)
            return Fact(value if named else _by_variable(environ).value or "agent", f"environment {name}")
    found = _by_variable(environ)
    if found.value is not None:
        return found
    for sign, system, _ in CI_SYSTEMS:
        if _on(environ, sign):
            return Fact(system, f"environment {sign}")
    return Fact("ci", "environment CI") if _on(environ, "CI") else UNKNOWN


def led(environ: Mapping[str, str]) -> str:
    """Why nobody types in the session that calls a hook, a clause; ``""`` where somebody may.

    Claude Code sets ``CLAUDECODE`` for commands that the agent runs and not for hooks, which get its project's
    directory. A sign, no proof: who may run commands may also set variables.
    """
    if _on(environ, "CLAUDECODE") and not environ.get("CLAUDE_PROJECT_DIR"):
        return "an agent runs this in its shell"
    if any(_on(environ, name) for name in SANDBOX_VARIABLES):
        return "an agent runs this in its sandbox"
    if environ.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk"):
        return "a program leads the session"
    if _on(environ, "CI") or any(_on(environ, sign) for sign, _, _ in CI_SYSTEMS):
        return "this is a CI"
    return ""


def own_variable(environ: Mapping[str, str], name: str) -> Fact:
    """One of memdir's own variables that hold an id; empty counts as not set.

    :raises UsageError: if it holds white space, control characters, or far too much.
    """
    value = environ.get(name, "").strip()
    if not value:
        return UNKNOWN
    if not is_id(value):
        shown = printable(value[:40])
        raise UsageError(
            f"The variable {name} holds `{shown}`, which is no id.",
            hint=f"give {name} up to {ID_CHARACTERS} visible characters without spaces, or unset it",
        )
    return Fact(value, f"environment {name}")


def _by_variable(environ: Mapping[str, str]) -> Fact:
    for name, known in AGENT_VARIABLES:
        if _on(environ, name):
            return Fact(known, f"environment {name}")
    return UNKNOWN


def _on(environ: Mapping[str, str], name: str) -> bool:
    return environ.get(name, "").strip().lower() not in OFF


def is_id(value: str) -> bool:
    """Whether ``value`` can be the id of a user, a task, a session or a message."""
    return len(value) <= ID_CHARACTERS and value.isprintable() and " " not in value
