"""Facts of the caller: user, task, session, message, and the agent or CI that runs memdir.

memdir's own variables come first; then those that agents and CI systems are documented to set. All are
hints for provenance and scope, never a permission.
"""

from __future__ import annotations

from collections.abc import Mapping

from memdir_cli.domain.runtime import UNKNOWN, Fact
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.probes import variables
from memdir_cli.probes.variables import AGENT_VARIABLES, CI_SYSTEMS, NAMING_VARIABLES, SANDBOX_VARIABLES, is_on
from memdir_cli.probes.variables import ID_CHARACTERS as ID_CHARACTERS
from memdir_cli.probes.variables import is_id as is_id


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
    value, name = variables.session(environ)
    return Fact(value, f"environment {name}") if value else UNKNOWN


def agent(environ: Mapping[str, str]) -> Fact:
    """The agent, else the CI, that runs this; unknown where a person seems to type.

    Nested agents set several variables; the first of the table is taken.
    """
    for name in NAMING_VARIABLES:
        if is_on(environ, name):
            value = environ[name].strip()
            named = value.lower() not in {"1", "true", "yes", "on"} and is_id(value)
            return Fact(value if named else _by_variable(environ).value or "agent", f"environment {name}")
    found = _by_variable(environ)
    if found.value is not None:
        return found
    for sign, system, _ in CI_SYSTEMS:
        if is_on(environ, sign):
            return Fact(system, f"environment {sign}")
    return Fact("ci", "environment CI") if is_on(environ, "CI") else UNKNOWN


def led(environ: Mapping[str, str]) -> str:
    """Why nobody types in the session that calls a hook, a clause; ``""`` where somebody may.

    Claude Code sets ``CLAUDECODE`` for commands that the agent runs and not for hooks, which get its project's
    directory. A sign, no proof: who may run commands may also set variables.
    """
    if is_on(environ, "CLAUDECODE") and not environ.get("CLAUDE_PROJECT_DIR"):
        return "an agent runs this in its shell"
    if any(is_on(environ, name) for name in SANDBOX_VARIABLES):
        return "an agent runs this in its sandbox"
    if environ.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk"):
        return "a program leads the session"
    if is_on(environ, "CI") or any(is_on(environ, sign) for sign, _, _ in CI_SYSTEMS):
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
        if is_on(environ, name):
            return Fact(known, f"environment {name}")
    return UNKNOWN
