"""Watcher: the system's own events for a set of files that grows and shrinks.

Folders are watched one by one, never with what lies below them, so that neither ``node_modules`` nor ``.git``
is ever entered. Only what changes content counts: reading, opening and new modes are not heard of.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memdir_cli.storage.marks import Wanted

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.api import BaseObserver, ObservedWatch

#: What the system answers where it has no more watches, or no more files, to give.
LIMITS = frozenset({errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM})

#: Folders that are never watched: what others made, and what git keeps.
CLOSED = frozenset({"node_modules", ".git"})

#: Device and inode, which tell a folder from a later one of the same name.
Folder = tuple[int, int]


class Watcher:
    """Events for what is wanted.

    :ivar trouble: why there are no events, ``""`` where there are.
    """

    def __init__(self, wake: Callable[[str], None]) -> None:
        """Nothing is watched yet.

        :param wake: called with a path, from another thread, when something wanted may have changed.
        """
        self.trouble = ""
        self._wake = wake
        self._real = Wanted()
        self._observer: BaseObserver | None = None
        self._watches: dict[str, tuple[ObservedWatch, Folder]] = {}
        self._lost: set[str] = set()

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that are watched, sorted."""
        return tuple(sorted(self._watches))

    def arm(self, wanted: Wanted) -> None:
        """Watch exactly what is wanted from now on; where the system gives no events, say why in ``trouble``."""
        self._real = _real(wanted)
        if self.trouble:
            return
        try:
            self._arm(frozenset(_folders(self._real)))
        except (OSError, RuntimeError) as error:
            self.close()
            self.trouble = _trouble(error)

    def broken(self) -> bool:
        """Whether a folder that is watched is gone, or is another one by now."""
        return any(path in self._lost or _identity(path) != known for path, (_, known) in self._watches.items())

    def close(self) -> None:
        """Stop; what has not been told by now never will be."""
        observer, self._observer = self._observer, None
        self._watches.clear()
        if observer is not None and observer.is_alive():
            observer.stop()
            observer.join(2)

    def hear(self, event: FileSystemEvent) -> None:
        """Tell of an event if it is about what is wanted."""
        for path in _paths(event):
            if path in self._watches and event.event_type in {"deleted", "moved"}:
                self._lost.add(path)
                self._wake(path)
            elif self._real.counts(path) or (event.is_directory and self._real.leads(path)):
                self._wake(path)

    def _arm(self, folders: frozenset[str]) -> None:
        observer = self._started()
        for path, (watch, known) in list(self._watches.items()):
            if path not in folders or path in self._lost or _identity(path) != known:
                del self._watches[path]
                self._lost.discard(path)
                with suppress(KeyError):
                    observer.unschedule(watch)
        for path in sorted(folders - self._watches.keys()):
            known_now = _identity(path)
            # one that went away meanwhile is not there to be watched; what lies above it tells when it is back
            with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
                if known_now is not None:
                    watch = observer.schedule(_handler(self.hear), path, event_filter=_kinds())
                    self._watches[path] = (watch, known_now)

    def _started(self) -> BaseObserver:
        if self._observer is None:
            from watchdog.observers import Observer

            self._observer = Observer()
            self._observer.start()
        return self._observer


def _handler(hear: Callable[[FileSystemEvent], None]) -> FileSystemEventHandler:
    from watchdog.events import FileSystemEventHandler

    class Handler(FileSystemEventHandler):
        """Passes every event on."""

        def on_any_event(self, event: FileSystemEvent) -> None:
            hear(event)

    return Handler()


def _kinds() -> list[type[Any]]:
    """The events that tell of another content, on every system."""
    from watchdog import events

    return [
        events.FileCreatedEvent,
        events.FileModifiedEvent,
        events.FileClosedEvent,
        events.FileMovedEvent,
        events.FileDeletedEvent,
        events.DirCreatedEvent,
        events.DirMovedEvent,
        events.DirDeletedEvent,
    ]


def _paths(event: FileSystemEvent) -> tuple[str, ...]:
    """Where something was and where it is now."""
    return tuple(os.fsdecode(path) for path in (event.src_path, getattr(event, "dest_path", "")) if path)


def _real(wanted: Wanted) -> Wanted:
    """The same without links: a file through its folder's real path, and where it leads itself."""
    beside = (os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)) for path in wanted.files)
    behind = (os.path.realpath(path) for path in wanted.files)
    return Wanted(frozenset({*beside, *behind}), frozenset(os.path.realpath(folder) for folder in wanted.folders))


def _folders(real: Wanted) -> Iterator[str]:
    """The folders whose events tell of everything wanted; for what is not there, the nearest above that is."""
    for folder in {*(os.path.dirname(path) for path in real.files), *real.folders}:
        while not os.path.isdir(folder) and folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)
        if not CLOSED & set(folder.split(os.sep)):
            yield folder


def _identity(path: str) -> Folder | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_dev, status.st_ino)


def _trouble(error: OSError | RuntimeError) -> str:
    """Why there are no events, a clause."""
    if isinstance(error, OSError) and error.errno in LIMITS:
        return f"the system has no more watches to give ({os.strerror(error.errno)})"
    return f"the system tells of no changes ({error})"
