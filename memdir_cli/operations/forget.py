"""forget: take a memory out of everything that memdir keeps, for good, and say what is out of reach."""

from __future__ import annotations

from contextlib import ExitStack

from memdir_cli.domain import forgetting as deciding
from memdir_cli.domain import gate
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.forgetting import Aim, ForgetAnswer, Remain
from memdir_cli.domain.statement import Provenance
from memdir_cli.domain.text import printable
from memdir_cli.domain.tombstone import Tombstone
from memdir_cli.errors import ChangedError, FaultError, RefusedError
from memdir_cli.operations import aiming, attesting, forgetting, remaining, sourcing, withdrawing
from memdir_cli.operations.aiming import Wanted
from memdir_cli.operations.forgetting import Part
from memdir_cli.operations.founding import found_user_memdir
from memdir_cli.operations.withdrawing import Withdrawn
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage import tombstones
from memdir_cli.storage.ids import new_transaction_id
from memdir_cli.storage.writer import Writer


@dataclass(frozen=True, slots=True)
class Order:
    """Who wants it forgotten.

    :ivar actor: who asks, for the receipt; an unproven user is the agent that claims to speak for him.
    :ivar message: full id of the message.
    """

    actor: str
    message: str
    at: str
    txn: str


def forget(workplace: Workplace, wanted: Wanted, provenance: Provenance, *, dry_run: bool = False) -> ForgetAnswer:
    """Forget what ``wanted`` names: tombstones, then every file that holds something of it, then a receipt.

    The user memdir is changed first; the project's half is prepared before, so that a crash in between is
    finished by the next writer.

    :param dry_run: only say what would go; nothing is written, no lock taken.
    :raises UsageError: if nothing is named that exists.
    :raises PersonNeededError: if a key means memories of several scopes.
    :raises RefusedError: for a policy that somebody else set.
    :raises FaultError: if one half could not be done; it says which.
    """
    heard = attesting.hear(workplace, provenance)
    if isinstance(heard, gate.Refusal):
        raise RefusedError(heard.message, hint=heard.hint, code=heard.reason)
    speaker, stores = heard.speaker, workplace.stores
    aim = forgetting.widened(aiming.aim(workplace, stores, wanted), stores)
    parts = [forgetting.part(store, aim) for store in stores]
    _refuse_policy(workplace, speaker, parts)
    trail = remaining.trail(parts, aim)
    if dry_run:
        lying = tuple(path for one in parts for path in withdrawing.places(one.store, aim.ids, trail.texts))
        return _answer(parts, aim, remaining.remains(workplace, trail), lying)
    order = Order(
        heard.actor,
        sourcing.message_of(workplace, heard.provenance),
        workplace.runtime.now,
        new_transaction_id(),
    )
    parts, withdrawn, warnings = _carry_out(workplace, aim, order)
    remains = (*remaining.exported(withdrawn), *remaining.remains(workplace, trail))
    answer = _answer(parts, aim, remains, withdrawn.done)
    return replace(answer, receipt=_receipt(order, aim, parts), warnings=warnings)


def _carry_out(workplace: Workplace, aim: Aim, order: Order) -> tuple[list[Part], Withdrawn, tuple[Caution, ...]]:
    """Forget under the locks of the memdirs, looking anew at what lies there."""
    user = found_user_memdir(workplace) if workplace.user_root else None
    project = workplace.project
    if project is not None:
        project.guard = user
    with ExitStack() as stack:
        writers: dict[str, Writer] = {}
        for store in (user, project):
            if store is not None and (store is user or forgetting.part(store, aim).touched):
                locked = store.writing(workplace.lock_timeout, "memdir forget")
                writers[store.layer] = stack.enter_context(locked)
        aim = forgetting.widened(aim, [writer.store for writer in writers.values()])
        parts = {layer: forgetting.part(writer.store, aim) for layer, writer in writers.items()}
        if not any(one.touched for one in parts.values()):
            raise ChangedError("It was forgotten or removed meanwhile.", hint="`memdir log` shows what happened")
        _commit(writers, parts, aim, order)
        for writer in writers.values():
            if writer.finished.remarks:
                raise _half_forgotten(writer.store.root, "; ".join(writer.finished.remarks))
        withdrawn, texts = Withdrawn(), forgetting.texts_of(tuple(parts.values()))
        for writer in writers.values():
            withdrawn = withdrawn.and_also(withdrawing.withdraw(writer, aim.ids, texts, order.at))
        warnings = tuple(caution for writer in writers.values() for caution in writer.cautions())
    return list(parts.values()), withdrawn, warnings


def _commit(writers: dict[str, Writer], parts: dict[str, Part], aim: Aim, order: Order) -> None:
    """The project's half is prepared, the user's done, the project's made true."""
    user, project = writers.get("user"), writers.get("project")
    key = user.store.config.key if user is not None else ""
    made = {layer: forgetting.stones(one, aim, key, order.at, order.txn) for layer, one in parts.items()}
    if project is not None:
        bare = tuple(map(forgetting.bare, made["project"]))
        _half(project, [parts["project"]], aim, bare, order, promise=user is None)
    if user is None:
        return
    own = made["user"] if parts["user"].touched or project is None else ()
    try:
        _half(user, list(parts.values()), aim, (*own, *made.get("project", ())), order)
    except FaultError:
        if project is not None:
            project.withdraw()
        raise
    if project is not None:
        try:
            project.conclude()
        except FaultError as error:
            raise _half_forgotten(project.store.root, error.message) from error


def _half_forgotten(root: str, why: str) -> FaultError:
    return FaultError(
        f"It is not served any more, but not all of it is gone from `{printable(root)}`: {why}",
        code="half-forgotten",
        hint="the next command that writes there goes on; `memdir check` says what is left",
    )


def _half(
    writer: Writer, told: list[Part], aim: Aim, stones: tuple[Tombstone, ...], order: Order, *, promise: bool = True
) -> None:
    """What one memdir does.

    :param told: the parts of which its receipt tells, its own first.
    """
    put = tombstones.added(writer.store.root, stones)
    records = [record for one in told for record in one.records]
    events = deciding.events(aim, records, order.actor, order.message)
    changes = replace(forgetting.changes(told[0], aim, put), events=events)
    writer.commit(changes, order.at, txn=order.txn, promise=promise)


def _refuse_policy(workplace: Workplace, speaker: gate.Speaker, parts: list[Part]) -> None:
    policies = [record.memory for one in parts for record in one.records if record.memory.authority == "policy"]
    if policies and not gate.may_set_policy(speaker, workplace.gate_policy, workplace.runtime.user.value):
        refusal = gate.policy_record(policies[0].predicate)
        raise RefusedError(refusal.message, hint=refusal.hint, code=refusal.reason)


def _answer(parts: list[Part], aim: Aim, remains: tuple[Remain, ...], exported: tuple[str, ...]) -> ForgetAnswer:
    records = [record for one in parts for record in one.records]
    removed = tuple(one.store.absolute(path) for one in parts for path in one.paths)
    return ForgetAnswer(deciding.gone(aim, records), (*removed, *exported), remains)


def _receipt(order: Order, aim: Aim, parts: list[Part]) -> dict[str, object]:
    return {
        "txn": order.txn,
        "at": order.at,
        "actor": order.actor,
        "ids": sorted(aim.ids),
        "memdirs": [one.store.layer for one in parts],
    }
