"""Opening the workplace: the one place where clock, environment and working directory are read."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdir_cli.cli import streams, words
from memdir_cli.cli.request import Common, Reading
from memdir_cli.domain.runtime import Fact, Runtime
from memdir_cli.domain.statement import Qualification
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.shapes import replace

if TYPE_CHECKING:
    from memdir_cli.operations.workplace import Workplace
    from memdir_cli.probes.git import Heard


def open_here(
    common: Common,
    reading: Reading | None = None,
    *,
    ask_git: bool = False,
    lenient: bool = False,
    heard: Heard | None = None,
) -> Workplace:
    """The memdirs and the runtime of this call; remarks about them go to stderr.

    :param reading: options that say for which work the answer is wanted.
    :param ask_git: whether git's id of the repository is needed, as by every writer.
    :param lenient: open a memdir whose settings cannot be read, to say what is wrong with it.
    :param heard: takes down what git is asked and says.
    """
    from memdir_cli.operations.workplace import open_workplace
    from memdir_cli.probes.memdir_place import working_directory

    asked = reading or Reading()
    workplace = open_workplace(
        working_directory(),
        os.environ,
        now(os.environ),
        memdir=common.dir,
        lock_timeout=words.seconds("--lock-timeout", common.lock_timeout),
        ask_git=ask_git,
        lenient=lenient,
        heard=heard,
        asked=Qualification(None, asked.topic, words.pairs("--env", asked.env), words.version(asked.for_version)),
    )
    if not common.quiet:
        for sentence in workplace.remarks:
            streams.remark(f"warning: {printable(sentence)}")
    return replace(workplace, runtime=_for_work(workplace.runtime, workplace.root, asked))


def open_at(
    common: Common, cwd: str, environ: Mapping[str, str], *, lock_timeout: str, heard: Heard | None = None
) -> Workplace:
    """The memdirs and the runtime of a call that another program makes for a session of its own.

    :param cwd: where that session is, ``""`` for here.
    :param environ: the environment, with what is known of that session.
    """
    from memdir_cli.operations.workplace import open_workplace
    from memdir_cli.probes.memdir_place import working_directory

    seconds = words.seconds("--lock-timeout", lock_timeout)
    return open_workplace(
        cwd or working_directory(), environ, now(environ), memdir=common.dir, lock_timeout=seconds, heard=heard
    )


def now(environ: Mapping[str, str]) -> str:
    """The time of this run: ``MEMDIR_NOW``, else the clock."""
    from memdir_cli.domain import times

    fixed = environ.get("MEMDIR_NOW", "").strip()
    if not fixed:
        return times.from_clock(time.time())
    try:
        return times.parse_now(fixed)
    except UsageError as error:
        raise UsageError(
            f"The variable MEMDIR_NOW holds `{printable(fixed)}`, which is no time.",
            hint="give it a time such as 2026-09-14T09:30:00Z, or unset it",
        ) from error


def _for_work(runtime: Runtime, root: str, asked: Reading) -> Runtime:
    """``runtime`` with what the options say about file and task of the work."""
    _, task = words.scope(asked.scope)
    return replace(
        runtime,
        path=runtime.path if asked.path is None else Fact(_from_root(asked.path, root), "option --path"),
        task=runtime.task if task is None else Fact(task, "option --scope"),
    )


def _from_root(path: str, root: str) -> str:
    """``path`` as scopes write paths: POSIX, from the repository root, ``""`` for the root itself."""
    if os.path.isabs(path) and root:
        path = os.path.relpath(path, root)
    tidy = os.path.normpath(path).replace(os.sep, "/") if path else ""
    if tidy.startswith("../") or tidy == ".." or os.path.isabs(tidy):
        raise UsageError(
            f"`--path {printable(path)}` lies outside the repository.",
            hint="give a path from the repository root",
        )
    return "" if tidy == "." else tidy
