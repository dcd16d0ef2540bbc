"""watch: refresh whenever the evidence of a memory, or a memdir, has changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from queue import Empty, SimpleQueue
from time import monotonic

from memdir_cli.domain.burst import Burst, grown
from memdir_cli.domain.refreshing import RefreshAnswer
from memdir_cli.domain.watching import Ended, Failed, Polling, Refreshed, Told, Watching
from memdir_cli.errors import ChangedError, FaultError, LockedError, MemdirError, NoMemdirError
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import layout, marks
from memdir_cli.storage.marks import Mark, Wanted
from memdir_cli.storage.watcher import Watcher

#: Seconds after which it is seen that a watched folder or a whole memdir is gone.
TICK = 1.0
#: Seconds between two looks where there are events: some file systems tell of nothing, and a queue may overflow.
LOOK = 30.0
#: Seconds between two looks where there are no events.
POLL = 2.0
#: Seconds after which a refresh is tried again that another writer kept from its work.
RETRY = 2.0

#: Paths that may have changed, and numbers of signals.
Inbox = SimpleQueue[str | int]


def watch(
    opened: Callable[[], Workplace], refresh: Callable[[Workplace], RefreshAnswer], inbox: Inbox
) -> Generator[Told, None, None]:
    """Refresh once, then after each burst of changes, until a signal is put into ``inbox``.

    What has changed is told by the files themselves: an event after which everything is as it was, and what a
    refresh has written itself, lead to nothing.

    :param opened: opens the workplace anew, with the time of that moment.
    :raises NoMemdirError: if there is nothing to watch.
    :raises FaultError: code ``root-removed``, if a memdir is gone.
    """
    vigil = Vigil(opened, refresh, Watcher(inbox.put))
    try:
        yield from vigil.begin()
        while (signal := vigil.wait(inbox)) is None:
            yield from vigil.look()
        yield Ended(signal)
    finally:
        vigil.watcher.close()


class Vigil:
    """What one watch knows.

    :ivar wanted: what is watched.
    :ivar seen: the marks of it when it was last refreshed, as far as refreshing did not change them itself.
    """

    def __init__(
        self, opened: Callable[[], Workplace], refresh: Callable[[Workplace], RefreshAnswer], watcher: Watcher
    ) -> None:
        self.opened = opened
        self.refresh = refresh
        self.watcher = watcher
        self.wanted = Wanted()
        self.seen: dict[str, Mark] = {}
        self._roots: tuple[str, ...] = ()
        self._told: frozenset[str] = frozenset()
        self._polling = False
        self._owing = False
        self._complaint = ""
        self._next = 0.0

    def begin(self) -> Iterator[Told]:
        """The first refresh; what is wrong from the beginning ends it."""
        place = self.opened()
        if not place.stores:
            raise NoMemdirError("There is no memdir to watch.", hint="type `memdir init` to make one")
        self._roots = tuple(store.root for store in place.stores)
        self.wanted = _wanted(place, frozenset())
        self._owing = True
        yield from self.look()

    def wait(self, inbox: Inbox) -> int | None:
        """Wait until it is time to look again, or for the number of a signal."""
        burst: Burst | None = None
        while True:
            at = monotonic()
            until = min(at + TICK, self._next, burst.due() if burst else self._next)
            try:
                word = inbox.get(timeout=max(0.0, until - at))
            except Empty:
                word = ""
            if isinstance(word, int):
                return word
            at = monotonic()
            if word or (burst is None and (self.watcher.broken() or self._gone())):
                burst = grown(burst, at)
            if at >= self._next or (burst is not None and at >= burst.due()):
                return None

    def look(self) -> Iterator[Told]:
        """Refresh if something is not what it was."""
        self._require_roots()
        self.watcher.arm(self.wanted)
        if self.watcher.trouble and not self._polling:
            self._polling = True
            yield Polling(self.watcher.trouble, POLL)
        now = marks.take(self.wanted)
        because = marks.changed(self.seen, now)
        self._next = monotonic() + (POLL if self._polling else LOOK)
        if because or self._owing:
            yield from self._refreshed(because if self.seen else (), now)
        else:
            self.seen = now

    def _refreshed(self, because: tuple[str, ...], now: dict[str, Mark]) -> Iterator[Told]:
        """Refresh until everything that it looks at was watched before it looked."""
        while True:
            self._owing = False
            try:
                place = self.opened()
                answer = self.refresh(place)
            except MemdirError as error:
                yield from self._failed(error)
                return
            self._complaint = ""
            yield Refreshed(because, answer)
            before, self.wanted = self.wanted, _wanted(place, answer.looked_at)
            self._roots = tuple(dict.fromkeys((*self._roots, *(store.root for store in place.stores))))
            self.seen = {path: mark for path, mark in now.items() if self.wanted.counts(path)}
            self._forgive(answer)
            if self.wanted.files <= before.files and self.wanted.folders <= before.folders:
                break
            self.watcher.arm(self.wanted)
            because, now = (), marks.take(self.wanted)
        yield from self._news(place.root)

    def _forgive(self, answer: RefreshAnswer) -> None:
        """Count what the refresh has written as seen, if it is still what it wrote."""
        for path, digest in answer.written:
            mark = marks.file_mark(path)
            if mark is None and not digest:
                self.seen.pop(path, None)
            elif mark is not None and mark.digest == digest and self.wanted.counts(path):
                self.seen[path] = Mark(mark.status)

    def _failed(self, error: MemdirError) -> Iterator[Told]:
        """Try again: soon where another writer was in the way, else when something changes or after a while."""
        self._owing = True
        if isinstance(error, LockedError | ChangedError):
            self._next = monotonic() + RETRY
        if error.message != self._complaint:
            self._complaint = error.message
            yield Failed(error)

    def _news(self, root: str) -> Iterator[Told]:
        """What is watched that was not told yet."""
        files = self.wanted.files - {os.path.join(memdir, layout.CONFIG) for memdir in self._roots}
        if not self._told or files - self._told:
            new = sorted(os.path.relpath(path, root) for path in files - self._told)
            yield Watching(() if self._told else self._roots, tuple(new))
            self._told |= files | {*self._roots}

    def _gone(self) -> tuple[str, ...]:
        return tuple(root for root in self._roots if not os.path.isdir(root))

    def _require_roots(self) -> None:
        for root in self._gone():
            raise FaultError(
                f"`{root}` is gone, so that there is nothing to watch any more.",
                code="root-removed",
                hint="bring it back, then type `memdir watch` again",
            )


def _wanted(place: Workplace, looked_at: frozenset[str]) -> Wanted:
    """The files on which the memories of a workplace depend, and the memdirs themselves."""
    files = {os.path.join(place.root, *path.split("/")) for path in looked_at if place.root}
    files |= {os.path.join(store.root, layout.CONFIG) for store in place.stores}
    folders = {os.path.join(store.root, layout.MEMORIES) for store in place.stores}
    folders |= {os.path.join(store.root, *layout.TASKS.split("/")) for store in place.stores if store.layer == "user"}
    return Wanted(frozenset(files), frozenset(folders))
