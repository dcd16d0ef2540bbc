"""MEMORY.md: the index that agents read at the start. Generated between markers from the files alone."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from memdir_cli.domain import times
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.text import printable
from memdir_cli.domain.wording import grants

BEGIN = "<!-- memdir:begin -->"
END = "<!-- memdir:end -->"

#: What coding agents load of an index file.
MAX_LINES = 200
MAX_BYTES = 25 * 1024

#: What is said in place of words that grant something.
GRANTS = "not shown: it grants a permission, and memory grants none"

#: The groups of the index, in their order.
POLICY, CORRECTED, OTHERS = range(3)

#: Where a record stands: its group, its date (the newest is the least), name and path; and its line, ``""`` where it
#: is not known. They are sorted as the index is.
Listed = tuple[int, int, str, str, str]

#: Where the link of a line ends; a file that somebody copied may have a bracket in its name.
_LINK = re.compile(r"\]\((memories/.*?)\)(?= — |[ \t]*\r?$)")
_TO_MEMORY = "](memories/"


def render(existing: bytes | None, records: Iterable[Record]) -> bytes:
    """The index file over ``records``; text outside the markers of ``existing`` stays.

    Only current records in ``memories/`` get a line; others are passed over.
    """
    shown = {record.path: record for record in records if record.current and record.folder == "memories"}
    return render_listed(existing, map(listed, shown.values()), lambda path: line(shown[path]))


def render_listed(existing: bytes | None, shown: Iterable[Listed], line_of: Callable[[str], str]) -> bytes:
    """As :func:`render`, of what is known of the records.

    :param line_of: the line of a record by its path, asked for where ``shown`` does not have it.
    """
    before, after = _own_text(existing)
    newline = "\r\n" if "\r\n" in before + after else "\n"
    own = len((before + after).encode("utf-8", "surrogateescape"))
    ending = len(newline)
    room = MAX_BYTES - own - len(BEGIN) - len(END) - 2 * ending
    lines_left = MAX_LINES - (before + after).count("\n") - 2
    lines = _fitting(sorted(shown), line_of, room, lines_left, ending)
    block = "".join(f"{line}{newline}" for line in (BEGIN, *lines, END))
    return (before + block + after).encode("utf-8", "surrogateescape")


def join(base: bytes | None, ours: bytes, theirs: bytes) -> bytes:
    """An index with what persons wrote into both; its lines have to be made anew."""
    old, one, other = (_own_text(content) for content in (base, ours, theirs))
    if other in (one, old):
        return ours
    if one == old:
        return theirs
    ending = "\r\n" if b"\r\n" in ours else "\n"
    mine, said = ([line.rstrip("\r") for line in "".join(own).split("\n")] for own in (one, other))
    new = "".join(f"{line}{ending}" for line in said if line.strip() and line not in mine)
    # what a person wrote below the block may lack its line end
    gap = ending if new and ours and not ours.endswith(b"\n") else ""
    return ours + f"{gap}{new}".encode("utf-8", "surrogateescape")


def listed(record: Record, line: str = "") -> Listed:
    """Where a record stands in the index: policy, corrected, others; newest verified first, then by name.

    :param line: its line, where that is known.
    """
    memory = record.memory
    group = POLICY if memory.authority == "policy" else CORRECTED if memory.supersedes else OTHERS
    return (group, -times.order(memory.verified_at), memory.name, record.path, line)


def links(content: bytes) -> list[tuple[int, str]]:
    """The files that an index names, with the line of each."""
    found = []
    for number, line in enumerate(content.decode("utf-8", "replace").split("\n"), start=1):
        # where there is none, none is found at the beginning either
        match = _LINK.match(line, line.find(_TO_MEMORY)) if line.startswith("- [") else None
        if match is not None:
            found.append((number, _unescaped(match[1])))
    return found


def _fitting(
    shown: Sequence[Listed], line_of: Callable[[str], str], room: int, lines_left: int, ending: int
) -> list[str]:
    """As many lines as fit; what drops is counted in a last line, corrections drop last.

    :param shown: in their order.
    :param ending: bytes of a line end.
    """
    if len(shown) <= lines_left:
        lines = [known or line_of(path) for _, _, _, path, known in shown]
        if sum(len(line.encode()) + ending for line in lines) <= room:
            return lines
    room -= len(_dropped(len(shown)).encode()) + ending
    kept: dict[int, str] = {}
    corrected, others = (bisect_left(shown, (group,)) for group in (CORRECTED, OTHERS))
    # who keeps a place: corrections, then policy, then the others, each from the top
    for at in (*range(corrected, others), *range(corrected), *range(others, len(shown))):
        _, _, _, path, known = shown[at]
        line = known or line_of(path)
        room -= len(line.encode()) + ending
        if room < 0 or len(kept) + 1 >= lines_left:
            break
        kept[at] = line
    return [*(kept[at] for at in sorted(kept)), _dropped(len(shown) - len(kept))]


def _dropped(count: int) -> str:
    return f"<!-- {count} more not shown here: `memdir list` shows all -->"


def line(record: Record) -> str:
    """The line of a record."""
    memory, path = record.memory, record.path
    if grants(memory):
        name = _escape(_short(memory.predicate, 80))
        return f"- [{name}]({_link(path)}) — {GRANTS} · {memory.verified_at[:10] or memory.updated_at[:10]}"
    name = _escape(_short(memory.name or memory.predicate, 80))
    description = _escape(_short(memory.description, 160))
    marks = [_value(memory), memory.verified_at[:10] or memory.updated_at[:10]]
    if memory.scope.qualified or (memory.scope.repository and memory.subject.startswith("user:")):
        marks.append(f"only {_escape(_short(_where(memory), 120))}")
    return f"- [{name}]({_link(path)}) — {' · '.join(part for part in (description, *marks) if part)}"


def _link(path: str) -> str:
    """``path`` with what would not be read back from a line as ``%0a``: a file may have any name."""
    return "".join(_escaped(char) if char in "%—" or not char.isprintable() else char for char in path)


def _escaped(char: str) -> str:
    return "%" + char.encode("utf-8", "surrogateescape").hex("%", 1)


def _unescaped(link: str) -> str:
    """The path that :func:`_link` wrote."""
    found = re.compile("(?:%[0-9a-f]{2})+")
    return found.sub(lambda match: bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "surrogateescape"), link)


def _value(memory: Memory) -> str:
    if memory.status == "conflicted":
        return "conflict: ask"
    if memory.none:
        value = "nothing applies"
    else:
        value = _code(_short(memory.value, 120)) if memory.value is not None else ""
    if memory.status == "stale":
        return f"{value} (stale: verify first)".strip()
    return value


def _where(memory: Memory) -> str:
    private = memory.subject.startswith("user:") and memory.scope.repository
    repository = f"repository {memory.scope.repository}\n" if private else ""
    return (repository + memory.scope.qualifiers).strip("\n").replace("\n", ", ").replace("=", " ")


def _short(text: str, size: int) -> str:
    text = printable(" ".join(text.split()))
    return text if len(text) <= size else f"{text[: size - 1]}…"


def _code(text: str) -> str:
    """``text`` as a Markdown code span, whatever backticks it holds."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _escape(text: str) -> str:
    return re.sub(r"([\\\[\]<`])", r"\\\1", text)


def _own_text(existing: bytes | None) -> tuple[str, str]:
    """What a person wrote before and after the generated block."""
    if existing is None:
        return "# Memory\n\n", ""
    # line by line, not by one pattern: whatever stands in the file, it is read once
    lines = re.findall(r"[^\n]*\n|[^\n]+", existing.decode("utf-8", "surrogateescape"))
    begin = next((at for at, line in enumerate(lines) if _marker(line) == BEGIN), len(lines))
    end = next((at for at in range(begin + 1, len(lines)) if _marker(lines[at]) == END), None)
    if end is not None:
        return "".join(lines[:begin]), "".join(line for line in lines[end + 1 :] if not _ours(line))
    # markers were lost (a merge, an editor): keep every line that is not one of ours
    rest = "".join(line for line in lines if not _ours(line))
    return (rest if not rest or rest.endswith("\n") else f"{rest}\n"), ""


def _marker(line: str) -> str:
    """A marker is a line of its own; a memory may hold its text, and never holds a line."""
    return line.rstrip(" \t\r\n")


def _ours(line: str) -> bool:
    if line.startswith("- ["):
        return 0 <= line.find(_TO_MEMORY) < line.rfind(") — ")
    return _marker(line) in {BEGIN, END}
