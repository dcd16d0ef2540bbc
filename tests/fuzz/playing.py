"""Playing cases in this process, and the promises that every command keeps whatever it meets."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from memdir_cli.domain import seal
from tests.fuzz import cases, places
from tests.fuzz.entering import HANGS, DoesNotEnd, Entered, entered
from tests.fuzz.places import Place

#: Statuses that are documented, but for 70, an error of memdir itself, and 75, for nobody else writes here.
DOCUMENTED = frozenset({0, 1, 2, 3, 4, 5, 6})

#: Processor time and memory that no command needs more of.
SECONDS = 2.0
BYTES = 300 << 20

#: Verbs that change nothing.
READING = frozenset(
    {
        "get", "explain", "list", "show", "search", "history", "context", "log", "whoami", "review", "trace", "rule",
        "schema",
    }
)  # fmt: skip


class Ground:
    """Where cases are played: the places that are copied for each, and the pieces of mutations."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pieces = list(places.contents())
        self.lived = places.lived(folder / "lived")
        self.interrupted = places.interrupted(self.lived, folder / "interrupted")
        self.pieces += [path.read_bytes() for kind in places.KINDS for path in self.interrupted.files(kind)]

    def place(self, seed: Place) -> Place:
        """A copy of ``seed``, always in the same folder."""
        shutil.rmtree(self.folder / "case", ignore_errors=True)
        return seed.copy(self.folder / "case")

    def prepared(self, number: int) -> tuple[Place, cases.Case]:
        """A place for case ``number``, mutated."""
        broken_off = cases.target_of(number) == "journal" or number % 7 == 0
        place = self.place(self.interrupted if broken_off else self.lived)
        return place, cases.prepared(number, place, self.pieces)

    def play(self, number: int, **variables: str) -> Iterator[tuple[Entered, str]]:
        """Run the commands of a case; what each left behind, and what is wrong with it."""
        place, case = self.prepared(number)
        environ = {**place.sandbox.environ, **case.environ, **variables}
        for words in case.commands:
            before = tree(place) if _only_reads(words) else {}
            try:
                done = entered(words, cwd=place.top, environ=environ, stdin=case.stdin)
            except DoesNotEnd:
                yield Entered(words, -1, "", "", HANGS, 0), "does not end"
                return
            fault = broken_promise(done) or _of_files(place, case, before)
            yield done, fault or (f"{done.peak >> 20} MiB" if done.peak > BYTES else "")


def broken_promise(done: Entered) -> str:
    """Which promise a command did not keep, ``""`` if it kept all."""
    if done.exit not in DOCUMENTED:
        return f"exit {done.exit}"
    if "Traceback" in done.stderr:
        return "traceback"
    if done.seconds > SECONDS:
        return f"{done.seconds:.1f} s"
    if any(ord(char) < 32 and char not in "\n\t" for char in done.stderr):
        return "control characters on stderr"
    options = done.words[: done.words.index("--")] if "--" in done.words else done.words
    return "no document" if "--json" in options and not _is_document(done.stdout) else ""


def _of_files(place: Place, case: cases.Case, before: dict[str, str]) -> str:
    if case.broken is not None and _bytes(place.root / case.mutated, case) != case.broken:
        return "rewrote what it cannot read"
    changed = before.items() ^ tree(place).items() if before else ()
    return f"changed {sorted({name for name, _ in changed})}" if changed else ""


def _is_document(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict) and text.isascii()
    except ValueError:
        return False


def _only_reads(words: Sequence[str]) -> bool:
    if words[0] == "check":
        return "--dry-run" in words or not {"--fix", "--baseline"} & set(words)
    if words[0] == "archive" and "--cold" in words:
        return "--yes" not in words
    return words[0] in READING or "--dry-run" in words


def tree(place: Place) -> dict[str, str]:
    """The digests of all files by path, but for what memdir keeps on this machine: who read what, what check said."""
    found: dict[str, str] = {}
    for folder, _, names in os.walk(os.fsencode(place.root)):
        for name in names:
            path = os.path.join(folder, name)
            if not any(part in path for part in (b"/local/access/", b"/.git/", b"/.cache/memdir/")):
                with open(path, "rb") as stream:
                    found[os.fsdecode(path)] = hashlib.sha256(stream.read()).hexdigest()
    return found


def _bytes(path: Path, case: cases.Case) -> bytes | None:
    """The bytes of what cannot be read any more; only who was told to forget or to seal it may have taken it away."""
    if path.exists():
        return path.read_bytes()
    if any(words[0] == "forget" and "--yes" in words for words in case.commands):
        return case.broken
    pages = (page.read_text("utf-8") for page in (path.parents[1] / "quarantine").glob("*.md"))
    bodies = [body for page in pages if seal.is_sealed(body := page.partition("\n---\n")[2].lstrip("\n"))]
    return case.broken if any(case.broken in seal.opened(body).values() for body in bodies) else None
