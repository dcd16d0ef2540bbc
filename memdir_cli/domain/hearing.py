"""Hearing: what a statement of a speaker can become, before anybody looks at what is remembered already."""

from __future__ import annotations

from memdir_cli.domain import gate, screen
from memdir_cli.domain.memory import Memory, Type
from memdir_cli.domain.scope import Level
from memdir_cli.domain.statement import Statement
from memdir_cli.errors import UsageError
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Hearing:
    """A statement with everything known that does not depend on what is remembered already."""

    statement: Statement
    key: str
    speaker: gate.Speaker
    policy: gate.GatePolicy
    verb: str

    @property
    def type(self) -> Type:
        """The type that the statement names, else what goes with its speaker and its level."""
        if self.statement.type is not None:
            return self.statement.type
        if self.speaker.kind in {"tool", "file"}:
            return "fact"
        types: dict[Level, Type] = {"user": "preference", "repository": "project-rule", "task": "temporary"}
        return types[self.statement.level or "user"]

    @property
    def lowered(self) -> str:
        """Why what is said waits as a candidate, as a status reason; ``""`` if the speaker is believed."""
        if self.speaker.believed:
            return ""
        if self.speaker.kind == "user":
            return "unproven: nothing proves that these are the user's words"
        return f"unconfirmed: said by a source of kind {self.speaker.kind}"


def check_content(statement: Statement) -> None:
    """:raises UsageError: for a statement that says nothing, or not what it means."""
    if statement.none and statement.value is not None:
        raise UsageError("`--none` says that nothing applies; it goes without a value.", hint="leave out one")
    if statement.value is None and not statement.none and not (statement.body or "").strip():
        raise UsageError(
            "There is nothing to remember: no value and no text.",
            hint="give a VALUE, or `--body-file F`, or `--none` to say that nothing applies",
        )
    if statement.private and statement.level not in {None, "repository"}:
        raise UsageError(
            "`--private` keeps a rule for one repository in your own memdir.", hint="use `--scope repository`"
        )
    for name, text in (("VALUE", statement.value), ("--description", statement.description)):
        if text is not None and any("\ud800" <= char <= "\udfff" for char in text):
            raise UsageError(f"{name} is not valid UTF-8.", hint="pass text in UTF-8")


def bar_speaker(hearing: Hearing) -> gate.Refusal | None:
    """Why nobody who speaks like this may say such a thing, wherever it is to hold; ``None`` if he may."""
    statement, speaker = hearing.statement, hearing.speaker
    if speaker.kind != "user":
        barred = screen.bar_permission(screen.statement_texts(statement), speaker.kind)
        if barred is not None:
            return barred
    return gate.needs_word(speaker, f"{hearing.verb} --after-forget") if statement.after_forget else None


def bar_scope(hearing: Hearing, user: str | None) -> gate.Refusal | None:
    """Why the gate keeps such a statement of this speaker out of its scope; ``None`` if it does not.

    :param user: id of the user who runs memdir.
    """
    statement = hearing.statement
    return gate.admit(
        hearing.speaker,
        hearing.policy,
        level=statement.level or "user",
        type_=hearing.type,
        wants_policy=statement.policy,
        user=user,
    )


def has_details(statement: Statement, said: Memory, standing: Memory) -> bool:
    """Whether the statement asks for more than the value: what it does not name stays as it stands."""
    named = (
        (statement.description, said.description, standing.description),
        (statement.body, said.body, standing.body),
        (statement.type, said.type, standing.type),
        (statement.expires, said.expires_at, standing.expires_at),
        (statement.review_after, said.review_after, standing.review_after),
        (statement.depends_on or None, said.depends_on, standing.depends_on),
    )
    return any(option is not None and new != old for option, new, old in named)
