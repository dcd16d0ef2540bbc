"""Each number, from memories that are nothing else: what it counts, how bad it is, what it says to type."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir_cli.domain.archiving import Chill, Cold
from memdir_cli.domain.health import assembling, figures
from memdir_cli.domain.health.facts import (
    CODES,
    PROBE_CHARACTERS,
    Facts,
    Fired,
    IndexSize,
    Known,
    Look,
    Refused,
    code_of,
    told_probe,
)
from memdir_cli.domain.health.phrases import listed, many, said
from memdir_cli.domain.health.reads import Reads
from memdir_cli.domain.health.replay import Name
from memdir_cli.domain.health.report import Figure, Month, Section
from memdir_cli.domain.memory import Evidence, Side
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.source import Source
from tests.domain.health.happened import NOW, event, facts, figure_of, known
from tests.records import project, user

SIDES = (Side("s1", "npm", "", "user"), Side("s2", "pnpm", "", "user"))
PROBE = Look("package.json#scripts.test", "removed")
REACHED: dict[Name, int] = {("project", "npm"): 3}
OFTEN: dict[Name, int] = {("project", "npm"): 5}
LOG: dict[Layer, str] = {"project": "2025-01-01T00:00:00Z"}
MONTHS = (Month("2026-08", stale=0, characters=10, corrections=1, reads=1, crowded=0),)


def fired(name: str, severity: str = "warning", count: int = 2) -> tuple[Fired, ...]:
    """A rule that fired."""
    return (Fired("project", "M000", name, "error" if severity == "error" else "warning", count),)


def september(**numbers: int) -> tuple[Month, ...]:
    """A trend in which September has these numbers."""
    return (*MONTHS, replace(Month("2026-09"), **numbers))  # type: ignore[arg-type]


def chills(why: Cold) -> tuple[Chill, ...]:
    """The memory of :func:`known` as a cold one."""
    return (Chill(known().record, why, "", ""),)


#: Section, figure, facts; value, severity.
CASES: list[tuple[str, str, Facts, int | None, str]] = [
    ("sources", "without", facts(known(project(source=()))), 1, "warning"),
    ("sources", "without", facts(known(project())), 0, "info"),
    ("sources", "without", facts(known(project(source=(), status="conflicted", sides=SIDES))), 1, "warning"),
    ("sources", "lost", facts(known(project(status="candidate", status_reason="source-unavailable: x"))), 1, "warning"),
    ("sources", "unattributed", facts(known(unattributed="status")), 1, "warning"),
    ("sources", "unattributed", facts(known(), past=True), None, "info"),
    ("overdue", "due", facts(known(project(review_after="2026-09-01"))), 1, "warning"),
    ("overdue", "due", facts(known(project(review_after="2026-10-01"))), 0, "info"),
    ("overdue", "old", facts(known(project(verified_at="2026-04-03T18:00:00Z"))), 1, "warning"),
    ("overdue", "old", facts(known(project(verified_at="2026-04-04T00:00:00Z"))), 0, "info"),
    ("overdue", "old", facts(known(project(verified_at="2025-01-01", review_after="2027-01-01"))), 0, "info"),
    ("overdue", "old", facts(known(project(verified_at="2025-01-01"), limited=True)), 0, "info"),
    ("overdue", "longest", facts(known(project(verified_at="2026-09-20"))), 10, "info"),
    ("stale", "stale", facts(known(project(status="stale"))), 1, "warning"),
    ("stale", "stale", facts(*[known(project(status="stale", value=str(n))) for n in range(3)]), 3, "error"),
    ("stale", "removed", facts(known(project(status="stale", status_reason="evidence-removed: x"))), 1, "info"),
    ("stale", "dates", facts(known(project(review_after="2026-09-01"))), 1, "info"),
    ("stale", "unwritten", facts(known(project(review_after="2026-09-01"))), 1, "info"),
    ("stale", "unseen", facts(known(looks=(Look("a.json", "unknown"),))), 1, "info"),
    ("stale", "unreadable", facts(known(looks=(Look("a.json", "unreadable"),))), 1, "warning"),
    ("stale", "unseen", facts(known(), looked=False), None, "info"),
    ("conflicts", "open", facts(known(project(status="conflicted", value=None, sides=SIDES), since=NOW)), 1, "warning"),
    ("conflicts", "open", facts(known(project(status="conflicted", sides=SIDES), since="2026-08-30")), 1, "error"),
    ("conflicts", "user", facts(known(user(status="conflicted", sides=SIDES))), 1, "info"),
    ("conflicts", "opened", facts(trend=september(conflicts=2)), 2, "info"),
    ("candidates", "waiting", facts(known(project(folder="inbox", status="candidate", created_at=NOW))), 1, "info"),
    ("candidates", "waiting", facts(known(project(folder="inbox", status="candidate"))), 1, "warning"),
    ("candidates", "rivals", facts(known(project(folder="inbox", status="candidate", rival="x@1"))), 1, "info"),
    (
        "candidates", "leaving",
        facts(known(project(folder="inbox", status="candidate", verified_at="")), kept_for={"project": "36d"}),
        1, "warning",
    ),
    (
        "candidates", "leaving",
        facts(known(project(folder="inbox", status="candidate", verified_at="")), kept_for={"project": "37d"}),
        0, "info",
    ),
    ("quarantine", "held", facts(known(project(folder="quarantine", status="quarantined"))), 1, "warning"),
    (
        "quarantine", "held",
        facts(known(project(folder="quarantine", status="quarantined")), reads=Reads(sessions=REACHED)),
        1, "error",
    ),
    ("quarantine", "reached", facts(known(project(folder="quarantine", status="quarantined"))), None, "info"),
    ("quarantine", "incidents", facts(happened=(event("quarantined"),)), 1, "info"),
    ("index", "brokenLinks", facts(fired=fired("line-without-file", "error")), 2, "error"),
    ("index", "orphans", facts(fired=fired("file-without-line")), 2, "warning"),
    ("index", "drift", facts(fired=()), 0, "info"),
    ("index", "drift", facts(fired=None), None, "info"),
    ("findings", "errors", facts(fired=fired("secret", "error")), 2, "error"),
    ("findings", "warnings", facts(fired=fired("index-drift")), 0, "info"),
    ("budget", "indexLines", facts(indexes=(IndexSize("project", 160, 100, 0),)), 160, "warning"),
    ("budget", "indexBytes", facts(indexes=(IndexSize("project", 10, 20_479, 0),)), 20_479, "info"),
    ("budget", "indexDropped", facts(indexes=(IndexSize("project", 200, 100, 7),)), 7, "warning"),
    ("budget", "characters", facts(trend=september(characters=8000)), 8000, "warning"),
    ("budget", "characters", facts(trend=september(characters=7999)), 7999, "info"),
    ("budget", "crowded", facts(trend=september(crowded=1)), 1, "warning"),
    ("selection", "never", facts(known(project(created_at="2026-01-01T00:00:00Z"))), None, "info"),
    ("selection", "never", facts(known(project(created_at="2026-01-01T00:00:00Z")), reads=Reads(since=LOG)), 1, "info"),
    ("selection", "never", facts(known(), reads=Reads(since=LOG)), 0, "info"),
    (
        "selection", "never",
        facts(
            known(project(created_at="2026-01-01T00:00:00Z")),
            reads=Reads(since=LOG, latest={("project", "npm"): "2026-09-01T00:00:00Z"}),
        ),
        0, "info",
    ),
    ("selection", "crowdedOut", facts(known(), reads=Reads(since=LOG, crowded_out=OFTEN)), 1, "warning"),
    ("selection", "most", facts(known(), reads=Reads(since=LOG, lately=OFTEN)), 5, "info"),
    ("corrections", "month", facts(trend=september(corrections=2)), 2, "info"),
    (
        "corrections", "repeated",
        facts(known(), happened=(event("superseded", id="npm"), event("superseded", id="npm", at=NOW))), 1, "warning",
    ),
    (
        "corrections", "repeated",
        facts(known(), happened=(event("superseded", id="npm"), event("superseded", id="npm", actor="tool"))),
        0, "info",
    ),
    ("forgets", "attempts", facts(trend=september(returns=1)), 1, "warning"),
    ("forgets", "month", facts(trend=september(forgotten=1)), 1, "info"),
    ("forgets", "kept", facts(tombstones=4), 4, "info"),
    ("refusals", "secrets", facts(trend=september(secrets=1)), 1, "warning"),
    ("refusals", "secrets", facts(), None, "info"),
    (
        "refusals", "hiddenCharacters",
        facts(trend=september(secrets=0), refused=(Refused(NOW, "hidden-characters"),)), 1, "warning",
    ),
    ("refusals", "other", facts(trend=september(secrets=0), refused=(Refused(NOW, "unproven"),)), 1, "info"),
    ("archive", "candidates", facts(known()), None, "info"),
    ("archive", "candidates", facts(known(), cold=()), None, "info"),
    ("archive", "candidates", facts(known(), cold=(), reads=Reads(since=LOG)), 0, "info"),
    ("archive", "candidates", facts(known(), cold=chills("unused"), reads=Reads(since=LOG)), 1, "info"),
    ("archive", "candidates", facts(known(), cold=chills("unused")), None, "info"),
    ("archive", "candidates", facts(known(), cold=chills("scope-gone")), 1, "info"),
    ("archive", "archived", facts(known(project(folder="archive", status="archived"))), 1, "info"),
]  # fmt: skip


@pytest.mark.parametrize(("section", "name", "told", "value", "severity"), CASES)
def test_each_number_counts_what_it_says(
    section: str, name: str, told: Facts, value: int | None, severity: str
) -> None:
    figure = figure_of(told, section, name)
    assert (figure.value, figure.severity) == (value, severity)
    assert figure.sentence.endswith(".")
    assert figure.command.startswith("memdir ")
    assert not set("#[|]") & set(figure.sentence), "nothing is left unsaid"


def test_all_sections_are_named_as_their_functions_and_have_a_number() -> None:
    made = assembling.report(facts())
    assert {section.name for section in made.sections} == set(assembling.NAMES)
    assert all(section.figures for section in made.sections)
    names = [(section.name, figure.name) for section in made.sections for figure in section.figures]
    assert len(set(names)) == len(names)


def test_the_worst_stands_first_and_says_what_to_do() -> None:
    conflict = known(project(status="conflicted", sides=SIDES, id="c1"), since="2026-08-01T00:00:00Z")
    made = assembling.report(facts(conflict, known(project(source=()))))
    assert [section.name for section in made.sections[:2]] == ["conflicts", "sources"]
    assert made.severity == "error"
    assert made.opening.how == "Needs action: 1 memory may be given to agents and 1 is in conflict."
    assert made.opening.first.endswith("Type `memdir settle c1 --keep SIDE-ID`.")


def test_what_got_worse_is_told_with_both_numbers() -> None:
    trend = (replace(Month("2026-08"), verified=1, stale=0), Month("2026-09", verified=0, stale=1))
    made = assembling.report(facts(known(project(status="stale")), trend=trend))
    assert made.opening.worse == "Worse than in August 2026: stale (to be verified first) 0 → 1."
    assert made.worse


def test_without_a_month_before_nothing_is_compared() -> None:
    assert assembling.report(facts()).opening.worse == "There are no figures of August 2026 to compare with."


def test_where_all_is_well_there_is_nothing_to_do() -> None:
    made = assembling.report(facts(known(), trend=(Month("2026-08", verified=1, stale=0), Month("2026-09"))))
    assert made.opening.sentences == (
        "In good order: 1 memory may be given to agents.",
        "Nothing got worse since August 2026.",
        "There is nothing to do: look again in a month.",
    )


def test_evidence_that_speaks_against_a_memory_is_named_by_its_probe() -> None:
    one = known(project(status="stale", status_reason="evidence-removed: `npm test` is gone"), looks=(PROBE,))
    (item,) = figure_of(facts(one), "stale", "stale").items
    assert item.note == "removed: package.json#scripts.test"


def test_of_a_quarantined_memory_the_id_alone_is_told() -> None:
    (item,) = figure_of(
        facts(known(project(folder="quarantine", status="quarantined", id="q1"))), "quarantine", "held"
    ).items
    assert (item.id, item.key) == ("q1", "")


def test_counts_tell_everything_by_status_and_what_is_in_use_by_the_rest() -> None:
    counted = assembling.counts(
        facts(known(), known(project(folder="inbox", status="candidate")), known(user(verified_at="2025-01-01")))
    )
    assert {name: number for name, number in counted["status"].items() if number} == {"candidate": 1, "verified": 2}
    assert {name: number for name, number in counted["scope"].items() if number} == {"repository": 1, "user": 1}
    assert {name: number for name, number in counted["age"].items() if number} == {"up to 30 days": 1, "over a year": 1}


def test_of_a_month_that_is_over_history_and_lost_files_count_by_status() -> None:
    counted = assembling.counts(facts(known(), past=True, ghosts={"stale": 2}, ended={"superseded": 3}))
    assert (counted["status"]["stale"], counted["status"]["superseded"], counted["status"]["verified"]) == (2, 3, 1)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (facts(past=True, looked=False), "not known"),
        (facts(past=True), "as they are now"),
        (facts(ghosts={"stale": 1}), "no file is left"),
        (facts(), "no log of reads"),
        (facts(reads=Reads(since={"project": "2026-09-01T00:00:00Z"})), "younger than 90 days"),
        (facts(shallow=True), "shallow clone"),
        (facts(), "no user memdir"),
        (facts(memdirs=("user",)), "no project memdir"),
    ],
)
def test_what_is_not_known_is_said(told: Facts, words: str) -> None:
    assert any(words in sentence for sentence in assembling.report(told).unknown)


def test_where_all_is_known_nothing_is_said_of_it() -> None:
    told = facts(memdirs=("user", "project"), reads=Reads(since=LOG))
    assert assembling.report(told).unknown == ()


def test_the_document_has_a_key_a_section_and_leaves_out_what_is_empty() -> None:
    made = assembling.report(facts(known(project(source=()))))
    document = made.document()
    assert set(assembling.NAMES) <= set(document)
    sources = next(section for section in made.sections if section.name == "sources").document()
    assert sources["numbers"] == {"without": 1, "lost": 0, "unattributed": 0}


def test_long_probes_are_cut_and_cannot_steer_a_terminal() -> None:
    assert len(told_probe("a/" * 500)) == PROBE_CHARACTERS
    assert told_probe("a" + chr(27) + "[31m.json").isprintable()


def test_a_candidate_whose_dates_say_nothing_leaves_when_nobody_knows() -> None:
    for created, kept_for in (("someday", "30d"), ("2026-09-01", "for ever")):
        one = known(project(folder="inbox", status="candidate", verified_at="", created_at=created))
        assert figure_of(facts(one, kept_for={"project": kept_for}), "candidates", "leaving").value == 0


def test_an_age_that_nobody_can_read_is_unknown() -> None:
    one = known(project(verified_at="", updated_at="", created_at=""))
    assert assembling.counts(facts(one))["age"]["unknown"] == 1


def test_a_reason_that_a_hand_wrote_is_not_repeated() -> None:
    assert code_of("my own words: here") == "other"
    assert code_of("") == ""
    assert code_of("evidence-changed: `x` is now `y`") == "evidence-changed"


def test_every_code_that_moves_a_status_is_known() -> None:
    assert {"evidence-changed", "evidence-removed", "evidence-moved", "review-due", "expired", "age-limit"} <= CODES


@pytest.mark.parametrize(
    ("sentence", "count", "told"),
    [
        ("# [is|are] here.", 1, "1 memory is here."),
        ("# [is|are] here.", 2, "2 memories are here."),
        ("# [is|are] here.", 1234, "1,234 memories are here."),
        ("Drop [it|them].", 2, "Drop them."),
    ],
)
def test_sentences_go_with_their_number(sentence: str, count: int, told: str) -> None:
    assert said(sentence, count) == told


def test_words_are_listed_and_counted_as_people_do() -> None:
    assert [many(1, "day"), many(2, "day"), many(0, "query")] == ["1 day", "2 days", "0 queries"]
    assert [many(1, "side"), many(2, "side"), many(2000)] == ["1 side", "2 sides", "2,000 memories"]
    assert [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


def test_a_section_is_as_bad_as_its_worst_number() -> None:
    fine = Figure("a", "a", 0, "info", "Fine.", "memdir list")
    bad = replace(fine, name="b", severity="error")
    section = Section("x", "X", "About.", (fine, bad))
    assert (section.severity, section.leading) == ("error", bad)


def test_sources_of_sides_count_as_sources() -> None:
    said_so = (replace(SIDES[0], source=(Source("user"),)), SIDES[1])
    one: Known = known(project(source=(), status="conflicted", sides=said_so, depends_on=(Evidence("a"),)))
    assert figure_of(facts(one), "sources", "without").value == 0


def test_a_stale_memory_is_told_with_the_day_from_which_it_was() -> None:
    one = known(project(status="stale", verified_at="2026-01-02T00:00:00Z"), since="2026-09-20T08:00:00Z")
    stale = figure_of(facts(one), "stale", "stale")
    assert [item.date for item in stale.items] == ["2026-09-20"]


@pytest.mark.parametrize(
    ("value", "unit", "told"),
    [
        (2, "", (2, "warning", "2 files wait.", "files")),
        (0, "", (0, "info", "None waits.", "files")),
        (None, "", (None, "info", "Nothing here tells this number.", "files")),
        (2, "drafts", (2, "warning", "2 files wait.", "drafts")),
        (None, "drafts", (None, "info", "Nothing here tells this number.", "drafts")),
    ],
)
def test_a_number_of_something_else_says_what_it_counts(
    value: int | None, unit: str, told: tuple[int | None, str, str, str]
) -> None:
    figure = figures.number(
        "waiting", "waiting", value, some="# [waits|wait].", none="None waits.", command="memdir log", noun="file",
        unit=unit, severity="warning",
    )  # fmt: skip
    assert (figure.value, figure.severity, figure.sentence, figure.unit) == told


@pytest.mark.parametrize(
    ("ids", "told"),
    [
        (None, (None, "info", "Nothing here tells this number.", "memdir list")),
        ([], (0, "info", "None waits.", "memdir list")),
        (["a"], (1, "warning", "1 memory waits.", "memdir show a")),
        (["b", "a"], (2, "warning", "2 memories wait.", "memdir show b")),
    ],
)
def test_a_number_of_memories_says_what_to_type_about_the_first(
    ids: list[str] | None, told: tuple[int | None, str, str, str]
) -> None:
    counted = None if ids is None else [known(project(id=one)) for one in ids]
    figure = figures.memories(
        "waiting", "waiting", counted, some="# [waits|wait].", none="None waits.", command="memdir show ID"
    )
    assert (figure.value, figure.severity, figure.sentence, figure.command) == told
    assert [item.id for item in figure.items] == (ids or [])
