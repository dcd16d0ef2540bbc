"""Cooling: what of the workspace is needed to know which memories lie cold."""

from __future__ import annotations

import os
from collections.abc import Iterable

from memdir_cli.domain.glob import literal_prefix
from memdir_cli.domain.snapshot import Record
from memdir_cli.operations.workplace import Workplace


def gone(workplace: Workplace, records: Iterable[Record]) -> frozenset[str]:
    """The paths of the records of this project of which the path names a folder or file that is not there."""
    root = workplace.root
    found = set()
    for record in records:
        prefix = literal_prefix(record.memory.scope.path or "")
        here = root and prefix and workplace.is_here(record) and workplace.ground(record.layer)
        if here and not os.path.lexists(os.path.join(root, *prefix)):
            found.add(record.path)
    return frozenset(found)
