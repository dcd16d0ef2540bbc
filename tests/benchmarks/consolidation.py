"""FactConsolidation as writes and reads: every fact says a value for a key, every question asks for one.

The set (MemoryAgentBench, MIT) numbers facts of which later ones replace earlier ones. That a relation and a subject
make a key is given here by the wording of the set; measured is what becomes of a key's values, not understanding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.benchmarks.searching import FACTS, _plain, _slug

#: How a question of FactConsolidation is worded, by the relation that it asks for.
QUESTIONS = {
    "citizen": "What is the country of citizenship of (.+)",
    "religion": "Which religion is (.+) affiliated with",
    "spouse": "Who is (.+) married to",
    "author": "Who is the author of (.+)",
    "founder": "Who founded (.+)",
    "capital": "What is the capital of (.+)",
    "continent": "Which continent is (.+) located in",
    "sport": "Which sport is (.+) associated with",
    "headquarters": "Which city is the headquarter of (.+) located in",
    "performer": "Who performed (.+)",
    "death": "Which city did (.+) die in",
    "creator": "Who was (.+) created by",
    "university": "Which university was (.+) educated at",
    "speaks": "What language does (.+) speak",
    "official_language": "What is the official language of (.+)",
    "origin": "Which country was (.+) created in",
    "developer": "Who is the developer of (.+)",
    "birth": "Which city was (.+) born in",
    "fame": "What is (.+) famous for",
    "executive": "Who is the chief executive officer of (.+)",
    "employer": "Who is the employer of (.+)",
    "producer": "Which company is (.+) produced by",
    "head_of_government": "What is the name of the current head of the (.+) government",
    "work": "Which city did (.+) work in",
    "chair": "Who is the chairperson of (.+)",
    "child": "Who is (.+)'s child",
    "head_of_state": "What is the name of the current head of state in (.+)",
    "written_in": "Which language was (.+) written in",
    "founded_in": "Where was (.+) founded",
    "director": "Who is the director of (.+)",
    "broadcaster": "Who is the original broadcaster of (.+)",
    "position": "What position does (.+) play",
    "field": "What kind of work does (.+) do",
    "coach": "Who is the head coach of (.+)",
    "music": "What type of music does (.+) play",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement: a value for a key, and the sentence that says it; without a value the sentence is all."""

    key: str
    value: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, the key that it asks for (``""`` if its wording is not known), and the answers that count."""

    text: str
    key: str
    answers: tuple[str, ...]

    def answered_by(self, said: str) -> bool:
        """Whether what was said holds one of the answers, as the set's own scoring reads them."""
        return any(_plain(answer) in _plain(said) for answer in self.answers)


def facts(subset: dict[str, Any]) -> Iterator[Fact]:
    """The facts in their order; what no wording fits is left out."""
    for line in str(subset["context"]).splitlines():
        sentence = re.sub(r"^\d+\. ", "", line).removesuffix(".")
        told = _read(sentence, FACTS)
        if sentence != line.removesuffix(".") and told is not None:
            yield Fact(told[0], told[2], sentence)


def questions(subset: dict[str, Any]) -> Iterator[Asked]:
    """The questions in their order."""
    for text, answers in zip(subset["questions"], subset["answers"], strict=True):
        told = _read(text.removesuffix("?"), QUESTIONS)
        yield Asked(text, told[0] if told else "", tuple(answers))


def _read(sentence: str, wordings: dict[str, str]) -> tuple[str, str, str] | None:
    """Key, subject and object of a sentence."""
    for relation, wording in wordings.items():
        told = re.fullmatch(wording, sentence)
        if told:
            return f"{relation}.{_slug(told[1])}", told[1], told[2] if told.re.groups > 1 else ""
    return None
