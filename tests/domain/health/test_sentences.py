"""What the figures on trust, files and use say to a person, to the letter, and what each number counts."""

from __future__ import annotations

import pytest

from memdir_cli.domain.health import assembling
from memdir_cli.domain.health.facts import Facts, Fired, IndexSize, Look
from memdir_cli.domain.health.reads import Reads
from memdir_cli.domain.health.report import Month
from memdir_cli.domain.snapshot import Layer
from tests.domain.health.happened import NOW, event, facts, figure_of, known
from tests.records import project

LOG: dict[Layer, str] = {"project": "2025-01-01T00:00:00Z"}
OLD = known(project(created_at="2026-01-01T00:00:00Z", verified_at="2026-01-01T00:00:00Z"))
READ = Reads(since=LOG, total=2, lately={OLD.name: 5}, crowded_out={OLD.name: 5})
GONE = known(project(status="stale", status_reason="evidence-removed: x"))
AWAY = known(project(depends_on=()), looks=(Look("a.json", "unknown"),))


def fired(name: str, *, severity: str = "warning") -> Facts:
    """A rule of ``check`` that fired twice."""
    return facts(fired=(Fired("project", "M000", name, "error" if severity == "error" else "warning", 2),))


def month(**numbers: int) -> Facts:
    """A September with these numbers."""
    return facts(trend=(Month("2026-08"), Month("2026-09", **numbers)))


SENTENCES: list[tuple[str, str, Facts, str, str]] = [
    ("overdue", "old", facts(OLD), "",
     "1 memory was not confirmed for 180 days and has no date: confirm, or expire."),
    ("overdue", "longest", facts(known(project(verified_at="2026-09-20"))), "days",
     "The memory that nobody looked at for the longest was confirmed 10 days ago."),
    ("stale", "unseen", facts(), "", "All evidence could be looked at."),
    ("stale", "unseen", facts(AWAY), "",
     "Of 1 memory the evidence is not here, so that nobody knows whether it is fresh."),
    ("stale", "removed", facts(GONE), "", "1 memory is stale because something is gone."),
    ("stale", "removed", facts(), "", "Nothing is stale because something is gone."),
    ("index", "orphans", fired("file-without-line"), "lines",
     "2 lines of the index are missing: `memdir repair` writes it anew."),
    ("index", "missing", facts(fired=()), "lines", "No memdirs without an index."),
    ("index", "drift", facts(), "lines", "Nothing here tells this number."),
    ("findings", "warnings", fired("similar-key"), "warnings", "2 warnings that want a look."),
    ("findings", "errors", fired("secret", severity="error"), "errors",
     "2 errors by which a file is not served or may mislead: mend them first."),
    ("budget", "indexLines", facts(), "lines", "Nothing here tells this number."),
    ("budget", "indexDropped", facts(indexes=(IndexSize("project", 200, 100, 7),)), "memories",
     "7 memories have no room in the index: put away what is cold, or narrow it."),
    ("budget", "indexDropped", facts(indexes=(IndexSize("project", 200, 100, 1),)), "memories",
     "1 memory has no room in the index: put away what is cold, or narrow it."),
    ("budget", "characters", month(characters=8000), "characters",
     "A read gave 8,000 characters on average; a hook may give 10,000. Put away what is cold."),
    ("budget", "characters", month(characters=10), "characters",
     "A read gave 10 characters on average; a hook may give 10,000."),
    ("budget", "crowded", month(crowded=1), "reads",
     "1 read left out something that applies, for want of room: shorten or put away."),
    ("selection", "never", facts(OLD, reads=Reads(since=LOG)), "",
     "1 memory was given to nobody for 90 days: look at scope and key before letting it go."),
    ("selection", "crowdedOut", facts(OLD, reads=Reads(since=LOG, crowded_out={OLD.name: 5})), "",
     "1 memory applied 5 times or more in 90 days and never fitted: narrow the others, or say it shorter."),
    ("selection", "reads", facts(reads=READ), "reads", "2 reads fed an agent in 90 days."),
    ("selection", "most", facts(OLD, reads=READ), "times",
     "One memory was given 5 times: that says that it is selected, not that it is right."),
    ("selection", "most", facts(), "times", "Nothing here tells this number."),
    ("corrections", "month", month(corrections=2), "values",
     "2 values were replaced on a user's word: what agents were given before was wrong."),
    ("corrections", "repeated", facts(known(), happened=(event("superseded", NOW, id="npm"),) * 2), "",
     "1 memory was corrected again and again: give a narrower scope, or evidence with `--depends-on`."),
]  # fmt: skip


@pytest.mark.parametrize(("section", "name", "told", "unit", "sentence"), SENTENCES)
def test_a_number_says_what_it_means_and_what_it_counts(
    section: str, name: str, told: Facts, unit: str, sentence: str
) -> None:
    figure = figure_of(told, section, name)
    assert (figure.sentence, figure.unit) == (sentence, unit)


@pytest.mark.parametrize(
    ("name", "title", "about"),
    [
        ("sources", "Sources", "What nobody can trace back should not be trusted."),
        ("index", "Index", "MEMORY.md is what agents read first."),
        ("findings", "Findings", "What `memdir check` says, by rule; `memdir rule CODE` explains."),
        ("budget", "Room", "What does not fit is not read; what is read costs attention."),
        ("selection", "Selection", "Being given often is no merit, and being given never no fault."),
        ("corrections", "Corrections", "A correction is the surest sign that a memory misled."),
    ],
)
def test_a_section_says_what_is_counted_in_it_and_why(name: str, title: str, about: str) -> None:
    (section,) = (one for one in assembling.report(facts()).sections if one.name == name)
    assert (section.title, section.about) == (title, about)
