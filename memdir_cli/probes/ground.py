"""Ground: the workspace as one run sees it. Each file is read once, whoever asks."""

from __future__ import annotations

import os

from memdir_cli.probes import checkout, documents, workspace
from memdir_cli.probes.workspace import Unseen

#: Directories that hold what others made; a file that moved did not move there.
FOREIGN = frozenset({"node_modules", "vendor", "dist", "build", "target", "venv", "__pycache__", "bower_components"})

#: Directory entries that a search for a moved file looks at.
ENTRIES = 50_000


class Ground:
    """A workspace that is looked at.

    :param root: absolute path of its root; ``""`` where there is none, then nothing is here.
    :ivar holders: answers to "which files of this name hold what", by kind, file name and name inside.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.holders: dict[tuple[str, str, str], dict[str, list[str]]] = {}
        self._contents: dict[str, bytes | Unseen] = {}
        self._documents: dict[str, object] = {}
        self._whole: bool | None = None
        self._names: dict[str, tuple[str, ...]] | None = None

    @property
    def whole(self) -> bool:
        """Whether the workspace is here, and git has not left out a part of it (a sparse checkout)."""
        if self._whole is None:
            found = checkout.find_checkout(self.root, {}) if self.root and os.path.isdir(self.root) else None
            sparse = found is not None and os.path.isfile(os.path.join(found.git_dir, "info/sparse-checkout"))
            self._whole = os.path.isdir(self.root) and not sparse
        return self._whole

    def content(self, path: str) -> bytes | Unseen:
        """The bytes of a file."""
        if path not in self._contents:
            self._contents[path] = workspace.read(self.root, path) if self.root else workspace.ABSENT
        return self._contents[path]

    def document(self, path: str) -> object:
        """The parsed value of a JSON, TOML or YAML file; an :class:`Unseen` where there is none.

        A file that does not parse is ``denied`` with the place of the fault.
        """
        if path not in self._documents:
            self._documents[path] = self._parsed(path)
        return self._documents[path]

    def kind(self, path: str) -> str:
        """``file``, ``directory``, or ``""`` where there is nothing inside the workspace."""
        real = workspace.locate(self.root, path) if self.root else workspace.ABSENT
        if isinstance(real, Unseen):
            return ""
        return "directory" if os.path.isdir(real) else "file"

    def beside(self, path: str) -> tuple[str, ...]:
        """Names in the directory in which ``path`` would lie, sorted."""
        real = workspace.locate(self.root, path.rpartition("/")[0]) if self.root else workspace.ABSENT
        try:
            return () if isinstance(real, Unseen) else tuple(sorted(os.listdir(real)))
        except OSError:
            return ()

    def named(self, name: str) -> tuple[str, ...]:
        """Paths of the regular files of this name, sorted. What others made and nested repositories do not count."""
        if self._names is None:
            self._names = _names(self.root)
        return self._names.get(name, ())

    def _parsed(self, path: str) -> object:
        content = self.content(path)
        parse = documents.parser_of(path)
        if isinstance(content, Unseen):
            return content
        if parse is None:
            return Unseen("denied", "not a JSON, TOML or YAML file by its name")
        try:
            return parse(content)
        except documents.UnparsableError as error:
            return Unseen("denied", error.message)


def _names(root: str) -> dict[str, tuple[str, ...]]:
    """Every regular file below ``root`` by its name, up to :data:`ENTRIES` entries, nearest to the root first."""
    found: dict[str, list[str]] = {}
    directories, left = [""] if root else [], ENTRIES
    for directory in directories:
        try:
            entries = sorted(os.scandir(os.path.join(root, directory)), key=lambda entry: entry.name)
        except OSError:
            continue
        left -= len(entries)
        if left < 0:
            break
        if directory and any(entry.name == ".git" for entry in entries):
            continue
        for entry in entries:
            path = workspace.joined(directory, entry.name)
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith(".") and entry.name not in FOREIGN:
                    directories.append(path)
            elif entry.is_file(follow_symlinks=False):
                found.setdefault(entry.name, []).append(path)
    return {name: tuple(paths) for name, paths in found.items()}
