"""Variables: which of the environment say who calls, and on what machine. Tables alone; imports nothing.

An answer that is said again must know them without looking at the machine anew: see :func:`deciding`.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Mapping

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

#: Files that container engines put into a container.
CONTAINER_FILES = (".dockerenv", "run/.containerenv", "run/systemd/container")

#: Variables that are set in a container (an empty or negative value does not count).
CONTAINER_VARIABLES = (
    "KUBERNETES_SERVICE_HOST",
    "container",
    "REMOTE_CONTAINERS",
    "DEVCONTAINER",
    "CODESPACES",
)

#: Variables that name the user's shell.
SHELL_VARIABLES = ("SHELL", "COMSPEC")

#: Values of a switch that mean that it is off.
OFF = frozenset({"", "0", "false", "no", "off"})

#: Longest id that is taken from a variable.
ID_CHARACTERS = 200

#: Variables that say where something lies or whose it is, besides memdir's own.
PLACING = ("HOME", "XDG_DATA_HOME", "SUDO_UID", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM")

#: memdir's own that decide nothing of an answer: the clock is looked at by itself, the others are only logged.
TOLD_APART = frozenset({"MEMDIR_NOW", "MEMDIR_SESSION", "MEMDIR_MESSAGE", "MEMDIR_DEBUG"})

#: Variables that count as set or not, whatever they hold.
SIGNS = frozenset(
    {
        *NAMING_VARIABLES,
        *SANDBOX_VARIABLES,
        *(name for name, _ in AGENT_VARIABLES),
        *(sign for sign, _, _ in CI_SYSTEMS),
        "CI",
    }
)


def deciding(environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """What of the environment decides an answer to a reader, in a fixed order."""
    whole = {name for name in environ if name.startswith("MEMDIR_")} - TOLD_APART
    said = [
        (name, environ.get(name, "")) for name in (*sorted(whole), *PLACING, *CONTAINER_VARIABLES, *SHELL_VARIABLES)
    ]
    return said + [(name, "on") for name in sorted(SIGNS) if is_on(environ, name)]


def is_on(environ: Mapping[str, str], name: str) -> bool:
    """Whether a switch is on."""
    return environ.get(name, "").strip().lower() not in OFF


def session(environ: Mapping[str, str]) -> tuple[str, str]:
    """The id of the session and the variable that holds it, as agents and CI systems set it; both ``""`` if none does.

    memdir's own variable goes before these.
    """
    for name in SESSION_VARIABLES:
        if (value := environ.get(name, "").strip()) and is_id(value):
            return value, name
    for sign, system, run in CI_SYSTEMS:
        value = environ.get(run, "").strip()
        if is_on(environ, sign) and value and is_id(value):
            return f"{system}-{value}", run
    return "", ""


def is_id(value: str) -> bool:
    """Whether ``value`` can be the id of a user, a task, a session or a message."""
    return len(value) <= ID_CHARACTERS and value.isprintable() and " " not in value
