"""Lifecycle: status, folder and dates agree with each other and with the clock (M3)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.paths import SERVED, folder_of, homeless
from memdir_cli.checks.rule import Rule, Sighting
from memdir_cli.domain import times
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record

_HAPPENED = (("created_at", "createdAt"), ("updated_at", "updatedAt"), ("verified_at", "verifiedAt"))


def _wrong_folder(examined: Examined) -> Iterator[Sighting]:
    for record in examined.records:
        home = examined.homes[record.path]
        if folder_of(home) == record.folder or homeless(record.memory, examined.layer):
            continue
        said = f"A memory that is {record.memory.status} belongs at `{home}`"
        if not _movable(record, home, examined):
            yield Sighting(record.path, f"{said}; {_by_hand(record)}", key="status", fixable=False)
        elif home not in examined.free:
            advice = "which is taken; keep one of the two, then type `memdir repair`"
            yield Sighting(record.path, f"{said}, {advice}", key="status", fixable=False)
        else:
            yield Sighting(record.path, f"{said}; type `memdir repair`", key="status", target=home)


def _movable(record: Record, home: str, examined: Examined) -> bool:
    """Whether a move is no promotion: nothing comes into service on the word of an edited file."""
    if record.folder == "quarantine" or folder_of(home) == "quarantine":
        return False
    return folder_of(home) not in SERVED or not examined.unattributed.get(record.path)


def _by_hand(record: Record) -> str:
    predicate = record.memory.predicate
    if record.memory.status == "quarantined":
        return f"type `memdir quarantine {record.memory.id} --reason WHY`, which seals it"
    if record.folder == "inbox":
        return f"set its status back to candidate, then type `memdir confirm {predicate}`"
    return f"set its status back, or say it anew with `memdir remember {predicate}`"


def _reason_missing(examined: Examined) -> Iterator[Sighting]:
    for record in examined.records:
        memory = record.memory
        if memory.status != "verified" and not memory.status_reason:
            confirm = f" or type `memdir confirm {memory.predicate}`" if memory.status in {"candidate", "stale"} else ""
            message = f"`status` is {memory.status} without a `statusReason`; add `statusReason: why`{confirm}"
            yield Sighting(record.path, message, key="status")


def _value_in_conflict(examined: Examined) -> Iterator[Sighting]:
    for record in examined.records:
        memory = record.memory
        if memory.status == "conflicted" and memory.value is not None:
            sides = " or ".join(side.id for side in memory.sides)
            message = (
                "A conflicted memory has no value of its own; remove `value`, "
                f"or type `memdir settle {memory.id} --keep SIDE-ID` ({sides})"
            )
            yield Sighting(record.path, message, key="value")


def _ahead(examined: Examined) -> Iterator[Sighting]:
    for record in examined.records:
        memory = record.memory
        # comparing texts first spares nearly all of them from being understood
        latest = max(memory.created_at, memory.updated_at, memory.verified_at, *[one.at for one in memory.source])
        for key, when in _dates_ahead(memory, examined.now) if latest > examined.now else ():
            message = f"`{key}` lies in the future: {when}; mend the date by hand, then type `memdir repair`"
            yield Sighting(record.path, message, key=key)


def _dates_ahead(memory: Memory, now: str) -> Iterator[tuple[str, str]]:
    dates = [(key, getattr(memory, field)) for field, key in _HAPPENED]
    dates += [("at", source.at) for source in memory.source]
    for key, when in dates:
        if when > now and times.start(when) > times.start(now) + times.SKEW:
            yield key, when


def _expired(examined: Examined) -> Iterator[Sighting]:
    for record in examined.served:
        memory = record.memory
        if memory.expires_at and times.passed(memory.expires_at, examined.now):
            message = f"It expired on {memory.expires_at} and is not served; say it anew with `memdir remember`"
            yield Sighting(record.path, message, key="expiresAt")


def _review_due(examined: Examined) -> Iterator[Sighting]:
    now = examined.now
    for record in examined.served:
        memory = record.memory
        over = bool(memory.expires_at) and times.passed(memory.expires_at, now)
        if memory.review_after and times.passed(memory.review_after, now) and not over:
            message = f"It was to be reviewed after {memory.review_after}; type `memdir confirm {memory.predicate}`"
            yield Sighting(record.path, message, key="reviewAfter")


RULES: tuple[Rule, ...] = (
    Rule("M301", "wrong-folder", "error",
         "The status of a memory does not fit the folder in which it lies.",
         "[`status: candidate` in `memories/`]", "[`status: candidate` in `inbox/`]", _wrong_folder, fixable=True),
    Rule("M302", "reason-missing", "warning",
         "A status other than verified has no reason.",
         "status: stale", 'status: stale\nstatusReason: "evidence-changed: the script is gone"', _reason_missing),
    Rule("M303", "value-in-conflict", "warning",
         "A conflicted memory has a value beside its sides.",
         "status: conflicted\nvalue: npm", "status: conflicted", _value_in_conflict),
    Rule("M311", "date-ahead", "warning",
         "Something is said to have happened more than a day from now.",
         'verifiedAt: "2099-01-01T00:00:00Z"', 'verifiedAt: "2026-01-01T00:00:00Z"', _ahead),
    Rule("M312", "expired", "info",
         "The clock has ended a memory; it is not served.",
         'expiresAt: "2001-01-01"', 'expiresAt: "2099-01-01"', _expired),
    Rule("M313", "review-due", "warning",
         "A memory was to be reviewed by now; it is served with \"verify first\".",
         'reviewAfter: "2001-01-01"', 'reviewAfter: "2099-01-01"', _review_due),
)  # fmt: skip
