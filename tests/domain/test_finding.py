"""The answer of ``search``: the best first, each with how it was found and what is doubtful about it."""

from __future__ import annotations

from memdir_cli.domain.answer import Caution
from memdir_cli.domain.finding import Result, SearchAnswer, ordered
from memdir_cli.domain.listing import Listed
from memdir_cli.domain.resolve import judge
from memdir_cli.domain.search import Hit, Reason
from tests.records import project, runtime

REASON = Reason("install", "install", "word", ("value", "description"))


def result(key: str, score: float, *warnings: Caution) -> Result:
    listed = Listed(judge(project(predicate=key, id=f"id-{key}"), runtime()))
    return Result(listed, Hit(score, (REASON,)), warnings)


def test_a_result_is_the_memory_with_its_score_its_reasons_and_its_warnings() -> None:
    one = result("installing", 2.5, Caution("stale", "Verify first."))
    assert one.document() == {
        **one.listed.document(),
        "score": 2.5,
        "reasons": [{"word": "install", "term": "install", "how": "word", "in": ["value", "description"]}],
        "warnings": [{"code": "stale", "message": "Verify first."}],
    }
    assert SearchAnswer((one,)).document() == {"results": [one.document()]}


def test_where_memory_is_ignored_the_answer_says_so() -> None:
    assert SearchAnswer(ignored=True).document() == {"results": [], "ignored": True}


def test_the_best_comes_first_and_of_equal_ones_what_list_names_first() -> None:
    found = [result("c", 1.0), result("b", 1.0), result("d", 3.0), result("a", 2.0)]
    assert [one.listed.judged.memory.predicate for one in ordered(found)] == ["d", "a", "b", "c"]
