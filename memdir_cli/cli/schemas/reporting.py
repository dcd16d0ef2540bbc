"""The answer of ``health``."""

from __future__ import annotations

from memdir_cli.cli.schemas.frame import answer
from memdir_cli.cli.schemas.parts import Schema, flag, keys, many, number, text, word
from memdir_cli.domain.findings import SEVERITIES
from memdir_cli.domain.health.assembling import SECTIONS
from memdir_cli.domain.memory import TYPES
from memdir_cli.domain.scope import LEVELS
from memdir_cli.domain.status import STATUSES

SEVERITY = word("How bad it is: act, look, or fine.", SEVERITIES)

_ROW = {
    "verified": "Verified at its end.",
    "stale": "Stale at its end.",
    "conflicted": "In conflict at its end.",
    "candidate": "Waiting in the inbox at its end.",
    "quarantined": "In quarantine at its end.",
    "archived": "In the archive at its end.",
    "created": "Written for the first time.",
    "corrections": "Values that a user replaced.",
    "conflicts": "Conflicts that opened or got another side.",
    "forgotten": "Forgotten.",
    "secrets": "Writes refused because they held a secret.",
    "returns": "Writes refused because they would bring back what was forgotten.",
    "reads": "Reads that fed an agent.",
    "characters": "Characters that a read gave on average.",
    "crowded": "Reads that left something out for want of room.",
}


def health() -> Schema:
    """``health``."""
    counts = {
        "status": _numbers("By status, everything.", STATUSES),
        "type": _numbers("By type, what is in use.", TYPES),
        "scope": _numbers("By level, what is in use.", LEVELS),
        "age": _numbers("By time since somebody stood behind it, what is in use.", ()),
    }
    three = {"how": text("How it is."), "worse": text("What got worse."), "first": text("What to do first.")}
    section = _section()
    properties = {
        "month": text("The month, `YYYY-MM`."),
        "asOf": text("The time that is told of (RFC 3339, UTC)."),
        "subject": text("Id of the repository, or what else it is about."),
        "memdirs": many({"type": "string"}, "Which memdirs were looked at."),
        "past": flag("The month is over: its state is put together from receipts."),
        "severity": SEVERITY,
        "opening": keys("Three sentences.", three, three),
        "counts": keys("Name to number.", counts, counts),
        **{make.__name__: {**section, "description": _about(make.__doc__)} for make in SECTIONS},
        "trend": many(_month(), "Twelve months, oldest first."),
        "unknown": many({"type": "string"}, "Sentences on what cannot be known here."),
    }
    return answer("memdir health", properties, list(properties))


def _section() -> Schema:
    item = keys(
        "A memory that is counted, or a rule that fired; never its text. What is empty is left out.",
        {
            "id": text("Its id."),
            "key": text("Its key; not of what is quarantined."),
            "memdir": text("In which memdir."),
            "scope": text("Its level."),
            "status": text("Its status."),
            "date": text("Since when."),
            "note": text("Why it is counted."),
            "command": text("What to type about it."),
        },
    )
    figure = {
        "name": text("Stable name."),
        "label": text("What is counted, for people."),
        "value": number("The number; null where it is not known.", nullable=True),
        "severity": SEVERITY,
        "sentence": text("What it means and what to do."),
        "command": text("What to type."),
        "unit": text("What is counted, if not memories."),
        "before": number("The number of the month before; null where it is not known.", nullable=True),
        "worse": flag("Whether it got worse since."),
        "items": many(item, "What is counted."),
    }
    told = {
        "title": text("For people."),
        "about": text("What is counted here, and why."),
        "severity": SEVERITY,
        "sentence": text("What to do here."),
        "command": text("What to type."),
        "numbers": keys("Stable name to number; null where it is not known.", {}),
        "figures": many(keys("One number.", figure, figure), "The same, with what they mean."),
    }
    return keys("A section.", told, told)


def _month() -> Schema:
    counted = {name: number(f"{about} Null where nothing tells.", nullable=True) for name, about in _ROW.items()}
    data = {
        "recorded": flag("Whether receipts tell of it; if not, there is no data."),
        "logged": flag("Whether this machine's log of reads tells of it."),
    }
    row = {"month": text("`YYYY-MM`."), **counted, **data}
    return keys("A month.", row, row)


def _numbers(about: str, names: tuple[str, ...]) -> Schema:
    return keys(about, {name: number("How many.") for name in names}, names)


def _about(docstring: str | None) -> str:
    return (docstring or "").strip().splitlines()[0]
