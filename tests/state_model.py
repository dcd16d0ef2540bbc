"""What memdir should hold, said again without files: the model that a long run of verbs is compared with."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from memdir_cli.domain.scope import Level

Who = Literal["person", "claim", "agent"]
Spot = tuple[Level, str]

#: A value, or the values that stand against each other.
Standing = str | frozenset[str] | None


@dataclass
class Entry:
    """One identity.

    :ivar current: what stands among the memories.
    :ivar waiting: values of the candidates in the inbox.
    :ivar past: values in history, each as often as it is there.
    :ivar notes: lines that a hand wrote into the header of the current file.
    """

    current: Standing = None
    revision: int = 0
    waiting: set[str] = field(default_factory=set)
    past: Counter[str] = field(default_factory=Counter)
    notes: set[str] = field(default_factory=set)

    def remember(self, value: str, who: Who, *, explicit: bool, level: Level) -> str:
        """The decision, as the table of the specification says it."""
        believed = who != "agent"
        if who == "agent" and level == "user":
            return "refused"
        if self.current is None:
            return self._first(value, believed=believed)
        known = value in self.current if isinstance(self.current, frozenset) else value == self.current
        if known and not (isinstance(self.current, frozenset) and explicit and believed):
            if isinstance(self.current, frozenset):
                return "asked" if who == "person" and not explicit else "conflicted"
            if believed:
                self.waiting.discard(value)
            return "confirmed"
        if not believed:
            self.waiting.add(value)
            return "needs_decision"
        if explicit:
            self._end(value)
            self.waiting.discard(value)
            return "superseded"
        if who == "person":
            return "asked"
        self.current = (self.current if isinstance(self.current, frozenset) else frozenset({self.current})) | {value}
        self.revision += 1
        return "conflicted"

    def correct(self, value: str, who: Who, *, level: Level) -> str:
        """The decision on an explicit correction."""
        return "refused" if who == "agent" else self.remember(value, who, explicit=True, level=level)

    def confirm_candidate(self, value: str) -> str:
        """The decision when a user confirms the candidate with this value."""
        if self.current is None:
            self.current, self.revision = value, 1
            self.notes = set()
        elif isinstance(self.current, frozenset):
            return "conflicted"
        elif self.current != value:
            return "needs_decision"
        self.waiting.discard(value)
        return "confirmed"

    def settle(self, value: str) -> str:
        """The decision when a user keeps one side."""
        assert isinstance(self.current, frozenset)
        self.past.update(self.current - {value})
        self.current, self.revision = value, self.revision + 1
        return "settled"

    def delete(self) -> None:
        """As if a hand had removed the current file."""
        self.current, self.revision, self.notes = None, 0, set()

    def _first(self, value: str, *, believed: bool) -> str:
        if not believed:
            if value in self.waiting:
                return "confirmed"
            self.waiting.add(value)
            return "created"
        self.waiting.discard(value)
        self.current, self.revision, self.notes = value, 1, set()
        return "created"

    def _end(self, value: str) -> None:
        self.past.update(self.current if isinstance(self.current, frozenset) else [str(self.current)])
        self.current, self.revision = value, self.revision + 1


Model = dict[Spot, Entry]


def expected_of_get(model: Model, key: str) -> tuple[int, str | None]:
    """Exit status and value of ``get``: the repository's memory before the user's; a conflict holds its level."""
    for level in ("repository", "user"):
        current = model[level, key].current
        if isinstance(current, frozenset):
            return 3, None
        if current is not None:
            return 0, current
    return 1, None
