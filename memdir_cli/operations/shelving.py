"""Shelving: one who looks at a whole memdir need not hold the texts of all its memories at once."""

from __future__ import annotations

from memdir_cli.domain.snapshot import Record
from memdir_cli.errors import FaultError
from memdir_cli.storage import inspection, layout
from memdir_cli.storage.shelved import shelve
from memdir_cli.storage.store import Store


class Shelf:
    """Lets go of the texts of memories as soon as their receipts were compared with them.

    :ivar doubts: what the receipts do not support of these, by path.
    :ivar open: whether texts are let go of: it is wanted, and no rule will compare them.
    """

    def __init__(self, store: Store, *, wanted: bool) -> None:
        self.store = store
        self.doubts: dict[str, str] = {}
        self.open = wanted and bool(store.config.key) and self._is_calm()

    def _is_calm(self) -> bool:
        """Whether no rule compares all texts, as tombstones and an archive have it done; a fault is told elsewhere."""
        try:
            return self.store.graveyard().empty and not inspection.holds_files(self.store.root, layout.ARCHIVE)
        except FaultError:
            return False

    def take(self, one: inspection.Inspected) -> None:
        """Compare a memory with its receipts, and let go of its text, unless a finding will be about that."""
        if not isinstance(one.found, Record) or one.remarks:
            return
        try:
            self.doubts[one.found.path] = self.store.unattributed(one.found)
        except FaultError:
            return  # it keeps its text, is compared once more with all others, and the fault is told there
        shelve(one.found, self.store.root)
