"""Facts of the machine: operating system, container, shell.

The environment, the platform and the root of the file system are arguments; nothing is asked twice and
nothing is guessed: a fact that cannot be seen is unknown.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from memdir_cli.domain.runtime import UNKNOWN, Fact
from memdir_cli.probes.variables import CONTAINER_FILES, CONTAINER_VARIABLES, OFF, SHELL_VARIABLES

#: ``sys.platform`` to the names that scopes use; other platforms keep their own.
SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows", "cygwin": "windows", "msys": "windows"}

#: Words in the control groups of process 1 that only an engine writes (cgroup v1).
CONTAINER_GROUPS = ("docker", "kubepods", "containerd", "libpod", "/lxc/")


def environment_facts(environ: Mapping[str, str], platform: str, root: str = "/") -> dict[str, Fact]:
    """The environment dimensions that memdir knows by itself.

    :param platform: ``sys.platform``.
    :param root: root of the file system.
    """
    return {
        "os": Fact(SYSTEMS.get(platform, platform.rstrip("0123456789")), "platform"),
        "container": container(environ, root),
        "shell": shell(environ),
    }


def container(environ: Mapping[str, str], root: str = "/") -> Fact:
    """``true`` with the sign that shows it, else ``false``."""
    for name in CONTAINER_VARIABLES:
        if environ.get(name, "").lower() not in OFF:
            return Fact("true", f"environment {name}")
    for path in CONTAINER_FILES:
        if os.path.exists(os.path.join(root, path)):
            return Fact("true", f"file /{path}")
    groups = os.path.join(root, "proc/1/cgroup")
    try:
        with open(groups, "rb") as stream:
            text = stream.read(65536).decode(errors="replace")
    except OSError:
        text = ""
    if any(word in text for word in CONTAINER_GROUPS):
        return Fact("true", "control groups of process 1")
    return Fact("false", "no sign of a container")


def shell(environ: Mapping[str, str]) -> Fact:
    """Name of the user's shell, such as ``bash``, ``zsh`` or ``cmd``."""
    for variable in SHELL_VARIABLES:
        name = environ.get(variable, "").replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
        if name and name.isprintable():
            return Fact(name, f"environment {variable}")
    return UNKNOWN
