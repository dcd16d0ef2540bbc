"""Source: who said it, in which words, when, and what proves it."""

from __future__ import annotations

import hashlib
from typing import Literal

from memdir_cli.shapes import dataclass

Kind = Literal["user", "file", "url", "tool", "agent", "import"]
Attestation = Literal["tty", "hook", "transcript", "claimed", "none"]
Authority = Literal["policy", "user", "observed", "inferred"]

KINDS: tuple[Kind, ...] = ("user", "file", "url", "tool", "agent", "import")
ATTESTATIONS: tuple[Attestation, ...] = ("tty", "hook", "transcript", "claimed", "none")

#: Highest first.
AUTHORITIES: tuple[Authority, ...] = ("policy", "user", "observed", "inferred")

#: What a source of each kind is worth when nothing raises it.
AUTHORITY_OF_KIND: dict[Kind, Authority] = {
    "user": "user",
    "file": "observed",
    "tool": "observed",
    "agent": "inferred",
    "url": "inferred",
    "import": "inferred",
}

#: Attestations that prove that the words are the user's.
PROVEN: frozenset[Attestation] = frozenset({"tty", "hook", "transcript"})

#: Ids up to this length are their own label.
LABEL_CHARACTERS = 16

#: A header keeps the first source and the latest ones up to this many in all.
SOURCES_KEPT = 20

#: Bytes that the references and words of these take at most: a header as a whole may hold 64 KiB.
SOURCES_ROOM = 24 << 10


@dataclass(frozen=True, slots=True)
class Source:
    """One provenance entry.

    :ivar ref: a label such as ``session:s1/message:msg-3``, a path or a URL; ``""`` if unknown.
    :ivar said: the original words, ``""`` if none were kept.
    :ivar at: when it was said, RFC 3339 in UTC.
    :ivar attested: what proves the words.
    """

    kind: Kind
    ref: str = ""
    said: str = ""
    at: str = ""
    attested: Attestation = "none"

    @property
    def proven(self) -> bool:
        """Whether the words are known to be the user's."""
        return self.kind == "user" and self.attested in PROVEN


def rank(authority: Authority) -> int:
    """0 for the highest authority; larger is lower."""
    return AUTHORITIES.index(authority)


def merge(kept: tuple[Source, ...], new: Source) -> tuple[Source, ...]:
    """``kept`` with ``new`` added; entries equal in kind and reference merge into the newer one.

    An entry without a reference equals only one with the same words. The words that stay are those with the
    strongest attestation: a proof never passes to other words.
    """
    same = [s for s in kept if name_of(s) == name_of(new)]
    if not same:
        return trim((*kept, new))
    strongest = min((new, *reversed(same)), key=lambda s: ATTESTATIONS.index(s.attested))
    # an entry without words says nothing that a proof could belong to
    said = strongest.said or next((s.said for s in reversed(same) if s.attested == strongest.attested), "")
    at = new.at if said == new.said else strongest.at
    merged = Source(new.kind, new.ref, said, at, strongest.attested)
    return trim(tuple(merged if s is same[-1] else s for s in kept if s not in same or s is same[-1]))


def trim(sources: tuple[Source, ...], room: int = SOURCES_ROOM) -> tuple[Source, ...]:
    """The first entry and the latest ones: :data:`SOURCES_KEPT` in all, and no more than there is room for.

    :param room: in bytes; the first entry and the last are kept in any case.
    """
    latest: list[Source] = []
    room -= sum(map(_bytes, sources[:1]))
    for source in reversed(sources[1:][-(SOURCES_KEPT - 1) :]):
        room -= _bytes(source)
        if latest and room < 0:
            break
        latest.append(source)
    return (*sources[:1], *reversed(latest))


def dropped(before: tuple[Source, ...], after: tuple[Source, ...]) -> tuple[Source, ...]:
    """The entries of ``before`` that found no room in ``after``; merged ones did."""
    kept = {name_of(source) for source in after}
    return tuple(source for source in before if name_of(source) not in kept)


def name_of(source: Source) -> tuple[str, str, str]:
    """What tells an entry from another: kind and reference, and without a reference the words."""
    return (source.kind, source.ref, "" if source.ref else source.said)


def _bytes(source: Source) -> int:
    return len(f"{source.ref}{source.said}".encode("utf-8", "surrogatepass"))


def label(whole: str) -> str:
    """A short name for an id: itself if it is short and plain, else its beginning and a checksum."""
    plain = all(char.isascii() and (char.isalnum() or char in "._-") for char in whole)
    if plain and len(whole) <= LABEL_CHARACTERS:
        return whole
    beginning = "".join(char for char in whole if char.isascii() and char.isalnum())[:8]
    checksum = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{beginning}~{checksum}"


def labelled(ref: str) -> str:
    """``ref`` with a label for every id in it: ``session:…/message:…``; any other reference as it is."""
    parts = [part.partition(":") for part in ref.split("/")]
    if any(name not in {"session", "message"} for name, _, _ in parts):
        return ref
    return "/".join(f"{name}:{label(whole)}" for name, _, whole in parts)
