"""What only git can tell: the identity of a repository.

The canonical remote, else the root commit, else nothing. git runs with an environment of its own, so that the
variables of a hook do not make it answer for another repository, and never asks, writes or fetches.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from memdir_cli.domain.remote import canonical
from memdir_cli.domain.runtime import Fact

#: How the origin ends where git was asked and there is nothing yet that could identify the repository.
NOTHING_YET = "no commit yet"

#: Seconds after which git is given up.
TIMEOUT = 10.0

#: Variables of git that say how git works on this machine, not which repository is meant.
KEPT = frozenset(
    {
        "GIT_EXEC_PATH",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_SSL_CAINFO",
        "GIT_SSL_NO_VERIFY",
        "GIT_CONFIG_COUNT",
        "GIT_HTTP_PROXY_AUTHMETHOD",
        "GIT_ALLOW_PROTOCOL",
        "GIT_ASKPASS",
        # where a person keeps the configuration; git never exports these to a hook by itself
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        # only ever makes git more careful
        "GIT_TEST_ASSUME_DIFFERENT_OWNER",
    }
)
KEPT_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")

SET = {
    "LC_ALL": "C",
    "LANGUAGE": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What git answered.

    :ivar status: git's exit status; -1 if git could not be run at all.
    :ivar text: its output without the last line end.
    :ivar trouble: why no answer can be had from this repository, ``""`` if git ran and answered.
    """

    status: int
    text: str = ""
    trouble: str = ""


def repository_identity(top: str, environ: Mapping[str, str]) -> Fact:
    """The id that git gives to the repository at ``top``; the fact's origin says how, or why there is none.

    :param top: absolute path of the top level (or of a bare repository), as ``find_checkout`` gives it.
    """
    name, reply = _remote(top, environ)
    if reply.trouble:
        return Fact(None, reply.trouble)
    place = canonical(reply.text) if name else None
    if place is not None:
        return Fact(place, f"git remote {name}")
    why = f"remote {name} names no shared place" if name else "no remote"
    return _root_commit(top, environ, why)


def clean(environ: Mapping[str, str], top: str) -> dict[str, str]:
    """``environ`` as git should see it when it is asked about ``top`` and no other repository."""
    kept = {
        key: value
        for key, value in environ.items()
        if not key.startswith("GIT_") or key in KEPT or key.startswith(KEPT_PREFIXES)
    }
    # where `.git` is damaged git would go on to the repository around it
    return kept | SET | {"GIT_CEILING_DIRECTORIES": os.path.dirname(top)}


def ask(top: str, environ: Mapping[str, str], *arguments: str, timeout: float = TIMEOUT) -> Reply:
    """Run ``git -C top ARGUMENTS``; every failure is in the reply, none is raised.

    :param timeout: seconds after which git is given up.
    """
    import subprocess

    try:
        done = subprocess.run(
            ["git", "-C", top, *arguments],
            env=clean(environ, top),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Reply(-1, trouble=f"git did not answer within {timeout:.0f} seconds")
    except (OSError, ValueError):
        return Reply(-1, trouble="git cannot be run; is it installed and on PATH?")
    if done.returncode < 0:
        return Reply(-1, trouble=f"git was killed by signal {-done.returncode}")
    complaint = done.stderr.decode(errors="replace")
    text = done.stdout.decode(errors="replace").rstrip("\r\n")
    return Reply(done.returncode, text, _trouble(complaint, top))


def _trouble(complaint: str, top: str) -> str:
    """Why this repository answers nothing, read from git's complaint (in the C locale)."""
    if "dubious ownership" in complaint or "unsafe repository" in complaint:
        return (
            "git refuses a repository of another account (dubious ownership); "
            f"to trust it: git config --global --add safe.directory {quoted(top)}"
        )
    if "not a git repository" in complaint:
        return "git takes `.git` here for no repository"
    if "bad config" in complaint or "unable to access" in complaint or "invalid config" in complaint:
        return "git cannot read its configuration here"
    if "repository version" in complaint or "repository extension" in complaint:
        return "git is too old for this repository's format"
    return ""


def quoted(path: str) -> str:
    """``path`` as a shell takes it for one word."""
    plain = all(char.isalnum() or char in "/._-+" for char in path)
    return path if plain else "'" + path.replace("'", "'\\''") + "'"


def _remote(top: str, environ: Mapping[str, str]) -> tuple[str, Reply]:
    """Name of the remote that identifies the repository (``""``: none) and its address.

    ``origin``; else the upstream of the branch; else the only remote.
    """
    reply = ask(top, environ, "remote", "get-url", "origin")
    if reply.trouble or (reply.status == 0 and reply.text):
        return "origin", reply
    listed = ask(top, environ, "remote")
    names = listed.text.split()
    if listed.trouble or not names:
        return "", listed
    name = names[0] if len(names) == 1 else _upstream(top, environ)
    if name not in names:
        return "", Reply(0)
    reply = ask(top, environ, "remote", "get-url", name)
    return (name, reply) if reply.status == 0 or reply.trouble else ("", Reply(0))


def _upstream(top: str, environ: Mapping[str, str]) -> str:
    branch = ask(top, environ, "symbolic-ref", "--quiet", "--short", "HEAD").text
    return ask(top, environ, "config", "--get", f"branch.{branch}.remote").text if branch else ""


def _root_commit(top: str, environ: Mapping[str, str], why: str) -> Fact:
    """``root:<sha>`` of the first-parent root. A shallow clone does not know its root."""
    shallow = ask(top, environ, "rev-parse", "--is-shallow-repository")
    if shallow.trouble:
        return Fact(None, shallow.trouble)
    if shallow.text != "false":
        unknown = "a shallow clone does not know its root commit; try: git fetch --unshallow"
        return Fact(None, f"{why}, and {unknown}")
    root = ask(top, environ, "rev-list", "--first-parent", "--max-parents=0", "HEAD", "--")
    if root.trouble:
        return Fact(None, root.trouble)
    if root.status or not root.text:
        return Fact(None, f"{why}, and {NOTHING_YET}")
    return Fact(f"root:{root.text.split()[0]}", f"git root commit ({why})")
