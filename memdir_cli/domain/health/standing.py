"""Figures on what stands: where it comes from, whether it is due for verification, whether it still holds."""

from __future__ import annotations

from memdir_cli.domain.effective import AGAINST, UNAVAILABLE
from memdir_cli.domain.health.facts import Facts, Known, by_date, by_key, days, told_probe
from memdir_cli.domain.health.figures import memories, number
from memdir_cli.domain.health.phrases import many
from memdir_cli.domain.health.report import Figure, Section
from memdir_cli.shapes import replace

#: Days after which what nobody confirmed is to be looked at, where neither it nor the settings say when.
OLD = 180

#: Of the memories that may be given, the share that may be stale before it is grave; a few are never grave.
STALE_SHARE, STALE_FEW = 1 / 3, 2

DATES = frozenset({"review-due", "age-limit", "date-ahead", "time-unreadable"})
_SHOW, _CONFIRM = "memdir show ID", "memdir confirm ID"


def sources(facts: Facts) -> Section:
    """Where the memories come from, and whether that can still be looked up."""
    figures = (
        memories(
            "without", "without a source", by_key(one for one in facts.current if _untold(one)),
            some="# [names|name] nobody who said it: confirm what is right, expire what nobody stands behind.",
            none="Every memory in use names who said it.", command=_CONFIRM,
        ),
        memories(
            "lost", "whose source is gone", by_key(one for one in facts.known if one.code == UNAVAILABLE),
            some="# [was|were] taken from what changed or is gone: find out what still holds, then confirm.",
            none="No source is known to be gone.", command=_SHOW,
        ),
        memories(
            "unattributed", "that no receipt supports",
            by_key(one for one in facts.current if one.unattributed) if facts.looked and not facts.past else None,
            some="# [was|were] written or changed by hand: look, and confirm what is meant so.",
            none="Receipts support every memory in use.", command=_CONFIRM, note=lambda one: one.unattributed,
        ),
    )  # fmt: skip
    return Section("sources", "Sources", "What nobody can trace back should not be trusted.", figures)


def overdue(facts: Facts) -> Section:
    """What somebody should confirm again."""
    old = (one for one in facts.served if _undated(one) and (_unconfirmed(one, facts.now) or 0) >= OLD)
    longest = max((_unconfirmed(one, facts.now) or 0 for one in facts.served), default=0)
    figures = (
        memories(
            "due", "past the date that was set", by_date(one for one in facts.current if one.code in DATES),
            some="# [is|are] past the date by which somebody was to look again: confirm, or expire.",
            none="No review is due.", command=_CONFIRM, note=lambda one: one.code,
        ),
        memories(
            "old", f"without a date, unconfirmed for {OLD} days", by_date(old),
            some=f"# [was|were] not confirmed for {OLD} days and [has|have] no date: confirm, or expire.",
            none=f"Everything was confirmed within {OLD} days, or has a date of its own.", command=_CONFIRM,
            note=lambda one: many(_unconfirmed(one, facts.now) or 0, "day"),
        ),
        number(
            "longest", "the longest without a word", longest, noun="day",
            some="The memory that nobody looked at for the longest was confirmed # ago.",
            none="Nothing that may be given is older than today.", command="memdir list",
        ),
    )  # fmt: skip
    return Section(
        "overdue", "Due for verification", "Age makes nothing false, but somebody should look now and then.", figures
    )


def stale(facts: Facts) -> Section:
    """What is no longer as it was when it was verified: which script, which file."""
    found = facts.status("stale")
    grave = len(found) > max(STALE_SHARE * len(facts.served), STALE_FEW)
    figures = (
        memories(
            "stale", "to be verified first", found, severity="error" if grave else "warning",
            some="# [is|are] given with “verify first”: look at what changed, then confirm, correct or expire.",
            none="Nothing is stale.", command=_SHOW, note=_against, date=lambda one: one.since,
            overview="memdir list --status stale", before=facts.last_month.stale,
        ),
        *_because(found),
        memories(
            "unwritten", "whose file does not say so yet",
            by_key(one for one in facts.known if _moved(one)) if facts.looked else None, severity="info",
            some="# [has|have] a worse status than [its|their] file says: `memdir refresh` writes it down.",
            none="The files say what clock and evidence say.", command="memdir refresh",
        ),
        memories(
            "unseen", "whose evidence is not here", _with(facts, "unknown"), severity="info",
            some="Of # the evidence is not here, so that nobody knows whether [it is|they are] fresh.",
            none="All evidence could be looked at.", command=_SHOW, note=_unseen,
        ),
        memories(
            "unreadable", "whose evidence cannot be read", _with(facts, "unreadable"),
            some="Of # the evidence cannot be read: mend that file.",
            none="All evidence that is here could be read.", command="memdir check --select M326", note=_unseen,
        ),
    )  # fmt: skip
    return Section("stale", "Stale", "Something that a memory depends on, or a date, speaks against it.", figures)


#: Name, label and code of what makes stale; a code of ``""`` stands for all of :data:`DATES`.
_REASONS = (
    ("changed", "because something changed", "evidence-changed"),
    ("removed", "because something is gone", "evidence-removed"),
    ("moved", "because something lies elsewhere", "evidence-moved"),
    ("source", "because its source changed or is gone", UNAVAILABLE),
    ("dates", "because of a date", ""),
)


def _because(found: list[Known]) -> tuple[Figure, ...]:
    """The stale memories by what speaks against them; they stand as items where all of them are counted."""
    return tuple(
        replace(
            memories(
                name, label, [one for one in found if one.code == code or (not code and one.code in DATES)],
                severity="info", some=f"# [is|are] stale {label}.", none=f"Nothing is stale {label}.", command=_SHOW,
            ),
            items=(),
        )
        for name, label, code in _REASONS
    )  # fmt: skip


def _against(one: Known) -> str:
    told = [f"{look.verdict}: {told_probe(look.probe)}" for look in one.looks if look.verdict in AGAINST]
    return "; ".join(told) or one.code


def _with(facts: Facts, verdict: str) -> list[Known] | None:
    """The memories in use of which some evidence has this verdict."""
    if not facts.looked:
        return None
    return by_key(one for one in facts.current if any(look.verdict == verdict for look in one.looks))


def _unseen(one: Known) -> str:
    return "; ".join(told_probe(look.probe) for look in one.looks if look.verdict in {"unknown", "unreadable"})


def _moved(one: Known) -> bool:
    return one.record.current and one.status != one.record.memory.status


def _untold(one: Known) -> bool:
    """Whether nothing says who is behind a memory."""
    memory = one.record.memory
    return not (memory.source or any(side.source for side in memory.sides))


def _undated(one: Known) -> bool:
    """Whether neither it nor the settings say when somebody should look again."""
    memory = one.record.memory
    return not (memory.review_after or memory.expires_at or one.limited)


def _unconfirmed(one: Known, now: str) -> int | None:
    """Days since a user stood behind it."""
    return days(one.record.memory.verified_at, now)
