"""Workplace: the memdirs that one call may use, and the runtime in which it happens."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdir_cli.domain.applies import at_home
from memdir_cli.domain.gate import GatePolicy
from memdir_cli.domain.runtime import UNKNOWN, Fact, Runtime
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.statement import Qualification
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.probes import memdir_place, survey
from memdir_cli.probes.checkout import Checkout, find_checkout
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import dataclass, field, replace
from memdir_cli.storage import kept, layout, recognition
from memdir_cli.storage.config import gate_policy
from memdir_cli.storage.reading import names_in
from memdir_cli.storage.store import Store

if TYPE_CHECKING:
    from memdir_cli.probes.git import Heard

#: Seconds that a writer waits for another one.
LOCK_TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class Workplace:
    """What a verb is given.

    :ivar runtime: the facts of this call.
    :ivar project: the project memdir, ``None`` if there is none here.
    :ivar user: the user memdir, ``None`` if it was never made.
    :ivar user_root: absolute path at which the user memdir is, or would be made; ``""`` if nowhere.
    :ivar project_root: absolute path at which the project memdir is, ``""`` if none was found.
    :ivar cwd: absolute path of the working directory.
    :ivar checkout: the git working tree, ``None`` outside git.
    :ivar lock_timeout: seconds to wait for another writer.
    :ivar remarks: sentences for stderr, such as a memdir of another account that was passed over.
    """

    runtime: Runtime
    project: Store | None
    user: Store | None
    user_root: str
    project_root: str = ""
    cwd: str = ""
    environ: Mapping[str, str] = field(default_factory=dict)
    checkout: Checkout | None = None
    lock_timeout: float = LOCK_TIMEOUT
    remarks: tuple[str, ...] = ()

    @property
    def stores(self) -> tuple[Store, ...]:
        """The memdirs that exist, the user's first (the order in which both are written)."""
        return tuple(store for store in (self.user, self.project) if store is not None)

    @property
    def names_user_memdir(self) -> bool:
        """Whether ``--dir`` or ``MEMDIR_DIR`` names the user memdir, which is no project's."""
        return self.is_own(self.project_root)

    @property
    def root(self) -> str:
        """Absolute path from which paths of the project count, ``""`` outside a project."""
        return survey.top_of(self.checkout, os.path.dirname(self.project_root))

    def is_own(self, root: str) -> bool:
        """Whether ``root`` is where the user memdir is, or would be made."""
        return _is_same(root, self.user_root)

    def ground(self, layer: Layer) -> str:
        """Absolute path of the workspace of which the memories of a memdir speak, ``""`` if it is not here."""
        return "" if layer == "project" and not self.runtime.project_here else self.root

    def is_here(self, record: Record) -> bool:
        """Whether a record lies where it may be served, and its level is this runtime's; qualifiers do not count."""
        memory, runtime = record.memory, self.runtime
        scope = memory.scope
        if not at_home(record):
            return False
        if scope.level == "task":
            return scope.task == runtime.task.value and scope.repository == runtime.home_repository
        if scope.level == "repository":
            private = memory.subject.startswith("user:")
            return scope.repository == (runtime.repository if private else runtime.project).value
        return True

    @property
    def gate_policy(self) -> GatePolicy:
        """What the config files of both memdirs allow together."""
        return gate_policy(self.user.config if self.user else None, self.project.config if self.project else None)


def open_workplace(
    cwd: str,
    environ: Mapping[str, str],
    now: str,
    *,
    memdir: str | None = None,
    lock_timeout: float = LOCK_TIMEOUT,
    ask_git: bool = False,
    lenient: bool = False,
    heard: Heard | None = None,
    asked: Qualification = Qualification(),  # noqa: B008 (frozen)
) -> Workplace:
    """Find and open the memdirs of a call.

    :param now: the time of this run, RFC 3339 in UTC.
    :param memdir: the option ``--dir``.
    :param ask_git: ask git for the repository id; otherwise only where memories of the user may need it.
    :param lenient: open a memdir whose settings cannot be read, for verbs that say what is wrong with it.
    :param heard: takes down what git is asked and says.
    :param asked: the reading options ``--topic --env --for-version``, which replace facts.
    :raises FaultError: if the settings of a memdir cannot be read.
    :raises UsageError: if the user memdir would lie in a project's.
    """
    checkout = find_checkout(cwd, environ)
    place = memdir_place.project_memdir(cwd, checkout, environ, memdir)
    user_root, user, project = _memdirs(cwd, environ, place.root, lenient=lenient)
    outside = _outside(place.root, checkout)
    runtime = survey.survey(
        cwd,
        environ,
        now,
        checkout=checkout,
        workspace=os.path.dirname(place.root) if place.root else "",
        user_id=user.config.user if user else None,
        project_id=project.config.repository if project else None,
        with_git=ask_git or outside or (user is not None and _bound_to_repositories(user)),
        with_version=asked.version is None,
        heard=heard,
    )
    runtime = replace(
        _as_asked(runtime, asked),
        # a memdir that lies elsewhere speaks of this checkout only if git says that it is the same repository
        project_here=not outside or (project is not None and runtime.repository.value == project.config.repository),
        age_limits=_age_limits(project, user),
    )
    return Workplace(
        runtime,
        project,
        user,
        user_root,
        project_root=place.root,
        cwd=cwd,
        environ=environ,
        checkout=checkout,
        lock_timeout=lock_timeout,
        remarks=place.remarks,
    )


