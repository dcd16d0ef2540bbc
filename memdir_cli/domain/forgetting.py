"""Forgetting: which files hold what is to be forgotten, what else speaks of it, and the answer that tells of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memdir_cli.domain.answer import Caution
from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.source import Source
from memdir_cli.domain.view import Document
from memdir_cli.shapes import dataclass, replace

#: Shorter texts are in too many files to say anything.
TELLING_CHARACTERS = 8

#: What a user typed is looked through for words as short as this: nothing is lost but a proof.
WORD_CHARACTERS = 3

IdentityKey = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Aim:
    """What is to be forgotten, in whatever folder and memdir it lies.

    :ivar ids: ids of memories: every revision of each.
    :ivar identities: keys of identities: every memory of each, whatever its id.
    :ivar words: values and words of it, by which what a user typed is known to speak of it.
    """

    ids: frozenset[str] = frozenset()
    identities: frozenset[IdentityKey] = frozenset()
    words: frozenset[str] = frozenset()

    def covers(self, memory: Memory) -> bool:
        """Whether ``memory`` is meant."""
        return memory.id in self.ids or memory.identity.key in self.identities

    def widened(self, records: Iterable[Record]) -> Aim:
        """The aim with the id of everything that it covers, the sides of conflicts too, and with its words."""
        covered = [record.memory for record in records if self.covers(record.memory)]
        ids = {memory.id for memory in covered} | {side.id for memory in covered for side in memory.sides}
        words = {word for memory in covered for word in _words(memory) if len(word) >= WORD_CHARACTERS}
        return Aim(self.ids | ids, self.identities, self.words | words)


@dataclass(frozen=True, slots=True)
class Gone:
    """One memory that was forgotten, without its content: not even its qualifiers are told, they may be words.

    :ivar id: the id that stood last.
    :ivar scope: the level, with the id of repository or task.
    :ivar others: further ids that went with it: candidates, and sides of conflicts.
    """

    id: str
    revision: int
    key: str
    scope: str
    memdir: Layer
    others: tuple[str, ...] = ()

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {name: getattr(self, name) for name in self.__slots__} | {"others": list(self.others)}


@dataclass(frozen=True, slots=True)
class Remain:
    """Where the text may still be, out of memdir's reach.

    :ivar kind: ``exports``, ``files``, ``index`` (of git), ``commits``, ``clones``, ``originals`` (of an import),
        ``backups`` or ``transcripts``.
    :ivar known: ``yes`` if it was seen there, ``no`` if it was looked for in vain, ``unknown`` if that cannot be seen.
    :ivar where: paths, commits, remotes or sessions.
    :ivar commands: what a person types to look further, or to remove it.
    """

    kind: str
    known: str
    message: str
    where: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    def document(self) -> Document:
        """The mapping of ``--json``."""
        return {name: list(told) if isinstance(told := getattr(self, name), tuple) else told for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class ForgetAnswer:
    """What was forgotten, and what is out of reach.

    :ivar removed: absolute paths of the files that are gone, or would be.
    :ivar receipt: the receipt without content, ``None`` where nothing was written.
    """

    memories: tuple[Gone, ...]
    removed: tuple[str, ...]
    remains: tuple[Remain, ...]
    receipt: Mapping[str, object] | None = None
    warnings: tuple[Caution, ...] = ()

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``; ``id``, ``key`` and ``scope`` where one memory was forgotten."""
        only = self.memories[0] if len(self.memories) == 1 else None
        return {
            "decision": "forgotten" if self.receipt else "listed",
            "id": only.id if only else None,
            "revision": only.revision if only else None,
            "key": only.key if only else None,
            "scope": only.scope if only else None,
            "memories": [one.document() for one in self.memories],
            "removed": list(self.removed),
            "receipt": dict(self.receipt) if self.receipt else None,
            "remains": [one.document() for one in self.remains],
            "dryRun": self.receipt is None,
            "warnings": [{"code": one.code, "message": one.message} for one in self.warnings],
        }


def _words(memory: Memory) -> Iterable[str]:
    """What a memory says in so many words, as somebody may have typed it."""
    sides = [side.value or "" for side in memory.sides]
    return (memory.value or "", *sides, *(source.said for source in memory.source))


def gone(aim: Aim, records: Iterable[Record]) -> tuple[Gone, ...]:
    """What ``aim`` covers, one entry an identity."""
    groups: dict[IdentityKey, list[Record]] = {}
    for record in records:
        if aim.covers(record.memory):
            groups.setdefault(record.memory.identity.key, []).append(record)
    return tuple(_gone(group) for _, group in sorted(groups.items()))


def last(records: Iterable[Record]) -> Record:
    """The record that speaks for an identity: the current one, else what waits, else the latest revision."""
    return max(records, key=lambda one: (one.current, one.folder != "history", one.memory.revision, one.memory.id))


def _gone(group: list[Record]) -> Gone:
    named = last(group)
    memory = named.memory
    ids = {record.memory.id for record in group} | {side.id for one in group for side in one.memory.sides}
    return Gone(
        memory.id,
        memory.revision,
        memory.predicate,
        memory.scope.text,
        named.layer,
        tuple(sorted(ids - {memory.id})),
    )


def events(aim: Aim, records: Iterable[Record], actor: str, message: str) -> tuple[Event, ...]:
    """One event an id, with its latest revision; the sides of a conflict have ids too."""
    latest: dict[str, Memory] = {}
    covered = [record.memory for record in records if aim.covers(record.memory)]
    sides = (replace(memory, id=side.id, sides=()) for memory in covered for side in memory.sides)
    for memory in (*covered, *sides):
        known = latest.get(memory.id)
        if known is None or known.revision < memory.revision:
            latest[memory.id] = memory
    # not even digests: who guesses a short text could prove his guess
    return tuple(Event("forgotten", latest[one], "", actor, message, vouched=False) for one in sorted(latest))


def unlinked(memory: Memory, ids: frozenset[str]) -> Memory:
    """``memory`` without its links to forgotten ones; itself if it has none."""
    kept = replace(
        memory,
        supersedes=_kept(memory.supersedes, ids),
        superseded_by=_kept(memory.superseded_by, ids),
        rival=_kept(memory.rival, ids),
    )
    code, _, sentence = memory.status_reason.partition(":")
    if kept != memory and any(one in sentence for one in ids):
        # the sentence may name the key as well
        kept = replace(kept, status_reason=f"{code}: by a memory that was forgotten")
    return memory if kept == memory else kept


def _kept(link: str, ids: frozenset[str]) -> str:
    return "" if link.partition("@")[0] in ids else link


def comes_from(source: Source, wanted: str) -> bool:
    """Whether a source is the one that ``wanted`` names: its reference whole, or a part of it.

    ``session:s1`` names every message of that session, ``s1`` as well.
    """
    parts = source.ref.split("/")
    names = {source.ref, *parts, *(part.partition(":")[2] for part in parts)}
    return bool(wanted) and (wanted in names or source.ref.startswith(f"{wanted}/"))


def telling_texts(memory: Memory) -> tuple[str, ...]:
    """The texts of a memory that can be looked for in other files."""
    said = (source.said for source in (*memory.source, *(one for side in memory.sides for one in side.source)))
    sides = (text for side in memory.sides for text in (side.value or "", side.description))
    texts = (memory.value or "", memory.description, memory.body, memory.scope.topic or "", *said, *sides)
    stripped = (text.strip() for text in texts)
    return tuple(dict.fromkeys(text for text in stripped if len(text) >= TELLING_CHARACTERS))
