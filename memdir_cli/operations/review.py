"""review: what waits for a person, and ten memories for a check-up. Decides nothing and writes nothing."""

from __future__ import annotations

from memdir_cli.domain import access as accessing
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain import review as reviewing
from memdir_cli.domain import visibility
from memdir_cli.domain.doubt import unreadable
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.review import ReviewAnswer
from memdir_cli.domain.scope import Level
from memdir_cli.operations.looking import looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import access, layout


def review(
    workplace: Workplace,
    level: Level | None = None,
    *,
    sample: bool = False,
    ignored: bool = False,
    feeds: bool = True,
) -> ReviewAnswer:
    """What waits for a person in this place: inbox, conflicts, what nobody vouches for, what is stale.

    :param level: look at this level only.
    :param sample: ten memories that may be used, instead.
    :param ignored: memory is not to be used; nothing is read.
    :param feeds: an agent reads it, so it is logged.
    """
    now = workplace.runtime.now
    if ignored:
        return ReviewAnswer(now, ignored=True)
    remarks: list[str] = []
    judged: list[tuple[Judged, str]] = []
    seen = looks(workplace)
    for store in workplace.stores:
        snapshot = store.snapshot((layout.MEMORIES, layout.TASKS, layout.INBOX))
        remarks += unreadable(snapshot)
        store.read_claims()
        judged += [
            (resolving.judge(record, workplace.runtime, seen), store.unattributed(record) if record.current else "")
            for record in snapshot.records
            if level is None or record.memory.scope.level == level
        ]
    if sample:
        answer = _sample(workplace, [one for one, _ in judged])
    else:
        answer = ReviewAnswer(now, reviewing.waiting(judged), remarks=tuple(remarks))
    if feeds:
        shown = [entry.judged for entry in answer.entries] + [one.judged for one in answer.sample or ()]
        access.note(workplace.stores, accessing.access("review", workplace.runtime, shown))
    return answer


def _sample(workplace: Workplace, judged: list[Judged]) -> ReviewAnswer:
    past = [record.memory for store in workplace.stores for record in store.snapshot((layout.HISTORY,)).records]
    usable = [one for one in judged if visibility.in_view(one)]
    now = workplace.runtime.now
    return ReviewAnswer(now, sample=reviewing.sample(usable, past, now))
