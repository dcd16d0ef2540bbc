"""Merging: two descendants of one memory as one. The same on every machine: no clock, no chance, no own side."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from memdir_cli.domain import conflict
from memdir_cli.domain.content import THINGS, Content, Voice, saying, voices
from memdir_cli.domain.ids import derived
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.source import rank
from memdir_cli.domain.status import CURRENT, FOLDER, Status, worse
from memdir_cli.domain.three import Three, dated, evidence, first
from memdir_cli.domain.union import united
from memdir_cli.errors import PersonNeededError
from memdir_cli.shapes import replace

#: Why a memory is stale whose two sides depend on different things.
EVIDENCE_DIFFERS = "evidence-differs: two branches made it depend on different evidence"


#: Why a memory is stale that was a side of a conflict, of which another branch replaced the other sides.
ONE_LEFT = "one-side-left: it was in conflict, and another branch replaced what stood against it"


class UnmergeableError(PersonNeededError):
    """The files are not versions of one memory, so that no merge of them means anything."""

    code = "unmergeable"


def merge(base: Memory | None, ours: Memory, theirs: Memory) -> Memory:
    """Both sides in one memory; what contradicts stands as the sides of a conflict, nothing is dropped.

    Swapping the sides changes nothing in the result.

    :param base: the last common version, ``None`` if there is none.
    :raises UnmergeableError: if the versions are not of one memory.
    """
    three = Three(base, ours, theirs)
    _refuse_strangers(three)
    if ours == theirs or theirs == base:
        return ours
    if ours == base:
        return theirs
    contents = _contents(three)
    status = _status(three, len(contents))
    depends_on, differs = evidence(three)
    if differs and status == "verified":
        status = "stale"
    merged = replace(
        dated(three),
        status=status,
        status_reason=_reason(three, status),
        source=united(ours.source, theirs.source),
        depends_on=depends_on,
        authority=three.choose(lambda memory: memory.authority, partial(min, key=rank)),
    )
    said = _one(merged, contents) if len(contents) == 1 else _sides(three, merged, contents)
    return replace(said, revision=_revision(three, said))


def _refuse_strangers(three: Three) -> None:
    versions = [version for version in (three.base, three.ours, three.theirs) if version is not None]
    if len({version.identity.key for version in versions}) > 1:
        raise UnmergeableError("The versions differ in subject, key or scope: they are not one memory.")
    if three.base is not None and len({version.id for version in versions}) > 1:
        # forgotten and said anew, perhaps: whoever knows the tombstones decides
        raise UnmergeableError("The versions differ in their id: one took the place of another.")


# what is said


def _contents(three: Three) -> dict[Content, Voice]:
    """What the merged memory says, with the voices of both sides."""
    ours, theirs = voices(three.ours), voices(three.theirs)
    known = voices(three.base) if three.base is not None else {}
    if len(known) == len(ours) == len(theirs) == 1:
        blended = _blended(next(iter(known)), next(iter(ours)), next(iter(theirs)))
        if blended is not None:
            return {blended: _voice(blended, ours, theirs) or _new_voice(three, blended)}
    kept = [content for content in {**ours, **theirs} if _stays(content, known, ours, theirs)]
    if not kept or len(kept) == 1 < min(len(ours), len(theirs)):
        # each side let go of what the other one kept: only a person can say which of them is right
        kept = list({**ours, **theirs})
    standing = _alone_standing(three)
    if standing is not None:
        # what came to its end is told in history; it stands against nobody
        said = voices(standing)
        kept = [content for content in kept if content in said] or list(said)
    return {content: voice for content in kept if (voice := _voice(content, ours, theirs)) is not None}


def _stays(
    content: Content, known: Mapping[Content, Voice], ours: Mapping[Content, Voice], theirs: Mapping[Content, Voice]
) -> bool:
    """Whether nobody let go of a content: it is new, or both sides have it."""
    return (content in ours and content in theirs) or content not in known


def _blended(base: Content, ours: Content, theirs: Content) -> Content | None:
    """One content with the changes of both sides, ``None`` where they changed the same thing differently."""
    found: dict[str, Any] = {}
    for names in THINGS:
        old, one, other = ([getattr(content, name) for name in names] for content in (base, ours, theirs))
        if old not in (one, other) and one != other:
            return None
        found.update(zip(names, other if one == old else one, strict=True))
    return Content(**found)


def _voice(content: Content, ours: Mapping[Content, Voice], theirs: Mapping[Content, Voice]) -> Voice | None:
    spoken = [side[content] for side in (ours, theirs) if content in side]
    return spoken[0].joined(spoken[-1]) if spoken else None


def _new_voice(three: Three, content: Content) -> Voice:
    """The voice of a content that neither side has said as a whole."""
    return Voice("", "inferred", (), saying(min(three.ours, three.theirs, key=lambda memory: memory.body), content))


def _side_ids(three: Three, contents: Mapping[Content, Voice]) -> dict[Content, str]:
    """The ids of the sides: the one that a side has, or one that every machine makes of it alike."""
    taken = [voice.id for voice in contents.values()]
    return {
        content: voice.id if voice.id and taken.count(voice.id) == 1 else _new_id(first(three).id, content)
        for content, voice in contents.items()
    }


def _new_id(memory_id: str, content: Content) -> str:
    texts = (content.value or "", str(content.none), content.description, content.type, content.text)
    return derived(memory_id, *texts)


def _one(merged: Memory, contents: Mapping[Content, Voice]) -> Memory:
    """``merged`` with the one thing that it says."""
    ((_, voice),) = contents.items()
    alone = voice.memory
    return replace(
        merged,
        value=alone.value,
        none=alone.none,
        description=alone.description,
        type=alone.type,
        body=alone.body,
        sides=(),
    )


def _sides(three: Three, merged: Memory, contents: Mapping[Content, Voice]) -> Memory:
    """``merged`` with every content as a side of it."""
    ids = _side_ids(three, contents)
    said = sorted(((ids[content], voice) for content, voice in contents.items()), key=lambda pair: pair[0])
    type_ = three.choose(lambda memory: memory.type, min)
    memory = replace(merged, type=type_)
    above = three.choose(conflict.above_sides, lambda one, other: "".join(sorted((one, other))))
    parts = [(id_, replace(voice.memory, authority=voice.authority, source=voice.source)) for id_, voice in said]
    return conflict.laid_open(memory, parts, above)


# what becomes of it


def _status(three: Three, contents: int) -> Status:
    """The status of both sides together, the more cautious where both have a say."""
    ours, theirs = three.ours, three.theirs
    statuses = (ours.status, theirs.status)
    if "quarantined" in statuses:
        return "quarantined"
    standing = [side for side in (ours, theirs) if side.status in CURRENT]
    if len(standing) == 1:
        other = theirs if standing[0] is ours else ours
        if other.status != "candidate" and _had_seen(three, other, standing[0]):
            return other.status
    elif not standing:
        return worse(*statuses)
    if contents > 1:
        return "conflicted"
    plain = [side for side in standing if not side.sides]
    if len(plain) < 2:
        return plain[0].status if plain else "stale"
    if three.keeps(ours) != three.keeps(theirs):
        # one side says something new: the status of the old content counts only where it was moved
        return three.choose(lambda memory: memory.status, worse)
    return worse(*statuses)


def _had_seen(three: Three, ended: Memory, standing: Memory) -> bool:
    """Whether whoever ended the memory knew what it says on the other side: an end reaches no newer revision."""
    if three.keeps(standing) or voices(ended).keys() == voices(standing).keys():
        return True
    return three.base is None and standing.revision < ended.revision


def _alone_standing(three: Three) -> Memory | None:
    """The side that stands where the other one has gone to history without having seen what it says."""
    for one, other in ((three.ours, three.theirs), (three.theirs, three.ours)):
        if one.status in CURRENT and FOLDER[other.status] == "history" and not _had_seen(three, other, one):
            return one
    return None


def _reason(three: Three, status: Status) -> str:
    if status == "verified":
        return ""
    if status == "conflicted":
        return conflict.REASON
    reasons = [side.status_reason for side in (three.ours, three.theirs) if side.status == status]
    if len(reasons) == 2:
        return three.choose(lambda memory: memory.status_reason, max)
    if reasons:
        return reasons[0]
    return EVIDENCE_DIFFERS if any(side.status == "verified" for side in (three.ours, three.theirs)) else ONE_LEFT


def _revision(three: Three, merged: Memory) -> int:
    """The highest revision where its content stands, else the next one."""
    top = max(three.ours.revision, three.theirs.revision)
    if merged.status in {"superseded", "expired"} and three.ours.revision == three.theirs.revision:
        return top  # a revision that is over stays the one that it was
    said = _said(merged)
    return top if any(_said(side) == said for side in (three.ours, three.theirs) if side.revision == top) else top + 1


def _said(memory: Memory) -> tuple[Any, ...]:
    """Everything that moves a revision."""
    return (voices(memory).keys(), sorted(one.probe for one in memory.depends_on))
