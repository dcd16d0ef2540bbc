"""Links, pipes, devices, folders and huge files in every place where memdir looks for a file, for every verb.

Nothing outside is read, made or changed; nothing waits. ``MEMDIR_SWEEP=full`` tries every verb on every one of
them; otherwise each is met by ``check`` and by two others.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdir_cli.cli.app import COMMANDS
from tests.attacks import shapes
from tests.attacks.boundary import CANARY, OF_THE_SYSTEM, outside, planted
from tests.fuzz.declared import ENDLESS, line
from tests.fuzz.entering import Entered, entered
from tests.fuzz.places import HERE, WORDS, Place, lived
from tests.fuzz.playing import broken_promise
from tests.quick_folder import quick_folder

FULL = os.environ.get("MEMDIR_SWEEP") == "full"

#: Seconds of the processor that one command may take.
SECONDS = 1.0

#: Command lines beside the plain one of each verb.
MORE: tuple[list[str], ...] = (
    ["check", "--fix"],
    ["check", "--staged"],
    ["check", "--baseline", "baseline.json"],
    ["remember", "new", "v", *HERE, *WORDS],
    ["remember", "text", "--body-file", "body.md", *HERE, *WORDS],
    ["remember", "note", "v", "--scope", "user", *WORDS],
    ["remember", "step", "four", "--scope", "task:t1", *WORDS],
    ["confirm", "port", *WORDS],
    ["confirm", "build", *WORDS],
    ["get", "build"],
    ["show", "port"],
    ["list", "--all"],
    ["repair", "--dry-run"],
)
LINES = [*(line(entry.verb) for entry in COMMANDS if entry.verb not in ENDLESS), *MORE]

#: Places in which a fault of these shapes is nobody's business: nothing is read from there by ``check``.
UNTOLD = frozenset(
    {
        "app/.memdir/.gitignore", "app/.memdir/tombstones.jsonl", "app/.memdir/local/lock",
        "app/.memdir/local/lock.json", "app/.memdir/local/cache", "app/.memdir/local/access/2026-09.jsonl",
        "app/.memdir/local/sources/x.jsonl", "app/baseline.json", "app/body.md",
    }
)  # fmt: skip


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with quick_folder(tmp_path_factory.mktemp("boundary")) as folder:
        place = lived(folder / "seed")
        planted(place)
        yield place


@pytest.fixture
def place(seed: Place) -> Iterator[Place]:
    with quick_folder(seed.root.parent / "copy") as folder:
        yield seed.copy(folder / "here")


def tried(number: int) -> list[list[str]]:
    """``check``, and two of the other command lines, or all of them."""
    if FULL:
        return LINES
    return [["check"], LINES[number * 2 % len(LINES)], LINES[(number * 2 + 1) % len(LINES)]]


def kept(place: Place, words: list[str]) -> Entered:
    """Run a command line, which keeps every promise, and touches nothing outside."""
    before = outside(place)
    done = entered(words, cwd=place.top, environ=place.sandbox.environ, stdin=b"")
    assert broken_promise(done) == "", done
    assert done.seconds < SECONDS, done
    assert not any(secret in done.stdout + done.stderr for secret in (CANARY, OF_THE_SYSTEM)), done
    assert outside(place) == before, done
    return done


CASES = [(file, shape) for file in shapes.FILES for shape in shapes.SHAPES]


@pytest.mark.parametrize("file", shapes.FILES)
def test_nothing_but_a_file_is_taken_for_one(place: Place, file: str) -> None:
    for shape in shapes.SHAPES:
        with quick_folder(place.root / "again") as folder:
            here = place.copy(folder / "here")
            path = shapes.put(here, file, shape)
            if shape == "file without rights" and os.access(path, os.R_OK):
                continue  # nobody is refused anything
            for words in tried(CASES.index((file, shape))):
                done = kept(here, words)
                if words == ["check"] and file.startswith("app/.memdir/") and file not in UNTOLD:
                    assert path.name in done.stdout or done.exit == 2, (shape, done)


@pytest.mark.parametrize("folder", shapes.FOLDERS)
@pytest.mark.parametrize("memdir", ["project", "user"])
def test_a_folder_that_is_a_link_is_never_entered(place: Place, memdir: str, folder: str) -> None:
    root = place.top / ".memdir" if memdir == "project" else place.sandbox.user_memdir
    elsewhere = place.root / "elsewhere"
    shapes.swap(root, folder, elsewhere)
    for path in elsewhere.rglob("*.md"):
        path.write_text(path.read_text("utf-8").replace("eslint", CANARY).replace("vim", CANARY), "utf-8")
    for words in LINES:
        done = kept(place, words)
        if words == ["check"] and memdir == "project" and folder in {"memories", "inbox", "history", "receipts"}:
            assert done.exit == 2, done


def test_a_memdir_behind_a_link_to_a_folder_above_it_works(place: Place) -> None:
    (place.root / "linked").symlink_to(place.root / "app")
    (place.root / "link-to-home").symlink_to(place.root / "home")
    behind = Place(place.sandbox)
    environ = {k: v.replace("/home", "/link-to-home") for k, v in place.sandbox.environ.items()}
    for words in ([], ["--dir", str(place.root / "linked/.memdir")], ["--dir", "../linked/.memdir"]):
        for line_ in (["check", "--strict"], ["get", "build"], ["list"], ["repair"], ["refresh"]):
            done = entered([*line_, *words], cwd=place.root / "linked", environ=environ)
            straight = entered(line_, cwd=behind.top, environ=place.sandbox.environ)
            assert (done.exit, done.stdout) == (straight.exit, straight.stdout) == (0, straight.stdout)
        said = entered(["remember", "new", "v", *HERE, *WORDS, *words], cwd=place.root / "linked", environ=environ)
        assert said.exit == 0, said
    assert (place.top / ".memdir/memories/new.md").is_file()


def test_every_file_of_the_table_is_there_or_may_come(seed: Place) -> None:
    coming = {name for name in shapes.FILES if not list(seed.root.glob(name))}
    assert coming == {
        "app/.memdir/memories/new.md", "app/.memdir/receipts/2027-01.jsonl",
        "app/.memdir/local/journal.json", "app/.memdir/local/cache", "app/.memdir/local/access/2026-09.jsonl",
        "app/.memdir/local/sources/x.jsonl",
    }  # fmt: skip
    assert Path(seed.root, "outside/secret.md").read_text("utf-8").count(CANARY)
