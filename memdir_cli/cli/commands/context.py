"""Print what an agent may use here, within a budget of characters.

Same state and day, same bytes. What was left out stands there as a number.
"""

from __future__ import annotations

from memdir_cli.cli import again, reading, terminal, words
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading

EXAMPLES = """\
  memdir context
  memdir context --budget 4000 --query "upgrade the build" --path packages/web
"""

FORMS = ("markdown", "json")


def command(
    budget: str | None = None,
    query: str | None = None,
    context_format: str | None = None,
    *,
    narrowed: Reading,
    common: Common,
) -> int:
    """Print the context."""
    from memdir_cli.domain.briefing import BUDGET
    from memdir_cli.operations.context import context

    size = words.count("--budget", budget)
    form = words.form(context_format, FORMS, json=common.json)
    level, _ = words.scope(narrowed.scope)
    own = {"budget": budget, "query": query, "context_format": context_format}
    answering = again.Answering("context", again.given(own, narrowed, common), common)
    workplace = open_here(common, narrowed, heard=answering.heard)
    answer = context(
        workplace,
        BUDGET if size is None else size,
        query or "",
        level,
        form="json" if form == "json" else "markdown",
        verdicts=answering.looks(workplace),
        ignored=reading.ignored(narrowed.ignore_memory),
        feeds=not terminal.person_present(workplace.runtime),
    )
    return answering.say(workplace, 0, answer.text, reading.warned(answer.remarks, common))
