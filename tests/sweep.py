"""One command, run again and again with a fault at each system call that changes the disk.

Chance is taken out of the process, so that the bytes after a command are the same every time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memdir_cli.storage import disk, index
from memdir_cli.storage.layout import FOLDERS
from memdir_cli.storage.store import Store
from tests.sandbox import FOREIGN, FOREIGN_PREFIXES, NOW, Sandbox
from tests.storage.faulty import seen
from tests.storage.traced import CHANGING, Call, calls

PROJECT = Path(__file__).parent.parent

#: ``python -c DRIVER SEED WORDS… [-- WORDS…]``: enter the command lines one after the other.
DRIVER = """\
import os, random, sys
from memdir_cli.cli.entry import enter
os.urandom = random.Random(sys.argv[1]).randbytes
line, status = [], 0
for word in [*sys.argv[2:], ";"]:
    if word != ";":
        line.append(word)
    elif status == 0:
        status, line = enter(line), []
sys.exit(status)
"""

USER = ("--from", "user", "--said", "say so", "--session", "s1", "--message")
HERE = ("--scope", "repository")
HEAL = ("remember", "other", "x", *HERE, *USER, "heal")
HEAL_BOTH = ("remember", "other", "x", "--scope", "user", *USER, "heal", ";", *HEAL)

FAULTS = {"kill": "signal=KILL", "nospace": "error=ENOSPC", "io": "error=EIO"}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A command, and those that bring about what it finds.

    :ivar heal: an ordinary command of afterwards.
    :ivar gone: what no file holds any more once the command has done its work.
    """

    name: str
    before: tuple[tuple[str, ...], ...]
    command: Callable[[Store], Sequence[str]]
    heal: tuple[str, ...] = HEAL
    gone: bytes = b""


def _side(store: Store) -> str:
    (record,) = store.find("lint")
    return record.memory.sides[1].id


_INIT = ("init", "--id", "github.com/acme/app")
_ONE = ("remember", "lint", "eslint", *HERE, *USER, "m1")
_TWO = ("remember", "lint", "biome", *HERE, *USER, "m2")
_HOST = (
    "--scope",
    "repository",
    "--from",
    "user",
    "--session",
    "s1",
    "--message",
    "m1",
    "--said",
    f"{'so ' * 100}canary",
)
_NOTICED = ("remember", "port", "8080", *HERE, "--session", "s1", "--message", "m3")

_LATER = ("correct", "lint", "ruff", *HERE, *USER, "m4")
_ISOLATED = ("quarantine", "lint", "--reason", "why")

SCENARIOS = (
    Scenario("init", (), lambda _: _INIT, heal=_INIT),
    Scenario("remember-new", (_INIT, _ONE), lambda _: ("remember", "test", "pytest", *HERE, *USER, "m4")),
    Scenario("correct", (_INIT, _ONE), lambda _: ("correct", "lint", "ruff", *HERE, *USER, "m4")),
    Scenario("conflict", (_INIT, _ONE), lambda _: _TWO),
    Scenario("confirm", (_INIT, _ONE, _NOTICED), lambda _: ("confirm", "port", *USER, "m4")),
    Scenario("reject", (_INIT, _ONE, _NOTICED), lambda _: ("reject", "port", "--reason", "no", *USER, "m4")),
    Scenario("quarantine", (_INIT, _ONE, _LATER), lambda _: ("quarantine", "lint", "--reason", "why")),
    Scenario("release", (_INIT, _ONE, _LATER, _ISOLATED), lambda _: ("release", "lint", *USER, "m5")),
    Scenario("narrow", (_INIT, _ONE), lambda _: ("narrow", "lint", "--topic", "web", *USER, "m4")),
    Scenario(
        "forget",
        (
            _INIT,
            _ONE,
            ("remember", "host", "canary-1", *_HOST),
            ("correct", "host", "canary-2", *HERE, *USER, "m5"),
            ("remember", "host", "canary-3", *HERE),
        ),
        lambda _: ("forget", "host", "--yes", "--json"),
        heal=HEAL_BOTH,
        gone=b"canary",
    ),
    Scenario("settle", (_INIT, _ONE, _TWO), lambda store: ("settle", "lint", "--keep", _side(store), *USER, "m4")),
)


