"""Aiming: what a forgetting is about. A key, a pattern of keys, an id or path, a source, a subject."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from memdir_cli.domain.forgetting import Aim, IdentityKey, comes_from, last
from memdir_cli.domain.identity import fold
from memdir_cli.domain.scope import Level
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import labelled
from memdir_cli.domain.text import printable
from memdir_cli.errors import PersonNeededError, UsageError
from memdir_cli.operations import referring
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import dataclass
from memdir_cli.storage import layout, residue
from memdir_cli.storage.store import Store

#: Characters by which a REF is a pattern of keys.
WILD = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was named on the command line: one of the first three.

    :ivar level: the option ``--scope``.
    :ivar all_scopes: a key means every memory of that key, wherever it applies.
    """

    ref: str | None = None
    source: str | None = None
    subject: str | None = None
    level: Level | None = None
    all_scopes: bool = False


def lying(store: Store) -> tuple[Record, ...]:
    """Every memory of a memdir in whatever folder, those that came back too."""
    found = store.snapshot()
    return (*found.records, *found.returned, *found.copies)


def aim(workplace: Workplace, stores: Sequence[Store], wanted: Wanted) -> Aim:
    """What is to be forgotten.

    :param stores: the memdirs of this call, each once.
    :raises UsageError: if nothing is named, or several things.
    :raises PersonNeededError: if a key means memories of several scopes, with the list.
    """
    named = [one for one in (wanted.ref, wanted.source, wanted.subject) if one is not None]
    if len(named) != 1 or not named[0].strip():
        raise UsageError(
            "Name what is to be forgotten, in one way.", hint="give one of REF, `--source S` and `--subject S`"
        )
    records = [record for store in stores for record in lying(store) if wanted.level in {None, _level(record)}]
    if wanted.subject is not None:
        return _of_subject(records, wanted.subject)
    mine = [record for record in records if _is_mine(workplace, record)]
    if wanted.source is not None:
        return _of_source(mine, wanted.source)
    ref = named[0]
    if WILD & set(ref):
        return _of_pattern(workplace, mine, ref, everywhere=wanted.all_scopes)
    by_key = [record for record in mine if fold(record.memory.predicate) == fold(ref)]
    near = by_key if wanted.all_scopes else [record for record in by_key if _is_near(workplace, record)]
    _refuse_unreadable(stores, ref, known=bool(near), everywhere=wanted.all_scopes or wanted.level is not None)
    if near:
        return _whole([near], everywhere=wanted.all_scopes)
    return _of_id(mine, ref) or _of_path(workplace, stores, mine, ref) or _unknown(workplace, ref)


def _level(record: Record) -> Level:
    return record.memory.scope.level


def _is_mine(workplace: Workplace, record: Record) -> bool:
    """Whether a memory is no other user's."""
    subject = record.memory.subject
    return not subject.startswith("user:") or subject in workplace.runtime.subjects


def _is_near(workplace: Workplace, record: Record) -> bool:
    """Whether a memory is of this place; of a key, that is what is meant. Tasks that are over count."""
    runtime, scope = workplace.runtime, record.memory.scope
    if scope.level == "task":
        return scope.repository in {None, runtime.home_repository}
    return scope.level == "user" or scope.repository in {runtime.repository.value, runtime.project.value}


def _whole(groups: Iterable[list[Record]], *, everywhere: bool) -> Aim:
    """Whole identities.

    :param groups: the records of each key.
    """
    identities: set[IdentityKey] = set()
    several: list[Record] = []
    for records in groups:
        by_identity: dict[IdentityKey, list[Record]] = {}
        for record in records:
            by_identity.setdefault(record.memory.identity.key, []).append(record)
        identities |= by_identity.keys()
        apart = _apart(by_identity)
        several += [last(by_identity[key]) for key in apart] if len(apart) > 1 else []
    if several and not everywhere:
        raise _ambiguous(several)
    return Aim(identities=frozenset(identities))


def _apart(by_identity: dict[IdentityKey, list[Record]]) -> list[IdentityKey]:
    """The identities without those that are only the past of another one, as that of a rule that was narrowed."""
    heirs = {
        key: {ref.partition("@")[0] for record in group for ref in (record.memory.supersedes,) if ref}
        for key, group in by_identity.items()
    }
    past = {
        key
        for key, group in by_identity.items()
        if all(record.folder == layout.HISTORY for record in group)
        and any(
            {record.memory.id for record in group} & ids or _leads_to(group, by_identity[other])
            for other, ids in heirs.items()
            if other != key
        )
    }
    return [key for key in by_identity if key not in past] or list(by_identity)


def _leads_to(past: list[Record], group: list[Record]) -> bool:
    ids = {record.memory.id for record in group}
    return any(record.memory.superseded_by.partition("@")[0] in ids for record in past)


