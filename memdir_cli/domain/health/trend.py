"""Trend: twelve months, from receipts and logs alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memdir_cli.domain.happenings import Happened
from memdir_cli.domain.health.facts import Refused
from memdir_cli.domain.health.reads import Reads
from memdir_cli.domain.health.report import Month
from memdir_cli.domain.health.use import is_correction
from memdir_cli.domain.health.withdrawn import FORGOTTEN
from memdir_cli.shapes import replace

#: What counts as written for the first time.
_NEW = frozenset({"created", "needs_decision"})


def rows(
    months: Sequence[str],
    stocks: Sequence[Counter[str]],
    happened: Sequence[Happened],
    reads: Reads,
    refused: Sequence[Refused],
    *,
    logged_since: str,
) -> tuple[Month, ...]:
    """A row a month.

    :param stocks: how many stood at the end of each month, by status.
    :param logged_since: the first month of which this machine has a log of reads or refusals, ``""`` for none.
    """
    first = happened[0].at[:7] if happened else ""
    flows: dict[str, Counter[str]] = {month: Counter() for month in months}
    for event in happened:
        of_month = flows.get(event.at[:7])
        if of_month is not None:
            of_month["new"] += event.kind in _NEW
            of_month["corrections"] += is_correction(event.kind, event.actor)
            of_month[event.kind] += 1
    return tuple(
        _logged(
            _recorded(month, stock, flows[month]) if first and month >= first else Month(month),
            reads,
            refused,
            logged=bool(logged_since) and month >= logged_since,
        )
        for month, stock in zip(months, stocks, strict=True)
    )


def _recorded(month: str, stock: Counter[str], flow: Counter[str]) -> Month:
    return Month(
        month,
        verified=stock["verified"],
        stale=stock["stale"],
        conflicted=stock["conflicted"],
        candidate=stock["candidate"],
        quarantined=stock["quarantined"],
        archived=stock["archived"],
        created=flow["new"],
        corrections=flow["corrections"],
        conflicts=flow["conflicted"],
        forgotten=flow["forgotten"],
    )


def _logged(row: Month, reads: Reads, refused: Sequence[Refused], *, logged: bool) -> Month:
    reasons = Counter(one.reason for one in refused if one.at[:7] == row.month)
    if logged:
        row = replace(row, secrets=reasons["secret"], returns=reasons[FORGOTTEN])
    month = reads.months.get(row.month)
    if month is None:
        return row
    return replace(row, reads=month.reads, characters=month.characters, crowded=month.crowded)
