"""Placing: the scope, the memdir and the lifetime that a statement gets. Never guessed, never widened."""

from __future__ import annotations

import shlex

from memdir_cli.domain import times
from memdir_cli.domain.answer import Choice, WriteAnswer
from memdir_cli.domain.glob import parse_glob
from memdir_cli.domain.identity import Identity
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.sameness import same_value
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.statement import Qualification, Statement
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, NoMemdirError, UsageError
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import replace
from memdir_cli.storage.store import Store

#: A task memory lives at most this long.
TASK_LIFE = "30d"


def with_scope(workplace: Workplace, statement: Statement, key: str, verb: str) -> Statement | WriteAnswer:
    """The statement with a scope: the one given, or that of the one record it can only mean.

    Without a scope, ``remember`` may only repeat what one record here already says, and ``correct`` may
    only replace the key's only record; everything else is for a person to say.
    """
    if statement.level is not None:
        return statement
    here = _records_here(workplace, key)
    if statement.correction:
        meant = here if len(here) == 1 else []
    else:
        probe = Memory("", "", key, Scope("user"), "candidate", value=statement.value,
                       none=statement.none, body=statement.body or "")  # fmt: skip
        meant = [record for record in here if same_value(record.memory, probe)]
    certain = not any(store.named(key).unreadable for store in workplace.stores)
    if len(meant) == 1 and certain and statement.qualification == Qualification():
        return _as_scoped(statement, meant[0])
    return WriteAnswer(
        "needs_scope",
        key,
        reason="scope-missing",
        message=f"Where does `{key}` apply? No scope was given, and nothing is guessed.",
        hint="add `--scope repository`, `--scope user` or `--scope task:ID`",
        choices=_choices(workplace, statement, verb),
    )


def store_for(workplace: Workplace, statement: Statement) -> Store:
    """The memdir in which the statement belongs; the user memdir is made on first use.

    :raises NoMemdirError: for a repository scope where there is no project memdir.
    """
    if statement.level == "repository" and not statement.private:
        if workplace.project is None:
            raise no_memdir(workplace)
        return workplace.project
    from memdir_cli.operations.founding import found_user_memdir

    return found_user_memdir(workplace)


def no_memdir(workplace: Workplace) -> NoMemdirError:
    """Why a repository scope cannot be written here, and what to do."""
    if workplace.names_user_memdir:
        named = printable(workplace.project_root)
        return NoMemdirError(f"`{named}` is your own memdir, not this repository's.", hint="name the repository's")
    if workplace.root:
        return NoMemdirError("This repository has no memdir yet.", hint="run `memdir init` first")
    return NoMemdirError(
        "There is no memdir here, and this is not a git repository.",
        hint="change into the repository, or run `memdir init` here to make one anyway",
    )


def identity(workplace: Workplace, store: Store, statement: Statement, key: str) -> Identity:
    """Subject, key and scope, from the runtime and the options.

    :raises UsageError: if the runtime does not know what the scope needs.
    """
    subject, scope = _subject_and_scope(workplace, store, statement)
    given = qualification(statement.qualification)
    narrowed = replace(
        scope, path=given.path, topic=given.topic or None, environment=given.environment, version=given.version
    )
    return Identity(subject, key, narrowed)


def qualification(given: Qualification) -> Qualification:
    """The options that narrow a scope, in the form in which scopes have them.

    :raises UsageError: for a path or a range that cannot be read, or a name that is none.
    """
    if given.version is not None:
        # seldom needed, and dear to import, as is what a user memdir is founded with
        from memdir_cli.domain.version_range import parse_range

        parse_range(given.version)
    for name, _ in given.environment:
        if not name.strip():
            raise UsageError("`--env` needs a name before `=`.", hint="such as `--env os=linux`")
    return replace(
        given,
        path=parse_glob(given.path) if given.path is not None else None,
        environment=tuple(sorted(dict(given.environment).items())),
    )


def lifetime(statement: Statement, scope: Scope, now: str) -> tuple[str, str]:
    """``expiresAt`` and ``reviewAfter`` of a statement, ``""`` where there is none.

    :raises UsageError: for a time that has passed: nothing is born expired.
    """
    expires = times.parse_when(statement.expires, now) if statement.expires else ""
    review = times.parse_when(statement.review_after, now) if statement.review_after else ""
    for option, when in (("--expires", expires), ("--review-after", review)):
        if when and times.passed(when, now):
            raise UsageError(f"`{option}` lies in the past: {when}.", hint="give a time to come")
    if scope.level == "task":
        latest = times.parse_when(TASK_LIFE, now)
        if not expires or times.end(expires) > times.end(latest):
            expires = latest
    return expires, review


def expired(memory: Memory, now: str) -> bool:
    """Whether the clock has ended a memory."""
    return bool(memory.expires_at) and times.passed(memory.expires_at, now)


def refuse_expired(memory: Memory, now: str) -> None:
    """What the clock has ended is not taken up again.

    :raises UsageError: code ``expired``, if it is.
    """
    if expired(memory, now):
        raise UsageError(
            f"`{memory.predicate}` expired on {memory.expires_at}.",
            code="expired",
            hint="say it anew with `memdir remember`",
        )


def _subject_and_scope(workplace: Workplace, store: Store, statement: Statement) -> tuple[str, Scope]:
    if statement.level == "repository" and not statement.private:
        repository = store.config.repository
        if not repository:
            raise FaultError(
                f"The memdir `{store.root}` does not say which repository it is for.", hint="run `memdir init`"
            )
        return f"project:{repository}", Scope("repository", repository=repository)
    runtime = workplace.runtime
    subject = f"user:{runtime.user.value or store.config.user}"
    if statement.level == "user":
        return subject, Scope("user")
    if statement.level == "task":
        task = statement.task or runtime.task.value
        if not task:
            raise UsageError("No task is known here.", hint="name it: `--scope task:ID`, or set MEMDIR_TASK")
        return subject, Scope("task", task, runtime.home_repository)
    if runtime.repository.value is None:
        raise UsageError(
            f"A private rule needs a repository that git identifies ({runtime.repository.origin}).",
            hint="run this inside the repository",
        )
    return subject, Scope("repository", repository=runtime.repository.value)


def _records_here(workplace: Workplace, key: str) -> list[Record]:
    """The current records of a key that are this runtime's, whatever their qualifiers."""
    runtime = workplace.runtime
    return [
        record
        for store in workplace.stores
        for record in store.find(key)
        if record.current
        and record.memory.subject in runtime.subjects
        and workplace.is_here(record)
        and not expired(record.memory, runtime.now)
    ]


def _as_scoped(statement: Statement, record: Record) -> Statement:
    scope = record.memory.scope
    return replace(
        statement,
        level=scope.level,
        task=scope.task,
        private=scope.level == "repository" and record.layer == "user",
        qualification=Qualification(scope.path, scope.topic, scope.environment, scope.version),
    )


def _choices(workplace: Workplace, statement: Statement, verb: str) -> tuple[Choice, ...]:
    scopes = [("r", "repository")] if workplace.project is not None else []
    scopes.append(("u", "user"))
    if workplace.runtime.task.value:
        scopes.append(("t", f"task:{workplace.runtime.task.value}"))
    words = [statement.predicate, *([statement.value] if statement.value is not None else [])]
    ended = ["--"] if any(word.startswith("-") for word in words) else []
    typed = statement.provenance.command_line or shlex.join(["memdir", verb, *ended, *words])
    return tuple(
        Choice(letter, scope, typed.replace(f"memdir {verb}", f"memdir {verb} --scope {scope}", 1))
        for letter, scope in scopes
    )
