"""Opening: the three sentences that a person reads even where nothing else is read."""

from __future__ import annotations

from collections.abc import Sequence

from memdir_cli.domain.findings import Severity
from memdir_cli.domain.health import calendar
from memdir_cli.domain.health.facts import Facts
from memdir_cli.domain.health.phrases import listed, many, verb
from memdir_cli.domain.health.report import Figure, Opening, Section

#: So many things that got worse are named.
NAMED = 3

MOODS: dict[Severity, str] = {"error": "Needs action", "warning": "Needs a look", "info": "In good order"}


def opening(facts: Facts, sections: Sequence[Section]) -> Opening:
    """How it is, what got worse, what to do first.

    :param sections: the worst first.
    """
    return Opening(_how(facts, sections), _worse(facts, sections), _first(sections))


def _how(facts: Facts, sections: Sequence[Section]) -> str:
    served, current = len(facts.served), len(facts.current)
    stale, conflicted = len(facts.status("stale")), current - served
    waiting = len(facts.status("candidate"))
    of_them = [f"{stale} of them stale"] if stale else []
    beside = [f"{conflicted} {verb(conflicted, 'is', 'are')} in conflict"] if conflicted else []
    beside += [f"{many(waiting, 'candidate')} {verb(waiting, 'waits', 'wait')}"] if waiting else []
    may = f"{many(served)} may be given to agents{''.join(f', {one}' for one in of_them)}"
    return f"{MOODS[sections[0].severity]}: {listed([may, *beside])}."


def _worse(facts: Facts, sections: Sequence[Section]) -> str:
    before = calendar.name(facts.last_month.month)
    if not facts.last_month.recorded:
        return f"There are no figures of {before} to compare with."
    worse = [(section, one) for section in sections for one in section.figures if one.worse]
    if not worse:
        return f"Nothing got worse since {before}."
    told = [_told(section, figure) for section, figure in worse[:NAMED]]
    more = len(worse) - len(told)
    return f"Worse than in {before}: {listed([*told, *([f'{more} more'] if more else [])])}."


def _told(section: Section, figure: Figure) -> str:
    return f"{section.title.lower()} ({figure.label}) {figure.before:,} → {figure.value:,}"


def _first(sections: Sequence[Section]) -> str:
    leading = sections[0].leading
    if leading.severity == "info":
        return "There is nothing to do: look again in a month."
    return f"First: {leading.sentence} Type `{leading.command}`."
