"""Does search find what is meant? Over the real notes of the repository, and over more where they are."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.searching import FACTS, Question, _consolidated, _measured, _memory, _titles, misspelt

OWN = Path(__file__).parents[2] / "fixtures/memory-dirs"
MORE = os.environ.get("MEMDIR_DATA", "")

#: The least share of the questions that must have the right note among the first ten; measured figures are higher.
LEAST = {"titles of real notes": 0.8, "the same, misspelt": 0.8, "two letters of Japanese": 0.99}


def test_real_notes_are_found_by_their_titles(record_property: Callable[[str, object], None]) -> None:
    lines = []
    for name, notes, questions in _titles(OWN):
        asked = questions[:: max(1, len(questions) // 40)]
        first, ten = _measured(notes, asked)
        lines.append(f"{name}: {len(asked)} questions over {len(notes)} notes, first {first:.3f}, first ten {ten:.3f}")
        assert ten >= LEAST[name], lines[-1]
    assert len(lines) == len(LEAST)
    record_property("table", "\n".join(lines))


def test_of_replaced_facts_the_one_that_holds_is_found_first() -> None:
    context = "Here is a list of facts:\n0. Ada was born in the city of Bonn.\n1. The capital of Japan is Oslo."
    later = "\n2. Ada was born in the city of Lima.\n3. Bob was born in the city of Bonn."
    subset = {
        "context": context + later,
        "questions": ["Which city was Ada born in?", "What is the capital of Japan?", "Who was born in Bonn?"],
        "answers": [["Lima"], ["Oslo"], ["Bonn"]],
    }
    memories, questions = _consolidated(subset)
    assert {memory.predicate: memory.value for memory in memories} == {
        "birth.Ada": "Lima", "capital.Japan": "Oslo", "birth.Bob": "Bonn",
    }  # fmt: skip
    assert _measured(memories, questions) == (1.0, 1.0)


def test_a_question_that_is_answered_by_nothing_counts_as_missed() -> None:
    memories = [_memory("a.b", value="x"), _memory("c.d", value="y")]
    assert _measured(memories, [Question("x", frozenset({"c.d"})), Question("y", frozenset({"c.d"}))]) == (0.5, 0.5)


def test_two_letters_of_every_longer_word_are_swapped() -> None:
    assert misspelt("Install the lockfile npm") == "Intsall the lokcfile npm"


@pytest.mark.slow
def test_published_sets_reach_what_is_known_of_full_text_search() -> None:
    """Over facts that hold, full text search alone has 99 and 96 of 100 first; here are no fewer."""
    file = Path(MORE) / "semantics/factconsolidation.json"
    subsets = json.loads(file.read_text("utf-8")) if MORE and file.exists() else []
    for subset in subsets:
        facts = [line for line in subset["context"].splitlines() if re.match(r"\d+\. ", line)]
        told = [re.sub(r"^\d+\. ", "", fact).removesuffix(".") for fact in facts]
        unread = [fact for fact in told if not any(re.fullmatch(wording, fact) for wording in FACTS.values())]
        assert len(unread) < len(told) / 50
        first, _ = _measured(*_consolidated(subset))
        assert first >= {"sh_6k": 0.99, "sh_32k": 0.96}[subset["metadata"]["source"].partition("_")[2]]
