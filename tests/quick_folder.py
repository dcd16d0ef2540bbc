"""A folder in memory, where syncing costs nothing: for tests of order and atomicity, not of speed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEMORY = Path("/dev/shm")


@contextmanager
def quick_folder(otherwise: Path, *, on_disk: bool = False) -> Iterator[Path]:
    """A new folder in memory; ``otherwise`` where there is none, or where the disk itself is wanted."""
    if on_disk or not os.access(MEMORY, os.W_OK):
        yield otherwise
        return
    folder = Path(tempfile.mkdtemp(dir=MEMORY, prefix="memdir-test-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