def _ambiguous(records: list[Record]) -> PersonNeededError:
    scopes = [referring.where(one) for one in records]
    lines = "\n".join(
        f"  {one.memory.id}  {one.memory.predicate}  {one.memory.status}  {scope}"
        for one, scope in zip(records, scopes, strict=True)
    )
    # of one level `--scope` would leave as many
    narrow = ", narrow with `--scope`" if len({_level(one) for one in records}) > 1 else ""
    return PersonNeededError(
        f"That names {len(records)} memories of different scopes; nothing was forgotten.",
        hint=f"name one by its id{narrow}, or mean them all with `--all-scopes`:\n{lines}",
        ids=[one.memory.id for one in records],
        scopes=scopes,
    )


def _of_pattern(workplace: Workplace, mine: list[Record], pattern: str, *, everywhere: bool) -> Aim:
    by_key: dict[str, list[Record]] = {}
    for record in mine:
        key = fold(record.memory.predicate)
        if fnmatchcase(key, fold(pattern)) and (everywhere or _is_near(workplace, record)):
            by_key.setdefault(key, []).append(record)
    if not by_key:
        raise UsageError(
            f"No key is like `{printable(pattern)}`.", code="unknown-ref", hint="`memdir list --all` shows the keys"
        )
    return _whole(by_key.values(), everywhere=everywhere)


def _of_id(mine: list[Record], ref: str) -> Aim | None:
    if "@" in ref and any(record.memory.id == ref.partition("@")[0] for record in mine):
        raise UsageError(
            "A memory is forgotten whole, with every revision.",
            hint=f"memdir forget {printable(ref.partition('@')[0])}",
        )
    found = sorted({record.memory.id for record in mine if ref and record.memory.id.lower().startswith(ref.lower())})
    if ref.lower() in found:
        found = [ref.lower()]
    if len(found) > 1:
        raise PersonNeededError(
            f"`{printable(ref)}` begins {len(found)} ids.",
            hint="write one out:\n" + "\n".join(f"  {one}" for one in found),
            ids=found,
        )
    return _of_ids(mine, found) if found else None


def _of_ids(records: Iterable[Record], ids: Iterable[str]) -> Aim:
    """The memories of these ids; what speaks for its identity takes that with it."""
    records = list(records)
    wanted = frozenset(ids)
    groups: dict[IdentityKey, list[Record]] = {}
    for record in records:
        groups.setdefault(record.memory.identity.key, []).append(record)
    speaking = {key for key, group in groups.items() if last(group).memory.id in wanted}
    return Aim(wanted, frozenset(speaking))


def _of_path(workplace: Workplace, stores: Sequence[Store], mine: list[Record], ref: str) -> Aim | None:
    if "/" not in ref and not ref.endswith(".md"):
        return None
    whole = os.path.realpath(os.path.join(workplace.cwd, ref))
    for store in stores:
        inside = os.path.relpath(whole, os.path.realpath(store.root)).replace(os.sep, "/")
        for path in (ref, inside):
            if layout.folder_of(path) not in layout.memory_folders(store.layer):
                continue
            record = next((one for one in mine if one.layer == store.layer and one.path == path), None)
            if record is not None:
                return _of_ids(mine, [record.memory.id])
            known = residue.id_in(store.content(path) or b"")
            if known:
                return _of_ids(mine, [known])
    return None


def _of_source(mine: list[Record], wanted: str) -> Aim:
    """The memories whose standing revision names the source; the words of older ones go only with a whole memory."""
    labels = {wanted, labelled(wanted)}
    by_id: dict[str, list[Record]] = {}
    for record in mine:
        by_id.setdefault(record.memory.id, []).append(record)
    ids = [
        memory_id
        for memory_id, group in by_id.items()
        if any(comes_from(source, one) for source in last(group).memory.source for one in labels)
    ]
    if not ids:
        raise UsageError(
            f"No memory stands on `{printable(wanted)}`.",
            code="unknown-ref",
            hint="name a session, a message, a file or an address as `memdir show REF` prints it",
        )
    return _of_ids(mine, ids)


def _of_subject(records: list[Record], wanted: str) -> Aim:
    identities = {record.memory.identity.key for record in records if record.memory.subject == wanted}
    if not identities:
        raise UsageError(
            f"No memory is about `{printable(wanted)}`.",
            code="unknown-ref",
            hint="a subject is `user:ID` or `project:REPOSITORY`, as `memdir whoami` shows them",
        )
    return Aim(identities=frozenset(identities))


def _refuse_unreadable(stores: Sequence[Store], ref: str, *, known: bool, everywhere: bool) -> None:
    """A key means nothing for certain while a file that has its name cannot be read."""
    hidden = [(store, one) for store in stores for one in store.named(ref).unreadable] if not everywhere else []
    if hidden:
        store, one = hidden[0]
        named = printable(store.absolute(one.path))
        also = " too" if known else ""
        raise PersonNeededError(
            f"`{printable(ref)}` may{also} be `{printable(one.path)}` of the {one.layer} memdir, which cannot be read.",
            hint=f"mend that file (`memdir check`), or forget it: memdir forget {named}",
            paths=[named],
        )


def _unknown(workplace: Workplace, ref: str) -> Aim:
    raise referring.unknown(workplace, ref)
