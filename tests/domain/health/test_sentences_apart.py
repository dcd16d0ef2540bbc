"""What the figures on conflicts, candidates and what was withdrawn say to a person, to the letter."""

from __future__ import annotations

import pytest

from memdir_cli.checks.registry import RULES
from memdir_cli.domain.archiving import Chill
from memdir_cli.domain.health import assembling
from memdir_cli.domain.health.facts import Facts, Fired, Refused
from memdir_cli.domain.health.reads import Reads
from memdir_cli.domain.health.report import Month
from memdir_cli.domain.health.upkeep import _OF_INDEX
from memdir_cli.domain.health.withdrawn import RETURNED
from memdir_cli.domain.memory import Side
from memdir_cli.domain.snapshot import Layer
from tests.domain.health.happened import NOW, event, facts, known
from tests.records import project

LOG: dict[Layer, str] = {"project": "2025-01-01T00:00:00Z"}
SIDES = (Side("s1", "npm", "", "user"), Side("s2", "pnpm", "", "user"))
CONFLICT = facts(known(project(status="conflicted", sides=SIDES), since="2026-08-30"))
WAITS = facts(known(project(folder="inbox", status="candidate", verified_at="")), kept_for={"project": "36d"})
HELD = known(project(folder="quarantine", status="quarantined"))
REACHED = facts(HELD, happened=(event("quarantined"),), reads=Reads(since=LOG, sessions={HELD.name: 1}))
BACK = facts(fired=(Fired("project", "M732", "forgotten-returned", "error", 1),))
REFUSED = (Refused(NOW, "hidden-characters"), Refused(NOW, "unproven"))


def month(**numbers: int) -> Facts:
    """A September with these numbers."""
    return facts(trend=(Month("2026-08"), Month("2026-09", **numbers)), refused=REFUSED)


SENTENCES: list[tuple[str, str, Facts, str, str, str]] = [
    ("conflicts", "open", CONFLICT, "open", "",
     "1 memory holds values against each other and is given to nobody: settle it."),
    ("conflicts", "repository", CONFLICT, "at level repository", "conflicts", "1 conflict at level repository."),
    ("conflicts", "user", CONFLICT, "at level user", "conflicts", "None at level user."),
    ("conflicts", "longest", CONFLICT, "the longest open", "days", "The oldest conflict has been open for 31 days."),
    ("conflicts", "opened", month(conflicts=2), "opened this month", "times",
     "2 times a second value of equal weight was said: often the scope is too wide, and narrowing helps."),
    ("candidates", "waiting", WAITS, "waiting", "",
     "1 memory waits in the inbox, given to nobody: `memdir review` asks about one after the other."),
    ("candidates", "leaving", WAITS, "gone within 7 days", "",
     "1 memory goes soon, because nobody confirmed it: confirm now what is right."),
    ("candidates", "oldest", WAITS, "the longest waiting", "days", "The oldest candidate has waited for 29 days."),
    ("candidates", "oldest", facts(), "the longest waiting", "days", "No candidate is older than today."),
    ("quarantine", "held", REACHED, "held", "",
     "1 memory is withheld: find out whom it reached, then `memdir release` or `memdir forget`."),
    ("quarantine", "reached", REACHED, "sessions that it reached", "sessions",
     "What is withheld had been given in 1 session before: look at what they did with it."),
    ("quarantine", "incidents", REACHED, "withdrawn this month", "memories", "1 memory was withdrawn this month."),
    ("forgets", "returned", BACK, "back in a file", "memories",
     "1 memory that was forgotten lies in a file again; nobody is given it: `memdir repair` removes it."),
    ("forgets", "returned", facts(fired=()), "back in a file", "memories",
     "Nothing that was forgotten lies in a file."),
    ("forgets", "attempts", month(returns=1), "attempts to come back", "times",
     "1 time something that was forgotten was to be written again, and was refused: find out who keeps it."),
    ("forgets", "month", month(forgotten=1), "forgotten this month", "memories",
     "1 memory was forgotten this month; clones and backups may still hold it."),
    ("refusals", "secrets", month(secrets=1), "secrets kept out", "times",
     "1 time a write held a secret and was refused: whoever sent it has it in a log; replace it."),
    ("refusals", "hiddenCharacters", month(secrets=0), "hidden characters kept out", "times",
     "1 time a write held characters that show nothing, and was refused: look where the text came from."),
    ("refusals", "other", month(secrets=0), "other refusals", "writes",
     "1 write was refused for want of a user's word, or by policy."),
    ("archive", "candidates", facts(known(), cold=(Chill(known().record, "scope-gone", "", ""),)), "cold", "",
     "Of 1 memory nothing was heard for 365 days, and nobody uses it: put away; `memdir restore` takes back."),
]  # fmt: skip


@pytest.mark.parametrize(("section", "name", "told", "label", "unit", "sentence"), SENTENCES)
def test_a_number_is_named_and_says_what_it_means_and_what_it_counts(
    section: str, name: str, told: Facts, label: str, unit: str, sentence: str
) -> None:
    (found,) = (one for one in assembling.report(told).sections if one.name == section)
    (figure,) = (one for one in found.figures if one.name == name)
    assert (figure.label, figure.unit, figure.sentence) == (label, unit, sentence)


def test_what_came_back_is_looked_for_by_its_own_rule() -> None:
    (found,) = (one for one in assembling.report(BACK).sections if one.name == "forgets")
    assert (found.figures[0].value, found.figures[0].command) == (1, "memdir check --select M732")


def test_rules_with_a_number_of_their_own_are_rules_of_check() -> None:
    assert {RETURNED, *_OF_INDEX} <= {rule.name for rule in RULES}


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("conflicts", "Conflicts"),
        ("candidates", "Candidates"),
        ("quarantine", "Quarantine"),
        ("forgets", "Forgotten"),
        ("refusals", "Refused"),
        ("archive", "Archive"),
    ],
)
def test_a_section_has_a_title(name: str, title: str) -> None:
    assert [one.title for one in assembling.report(facts()).sections if one.name == name] == [title]
