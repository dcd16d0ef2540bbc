"""health: the monthly report over both memdirs. Writes nothing but the file that is asked for."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from memdir_cli.domain.health import calendar
from memdir_cli.domain.health.assembling import NAMES, report
from memdir_cli.domain.health.facts import Facts, Known
from memdir_cli.domain.health.period import Period, period
from memdir_cli.domain.health.replay import Past, Standing, replay
from memdir_cli.domain.health.report import Report
from memdir_cli.domain.health.state import Limits, Revisions, stock, stood
from memdir_cli.domain.health.state import revisions as revisions_of
from memdir_cli.domain.health.trend import rows
from memdir_cli.domain.text import printable
from memdir_cli.errors import NoMemdirError, UsageError
from memdir_cli.operations import gathering
from memdir_cli.operations.gathering import Gathered
from memdir_cli.operations.workplace import Workplace, with_git
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage import disk
from memdir_cli.storage.ids import new_id

#: What ``--fail-on`` takes besides the names of sections.
SEVERE, WORSE = ("error", "warning"), "worse"


@dataclass(frozen=True, slots=True)
class HealthAnswer:
    """The report.

    :ivar failing: what of ``--fail-on`` is so.
    """

    report: Report
    failing: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """1 if something is so that was to fail, else 0."""
        return 1 if self.failing else 0


def health(
    workplace: Workplace,
    month: str | None = None,
    as_of: str | None = None,
    fail_on: tuple[str, ...] = (),
) -> HealthAnswer:
    """What there is, what got worse, what to do; over the project's memdir and the user's.

    :param month: ``YYYY-MM``, reported as of its end; or ``last``.
    :param as_of: WHEN, in place of now.
    :param fail_on: severities, ``worse``, or names of sections that are not to be worse than ``info``.
    :raises UsageError: for a month, a time or a word that is none.
    :raises NoMemdirError: if there is no memdir.
    """
    _known_words(fail_on)
    asked = period(month, as_of, workplace.runtime.now)
    if not workplace.stores:
        raise NoMemdirError("There is no memdir to report on.", hint="type `memdir init` to make one")
    at = replace(with_git(workplace), runtime=replace(workplace.runtime, now=asked.moment))
    made = report(_facts(at, asked))
    return HealthAnswer(made, tuple(word for word in fail_on if _is_so(made, word)))


def write_report(workplace: Workplace, path: str, content: bytes) -> None:
    """Write a report to a file: whole or not at all, over a file of that name, and into no memdir.

    :param path: seen from the working directory.
    :raises UsageError: if the path is no place for a file.
    :raises FaultError: if the disk will not have it; nothing was changed.
    """
    whole = os.path.normpath(os.path.join(workplace.cwd, path))
    folder, name = os.path.split(whole)
    where = os.path.realpath(folder)
    for store in workplace.stores:
        if is_within(os.path.join(where, name), os.path.realpath(store.root)):
            raise _no_place(path, "lies in a memdir, which holds memories only", "name a file elsewhere")
    if not os.path.isdir(where):
        raise _no_place(path, "has no folder to lie in", "make the folder first")
    if os.path.islink(whole):
        raise _no_place(path, "is a symbolic link", "name the file itself")
    if os.path.lexists(whole) and not os.path.isfile(whole):
        raise _no_place(path, "is no file", "name a file, such as `health.html`")
    disk.write_file(where, name, content, new_id(), private=False)


def _facts(workplace: Workplace, asked: Period) -> Facts:
    looking = not asked.past or asked.near
    told = gathering.told(workplace)
    gathered = gathering.gather(workplace, told.reads.latest, looking=looking)
    months, limits = calendar.twelve(asked.month), workplace.runtime.age_limits
    ends = [*(calendar.last_second(month) for month in months[:-1]), asked.moment]
    pasts = list(replay(told.happened, ends))
    revisions = revisions_of(gathered.records)
    then = _then(asked, pasts[-1], revisions, gathered, limits)
    ghosts = [one for one in then if isinstance(one, Standing)]
    stocks = [stock(past, revisions, end, limits) for past, end in zip(pasts[:-1], ends, strict=False)]
    stocks.append(Counter(one.status for one in then))
    stores = workplace.stores
    return Facts(
        month=asked.month,
        now=asked.moment,
        subject=gathering.subject(workplace),
        past=asked.past,
        looked=looking,
        memdirs=tuple(store.layer for store in stores),
        known=tuple(one for one in then if isinstance(one, Known)),
        ghosts=dict(Counter(one.status for one in ghosts)),
        ended=dict(pasts[-1].ended) if asked.past else {},
        happened=told.happened,
        reads=told.reads,
        refused=told.refused,
        trend=rows(months, stocks, told.happened, told.reads, told.refused, logged_since=told.since),
        indexes=gathered.indexes,
        fired=gathered.fired,
        cold=gathered.cold,
        tombstones=gathering.tombstones(workplace),
        kept_for={store.layer: store.config.retention["candidates"] for store in stores},
        shallow=gathering.is_shallow(workplace),
    )


def _then(
    asked: Period, past: Past, known: Revisions, gathered: Gathered, limits: Limits
) -> Sequence[Known | Standing]:
    """The memories of the moment that is asked for: of a past one those that stood, of now those that lie here.

    :param past: what the receipts tell of that moment.
    :param known: every revision of which a file is left.
    """
    if not asked.past:
        return gathered.known(past, limits)
    return list(stood(past, known, asked.moment, limits, gathered.verdicts))


def _known_words(words: tuple[str, ...]) -> None:
    allowed = (*SEVERE, WORSE, *NAMES)
    for word in words:
        if word not in allowed:
            raise UsageError(
                f"`--fail-on` takes {', '.join(allowed)}, not `{printable(word)}`.", hint="give `--fail-on error`"
            )


def _is_so(made: Report, word: str) -> bool:
    if word == WORSE:
        return made.worse
    if word in SEVERE:
        return made.severity == "error" or made.severity == word
    return any(section.name == word and section.severity != "info" for section in made.sections)


def _no_place(path: str, why: str, hint: str) -> UsageError:
    return UsageError(f"`{printable(path)}` {why}.", code="output", hint=hint)
