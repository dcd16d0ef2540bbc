"""Store: one memdir, open. Reads without a lock; writes as one transaction. Decides nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from memdir_cli.domain.changes import ChangeSet
from memdir_cli.domain.snapshot import Layer, Record, Snapshot


class Store:
    """One memdir.

    :ivar root: absolute path.
    :ivar layer: whether it is a project's or the user's.
    """

    root: str
    layer: Layer

    def snapshot(self) -> Snapshot:
        """Everything that can be read now; a committed but unfinished transaction counts as done."""
        raise NotImplementedError

    def find(self, predicate: str) -> tuple[Record, ...]:
        """The records of one key in ``memories/`` and ``local/tasks/``, without reading the others."""
        raise NotImplementedError

    def unattributed(self, record: Record) -> str:
        """Why the receipts do not support this record, in a sentence; ``""`` if they do."""
        raise NotImplementedError
