"""Reviving: what was forgotten and is said again. Only a user's new word brings it back, under a new id."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain import gate
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.changes import Put
from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.tombstone import Lift, Tombstone
from memdir_cli.shapes import dataclass
from memdir_cli.storage import layout, receipts, tombstones
from memdir_cli.storage.ids import new_transaction_id
from memdir_cli.storage.store import Store


@dataclass(frozen=True, slots=True)
class Revival:
    """What a statement lifts.

    :ivar stones: the tombstones whose identity may be used again; none for what was never forgotten.
    :ivar worded: those whose texts it says again.
    :ivar transaction: id of the transaction that does it.
    """

    stones: tuple[Tombstone, ...] = ()
    worded: tuple[Tombstone, ...] = ()
    transaction: str = ""

    def __bool__(self) -> bool:
        return bool(self.stones or self.worded)

    def files(self, store: Store, memory: Memory, now: str) -> tuple[Put, ...]:
        """The tombstones with what is lifted."""
        if not self:
            return ()
        identities, texts = (tuple(sorted({stone.ref for stone in one})) for one in (self.stones, self.worded))
        put = tombstones.added(store.root, [Lift(memory.id, identities, texts, now, self.transaction)])
        return () if put is None else (put,)

    def removes(self, store: Store, memory: Memory) -> tuple[Record, ...]:
        """Files of what was forgotten that lie about; the one at the place of ``memory`` is covered by it."""
        if not self:
            return ()
        place = layout.path_of(memory, store.layer)
        ids = {stone.id for stone in (*self.stones, *self.worded)}
        found = store.snapshot().returned
        return tuple(record for record in found if record.memory.id in ids and record.path != place)

    def events(self, memory: Memory, actor: str, message: str) -> tuple[Event, ...]:
        """What the receipt tells of it."""
        return (Event("lifted", memory, actor=actor, message=message),) if self else ()

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """What the speaker should know."""
        if not self:
            return ()
        when = max(stone.at for stone in (*self.stones, *self.worded))[:10]
        said = f"This was forgotten on {when}; it is remembered anew, and what was forgotten stays gone."
        return (Caution("after-forget", said),)


def admitted(
    store: Store, said: Memory, speaker: gate.Speaker, *, after_forget: bool, standing: bool
) -> Revival | gate.Refusal:
    """What ``said`` lifts, or why it may not come back.

    A user may say something new for a key that was forgotten; the same again only with ``--after-forget``.

    :param standing: the very same stands there in its own right.
    """
    known = store.forgotten()
    if not known:
        return Revival()
    identity = tombstones.of_identity(store.config.key, said, store.layer)
    texts = () if standing else tombstones.of_texts(store.user_key, said)
    stones = known.identities.get(identity, ())
    worded = tuple(stone for text in texts for stone in known.texts.get(text, ()))
    found = (*stones, *worded)
    if not found:
        return Revival()
    if not speaker.believed:
        return _refusal(said, found, "ask the user; then pass `--after-forget --from user --said 'their words'`")
    if (worded or _repeats(store, said, stones)) and not after_forget:
        return _refusal(said, found, "add `--after-forget` if the user wants it back")
    return Revival(stones, worded, new_transaction_id())


def _refusal(said: Memory, stones: Iterable[Tombstone], hint: str) -> gate.Refusal:
    when = max(stone.at for stone in stones)[:10]
    return gate.Refusal("forgotten", f"What is said for `{said.predicate}` was forgotten on {when}.", hint)


def _repeats(store: Store, said: Memory, stones: Iterable[Tombstone]) -> bool:
    """Whether the receipts of what was forgotten know these words or this content: then nothing new is said."""
    new = receipts.claim(store.config.key, said)
    for stone in stones:
        for old in receipts.claims(store.receipts(stone.id)).get(stone.id, []):
            if old.content == new.content or new.sources & old.sources:
                return True
    return False
