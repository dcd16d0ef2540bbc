"""What the write verbs share: provenance, the questions to a person, the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memdir_cli.cli import streams, terminal, words
from memdir_cli.cli.render import human, json
from memdir_cli.cli.request import Common, Said, Saying
from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.memory import TYPES
from memdir_cli.domain.source import KINDS
from memdir_cli.domain.statement import Provenance, Qualification, Statement
from memdir_cli.domain.text import printable
from memdir_cli.errors import NoMemdirError, UsageError
from memdir_cli.shapes import replace

if TYPE_CHECKING:
    from memdir_cli.operations.workplace import Workplace


def provenance(said: Said, *, person: bool) -> Provenance:
    """Who says it.

    :param person: whether a person sits at the terminal.
    """
    kind = words.one_of("--from", said.source, KINDS)
    if said.transcript is not None and kind != "user" and not person:
        raise UsageError(
            "`--transcript` proves the words of a user, and these are nobody's.",
            hint="add `--from user --said 'their words'`, or leave it out",
        )
    return Provenance(
        kind=kind,
        said=said.said or "",
        session=said.session or "",
        message=said.message or "",
        transcript=said.transcript or "",
        terminal=person,
        command_line=terminal.command_line(),
    )


def statement(key: str, value: str | None, saying: Saying, spoken: Provenance) -> Statement:
    """What is said about ``key``; its text is read from the file that was named."""
    level, task = words.scope(saying.scope)
    return Statement(
        predicate=key,
        value=value,
        level=level,
        task=task,
        qualification=Qualification(saying.path, saying.topic, words.pairs("--env", saying.env), saying.for_version),
        private=saying.private,
        none=saying.none,
        type=words.one_of("--type", saying.type, TYPES),
        policy=words.one_of("--authority", saying.authority, ("policy",)) is not None,
        description=saying.description,
        body=words.body(saying.body_file),
        depends_on=saying.depends_on,
        expires=saying.expires,
        review_after=saying.review_after,
        explicit=saying.replace,
        if_revision=words.count("--if-revision", saying.if_revision),
        after_forget=saying.after_forget,
        provenance=spoken,
    )


def state(workplace: Workplace, stated: Statement, act: Callable[[Workplace, Statement], WriteAnswer]) -> WriteAnswer:
    """Carry out a statement; a person at the terminal is asked where only a person may choose."""
    answer = act(workplace, stated)
    if not stated.provenance.terminal:
        return answer
    if answer.decision == "needs_scope" and answer.choices:
        choice = terminal.choose(answer.message or f"Where does `{stated.predicate}` apply?", answer.choices)
        if choice is None:
            return answer
        streams.remark(printable(choice.command))
        level, task = words.scope(_scope_word(choice.scope))
        stated = replace(stated, level=level, task=task)
        answer = act(workplace, stated)
    if answer.reason == "forgotten" and not stated.after_forget:
        if not terminal.agreed(f"{answer.message} Remember it again?"):
            return replace(answer, message="Nothing was written.", hint="")
        stated = replace(stated, after_forget=True)
        answer = act(workplace, stated)
    return asked(answer, lambda revision: act(workplace, replace(stated, explicit=True, if_revision=revision)))


def asked(answer: WriteAnswer, replacing: Callable[[int], WriteAnswer]) -> WriteAnswer:
    """``answer``; where another value of equal weight stands, what comes of the person's choice.

    :param replacing: carries it out so that it replaces the revision that stands.
    """
    if answer.decision != "conflicted" or answer.reason != "ask-person" or answer.memory is None:
        return answer
    if not terminal.agreed(f"{human.statement(answer.memory)} is remembered. Replace it?"):
        return replace(answer, message="Nothing was written.", hint="")
    return replacing(answer.memory.revision)


def answered(answer: WriteAnswer, common: Common) -> int:
    """Print what was decided and give the exit status."""
    if common.json:
        streams.say(json.text(json.write(answer)))
        return answer.exit_status
    happened = answer.exit_status == 0 or answer.decision in {"conflicted", "needs_decision"}
    if happened and answer.reason != "ask-person" and not common.quiet:
        streams.say(human.written(answer))
    if not common.quiet:
        for caution in answer.warnings:
            streams.remark(f"warning: {printable(caution.message)}")
    if answer.exit_status:
        streams.remark(f"error: {printable(answer.message or answer.decision)}")
    for choice in answer.choices:
        streams.remark(f"  {printable(choice.command)}")
    if answer.exit_status or not common.quiet:
        streams.hint(answer.hint)
    return answer.exit_status


def with_memdir(
    workplace: Workplace, act: Callable[[Workplace], WriteAnswer], reopen: Callable[[], Workplace]
) -> WriteAnswer:
    """``act``; where it needs a project memdir, a person at the terminal may have one made first."""
    try:
        return act(workplace)
    except NoMemdirError:
        if not (workplace.root and terminal.person_present(workplace.runtime)):
            raise
        if not terminal.agreed(f"There is no memdir in {workplace.root}. Create .memdir here?"):
            raise
    from memdir_cli.operations.init import init

    init(workplace)
    return act(reopen())


def _scope_word(scope: str) -> str:
    """The word for ``--scope`` in a choice such as ``repository:github.com/acme/web``."""
    level, _, _ = scope.partition(":")
    return scope if level == "task" else level
