"""Files and frontmatter: what keeps a file from being read as a memory, one rule a reason (M1)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.file_table import FAULTS, Fault
from memdir_cli.checks.rule import Rule, Sighting
from memdir_cli.domain.snapshot import Unreadable

#: Reasons of other people's Markdown.
UNMANAGED = frozenset({"no-header", "unmanaged"})

#: The reason of a name that cannot be opened at all; :mod:`memdir_cli.checks.paths` tells of it.
BAD_PATH = "bad_path"

#: The fault that a merge leaves.
MARKERS = "conflict-markers"

#: What the system says of a file, and the rule that tells of it; what is not here is ``unreachable``.
_OF_SYSTEM: dict[str, str] = {
    "symlink": "symlink",
    "special_file": "special-file",
    "not_a_folder": "not-a-folder",
    "too_large": "too-large",
    "format-unknown": "config-unreadable",
}

_NAMES = frozenset(fault.name for fault in FAULTS)

#: Rules about what could not be looked at, so that nothing is proven clean.
UNCHECKED = frozenset({"unreachable", "not-a-folder", "config-unreadable"})


def name_of(reason: str) -> str:
    """The name of the rule for what a reader says of a file; ``""`` where another family tells of it."""
    if reason in UNMANAGED or reason == BAD_PATH:
        return ""
    name = _OF_SYSTEM.get(reason, reason)
    return name if name in _NAMES else "unreachable"


def unchecked(examined: Examined) -> bool:
    """Whether something could not be looked at."""
    return any(name_of(one.reason) in UNCHECKED for one in examined.snapshot.unreadable)


def _rule(fault: Fault) -> Rule:
    def look(examined: Examined) -> Iterator[Sighting]:
        for one in examined.snapshot.unreadable:
            if name_of(one.reason) == fault.name:
                joined = one.path in examined.torn.files
                advice = "type `memdir repair`, which joins both sides" if joined else fault.advice
                yield _sighting(one, advice, fixable=joined)

    return Rule(
        fault.code,
        fault.name,
        "error",
        fault.sentence,
        fault.fires,
        fault.silent,
        look,
        fixable=fault.name == MARKERS,
        advice=fault.advice,
    )


def _sighting(one: Unreadable, advice: str, *, fixable: bool) -> Sighting:
    return Sighting(one.path, f"{one.message.removesuffix('.')}; {advice}", one.line, one.column, fixable=fixable)


def _unmanaged(examined: Examined) -> Iterator[Sighting]:
    """One line for all of them: a folder may hold hundreds."""
    found = [one.path for one in examined.snapshot.unreadable if one.reason in UNMANAGED]
    if found:
        many = "This file has" if len(found) == 1 else f"This file and {len(found) - 1} more have"
        are = "is" if len(found) == 1 else "are"
        keys = "`memdir schema memory` shows the keys that one needs"
        yield Sighting(found[0], f"{many} none of memdir's keys and {are} not served; {keys}")


def _lost_tail(examined: Examined) -> Iterator[Sighting]:
    for notice in examined.notices:
        if notice.reason == "lost-tail":
            message = f"{notice.message.removesuffix('.')}; then type `memdir repair`"
            yield Sighting(notice.path, message, notice.line, notice.column)


RULES: tuple[Rule, ...] = (
    *(_rule(fault) for fault in FAULTS),
    Rule(
        "M115",
        "unmanaged",
        "info",
        "Markdown has none of memdir's keys; told once for all such files.",
        "[a README in `memories/`]",
        "[a file with `id`, `subject`, `predicate`, `scope` and `status`]",
        _unmanaged,
    ),
    Rule(
        "M137",
        "lost-tail",
        "warning",
        "A value loses its end, because a blank and `#` begin a comment.",
        "description: see issue #12",
        'description: "see issue #12"',
        _lost_tail,
    ),
)
