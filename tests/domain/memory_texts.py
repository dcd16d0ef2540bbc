"""Real memory files as texts: the repository's own, and those of the directory that ``MEMDIR_DATA`` names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_OWN = Path(__file__).parents[2] / "fixtures/memory-dirs"
_MORE = os.environ.get("MEMDIR_DATA", "")


def real_texts() -> Iterator[tuple[str, str]]:
    """Path and text of every file that is UTF-8."""
    for root in (_OWN, *([Path(_MORE) / "memory-dirs"] if _MORE else [])):
        for path in sorted(root.rglob("*")):
            if path.is_file():
                try:
                    yield str(path), path.read_text("utf-8")
                except UnicodeDecodeError:
                    continue
