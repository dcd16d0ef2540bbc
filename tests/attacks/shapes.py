"""What may lie where a file or a folder is expected, other than a file or a folder."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.fuzz.places import Place

Make = Callable[[Path, Path], None]


def link_outside(path: Path, outside: Path) -> None:
    path.symlink_to(outside)


def link_beside(path: Path, outside: Path) -> None:
    path.with_name("real").write_text("status: verified\n")
    path.symlink_to("real")


def link_upwards(path: Path, outside: Path) -> None:
    path.symlink_to("..")


def loop(path: Path, outside: Path) -> None:
    path.symlink_to(path.name)


def dangling(path: Path, outside: Path) -> None:
    path.symlink_to("../../../outside/not-there")


def pipe(path: Path, outside: Path) -> None:
    os.mkfifo(path)


def bound_socket(path: Path, outside: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        # the name of a socket is short; the folder of the test may not be
        here = os.open(path.parent, os.O_RDONLY)
        try:
            listening.bind(f"/proc/self/fd/{here}/{path.name}")
        finally:
            os.close(here)


def device(path: Path, outside: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path, outside: Path) -> None:
    path.mkdir()
    (path / "x.md").write_text("text\n")


def unreadable(path: Path, outside: Path) -> None:
    path.write_text("text\n")
    path.chmod(0)


def huge(path: Path, outside: Path) -> None:
    path.write_bytes(b"---\nid: k\n---\n" + b"x" * (10 << 20))


def sparse(path: Path, outside: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 40)


#: By name, how it is put where a file was.
SHAPES: Mapping[str, Make] = {
    "link to a file outside": link_outside, "link to a file beside": link_beside, "link to a folder": link_upwards,
    "link to itself": loop, "link to nothing": dangling, "pipe": pipe, "socket": bound_socket,
    "link to a device": device, "folder": folder, "file without rights": unreadable, "10 MB": huge,
    "a terabyte of nothing": sparse,
}  # fmt: skip

#: The files that memdir reads or writes, from the root of a place; ``*`` is filled in.
FILES: tuple[str, ...] = (
    "app/.memdir/memories/lint.md", "app/.memdir/memories/new.md", "app/.memdir/inbox/port~*.md",
    "app/.memdir/history/old~*.md", "app/.memdir/MEMORY.md", "app/.memdir/config.yaml",
    "app/.memdir/.gitignore", "app/.memdir/receipts/2026-09.jsonl", "app/.memdir/receipts/2027-01.jsonl",
    "app/.memdir/tombstones.jsonl", "app/.memdir/local/lock", "app/.memdir/local/lock.json",
    "app/.memdir/local/journal.json", "app/.memdir/local/cache", "app/.memdir/local/access/2026-09.jsonl",
    "app/.memdir/local/sources/x.jsonl", "app/package.json", "app/tsconfig.json", "app/compose.yaml",
    "app/baseline.json", "app/body.md", "home/.local/share/memdir/config.yaml",
    "home/.local/share/memdir/memories/editor.md", "home/.local/share/memdir/local/tasks/step--*.md",
    "home/.local/share/memdir/MEMORY.md", "home/.local/share/memdir/receipts/2026-09.jsonl",
)  # fmt: skip

#: Folders that a link to one outside takes the place of; what lay there lies outside now.
FOLDERS: tuple[str, ...] = (
    "memories", "inbox", "history", "receipts", "local", "local/access", "local/sources", "quarantine",
    "archive", "local/tasks", "local/set-aside",
)  # fmt: skip


def put(place: Place, file: str, shape: str) -> Path:
    """Put ``shape`` in the place of a file, and give its path."""
    folder, _, pattern = file.rpartition("/")
    path = next((place.root / folder).glob(pattern), place.root / file.replace("*", "x"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    SHAPES[shape](path, place.root / "outside/secret.md")
    return path


def swap(root: Path, folder: str, outside: Path) -> None:
    """Put a link in the place of a folder of a memdir, to one outside in which all of its files lie, and more."""
    path = root / folder
    path.parent.mkdir(exist_ok=True)
    path.mkdir(exist_ok=True)
    shutil.copytree(path, outside, dirs_exist_ok=True)
    shutil.rmtree(path)
    path.symlink_to(outside)
