"""Precedence: which of two memories that both apply comes first. Time has no part in it.

task > repository > user; within a level policy, then private, then project; then the more specific;
then the higher authority.
"""

from __future__ import annotations

from typing import Literal

from memdir_cli.domain.glob import literal_prefix
from memdir_cli.domain.identity import fold
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import LEVELS, Scope
from memdir_cli.domain.source import rank

Order = Literal["more", "less", "equal", "incomparable"]
Class = Literal["policy", "private", "project", "own"]

#: Within a level: what a policy says, then a user's private rule, then the project's, highest first.
CLASSES: tuple[Class, ...] = ("policy", "private", "project", "own")


def class_of(memory: Memory) -> Class:
    """The class of a memory within its level; ``own`` where the level has only the user's own."""
    if memory.authority == "policy":
        return "policy"
    if memory.subject.startswith("project:"):
        return "project"
    return "private" if memory.scope.level == "repository" else "own"


def standing(memory: Memory) -> tuple[int, int]:
    """Level and class as numbers; the lower comes first, whatever else is true."""
    return (LEVELS.index(memory.scope.level), CLASSES.index(class_of(memory)))


def specificity(one: Scope, other: Scope) -> Order:
    """Whether ``one`` is narrower than ``other``; a partial order.

    A scope is at least as specific as another if it has all the other's constraints, and a path whose
    literal prefix is the other's or lies below it.
    """
    return _ORDER[_covers(one, other), _covers(other, one)]


_ORDER: dict[tuple[bool, bool], Order] = {
    (True, True): "equal",
    (True, False): "more",
    (False, True): "less",
    (False, False): "incomparable",
}


def _covers(narrow: Scope, wide: Scope) -> bool:
    """Whether ``narrow`` is at least as specific as ``wide``."""
    if wide.path:
        prefix = literal_prefix(wide.path)
        if not narrow.path or literal_prefix(narrow.path)[: len(prefix)] != prefix:
            return False
    return _constraints(wide) <= _constraints(narrow)


def _constraints(scope: Scope) -> frozenset[tuple[str, str]]:
    """Everything but the path that narrows a scope within its level."""
    # letter case counts as little as where it is asked whether they are satisfied
    found = {(name, fold(value)) for name, value in scope.environment}
    if scope.topic:
        found.add(("topic ", fold(scope.topic)))
    if scope.version:
        found.add(("version ", scope.version))
    return frozenset(found)


Rule = Literal["level", "class", "specificity", "authority"]


def beats(one: Memory, other: Memory) -> Rule | None:
    """The rule by which ``one`` beats ``other``, ``None`` if it does not."""
    mine, theirs = standing(one), standing(other)
    if mine != theirs:
        if mine > theirs:
            return None
        return "level" if mine[0] < theirs[0] else "class"
    order = specificity(one.scope, other.scope)
    if order == "more":
        return "specificity"
    if order == "equal" and rank(one.authority) < rank(other.authority):
        return "authority"
    return None