def _memdirs(
    cwd: str, environ: Mapping[str, str], project_root: str, *, lenient: bool
) -> tuple[str, Store | None, Store | None]:
    """Where the user memdir is, or would be made; and the two memdirs, ``None`` for what does not exist.

    :raises UsageError: if the user memdir would lie in a project's.
    """
    own = memdir_place.user_memdir(environ, cwd)
    user_root = own.value or ""
    user = _open(user_root, "user", environ, lenient=lenient)
    _refuse_shared(own, user, project_root)
    if _is_same(project_root, user_root):
        return user_root, user, None
    project = _open(project_root, "project", environ, user.config.key if user else "", lenient=lenient, guard=user)
    # else a directory of that name is there, but what lies in it is not memdir's
    return user_root, user, project if project is not None and _is_memdir(project) else None


def with_git(workplace: Workplace) -> Workplace:
    """``workplace`` with the repository id that git gives, for verbs that need it."""
    if workplace.runtime.repository is not UNKNOWN:
        return workplace
    fact = survey.repository_fact(workplace.checkout, workplace.environ)
    return replace(workplace, runtime=replace(workplace.runtime, repository=fact))


def _open(
    root: str,
    layer: Layer,
    environ: Mapping[str, str],
    cache_key: str = "",
    *,
    lenient: bool,
    guard: Store | None = None,
) -> Store | None:
    if not root or not os.path.isdir(root):
        return None
    store = Store(root, layer, cache_key, lenient=lenient, guard=guard)
    if layer == "user":
        store.cache_key = store.config.key
    store.kept_in = kept.folder(environ)
    return store


def _refuse_shared(own: Fact, user: Store | None, project_root: str) -> None:
    """A user's memories never lie in a project's memdir, which others read and git keeps."""
    root = own.value or ""
    inside = root and project_root and not _is_same(root, project_root) and _is_in(root, project_root)
    if inside or (user is not None and user.config.repository):
        raise UsageError(
            f"`{printable(root)}` belongs to a project; a user's own memories never lie there ({own.origin}).",
            code="memdir-shared",
            hint="set MEMDIR_USER_DIR to a directory of yours, or unset it",
        )


def _is_in(path: str, directory: str) -> bool:
    return is_within(os.path.realpath(path), os.path.realpath(directory))


def _is_same(one: str, other: str) -> bool:
    return bool(one and other) and os.path.realpath(one) == os.path.realpath(other)


def _is_memdir(store: Store) -> bool:
    known = os.path.basename(store.root) == memdir_place.NAME or store.fault is not None
    return known or recognition.is_memdir(store.root, store.config)


def _outside(memdir: str, checkout: Checkout | None) -> bool:
    """Whether a project memdir lies outside the working tree of this call."""
    if not memdir or checkout is None:
        return False
    return not _is_in(memdir, checkout.top or checkout.git_dir)


def _bound_to_repositories(user: Store) -> bool:
    """Whether the user memdir may hold rules that count in one repository only: their names show it."""
    private = any("--" in name for name in names_in(user.root, layout.MEMORIES))
    return private or bool(names_in(user.root, layout.TASKS))


def _as_asked(runtime: Runtime, asked: Qualification) -> Runtime:
    named = {name: Fact(value, "option --env") for name, value in asked.environment}
    return replace(
        runtime,
        environment={**runtime.environment, **named},
        topic=_asked(asked.topic, "--topic", runtime.topic),
        version=_asked(asked.version, "--for-version", runtime.version),
    )


def _asked(value: str | None, option: str, known: Fact) -> Fact:
    return known if value is None else Fact(value, f"option {option}")


def _age_limits(*stores: Store | None) -> dict[str, Mapping[str, str]]:
    return {store.layer: store.config.age_limits for store in stores if store is not None}