@dataclass(frozen=True, slots=True)
class Place:
    """A home and a project outside git, in which one scenario stands before its command."""

    folder: Path

    @property
    def sandbox(self) -> Sandbox:
        return Sandbox(self.folder, {})

    @property
    def top(self) -> Path:
        return self.folder / "app"

    @property
    def roots(self) -> tuple[str, str]:
        """Project memdir and user memdir."""
        return str(self.top / ".memdir"), str(self.sandbox.user_memdir)

    @property
    def store(self) -> Store:
        return Store(self.roots[0], "project")

    def environ(self) -> dict[str, str]:
        """The sandbox's variables, but no user of the test's: the memdir's own id counts."""
        foreign = FOREIGN | {name for name in os.environ if name.startswith(FOREIGN_PREFIXES)}
        kept = {name: value for name, value in os.environ.items() if name not in foreign}
        home = str(self.sandbox.home)
        own = {"HOME": home, "MEMDIR_USER": "42", "MEMDIR_NOW": NOW, "LC_ALL": "C.UTF-8"}
        # the trace must not hold bytecode that is written on the way
        return {**kept, **own, "PYTHONPATH": str(PROJECT), "PYTHONDONTWRITEBYTECODE": "1"}

    def run(self, seed: str, *words: str, under: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        """Enter command lines, one after the other between ``;``."""
        command = [*under, sys.executable, "-c", DRIVER, seed, *words]
        return subprocess.run(
            command, cwd=self.top, env=self.environ(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=120, check=False,
        )  # fmt: skip

    def copy(self, name: str) -> Place:
        """The same place once more."""
        folder = self.folder.with_name(name)
        shutil.copytree(self.folder, folder, symlinks=True)
        return Place(folder)

    def files(self) -> dict[str, bytes]:
        """Every file of both memdirs that is not this machine's own, by path from the folder."""
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes()
            for root in self.roots
            for path in sorted(Path(root).rglob("*"))
            if path.is_file() and "/local/" not in path.as_posix().removeprefix(root)
        }

    def readable(self) -> dict[str, bytes]:
        """What a reader without a lock finds in the project memdir: memories and index."""
        return {
            path: content for path, content in seen(self.roots[0]).items() if path.endswith(".md")
        }  # fmt: skip

    def holds(self, text: bytes) -> bool:
        """Whether any file of both memdirs holds ``text``, what is this machine's own too."""
        files = (path for root in self.roots for path in Path(root).rglob("*") if path.is_file())
        return bool(text) and any(text in path.read_bytes() for path in files)

    def leftovers(self) -> list[str]:
        """Temporary files and journals."""
        left = [path for root in self.roots for path in disk.temporaries(root, FOLDERS)]
        journals = ("local/journal.json", "local/prepared.json")
        return left + [root for root in self.roots for name in journals if Path(root, name).exists()]


def prepared(folder: Path, scenario: Scenario) -> Place:
    """A place in which ``scenario`` stands before its command."""
    place = Place(folder / "before")
    place.top.mkdir(parents=True)
    user = place.sandbox.user_memdir
    user.mkdir(parents=True, mode=0o700)
    (user / "config.yaml").write_text("gate: {attestation: claimed}\n", "utf-8")
    for number, words in enumerate(scenario.before):
        done = place.run(f"before-{number}", *words)
        assert done.returncode in {0, 3}, done.stderr
    return place


def strace(log: Path, *faults: str) -> list[str]:
    """The words that run a command under strace, with faults such as ``write:error=EIO:when=3``."""
    options = [word for fault in faults for word in ("-e", f"inject={fault}")]
    # the filter makes tracing quick, but some strace sends no signal through it
    quick = [] if any("signal=" in fault for fault in faults) else ["--seccomp-bpf"]
    return ["strace", "-f", *quick, "-y", "-s", "256", "-o", str(log), "-e", f"trace={','.join(CHANGING)}", *options]


def changing_calls(place: Place, log: Path) -> list[Call]:
    """The calls of a trace that may change a memdir."""
    return [
        call
        for call in calls(log)
        if any(path.startswith(place.roots) for path in call.paths)
        and not call.failed
        and (call.name != "openat" or "O_CREAT" in call.arguments)
    ]


def lines_of_receipts(files: Mapping[str, bytes]) -> list[bytes]:
    """The receipts of the project memdir."""
    found = (content for path, content in files.items() if path.startswith("app/.memdir/receipts/"))
    return [line for content in found for line in content.splitlines()]


def torn(files: Mapping[str, bytes], before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[str]:
    """The files that are neither their old nor their new self; of a receipts file, all but a beginning counts."""
    found = []
    for path in {*files, *before, *after}:
        content = files.get(path)
        if content in (before.get(path), after.get(path)) or Path(path).name.startswith(".memdir-"):
            continue
        growing = "/receipts/" in path and content is not None and after[path].startswith(content)
        if not growing:
            found.append(path)
    return found


def index_fits(store: Store) -> bool:
    """Whether MEMORY.md is that of the files."""
    written = Path(store.root, "MEMORY.md").read_bytes()
    return index.render(written, store.snapshot(("memories",)).records) == written


def without_healing(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The memory files but those of the healing command, and but the indexes, which tell of them."""
    passed_over = ("/memories/other.md", "/MEMORY.md")
    return {path: content for path, content in files.items() if path.endswith(".md") and not path.endswith(passed_over)}


def may_trace() -> bool:
    """Whether strace is here and may trace."""
    found = shutil.which("strace")
    return (
        found is not None
        and not subprocess.run(
            ["strace", "-f", "--seccomp-bpf", "-o", os.devnull, "true"], capture_output=True, check=False
        ).returncode
    )
