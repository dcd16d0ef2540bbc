"""Survey: every fact of a call, gathered once."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdir_cli.domain.runtime import UNKNOWN, Fact, Runtime
from memdir_cli.probes import caller
from memdir_cli.probes.checkout import Checkout
from memdir_cli.probes.machine import environment_facts
from memdir_cli.probes.workspace import is_within

if TYPE_CHECKING:
    from memdir_cli.probes.git import Heard


def survey(
    cwd: str,
    environ: Mapping[str, str],
    now: str,
    *,
    checkout: Checkout | None = None,
    workspace: str = "",
    user_id: str | None = None,
    project_id: str | None = None,
    with_git: bool = False,
    with_version: bool = False,
    platform: str = sys.platform,
    root: str = "/",
    heard: Heard | None = None,
) -> Runtime:
    """The runtime of a call from ``cwd`` at ``now``.

    git is started only for ``with_git``, package.json read only for ``with_version``; otherwise
    :func:`repository_fact` and :func:`version_fact` give these facts later, and until then they are unknown.

    :param workspace: the directory from which paths count outside git (where the project memdir lies), ``""``
        if there is none.
    :param user_id: the id in the user memdir's config, if any.
    :param project_id: the repository id in the project memdir's config, if any.
    :param heard: takes down what git was asked and said.
    :raises UsageError: if one of memdir's own variables holds what is no id.
    """
    top = top_of(checkout, workspace)
    path = working_path(cwd, top)
    return Runtime(
        now=now,
        user=caller.user(environ, user_id),
        repository=repository_fact(checkout, environ, heard) if with_git else UNKNOWN,
        project=Fact(project_id, "project memdir's config.yaml") if project_id else UNKNOWN,
        task=caller.task(environ),
        session=caller.session(environ),
        message=caller.message(environ),
        path=path,
        environment=environment_facts(environ, platform, root),
        version=version_fact(top, path) if with_version else UNKNOWN,
        agent=caller.agent(environ),
    )


def top_of(checkout: Checkout | None, workspace: str) -> str:
    """The root from which paths count: the git top level, else the workspace, else ``""``."""
    return checkout.top if checkout is not None else workspace


def repository_fact(checkout: Checkout | None, environ: Mapping[str, str], heard: Heard | None = None) -> Fact:
    """The repository id that git gives here; starts git.

    :param heard: takes down what git was asked and said.
    """
    if checkout is None:
        return Fact(None, "not in a git repository")
    if checkout.kind == "broken":
        return Fact(None, f"`.git` points at `{checkout.git_dir}`, which is no git repository")
    from memdir_cli.probes.git import repository_identity

    return repository_identity(checkout.place, environ, heard)


def version_fact(top: str, path: Fact) -> Fact:
    """The project's version at the working path; reads package.json or pyproject.toml."""
    if path.value is None:
        return Fact(None, "outside a project")
    from memdir_cli.probes.project_version import project_version

    return project_version(top, path.value)


def working_path(cwd: str, top: str) -> Fact:
    """The working path from ``top``, ``""`` at ``top`` itself, unknown outside it."""
    here, base = os.path.realpath(cwd), os.path.realpath(top) if top else ""
    if not base or not is_within(here, base):
        return Fact(None, "outside a project")
    inside = here[len(base.rstrip(os.sep)) :].strip(os.sep).replace(os.sep, "/")
    # names that are not UTF-8 cannot be compared with a glob, and must not break output
    return Fact(os.fsencode(inside).decode(errors="replace"), "working directory")
