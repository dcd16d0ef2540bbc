"""search over real memdirs: the current view, in any script, and nothing that may not be told."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.domain.effective import Verdict
from memdir_cli.domain.finding import SearchAnswer
from memdir_cli.domain.listing import Filter
from memdir_cli.domain.statement import Provenance
from memdir_cli.operations.aiming import Wanted
from memdir_cli.operations.forget import forget
from memdir_cli.operations.list_memories import list_memories
from memdir_cli.operations.search import search
from memdir_cli.storage import layout
from tests.operations.reading_place import Place, founded
from tests.operations.test_listing import qualified
from tests.sandbox import Sandbox

EVERYTHING = Filter(everything=True)


@pytest.fixture
def place(sandbox: Sandbox) -> Place:
    """A repository with a memdir."""
    return founded(sandbox)


def keys(answer: SearchAnswer) -> list[str]:
    return [one.listed.judged.memory.predicate for one in answer.results]


def found(place: Place, text: str, wanted: Filter | None = None, **options: Any) -> list[str]:
    """The keys of everything found, the best first."""
    return keys(search(place.open(**options), text, wanted or Filter()))


def document(place: Place, text: str, wanted: Filter | None = None, **options: Any) -> Any:
    return json.loads(json.dumps(search(place.open(**options), text, wanted or Filter()).document()))


def test_what_is_for_another_environment_or_version_is_found_with_all_only(place: Place) -> None:
    qualified(place)
    assert sorted(found(place, "needle")) == ["file", "here"]
    assert sorted(found(place, "needle", EVERYTHING)) == ["file", "here", "past", "site", "system"]


def test_words_are_found_wherever_they_stand_the_best_first(place: Place) -> None:
    place.say("package_manager", "npm", "repository", description="Install dependencies with npm ci")
    place.say("deploy", "blue-green", "repository", body="Never install anything while it runs.\n")
    place.say("editor", "vim", "user", topic="installing")
    place.say("unrelated", "x", "user")
    assert found(place, "install dependencies") == ["package_manager", "editor", "deploy"]
    assert found(place, "package manager") == ["package_manager"]
    assert found(place, "nothing of this kind") == []


def test_a_result_says_why_it_was_found(place: Place) -> None:
    place.say("test_command", "npm test", "repository", description="Run the tests")
    (result,) = document(place, "testing npm")["results"]
    assert result["reasons"] == [
        {"word": "testing", "term": "test", "how": "word", "in": ["key", "value", "description"]},
        {"word": "npm", "term": "npm", "how": "word", "in": ["value"]},
    ]
    assert result["score"] > 0
    assert result.keys() >= {"id", "predicate", "subject", "scope", "status", "revision", "value", "source", "warnings"}


@pytest.mark.parametrize(
    ("asked", "how"),
    [
        ("migrations", "word"),
        ("migr", "beginning"),
        ("migrati", "beginning"),
        ("migratoin", "spelling"),
        ("migation", "spelling"),
    ],
)
def test_endings_beginnings_and_slips_are_forgiven(place: Place, asked: str, how: str) -> None:
    place.say("schema", "run the migration first", "repository")
    (result,) = search(place.open(), asked).results
    assert [reason.how for reason in result.hit.reasons] == [how]


def test_a_word_that_is_known_is_not_taken_for_another(place: Place) -> None:
    place.say("bundler", "vite", "repository")
    place.say("host", "site", "repository")
    assert found(place, "vite") == ["bundler"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("打包", ["打包工具"]),
        ("包", ["打包工具", "包管理器"]),
        ("器", ["包管理器"]),
        ("テスト", ["テスト"]),
        ("ト", ["テスト"]),
        ("テス", ["テスト"]),
        ("학교", ["korean"]),
        ("교", ["korean"]),
        ("ｖｉｔｅ", ["打包工具"]),
        ("管理 vite", ["打包工具", "包管理器"]),
    ],
)
def test_scripts_without_spaces_are_searched_from_one_letter_on(place: Place, asked: str, expected: list[str]) -> None:
    place.say("打包工具", "vite", "repository")
    place.say("包管理器", "pnpm", "repository")
    place.say("テスト", "単体テストを先に実行する", "repository")
    place.say("korean", "학교에서 배포합니다", "repository")
    assert sorted(found(place, asked)) == sorted(expected)


def test_case_accents_and_forms_do_not_count(place: Place) -> None:
    place.say("café", "Crème Brûlée über Straße", "repository")
    place.say("한국어", "배포", "repository")
    for word in ("café", "CAFÉ", "cafe", "Crème", "creme", "UBER", "strasse", "STRASSE"):
        for form in ("NFC", "NFD"):
            assert found(place, unicodedata.normalize(form, word)) == ["café"], word
    assert found(place, unicodedata.normalize("NFD", "한국어")) == ["한국어"]


@pytest.mark.parametrize(
    "text",
    [
        '"', '""', "*", "npm*", "^npm", "key:npm", "npm AND", "NOT npm", "NEAR(npm pnpm, 2)", "(npm", "npm)",
        "{key}: npm", "-npm", "+npm", "npm -- x", "a'b", "%", "_", ";drop table texts", "\\",
        "\x00npm", "\x1b[31m npm", "npm\n\nnpm",
    ],
)  # fmt: skip
def test_nothing_in_the_words_is_a_syntax(place: Place, text: str) -> None:
    place.say("package_manager", "npm", "repository")
    expected = ["package_manager"] if "npm" in text else []
    assert found(place, text) == expected


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(max_size=40))
def test_no_words_make_it_fail(place: Place, text: str) -> None:
    if not place.open().project or not list_memories(place.open()).memories:
        place.say("package_manager", "npm", "repository")
    assert set(found(place, text)) <= {"package_manager"}


def filled(place: Place) -> dict[str, str]:
    """One memory of each kind, all of which hold the word needle; ids by key."""
    made = {
        "plain": place.say("plain", "needle v1", "repository"),
        "narrow": place.say("narrow", "needle v2", "repository", path="src/**"),
        "own": place.say("own", "needle v3", "user"),
        "waits": place.say("waits", "needle v4", "repository", kind="agent"),
        "poison": place.say("poison", "needle of poison", "repository"),
        "cold": place.say("cold", "needle v6", "repository"),
        "ended": place.say("ended", "needle v7", "repository", expires="2026-09-20"),
        "job": place.say("job", "needle v8", "task", task="T1"),
    }
    place.say("plain", "other needle", "repository", explicit=True)
    ids = {key: answer.memory.id for key, answer in made.items() if answer.memory is not None}
    place.change(ids["poison"], status="quarantined", status_reason="injected: by a page")
    place.change(ids["cold"], status="archived", status_reason="cold: unused")
    return ids


LATER = "2026-10-01T00:00:00Z"


def test_only_the_current_view_is_searched(place: Place) -> None:
    filled(place)
    assert sorted(found(place, "needle", now=LATER)) == ["narrow", "own", "plain"]
    assert sorted(found(place, "needle", now=LATER, env={"MEMDIR_TASK": "T1"})) == ["job", "narrow", "own", "plain"]
    told = json.dumps(document(place, "needle v1", now=LATER))
    assert "needle v1" not in told, "it was replaced"


def test_all_adds_what_waits_is_past_or_cold_and_of_quarantine_no_text(place: Place) -> None:
    filled(place)
    everything = found(place, "needle", EVERYTHING, now=LATER)
    assert sorted(everything) == ["cold", "ended", "narrow", "own", "plain", "plain", "waits"]
    assert found(place, "needle", Filter(status="candidate"), now=LATER) == ["waits"]
    assert "poison" not in json.dumps(document(place, "needle of", EVERYTHING, now=LATER))
    (result,) = document(place, "poison", EVERYTHING, now=LATER)["results"]
    assert (result["status"], result["value"]) == ("quarantined", None)
    assert "needle of poison" not in json.dumps(result)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Filter(level="user"), ["own"]),
        (Filter(type="preference"), ["own"]),
        (Filter(type="temporary"), []),
        (Filter(status="stale"), []),
        (Filter(since="2026-09-14"), ["narrow", "own", "plain"]),
        (Filter(since="2026-09-15"), []),
    ],
)
def test_what_is_found_can_be_narrowed(place: Place, wanted: Filter, expected: list[str]) -> None:
    filled(place)
    assert sorted(found(place, "needle", wanted, now=LATER)) == expected


def test_a_stale_memory_is_to_be_verified_first(place: Place) -> None:
    (place.top / "package.json").write_text('{"scripts": {"test": "vitest"}}')
    place.say("test_command", "npm test", "repository", depends_on=("package.json#scripts.test",))
    (place.top / "package.json").write_text('{"scripts": {}}')
    (result,) = document(place, "npm")["results"]
    assert result["status"] == "stale"
    assert "verify first" in result["warnings"][0]["message"]


def test_evidence_is_looked_at_only_where_a_memory_is_found(place: Place) -> None:
    (place.top / "package.json").write_text('{"scripts": {"test": "vitest"}}')
    place.say("test_command", "npm test", "repository", depends_on=("package.json#scripts.test",))
    place.say("plain", "needle", "repository")

    class Never(dict[Any, Verdict]):
        def __getitem__(self, key: Any) -> Verdict:
            raise AssertionError(key)

        get = __getitem__  # type: ignore[assignment]

    assert keys(search(place.open(), "needle", verdicts=Never())) == ["plain"]


def test_a_conflict_is_found_and_no_side_of_it_is_told(place: Place) -> None:
    place.say("indent", "two blanks", "repository", description="width of an indent")
    place.say("indent", "hard tabs", "repository", description="the other width")
    for words in ("tabs", "indent", "blanks"):
        told = document(place, words)
        (result,) = told["results"]
        assert (result["status"], result["value"]) == ("conflicted", None)
        assert result["warnings"][0]["code"] == "conflict"
        assert [*result["sides"][0]] == ["id", "value", "description", "authority", "source"]
        for secret in ("two blanks", "hard tabs", "width"):
            assert secret not in json.dumps(told)


def test_what_no_receipt_supports_is_to_be_verified_first(place: Place) -> None:
    made = place.say("plain", "needle", "repository")
    assert made.memory is not None
    place.change(made.memory.id, value="needle changed")
    (result,) = document(place, "needle")["results"]
    assert result["unattributed"] == "content"
    assert "unattributed" in [warning["code"] for warning in result["warnings"]]


def test_search_is_nobody_elses(place: Place, sandbox: Sandbox) -> None:
    place.say("own", "needle", "user")
    place.say("mine_here", "needle", "repository", private=True)
    place.say("ours", "needle", "repository")
    assert sorted(found(place, "needle")) == ["mine_here", "ours", "own"]
    assert found(founded(sandbox, "other"), "needle", EVERYTHING) == ["own"]
    assert found(place, "needle", EVERYTHING, env={"MEMDIR_USER": "someone-else"}) == ["ours"]


def test_scores_of_both_memdirs_are_one_order(place: Place) -> None:
    for number in range(6):
        place.say(f"filler-{number}", "common words of no use", "repository")
    place.say("theirs", "needle", "repository", description="x")
    place.say("own", "needle", "user", description="x")
    (one, two) = search(place.open(), "needle").results
    assert one.hit.score == two.hit.score
    assert keys(search(place.open(), "needle")) == ["theirs", "own"], "of equal ones, in the order of list"


def test_the_same_memories_give_the_same_answer(place: Place) -> None:
    filled(place)
    once = document(place, "needle other", EVERYTHING)
    assert document(place, "needle other", EVERYTHING) == once


def test_a_read_that_feeds_an_agent_is_logged_without_words(place: Place) -> None:
    ids = filled(place)
    place.say("indent", "needle a", "repository")
    place.say("indent", "needle b", "repository")
    search(place.open(now=LATER), "needle", feeds=False)
    assert place.accesses() == []
    search(place.open(now=LATER), "needle")
    own, ours = map(json.loads, place.accesses())
    assert [one["id"] for one in own["shown"]] == [ids["own"]]
    assert {one["id"] for one in ours["shown"]} == {ids["plain"], ids["narrow"]}
    assert [*ours["excluded"]] == ["conflict"]
    assert (ours["verb"], len(ours["query"])) == ("search", 32)
    assert "needle" not in json.dumps([own, ours])


def test_ignored_memory_is_not_even_read(place: Place) -> None:
    filled(place)
    answer = search(place.open(), "needle", ignored=True)
    assert (answer.results, answer.document()) == ((), {"results": [], "ignored": True})
    assert place.accesses() == []


def test_files_that_cannot_be_read_are_told_of(place: Place) -> None:
    place.say("plain", "needle", "repository")
    (place.top / ".memdir/memories/bad.md").write_text("---\nid: x\nid: y\n---\n")
    (remark,) = search(place.open(), "needle").remarks
    assert "1 file in the project memdir cannot be read" in remark


def test_what_was_forgotten_and_brought_back_by_hand_is_not_found(place: Place) -> None:
    place.say("plain", "needle of hay", "repository")
    made = place.say("gone", "needle of straw", "repository")
    assert made.memory is not None
    path = Path(made.path)
    text = path.read_bytes()
    forget(place.open(), Wanted(ref=made.memory.id), Provenance("user", "forget it", "s1", "m1"))
    path.write_bytes(text)
    for wanted in (Filter(), EVERYTHING):
        assert found(place, "needle", wanted) == ["plain"]
        assert found(place, "straw", wanted) == []


def test_a_text_without_words_finds_nothing_and_says_so(place: Place) -> None:
    assert search(place.open(), "…").remarks == ("There is no word to look for.",)


VOCABULARY = ["w10", "w11", "w12", "w13", "w14", "界", "世界", "世", "ä15", "й16"]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.dictionaries(st.integers(0, 6), st.lists(st.sampled_from(VOCABULARY), max_size=4), min_size=1),
    st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=3),
)
def test_exact_words_find_what_a_scan_finds(place: Place, told: dict[int, list[str]], asked: list[str]) -> None:
    seed = place.top / ".memdir/seed.md"
    if not seed.exists():
        made = place.say("seed", "nothing", "repository")
        Path(made.path).rename(seed)
    folder = place.top / ".memdir" / layout.MEMORIES
    for path in folder.iterdir():
        path.unlink()
    text = seed.read_text("utf-8")
    for number, words in told.items():
        memory = text.replace("seed", f"k-{number}").replace('"nothing"', "nothing")
        (folder / f"k-{number}.md").write_text(memory.replace("nothing", " ".join(["nothing", *words])), "utf-8")
    by_scan = {f"k-{number}" for number, words in told.items() if any(_stands(word, words) for word in asked)}
    results = search(place.open(), " ".join(asked)).results
    exact = {one.listed.judged.memory.predicate for one in results if any(why.how == "word" for why in one.hit.reasons)}
    assert exact == by_scan


def _stands(word: str, words: list[str]) -> bool:
    """Whether a text of ``words`` holds ``word``; letters of an unspaced script stand wherever they occur."""
    return any(word in one if word in {"界", "世界", "世"} else word == one for one in words)
