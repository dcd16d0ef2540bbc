"""Vouching: what the verbs share that move what stands on a user's word alone (confirm, settle, expire, narrow)."""

from __future__ import annotations

from collections.abc import Iterable

from memdir_cli.domain import gate, remarks
from memdir_cli.domain.answer import Caution, WriteAnswer
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.plan import Plan
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.source import Source
from memdir_cli.domain.statement import Provenance
from memdir_cli.errors import ChangedError
from memdir_cli.operations import attesting, sourcing
from memdir_cli.operations.answering import done, refused
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage.store import Store
from memdir_cli.storage.writer import Writer


@dataclass(frozen=True, slots=True)
class Word:
    """The word of a believed user.

    :ivar cautions: what to say of the proof.
    """

    workplace: Workplace
    speaker: gate.Speaker
    provenance: Provenance
    cautions: tuple[Caution, ...] = ()

    @property
    def message(self) -> str:
        """The whole id of the message, for the receipt."""
        return sourcing.message_of(self.workplace, self.provenance)

    def source(self, store: Store) -> Source:
        """The word as a provenance entry of the memdir that it goes to."""
        return sourcing.source(self.workplace, store, self.speaker, self.provenance)


def word_of(workplace: Workplace, provenance: Provenance, verb: str, ref: str) -> Word | WriteAnswer:
    """The user's word, or the refusal of what is none.

    :param ref: what the refusal is about.
    """
    heard = attesting.hear(workplace, provenance)
    if isinstance(heard, gate.Refusal):
        return refused(ref, heard)
    barred = gate.needs_word(heard.speaker, verb)
    if barred is not None:
        return replace(refused(ref, barred), warnings=heard.cautions)
    return Word(workplace, heard.speaker, heard.provenance, heard.cautions)


def as_read(store: Store, named: Record) -> Record:
    """The record as it is under the lock; it must still be the one that was named.

    :raises ChangedError: if it is not.
    """
    fresh = store.read(named.path)
    if isinstance(fresh, Record) and fresh.memory.ref == named.memory.ref and store.tombstone(fresh.memory) is None:
        return fresh
    raise ChangedError(f"`{named.path}` was changed meanwhile.", hint="read it again and repeat the command")


def policy_kept(word: Word, key: str, authorities: Iterable[str]) -> WriteAnswer | None:
    """The refusal where one of ``authorities`` is policy and the word is not that of a setter."""
    if "policy" not in authorities or sets_policy(word):
        return None
    return refused(key, gate.policy_record(key))


def sets_policy(word: Word) -> bool:
    """Whether the word is that of a user who may set policy."""
    workplace = word.workplace
    return gate.may_set_policy(word.speaker, workplace.gate_policy, workplace.runtime.user.value)


def evidence_missing(memory: Memory, missing: tuple[str, ...]) -> gate.Refusal:
    """Why a memory cannot be vouched for as it stands: what it depends on is not there.

    :param missing: each probe with the reason, for people.
    """
    return gate.Refusal(
        "evidence-missing",
        f"What `{memory.predicate}` depends on cannot be seen: {', '.join(missing)}.",
        f"`memdir correct {memory.predicate} VALUE` with the new rule, `memdir expire {memory.id}` if there is "
        f"none any more, or `memdir confirm {memory.id} --without-evidence` if it holds all the same",
    )


def carry_out(word: Word, writer: Writer, carried: Plan, previous: Memory) -> WriteAnswer:
    """Commit a plan and answer with what it made."""
    store, workplace = writer.store, word.workplace
    files = sourcing.keep_full(workplace, store, carried.memory, word.speaker, word.provenance)
    writer.commit(replace(carried.changes, files=files), workplace.runtime.now)
    cautions = (*word.cautions, *writer.cautions(), *remarks.cautions(carried.memory))
    return done(carried, store, previous, cautions)
