"""Index: MEMORY.md says what the files say, no more, no less, in the same words (M2)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.files import UNCHECKED, name_of
from memdir_cli.checks.rule import Rule, Sighting

INDEX = "MEMORY.md"
FOLDER = "memories"
_REPAIR = "type `memdir repair`"


def _gone(examined: Examined) -> list[tuple[int, str]]:
    """Lines that memdir wrote for a file that is not there; links of a person's own text are theirs."""
    index = examined.index
    return [(line, path) for line, path in index.links if path not in index.due_links and path not in examined.names]


def _unnamed(examined: Examined) -> list[str]:
    named = {path for _, path in examined.index.links}
    return sorted(examined.index.due_links - named)


def _line_without_file(examined: Examined) -> Iterator[Sighting]:
    for line, path in _gone(examined) if _comparable(examined) else ():
        yield Sighting(INDEX, f"The index names `{path}`, which does not exist; {_REPAIR}", line, 1)


def _file_without_line(examined: Examined) -> Iterator[Sighting]:
    for path in _unnamed(examined) if _comparable(examined) else ():
        yield Sighting(path, f"The index does not name this memory; {_REPAIR}")


def _drift(examined: Examined) -> Iterator[Sighting]:
    index = examined.index
    if not _comparable(examined) or index.standing == index.due or _gone(examined) or _unnamed(examined):
        return
    standing, due = (index.standing or b"").split(b"\n"), index.due.split(b"\n")
    pairs = zip(standing, due, strict=False)
    line = next((at for at, (one, other) in enumerate(pairs, 1) if one != other), min(len(standing), len(due)))
    yield Sighting(INDEX, f"The index is not what the memories say; {_REPAIR}", line, 1)


def _missing(examined: Examined) -> Iterator[Sighting]:
    index = examined.index
    if index.readable and index.standing is None and (examined.settings.key or examined.served):
        yield Sighting(INDEX, f"The index is missing; {_REPAIR}")


def _comparable(examined: Examined) -> bool:
    """Whether it is known what the index says and what it should say: all memories could be looked at."""
    hidden = (one for one in examined.snapshot.unreadable if name_of(one.reason) in UNCHECKED)
    return examined.index.standing is not None and not any(one.path.startswith(FOLDER) for one in hidden)


RULES: tuple[Rule, ...] = (
    Rule("M211", "line-without-file", "error",
         "The index names a memory whose file does not exist.",
         "[a memory removed by hand]", "[the index after `memdir repair`]", _line_without_file, fixable=True),
    Rule("M212", "file-without-line", "warning",
         "The index does not name a memory that it should name.",
         "[a memory added by hand]", "[the index after `memdir repair`]", _file_without_line, fixable=True),
    Rule("M213", "index-drift", "warning",
         "The index tells of a memory otherwise than its file, or in another order.",
         "[a value changed by hand]", "[the index after `memdir repair`]", _drift, fixable=True),
    Rule("M214", "index-missing", "warning",
         "There is no index.", "[MEMORY.md removed]", "[the index after `memdir repair`]", _missing,
         fixable=True),
)  # fmt: skip
