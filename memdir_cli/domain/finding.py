"""The answer of ``search``: what may be meant, the best first."""

from __future__ import annotations

from memdir_cli.domain import listing
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.listing import Listed
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.search import Hit
from memdir_cli.domain.view import Document
from memdir_cli.shapes import dataclass, replace


@dataclass(frozen=True, slots=True)
class Result:
    """A memory that was found.

    :ivar warnings: why it is to be verified first, or that a person has to be asked.
    """

    listed: Listed
    hit: Hit
    warnings: tuple[Caution, ...] = ()

    def document(self) -> Document:
        """The frontmatter's keys, ``score``, ``reasons`` and ``warnings``."""
        reasons = [
            {"word": one.word, "term": one.term, "how": one.how, "in": list(one.fields)} for one in self.hit.reasons
        ]
        warnings = [{"code": one.code, "message": one.message} for one in self.warnings]
        return {**self.listed.document(), "score": self.hit.score, "reasons": reasons, "warnings": warnings}


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Everything that was found, the best first."""

    results: tuple[Result, ...] = ()
    ignored: bool = False
    remarks: tuple[str, ...] = ()

    exit_status = 0

    def document(self) -> Document:
        """The mapping of ``--json``."""
        document: Document = {"results": [one.document() for one in self.results]}
        return {**document, "ignored": True} if self.ignored else document


def ordered(results: list[Result]) -> tuple[Result, ...]:
    """The best first; of equal ones, in the order of ``list``."""
    return tuple(sorted(results, key=lambda one: (-one.hit.score, *listing.place(one.listed.judged))))


def told(judged: Judged) -> Judged:
    """``judged`` as a search may tell it: of a conflict no value and no words, for none of them holds."""
    memory = judged.memory
    if judged.effective.status != "conflicted":
        return judged
    sides = tuple(replace(side, value=None, description="", source=()) for side in memory.sides)
    bare = replace(memory, value=None, description="", body="", sides=sides, source=())
    return replace(judged, record=replace(judged.record, memory=bare))
