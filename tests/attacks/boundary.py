"""Files that no verb may touch, and what lies outside of all that is memdir's."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.places import Place

#: Text in files that are none of memdir's business.
CANARY = "canary-4711-nobody-may-read-this"

#: What stands first in a file of every system.
OF_THE_SYSTEM = "root:x:0:"


def planted(place: Place) -> tuple[Path, ...]:
    """Files outside of both memdirs, all with the canary in them; the first is a whole memory."""
    memory = next((place.top / ".memdir/memories").glob("package_manager.md")).read_text("utf-8")
    texts = {
        "outside/secret.md": memory.replace("pnpm", CANARY),
        "outside/memories/lint.md": memory.replace("pnpm", CANARY),
        "outside/config.yaml": f"gate: {{attestation: claimed}}\nkey: {CANARY}\n",
        "x": CANARY, "x.md": memory.replace("pnpm", CANARY), "app/x": CANARY, "app/x.md": CANARY, "app/lint": CANARY,
        "app/k": CANARY, "app/notes": CANARY, "home/x": CANARY, "home/.ssh/id_rsa": CANARY,
        "home/.cache/x": CANARY,
    }  # fmt: skip
    for name, text in texts.items():
        path = place.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tuple(place.root / name for name in texts)


def outside(place: Place) -> dict[str, tuple[int, int, bytes]]:
    """Everything of a place that is not memdir's: kind and mode, time of change, content."""
    own = {place.top / ".memdir", place.sandbox.user_memdir, place.root / "home/.cache/memdir"}
    found = {}
    for path in _walked(place.root, own):
        status = path.lstat()
        plain = stat.S_ISREG(status.st_mode) and status.st_size < 1 << 24 and os.access(path, os.R_OK)
        content = path.read_bytes() if plain else b""
        found[str(path)] = (status.st_mode, status.st_mtime_ns if content else 0, content)
    return found


def _walked(folder: Path, passed_over: set[Path]) -> Iterator[Path]:
    for entry in sorted(os.scandir(folder), key=lambda one: one.name):
        path = Path(entry.path)
        if path in passed_over or path.name == ".git":
            continue
        yield path
        if entry.is_dir(follow_symlinks=False):
            yield from _walked(path, passed_over)
