"""Effective status: the worse of what is stored and what clock and evidence say now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from memdir_cli.domain import times
from memdir_cli.domain.memory import Evidence, Memory
from memdir_cli.domain.status import CAUTION, Status
from memdir_cli.errors import UsageError
from memdir_cli.shapes import dataclass

VerdictKind = Literal["same", "changed", "removed", "moved", "unknown", "unreadable"]

#: The verdicts that make a memory stale; what cannot be seen from here proves nothing.
AGAINST: frozenset[VerdictKind] = frozenset({"changed", "removed", "moved"})

#: Code of what has lost the original that it was taken from.
UNAVAILABLE = "source-unavailable"

_EXISTS = "exists:"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a look at the workspace says of one piece of evidence, and the sentence for people.

    :ivar old: what was seen when the memory was written, such as the command; ``""`` if it was not kept.
    :ivar new: what is seen now; ``""`` for whole files.
    :ivar near: where to look instead: the nearest name of something removed, the path of something moved.
    :ivar absent: the file itself, which was there when the memory was written, is not here now.
    """

    kind: VerdictKind
    message: str = ""
    old: str = ""
    new: str = ""
    near: str = ""
    absent: bool = False


#: Of each piece of evidence that was looked at. What is not in it was not looked at.
Verdicts = Mapping[Evidence, Verdict]
UNSEEN: Verdicts = {}

NO_LIMITS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Effective:
    """A status as it is served.

    :ivar reason: a code, a colon and a sentence, the form of ``statusReason``; ``""`` when verified.
    """

    status: Status
    reason: str = ""

    @property
    def sentence(self) -> str:
        """The reason without its code."""
        code, colon, sentence = self.reason.partition(": ")
        return sentence if colon and " " not in code else self.reason


def effective(
    memory: Memory, now: str, verdicts: Verdicts = UNSEEN, limits: Mapping[str, str] = NO_LIMITS
) -> Effective:
    """The status of ``memory`` at ``now``; of equally bad ones the stored one, then in the order looked at.

    :param limits: per type, the span after which a memory that nobody confirmed anew is stale.
    """
    stored = Effective(memory.status, memory.status_reason)
    signs = tuple(_signs(memory, now, verdicts, limits)) if hangs(memory, limits) else ()
    return min((stored, *signs), key=lambda sign: CAUTION.index(sign.status)) if signs else stored


def hangs(memory: Memory, limits: Mapping[str, str] = NO_LIMITS) -> bool:
    """Whether anything but a person can move the status of ``memory``: the clock or evidence, now or later.

    :param limits: as of :func:`effective`.
    """
    return bool(memory.depends_on or memory.expires_at or memory.review_after) or memory.type in limits


def _signs(memory: Memory, now: str, verdicts: Verdicts, limits: Mapping[str, str]) -> Iterator[Effective]:
    """What speaks against the stored status."""
    if memory.expires_at:
        yield from _clock(memory.expires_at, now, "expired", "it ended", "expiresAt")
    if memory.review_after:
        yield from _clock(memory.review_after, now, "stale", "it was to be reviewed after", "reviewAfter")
    if memory.type in limits and memory.verified_at:
        yield from _aged(memory.verified_at, limits[memory.type], now)
    for evidence in memory.depends_on:
        verdict = verdicts.get(evidence)
        # nearly all is as it was
        if verdict is not None and verdict.kind != "same":
            yield from _judged(evidence, verdict, _is_source(evidence, memory))


def _judged(evidence: Evidence, verdict: Verdict, source: bool) -> Iterator[Effective]:
    """What a verdict on evidence means.

    :param source: the memory was taken from that file, which then is not only evidence but the original.
    """
    path, sentence = _path(evidence), verdict.message or f"`{evidence.probe}` was {verdict.kind}"
    if source and (verdict.absent or (verdict.kind == "removed" and evidence.probe.startswith(_EXISTS))):
        yield Effective("candidate", f"{UNAVAILABLE}: `{path}`, from which it was taken, is gone")
    elif source and verdict.kind == "changed":
        yield Effective("stale", f"{UNAVAILABLE}: {sentence}, and it was taken from there")
    elif verdict.kind in AGAINST:
        yield Effective("stale", f"evidence-{verdict.kind}: {sentence}")


def _is_source(evidence: Evidence, memory: Memory) -> bool:
    return any(one.kind == "file" and one.ref == _path(evidence) for one in memory.source)


def _path(evidence: Evidence) -> str:
    return evidence.probe.removeprefix(_EXISTS).partition("#")[0]


def _aged(verified: str, limit: str, now: str) -> Iterator[Effective]:
    try:
        ahead = times.start(verified) > times.start(now) + times.SKEW
        old = times.passed(times.parse_when(limit, verified), now)
    except (ValueError, UsageError):
        ahead, old = False, True
    if ahead:
        # a time to come is no freshness: nobody can have verified anything then
        yield Effective("stale", f"date-ahead: its `verifiedAt` lies in the future: {verified}")
    elif old:
        yield Effective("stale", f"age-limit: it was verified on {verified[:10]}, and is to be every {limit}")


def _clock(when: str, now: str, status: Status, words: str, key: str) -> Iterator[Effective]:
    try:
        passed = times.passed(when, now)
    except ValueError:
        # an end that nobody can read must not let a memory live for ever unquestioned
        yield Effective("stale", f"time-unreadable: its `{key}` cannot be read")
        return
    if passed:
        yield Effective(status, f"{'expired' if status == 'expired' else 'review-due'}: {words} {when}")
