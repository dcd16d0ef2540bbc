"""Effective status: the worse of what is stored and what clock and evidence say now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from memdir_cli.domain import times
from memdir_cli.domain.memory import Evidence, Memory
from memdir_cli.domain.status import CAUTION, Status
from memdir_cli.errors import UsageError

VerdictKind = Literal["same", "changed", "removed", "moved", "unknown", "unreadable"]

#: The verdicts that make a memory stale; what cannot be seen from here proves nothing.
AGAINST: frozenset[VerdictKind] = frozenset({"changed", "removed", "moved"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a look at the workspace says of one piece of evidence, and the sentence for people.

    :ivar old: what was seen when the memory was written, such as the command; ``""`` if it was not kept.
    :ivar new: what is seen now; ``""`` for whole files.
    :ivar near: where to look instead: the nearest name of something removed, the path of something moved.
    """

    kind: VerdictKind
    message: str = ""
    old: str = ""
    new: str = ""
    near: str = ""


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
    return min((stored, *_signs(memory, now, verdicts, limits)), key=lambda sign: CAUTION.index(sign.status))


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
        if verdict is not None and verdict.kind in AGAINST:
            sentence = verdict.message or f"`{evidence.probe}` was {verdict.kind}"
            yield Effective("stale", f"evidence-{verdict.kind}: {sentence}")


def _aged(verified: str, limit: str, now: str) -> Iterator[Effective]:
    try:
        # a time to come is no freshness: nobody can have verified anything then
        old = times.future(verified, now) or times.passed(times.parse_when(limit, verified), now)
    except (ValueError, UsageError):
        old = True
    if old:
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
