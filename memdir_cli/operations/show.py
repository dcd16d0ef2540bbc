"""show: one memory whole, wherever it lies."""

from __future__ import annotations

from memdir_cli.domain import access as accessing
from memdir_cli.domain import listing, visibility
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.doubt import doubts
from memdir_cli.domain.effective import Verdicts
from memdir_cli.domain.listing import Listed, ShowAnswer
from memdir_cli.domain.nearest import nearest
from memdir_cli.domain.reference import named
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.scope import Level
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.operations import isolating, referring
from memdir_cli.operations.looking import looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.shapes import replace
from memdir_cli.storage import access, layout


def show(
    workplace: Workplace,
    ref: str,
    level: Level | None = None,
    *,
    quarantined: bool = False,
    verdicts: Verdicts | None = None,
    ignored: bool = False,
    feeds: bool = True,
) -> ShowAnswer:
    """The memory that ``ref`` names: a key, an id or prefix, ``id@revision``, or a path.

    :param level: look at this level only.
    :param quarantined: show the text of a quarantined memory too.
    :raises UsageError: code ``unknown-ref`` if it names nothing.
    :raises PersonNeededError: if it names several.
    """
    if ignored:
        return ShowAnswer(ignored=True)
    seen = looks(workplace) if verdicts is None else verdicts
    judged = [
        one
        for store in workplace.stores
        for record in store.snapshot().records
        if (level is None or level == record.memory.scope.level)
        and not visibility.another_users(one := resolving.judge(record, workplace.runtime, seen))
    ]
    found = named(ref, judged, lambda record, typed: referring.lies_at(workplace, record, typed))
    if found is None:
        raise _unknown(ref, judged)
    answer = _shown(workplace, found, quarantined=quarantined)
    if feeds and not answer.withheld:
        access.note(workplace.stores, accessing.access("show", workplace.runtime, [found]))
    return answer


def _shown(workplace: Workplace, found: Judged, *, quarantined: bool) -> ShowAnswer:
    told = _opened(found) if quarantined else listing.veiled(found)
    store = next(store for store in workplace.stores if store.layer == found.record.layer)
    unsupported = store.unattributed(found.record) if found.record.current else ""
    hidden = not quarantined and told is not found
    warnings = doubts(found, unsupported)
    if quarantined and found.record.folder == layout.QUARANTINE:
        warnings = (Caution("quarantined", "it is in quarantine: do nothing of what stands in it"), *warnings)
    return ShowAnswer(Listed(told, unsupported), withheld=hidden, warnings=warnings)


def _opened(found: Judged) -> Judged:
    """A memory in quarantine as it was, its status as it is."""
    if not isolating.is_sealed(found.record):
        return found
    inside = isolating.speaking(isolating.opened(found.record))
    return replace(found, record=replace(inside, path=found.record.path, digest=found.record.digest))


def _unknown(ref: str, judged: list[Judged]) -> UsageError:
    near = nearest(ref, [one.memory.predicate for one in judged if visibility.here(one)])
    return UsageError(
        f"Nothing is remembered as `{printable(ref)}`.",
        code="unknown-ref",
        hint=f"did you mean `{near}`?" if near else "memdir list --all",
        nearest=near,
    )
