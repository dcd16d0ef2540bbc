"""What was forgotten and what is out of reach, for people; nothing of what was forgotten is in it."""

from __future__ import annotations

from memdir_cli.domain.forgetting import ForgetAnswer, Gone, Remain
from memdir_cli.domain.text import printable


def told(answer: ForgetAnswer) -> str:
    """The whole answer: a line a memory, then what remains."""
    verb = "forgotten" if answer.receipt else "would be forgotten:"
    lines = [f"{verb} {_memory(one)}" for one in answer.memories]
    lines.append(f"{_files(len(answer.removed))} {'removed' if answer.receipt else 'would be removed'}")
    if not answer.receipt:
        lines += [f"  {printable(path)}" for path in answer.removed]
    return "\n".join((*lines, *(line for one in answer.remains for line in _remain(one))))


def listed(answer: ForgetAnswer) -> str:
    """What a person is asked about."""
    return "\n".join((*map(_memory, answer.memories), *(f"  {printable(path)}" for path in answer.removed)))


def _memory(one: Gone) -> str:
    more = f" and {len(one.others)} more of it" if one.others else ""
    return printable(f"{one.key} [{one.scope}] {one.id}{more}")


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _remain(one: Remain) -> list[str]:
    where = ", ".join(printable(place) for place in one.where)
    head = f"remains: {one.kind}: {printable(one.message)}{f' {where}' if where else ''}"
    return [head, *(f"  {printable(command)}" for command in one.commands)]
