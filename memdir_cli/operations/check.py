"""check: what is wrong with a memdir, where, and what to type. Writes nothing but a baseline that is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import nullcontext

from memdir_cli.checks import files, registry
from memdir_cli.checks.configured import Wishes, configured, silenced, wrong
from memdir_cli.checks.examined import Examined, Index, Settings
from memdir_cli.checks.rule import Rule
from memdir_cli.domain import refreshing
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.effective import NO_LIMITS, hangs
from memdir_cli.domain.findings import CheckAnswer, Finding, Lasting
from memdir_cli.domain.snapshot import Snapshot, Unreadable
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, NoMemdirError, UsageError
from memdir_cli.operations import keeping
from memdir_cli.operations.baselining import baselined
from memdir_cli.operations.examining import examine, git_repository, shown
from memdir_cli.operations.looking import Looks, looks
from memdir_cli.operations.retelling import sign_files
from memdir_cli.operations.staging import StagedMemdir, staged_memdir
from memdir_cli.operations.workplace import Workplace, with_git
from memdir_cli.probes.git import Heard
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import replace
from memdir_cli.storage import inspection
from memdir_cli.storage.journal import pending
from memdir_cli.storage.store import Store


def check(
    workplace: Workplace,
    paths: Iterable[str] = (),
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    *,
    strict: bool = False,
    staged: bool = False,
    baseline: str | None = None,
) -> CheckAnswer:
    """Judge one memdir whole: the project's, or the user's where there is none or ``--dir`` names it.

    A fault in somebody's own memories never fails a team's commit. What `check` in the settings ignores is left
    out unless ``select`` asks for it.

    :param paths: report only what lies at or below these, seen from the working directory.
    :param select: report only these codes, or codes that begin so.
    :param ignore: the same, left out.
    :param staged: judge what lies in git's index, which the next commit will hold.
    :param baseline: file of findings that may stand; written if it does not exist.
    :raises UsageError: for a code that no rule has, a path that does not exist, a baseline that is none, or
        if git does not tell what is staged.
    :raises NoMemdirError: if there is nothing to check.
    """
    select, ignore, paths = tuple(select), tuple(ignore), tuple(paths)
    rules = registry.select(select, ignore)
    workplace = with_git(workplace)
    store = judged_store(workplace)
    places = _places(workplace, store, paths)
    if staged and store.layer != "project":
        raise NoMemdirError("There is no project memdir to check.", hint="type `memdir init` to make one")
    with staged_memdir(workplace, store) if staged else nullcontext(StagedMemdir(store, None)) as seen:
        heard = Heard()
        examined = _examine(workplace, seen.store, git_repository(workplace, store), heard)
        examined, lasting = _with_evidence(workplace, examined, seen.ground, heard)
        wishes = Wishes(store.layer, seen.store.config.check_ignore, seen.store.config.check_severity)
        examined = _with_wishes(examined, wishes)
        found = _findings(seen.store, examined, configured(rules, wishes, ignoring=not select))
    answer = CheckAnswer(
        _reported(workplace, store, found, places),
        files=len(examined.records) + len(examined.snapshot.unreadable),
        unchecked=files.unchecked(examined) or bool(examined.unreadable_evidence),
        strict=strict,
        lasting=None if staged else lasting,
    )
    if baseline is None:
        return answer
    narrowed = bool(select or ignore or paths)
    return baselined(answer, baseline, workplace.cwd, workplace.environ, narrowed=narrowed)


def judged_store(workplace: Workplace) -> Store:
    """The memdir that ``check`` judges.

    :raises NoMemdirError: if there is none.
    """
    stores = workplace.stores
    if workplace.project is not None:
        return stores[-1]
    if workplace.project_root and not (stores and workplace.names_user_memdir):
        raise NoMemdirError(
            f"`{printable(workplace.project_root)}` is no memdir.", hint="name the folder that holds `config.yaml`"
        )
    if workplace.remarks:
        # one was passed over: to judge another one instead would call it clean
        hint = "see the warning above; name the memdir with `--dir MEMDIR`"
        raise NoMemdirError("The project's memdir was passed over, so that nothing was checked.", hint=hint)
    if not stores:
        raise NoMemdirError("There is no memdir to check.", hint="type `memdir init` to make one")
    return stores[-1]


def _examine(workplace: Workplace, store: Store, by_git: str, heard: Heard) -> Examined:
    now = workplace.runtime.now
    try:
        return examine(store, now, by_git, environ=workplace.environ, heard=heard)
    except FaultError as error:
        # the memdir itself cannot be opened: one finding, and nothing is proven clean
        trouble = Unreadable("", error.code, error.message, layer=store.layer)
        known = Settings(store.config.repository, store.config.user)
        return Examined(Snapshot(store.layer, (), (trouble,)), now, index=Index(readable=False), settings=known)


def _with_evidence(
    workplace: Workplace, examined: Examined, ground: Ground | None, heard: Heard
) -> tuple[Examined, Lasting | None]:
    """``examined`` with what refresh would find, looked at here, written nowhere; and for how long that holds."""
    files = keeping.cited(workplace, examined)
    stood = sign_files(tuple(files.values()))
    seen = looks(workplace) if ground is None else Looks(workplace.root, ground)
    limits = workplace.runtime.age_limits.get(examined.layer, NO_LIMITS)
    may_move = (record for record in examined.served if hangs(record.memory, limits))
    judged = [resolving.judge(record, workplace.runtime, seen) for record in may_move]
    unreadable = {one.record.path: seen.unreadable_of(one.memory) for one in judged}
    examined = replace(
        examined,
        moved={change.record.path: change.reason for change in refreshing.moved(judged)},
        unreadable_evidence={path: sentences for path, sentences in unreadable.items() if sentences},
    )
    return examined, keeping.lasting(workplace, examined, files, stood, seen.paths, heard)


def _with_wishes(examined: Examined, wishes: Wishes) -> Examined:
    """``examined`` with what is wrong about the settings of the rules."""
    told = replace(examined.settings, wrong_checks=wrong(wishes), silenced=silenced(wishes))
    return replace(examined, settings=told)


def _findings(store: Store, examined: Examined, rules: Iterable[Rule]) -> tuple[Finding, ...]:
    def place(path: str, key: str) -> tuple[int, int]:
        try:
            journal = pending(store.root)
        except FaultError:
            journal = None
        return inspection.place(store.root, path, key, journal)

    return registry.findings(examined, place, rules)


def _reported(
    workplace: Workplace, store: Store, findings: Iterable[Finding], places: tuple[str, ...]
) -> tuple[Finding, ...]:
    root = os.path.realpath(store.root)
    return tuple(
        sorted(
            replace(finding, path=shown(workplace, store, finding.path))
            for finding in findings
            if not places or any(is_within(os.path.normpath(f"{root}/{finding.path}"), place) for place in places)
        )
    )


def _places(workplace: Workplace, store: Store, paths: Iterable[str]) -> tuple[str, ...]:
    """The paths as absolute ones; what lies in the memdir need not exist: it may be what is missing."""
    root = os.path.realpath(store.root)
    found = []
    for path in paths:
        whole = os.path.normpath(os.path.join(workplace.cwd, path))
        # the last name is not resolved: it may be the link that is wrong
        whole = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
        if not os.path.lexists(whole) and not is_within(whole, root):
            raise UsageError(
                f"`{printable(path)}` does not exist.", code="no-such-path", hint="give a file or folder of the memdir"
            )
        found.append(whole)
    return tuple(found)
