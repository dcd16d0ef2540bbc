"""The workspace as the next commit will hold it: files from git's index instead of the disk."""

from __future__ import annotations

import os
import posixpath

from memdir_cli.probes import workspace
from memdir_cli.probes.ground import FOREIGN, Ground
from memdir_cli.probes.staging import GITLINK, LINK, Staging
from memdir_cli.probes.workspace import Unseen

#: Links that are followed one after the other, as Linux does.
LINKS = 40


class StagedGround(Ground):
    """A workspace of which only what is staged exists."""

    def __init__(self, staging: Staging) -> None:
        super().__init__(staging.top)
        self._staging = staging
        self._folders: dict[str, set[str]] = {"": set()}
        for path in staging.entries:
            folder, _, name = path.rpartition("/")
            self._folders.setdefault(folder, set()).add(name)
            while folder:
                folder, _, name = folder.rpartition("/")
                self._folders.setdefault(folder, set()).add(name)

    @property
    def whole(self) -> bool:
        """The index names every file, also those that a sparse checkout leaves out."""
        return True

    def content(self, path: str) -> bytes | Unseen:
        """The bytes of a staged file."""
        if path not in self._contents:
            self._contents[path] = self._read(path)
        return self._contents[path]

    def kind(self, path: str) -> str:
        """``file``, ``directory``, or ``""`` where nothing of that name is staged."""
        real = self._located(path)
        if isinstance(real, Unseen):
            return ""
        entry = self._staging.entries.get(real)
        return "directory" if entry is None or entry.mode == GITLINK else "file"

    def beside(self, path: str) -> tuple[str, ...]:
        """Names in the directory in which ``path`` would lie, sorted."""
        real = self._located(path.rpartition("/")[0])
        return () if isinstance(real, Unseen) else tuple(sorted(self._folders.get(real, ())))

    def named(self, name: str) -> tuple[str, ...]:
        """Paths of the staged files of this name, nearest to the root first. What others made does not count."""
        found = [
            path
            for path, entry in self._staging.entries.items()
            if path.rpartition("/")[2] == name and entry.mode not in {LINK, GITLINK} and _own(path)
        ]
        return tuple(sorted(found, key=lambda path: (path.count("/"), path)))

    def _read(self, path: str) -> bytes | Unseen:
        real = self._located(path)
        if isinstance(real, Unseen):
            return real
        entry = self._staging.entries.get(real)
        if entry is None or entry.mode == GITLINK:
            return Unseen("denied", "it is not a regular file")
        content = self._staging.contents([entry])[real]
        if len(content) > workspace.FILE_BYTES:
            return Unseen("denied", f"the file is larger than {workspace.FILE_BYTES} bytes")
        return content

    def _located(self, path: str) -> str | Unseen:
        """``path`` with every link on the way followed."""
        inside = workspace.relative(path)
        for _ in range(LINKS):
            if inside is None:
                return workspace.OUTSIDE
            link = next((one for one in reversed(workspace.upwards(inside)) if self._is_link(one)), None)
            if link is None:
                return inside if inside in self._staging.entries or inside in self._folders else workspace.ABSENT
            inside = self._followed(link, inside)
        return Unseen("denied", "the path cannot be followed")

    def _is_link(self, path: str) -> bool:
        entry = self._staging.entries.get(path)
        return entry is not None and entry.mode == LINK

    def _followed(self, link: str, path: str) -> str | None:
        entry = self._staging.entries[link]
        target = os.fsdecode(self._staging.contents([entry])[link])
        if target.startswith("/"):
            return None
        joined = posixpath.normpath(f"{posixpath.dirname(link) or '.'}/{target}/{path[len(link) :]}")
        return workspace.relative(joined)


def _own(path: str) -> bool:
    folders = path.split("/")[:-1]
    return not any(folder.startswith(".") or folder in FOREIGN for folder in folders)
