"""Transaction: several files of one memdir change together, or none does.

Redo, not undo: verify, stage, write the journal (the commit point), then move, append the receipt, swap
the index, remove, drop the journal. Every step after the commit point can be repeated, so recovery is the
second half of a commit. Both run under the lock, which the caller holds.

Where two memdirs change, the second one is prepared first: everything is staged, and the journal lies there under
another name. It is promised (or taken back) by whether the first one has done its half.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memdir_cli.domain.changes import Put, Remove
from memdir_cli.domain.snapshot import digest_of
from memdir_cli.domain.text import printable
from memdir_cli.errors import ChangedError, FaultError
from memdir_cli.shapes import replace
from memdir_cli.storage import disk
from memdir_cli.storage.ids import new_transaction_id
from memdir_cli.storage.journal import Pending as Pending
from memdir_cli.storage.journal import Receipt as Receipt
from memdir_cli.storage.journal import Removal, encode
from memdir_cli.storage.journal import Staged as Staged
from memdir_cli.storage.journal import pending as pending
from memdir_cli.storage.journal import prepared as prepared
from memdir_cli.storage.journal import read_after as read_after
from memdir_cli.storage.layout import (
    FOLDERS,
    JOURNAL,
    LOCAL,
    PREPARED,
    SET_ASIDE,
    folder_of,
    set_aside_path,
    temp_path,
)
from memdir_cli.storage.redo import Outcome as Outcome
from memdir_cli.storage.redo import complete, held


def commit(
    root: str,
    *,
    txn: str,
    puts: Iterable[Put] = (),
    removes: Iterable[Remove] = (),
    index: Put | None = None,
    receipt_path: str = "",
    receipt: bytes = b"",
    private: bool,
    promise: bool = True,
) -> Outcome:
    """Make all changes together. Only under the lock.

    A put whose content lies there already is left out; if nothing is left, nothing is written.

    :param txn: a new transaction id.
    :param receipt: one line of JSON that holds ``txn``, appended to ``receipt_path``; ``b""`` for none.
    :param private: whether new files are for this account alone (the user memdir).
    :param promise: otherwise everything is prepared, and :func:`conclude` or :func:`withdraw` must follow.
    :raises ChangedError: a file is not what the caller read; nothing was written.
    :raises FaultError: nothing changed.
    """
    if pending(root) is not None:
        recover(root)
    news = [put for put in puts if not _stands(put)]
    ahead = index is not None and not _stands(index)
    if index is not None and ahead:
        news.append(index)
    line = receipt.decode().removesuffix("\n")
    if line and (txn not in line or "\n" in line):
        raise ValueError("a receipt is one line that names its transaction")
    versions = tuple(_staged(put, txn, number) for number, put in enumerate(news, start=1))
    journal = Pending(
        txn,
        private,
        versions[:-1] if ahead else versions,
        tuple(Removal(removal.path, removal.expected) for removal in removes),
        versions[-1] if ahead else None,
        Receipt(receipt_path, line) if line else None,
    )
    _verify(root, journal)
    if not (journal.versions or journal.removes or journal.receipt):
        return Outcome(txn)
    _promise_or_retract(root, journal, [put.content for put in news], JOURNAL if promise else PREPARED)
    return _finish(root, journal) if promise else Outcome(txn)


def conclude(root: str) -> Outcome:
    """Promise what was prepared, and finish it. Only under the lock.

    :raises FaultError: it stays prepared, and a repetition goes on from there.
    """
    journal = prepared(root)
    if journal is None:
        return Outcome()
    disk.replace(root, PREPARED, JOURNAL)
    return _finish(root, journal)


def withdraw(root: str) -> None:
    """Take back what was prepared, as far as the disk lets it; the next writer does the rest."""
    try:
        journal = prepared(root)
        if journal is not None:
            _retract(root, journal, PREPARED)
    except FaultError:
        return


def recover(root: str, *, force: bool = False, done: Callable[[str], bool] = lambda _: False) -> Outcome:
    """Finish what a killed process left, and sweep its temporary files. Only under the lock.

    :param force: set a journal that cannot be read aside, with all that is staged.
    :param done: whether the other memdir has done its half of a transaction that is prepared here.
    :raises FaultError: code ``journal``, if the journal cannot be read and ``force`` is not set.
    """
    _decide(root, done)
    try:
        journal = pending(root)
    except FaultError as error:
        if not force or error.code != "journal":
            raise
        return Outcome(set_aside=_set_all_aside(root))
    outcome = Outcome() if journal is None else complete(root, journal)
    return replace(outcome, swept=disk.sweep(root, FOLDERS))


def _stands(put: Put) -> bool:
    return put.expected == digest_of(put.content)


def _staged(put: Put, txn: str, number: int) -> Staged:
    return Staged(put.path, temp_path(put.path, txn, number), put.expected, digest_of(put.content))


def _verify(root: str, journal: Pending) -> None:
    """Nothing may have changed since the caller read it, and everything must be writable."""
    expected = [(version.path, version.expected) for version in journal.versions]
    expected += [(removal.path, removal.expected) for removal in journal.removes]
    if len({path for path, _ in expected}) != len(expected):
        raise ValueError("a transaction changes each path once")
    for path, digest in expected:
        disk.check_target(root, path)
        if held(root, path) != digest:
            raise ChangedError(
                f"`{printable(path)}` was changed by somebody else meanwhile; nothing was written.",
                hint="read again, then repeat the command",
                path=path,
            )
    if journal.receipt is not None:
        disk.check_target(root, journal.receipt.path)


def _decide(root: str, done: Callable[[str], bool]) -> None:
    """Promise what was prepared if the other half is done; else forget that it was."""
    try:
        journal = prepared(root)
    except FaultError as error:
        if error.code != "journal":
            raise
        disk.remove(root, PREPARED)  # it was never promised
        return
    if journal is None:
        return
    if done(journal.transaction):
        standing = pending(root)
        if standing is not None:  # no writer leaves both; whatever was promised comes first
            complete(root, standing)
        disk.replace(root, PREPARED, JOURNAL)
    else:
        disk.remove(root, PREPARED)
    disk.sync_folders(root, [LOCAL])


def _promise_or_retract(root: str, journal: Pending, contents: list[bytes], lying: str) -> None:
    """Everything is staged and the journal lies there for good, or all of that is taken back."""
    try:
        _promise(root, journal, contents, lying)
    except BaseException:
        _retract(root, journal, lying)
        raise
    try:
        disk.sync_folders(root, [LOCAL])
    except FaultError:
        if _retract(root, journal, lying):
            raise


def _promise(root: str, journal: Pending, contents: list[bytes], lying: str) -> None:
    """Stage everything, then the journal, and put it in its place: the commit point."""
    for staged, content in zip(journal.versions, contents, strict=True):
        disk.stage(root, staged.path, content, staged.temp, private=journal.private)
    disk.sync_folders(root, (folder_of(staged.path) for staged in journal.versions))
    temp = temp_path(lying, journal.transaction, 0)
    try:
        disk.stage(root, lying, encode(journal), temp, private=journal.private)
        disk.replace(root, temp, lying)
    except BaseException:
        disk.remove_quietly(root, temp)
        raise


def _retract(root: str, journal: Pending, lying: str) -> bool:
    """Take back what :func:`_promise` did; ``False`` if the journal may lie there for good."""
    try:
        disk.remove(root, lying)
    except FaultError:
        return False
    for staged in journal.versions:
        disk.remove_quietly(root, staged.temp)
    return True


def _finish(root: str, journal: Pending) -> Outcome:
    """Complete; a passing fault is met by repeating, a lasting one leaves the rest to the next writer."""
    try:
        return complete(root, journal, fresh=True)
    except FaultError:
        try:
            return complete(root, journal)
        except FaultError as error:
            return Outcome(journal.transaction, unfinished=error.message)


def _set_all_aside(root: str) -> tuple[tuple[str, str], ...]:
    """Move the unreadable journal and all staged files out of the way; nothing is deleted."""
    disk.ensure_folder(root, SET_ASIDE, private=True)
    name = new_transaction_id()
    moved = []
    for path in (*disk.temporaries(root, FOLDERS), JOURNAL):  # the journal last, so that all can be repeated
        aside = set_aside_path(name, path)
        disk.replace(root, path, aside)
        moved.append((path, aside))
    disk.sync_folders(root, {LOCAL, SET_ASIDE, *(folder_of(path) for path, _ in moved)})
    return tuple(moved)
