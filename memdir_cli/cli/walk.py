"""The walk of a review: one memory after the other, and what the person at the terminal wants done about it.

Every choice is carried out as the command that could have been typed instead, and by the same verb.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memdir_cli.cli import streams, terminal, words, writing
from memdir_cli.cli.render import reviewed
from memdir_cli.cli.request import Common
from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.review import Entry
from memdir_cli.domain.statement import Provenance, Qualification, Statement
from memdir_cli.domain.text import printable
from memdir_cli.errors import MemdirError

if TYPE_CHECKING:
    from memdir_cli.operations.workplace import Workplace

Reopen = Callable[[], "Workplace"]

#: By option of `memdir narrow`, the field of a qualification that it fills.
_NARROWING = {"--path": "path", "--topic": "topic", "--for-version": "version"}


def through(entries: Sequence[Entry], reopen: Reopen, common: Common) -> None:
    """Ask about every entry; ``q`` ends it.

    :param reopen: opens the workplace anew, for what the last choice has changed.
    """
    for number, entry in enumerate(entries, 1):
        streams.say(f"\n{number} of {len(entries)}\n{reviewed.card(entry)}")
        options = _conflict(entry) if entry.memory.sides else _single(entry)
        chosen = terminal.letter("What", {**{key: word for key, (word, _) in options.items()}, "q": "quit"})
        if chosen == "q":
            return
        if not chosen:
            continue
        try:
            answer = options[chosen][1](reopen())
        except MemdirError as error:
            # one that fails is no reason to leave the others
            streams.remark(f"error: {printable(error.message)}")
            streams.hint(error.hint)
            continue
        if answer is None:
            streams.remark("Nothing was written.")
        else:
            writing.answered(answer, common)


Act = Callable[["Workplace"], WriteAnswer | None]


def _single(entry: Entry) -> dict[str, tuple[str, Act]]:
    return {
        "a": ("accept", lambda place: _accept(place, entry)),
        "n": ("narrow", lambda place: _narrow(place, entry.memory.id)),
        "c": ("correct", lambda place: _correct(place, entry)),
        "r": ("reject", lambda place: _reject(place, entry)),
    }


def _conflict(entry: Entry) -> dict[str, tuple[str, Act]]:
    return {
        "k": ("keep one side", lambda place: _keep(place, entry)),
        "n": ("narrow one side", lambda place: _narrow(place, _side(entry))),
        "c": ("correct", lambda place: _correct(place, entry)),
    }


def _accept(place: Workplace, entry: Entry) -> WriteAnswer:
    from memdir_cli.operations.confirm import confirm

    return confirm(place, entry.memory.id, _typed(f"memdir confirm {entry.memory.id}"))


def _narrow(place: Workplace, ref: str) -> WriteAnswer | None:
    from memdir_cli.operations.narrow import narrow

    typed = terminal.line("Only where (such as --path packages/web/** --env os=linux)") if ref else ""
    if not typed:
        return None
    given, said = _qualification(typed), _typed(f"memdir narrow {ref} {typed}")
    return writing.asked(
        narrow(place, ref, given, said), lambda revision: narrow(place, ref, given, said, replacing=revision)
    )


def _correct(place: Workplace, entry: Entry) -> WriteAnswer | None:
    from memdir_cli.operations.correct import correct
    from memdir_cli.operations.reject import reject

    memory = entry.memory
    value = terminal.line("The right value")
    if not value:
        return None
    scope = memory.scope
    said = _typed(entry.commands()["correct"].replace(" VALUE ", f" {shlex.quote(value)} ", 1))
    stated = Statement(
        memory.predicate,
        value,
        scope.level,
        scope.task,
        Qualification(scope.path, scope.topic, scope.environment, scope.version),
        private=scope.level == "repository" and memory.subject.startswith("user:"),
        provenance=said,
    )
    answer = correct(place, stated)
    if memory.status == "candidate" and answer.exit_status == 0:
        reject(place, memory.id, _typed(f"memdir reject {memory.id}"), reason="a user corrected it")
    return answer


def _reject(place: Workplace, entry: Entry) -> WriteAnswer:
    from memdir_cli.operations.expire import expire
    from memdir_cli.operations.reject import reject

    memory_id = entry.memory.id
    if entry.memory.status != "candidate":
        return expire(place, memory_id, _typed(f"memdir expire {memory_id}"))
    reason = terminal.line("Why (Enter for no reason)")
    told = f" --reason {shlex.quote(reason)}" if reason else ""
    return reject(place, memory_id, _typed(f"memdir reject {memory_id}{told}"), reason=reason)


def _keep(place: Workplace, entry: Entry) -> WriteAnswer | None:
    from memdir_cli.operations.settle import settle

    side, memory_id = _side(entry), entry.memory.id
    return settle(place, memory_id, side, _typed(f"memdir settle {memory_id} --keep {side}")) if side else None


def _side(entry: Entry) -> str:
    """The id of the side that is meant, ``""`` for none."""
    numbers = {str(number): side.id for number, side in enumerate(entry.memory.sides, 1)}
    return numbers.get(terminal.letter("Which side", dict.fromkeys(numbers, "")), "")


def _typed(command: str) -> Provenance:
    """The word of the person at the terminal."""
    return Provenance(terminal=True, command_line=command)


def _qualification(typed: str) -> Qualification:
    """The options of `memdir narrow` as they were typed.

    :raises UsageError: for anything else.
    """
    from memdir_cli.errors import UsageError

    wrong = UsageError(
        f"`{printable(typed)}` are no options of `memdir narrow`.",
        hint="such as --path GLOB, --topic T, --env K=V, --for-version RANGE",
    )
    try:
        found = shlex.split(typed)
    except ValueError:
        raise wrong from None
    if len(found) % 2:
        raise wrong
    fields: dict[str, str] = {}
    pairs: list[str] = []
    for option, value in zip(found[::2], found[1::2], strict=True):
        if option == "--env":
            pairs.append(value)
        elif option in _NARROWING:
            fields[_NARROWING[option]] = value
        else:
            raise wrong
    return Qualification(**fields, environment=words.pairs("--env", pairs))
