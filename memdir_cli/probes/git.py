"""What only git can tell: the identity of a repository.

The canonical remote, else the root commit, else nothing. git runs with an environment of its own, so that the
variables of a hook do not make it answer for another repository, and never asks, writes or fetches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from memdir_cli.domain.remote import canonical
from memdir_cli.domain.runtime import Fact
from memdir_cli.probes import spawn
from memdir_cli.probes.git_environment import asking, command
from memdir_cli.shapes import dataclass

#: How the origin ends where git was asked and there is nothing yet that could identify the repository.
NOTHING_YET = "no commit yet"

#: Where git was asked, the top level of that working tree, what it was asked and how it answered.
Heard = list[tuple[str, str, tuple[str, ...], spawn.Outcome]]

#: Seconds after which git is given up.
TIMEOUT = 10.0


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


Ask = Callable[..., Reply]


def repository_identity(top: str, environ: Mapping[str, str], heard: Heard | None = None) -> Fact:
    """The id that git gives to the repository at ``top``; the fact's origin says how, or why there is none.

    :param top: absolute path of the top level (or of a bare repository), as ``find_checkout`` gives it.
    :param heard: takes down what git was asked and said: the id is made of nothing else.
    """
    put: Ask = partial(ask, top, environ, heard=heard)
    name, reply = _remote(put)
    if reply.trouble:
        return Fact(None, reply.trouble)
    place = canonical(reply.text) if name else None
    if place is not None:
        return Fact(place, f"git remote {name}")
    why = f"remote {name} names no shared place" if name else "no remote"
    return _root_commit(put, why)


def ask(
    top: str,
    environ: Mapping[str, str],
    *arguments: str,
    timeout: float | None = None,
    heard: Heard | None = None,
) -> Reply:
    """Run ``git -C top ARGUMENTS``; every failure is in the reply, none is raised.

    :param timeout: seconds after which git is given up; left out, :data:`TIMEOUT`.
    :param heard: takes down what was asked and said.
    """
    timeout = TIMEOUT if timeout is None else timeout
    outcome = spawn.FAILED
    try:
        outcome = spawn.run(command(top, arguments), asking(environ, top), timeout)
    except TimeoutError:
        return Reply(-1, trouble=f"git did not answer within {timeout:.0f} seconds")
    except (OSError, ValueError):
        return Reply(-1, trouble="git cannot be run; is it installed and on PATH?")
    finally:
        if heard is not None:
            heard.append((top, top, arguments, outcome))
    status, said, complaint = outcome
    if status < 0:
        return Reply(-1, trouble=f"git was killed by signal {-status}")
    text = said.decode(errors="replace").rstrip("\r\n")
    return Reply(status, text, _trouble(complaint.decode(errors="replace"), top))


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


def _remote(put: Ask) -> tuple[str, Reply]:
    """Name of the remote that identifies the repository (``""``: none) and its address.

    ``origin``; else the upstream of the branch; else the only remote.
    """
    reply = put("remote", "get-url", "origin")
    if reply.trouble or (reply.status == 0 and reply.text):
        return "origin", reply
    listed = put("remote")
    names = listed.text.split()
    if listed.trouble or not names:
        return "", listed
    name = names[0] if len(names) == 1 else _upstream(put)
    if name not in names:
        return "", Reply(0)
    reply = put("remote", "get-url", name)
    return (name, reply) if reply.status == 0 or reply.trouble else ("", Reply(0))


def _upstream(put: Ask) -> str:
    branch = put("symbolic-ref", "--quiet", "--short", "HEAD").text
    return put("config", "--get", f"branch.{branch}.remote").text if branch else ""


def _root_commit(put: Ask, why: str) -> Fact:
    """``root:<sha>`` of the first-parent root. A shallow clone does not know its root."""
    shallow = put("rev-parse", "--is-shallow-repository")
    if shallow.trouble:
        return Fact(None, shallow.trouble)
    if shallow.text != "false":
        unknown = "a shallow clone does not know its root commit; try: git fetch --unshallow"
        return Fact(None, f"{why}, and {unknown}")
    root = put("rev-list", "--first-parent", "--max-parents=0", "HEAD", "--")
    if root.trouble:
        return Fact(None, root.trouble)
    if root.status or not root.text:
        return Fact(None, f"{why}, and {NOTHING_YET}")
    return Fact(f"root:{root.text.split()[0]}", f"git root commit ({why})")
