"""Content: what a memory says. It moves the revision, and it alone can be contradicted."""

from __future__ import annotations

from memdir_cli.domain import conflict
from memdir_cli.domain.memory import Memory, Type
from memdir_cli.domain.source import Authority, Source, rank
from memdir_cli.domain.union import united
from memdir_cli.shapes import dataclass, replace

#: The things that a merge takes from one side or the other, as the fields of a content.
THINGS: tuple[tuple[str, ...], ...] = (("value", "none"), ("description",), ("type",), ("text",))

#: Characters of a value or text that a description made from it shows.
SHOWN_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Content:
    """One statement without the people behind it.

    :ivar description: ``""`` where it is the one that is made from the value.
    :ivar text: the body without the line ends around it.
    """

    value: str | None
    none: bool
    description: str
    type: Type
    text: str


@dataclass(frozen=True, slots=True)
class Voice:
    """Who stands behind one content.

    :ivar id: of the side of a conflict that says it, ``""`` in a memory that is not conflicted.
    :ivar memory: it as a memory of its own.
    """

    id: str
    authority: Authority
    source: tuple[Source, ...]
    memory: Memory

    def joined(self, other: Voice) -> Voice:
        """Both as one; the same whichever comes first."""
        return Voice(
            min((one.id for one in (self, other) if one.id), default=""),
            min(self.authority, other.authority, key=rank),
            united(self.source, other.source),
            # which of the two is no matter: they say the same
            min(self.memory, other.memory, key=lambda memory: (memory.body, memory.description)),
        )


def describe(key: str, value: str | None, none: bool, body: str | None) -> str:
    """The description of a memory that was given none: one line."""
    if none:
        return f"{key}: nothing applies"
    text = value if value is not None else next((line for line in (body or "").splitlines() if line.strip()), "")
    text = " ".join(text.split())
    return f"{key}: {text if len(text) <= SHOWN_CHARACTERS else f'{text[: SHOWN_CHARACTERS - 1]}…'}"


def content_of(memory: Memory) -> Content:
    """What a memory that is not conflicted says."""
    text = memory.body.strip("\r\n")
    made = describe(memory.predicate, memory.value, memory.none, memory.body)
    description = "" if memory.description == made else memory.description
    return Content(memory.value, memory.none, description, memory.type, text)


def voices(memory: Memory) -> dict[Content, Voice]:
    """What a memory says: one content, or that of each side of a conflict, in their order."""
    if not memory.sides:
        return {content_of(memory): Voice("", memory.authority, memory.source, memory)}
    found: dict[Content, Voice] = {}
    for side in memory.sides:
        alone = conflict.side_as_memory(memory, side)
        voice = Voice(side.id, side.authority, side.source, alone)
        content = content_of(alone)
        found[content] = voice if content not in found else found[content].joined(voice)
    return found


def saying(memory: Memory, content: Content) -> Memory:
    """``memory`` with another content."""
    made = describe(memory.predicate, content.value, content.none, content.text)
    return replace(
        memory,
        value=content.value,
        none=content.none,
        description=content.description or made,
        type=content.type,
        body=memory.body if memory.body.strip("\r\n") == content.text else ended(content.text),
    )


def ended(text: str) -> str:
    """``text`` as a body: with the end of its last line."""
    ending = "\r\n" if "\r\n" in text else "\n"
    return f"{text}{ending}" if text else ""
