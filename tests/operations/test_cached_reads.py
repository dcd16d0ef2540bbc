"""What is read with a cache is what is read without one, whatever happened to files and cache in between."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.storage import cache, kept, layout
from memdir_cli.storage.cache import Texts
from tests.benchmarks.memdirs import ASKED as KEY
from tests.benchmarks.memdirs import furnished
from tests.checks.plants import LINTER
from tests.operations.retelling_desk import (
    SETTLED,
    Desk,
    Said,
    checked_out,
    clock_moved,
    copies,
    desk_of,
    kept_damaged,
    linked,
    memdir_copied,
    removed,
    renamed_over,
    same_size,
    user_forgets,
)  # fmt: skip
from tests.sandbox import Sandbox, isolated

ASKED = (
    ("get", "linter", "--json"),
    ("get", "lintre"),
    ("context",),
    ("context", "--query", "ruff", "--format", "json"),
    ("list", "--all", "--json"),
    ("search", "ruff", "--json"),
)


@pytest.fixture(autouse=True, scope="module")
def quick_cache() -> Iterator[None]:
    """Three memories are worth a cache, and are old enough for it as soon as another change would show."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "WORTH_SAVING", 1)
        patch.setattr(cache, "RACY", int(SETTLED * 0.8 * 1e9))
        yield


def roots(desk: Desk) -> list[Path]:
    return [desk.memdir, Path(desk.environ["XDG_DATA_HOME"]) / "memdir"]


def caches(desk: Desk) -> list[Path]:
    """Every file that was derived from the memories, wherever it lies."""
    lying = [root / path for root in roots(desk) for path in layout.DERIVED]
    return [path for path in (*lying, *desk.kept) if path.is_file()]


@contextmanager
def put_aside(desk: Desk) -> Iterator[None]:
    """For a while there is no cache."""
    places = caches(desk)
    aside = [path.rename(desk.top.parent / f"aside-{number}") for number, path in enumerate(places)]
    try:
        yield
    finally:
        for now, then in zip(aside, places, strict=True):
            now.rename(then)


def without_cache(desk: Desk) -> Said:
    with put_aside(desk):
        return desk.anew()


def memdir(desk: Desk, *words: str) -> None:
    before, desk.words = desk.words, words
    desk.say()
    desk.words = before


def remembered(desk: Desk, number: int) -> None:
    memdir(desk, "remember", f"key_{number % 3}", f"value {number}", "--scope", "repository")


def corrected(desk: Desk, number: int) -> None:
    memdir(desk, "correct", "linter", f"tool {number}", "--from", "user", "--said", f"tool {number}")


def confirmed(desk: Desk, number: int) -> None:
    memdir(desk, "confirm", "port", "--from", "user", "--said", "port 8080")


def quarantined(desk: Desk, number: int) -> None:
    memdir(desk, "quarantine", "linter", "--reason", "odd")


def forgotten(desk: Desk, number: int) -> None:
    memdir(desk, "forget", "port", "--yes")


def edited_twice_at_once(desk: Desk, number: int) -> None:
    """Of one size, within a second, and read in between."""
    path = desk.memdir / LINTER
    for name in ("ruff", f"fl{number:02}", f"li{number:02}") if path.is_file() else ():
        text = path.read_text("utf-8")
        path.write_text("".join(_valued(line, name) for line in text.splitlines(keepends=True)), "utf-8")
        desk.say()


def _valued(line: str, name: str) -> str:
    return f"value: {name}\n" if line.startswith("value: ") else line


def another_version(desk: Desk, number: int) -> None:
    for path in caches(desk):
        path.write_bytes(path.read_bytes().replace(cache._VERSION.encode(), b"0" * len(cache._VERSION)))


def damaged(desk: Desk, number: int) -> None:
    """Bytes anywhere in all of them, or an end that is missing."""
    for path in caches(desk):
        content = bytearray(path.read_bytes())
        for place in range(number * 7919 % 97, len(content), 97):
            content[place] ^= number + 1
        path.write_bytes(content[: len(content) // 2] if number % 5 == 0 else content)


def damaged_texts(desk: Desk, number: int) -> None:
    """The rows are as they were; the texts before them are not, and no answer is kept."""
    for path in caches(desk):
        content = path.read_bytes()
        if path.name.startswith("answer-"):
            path.unlink()
        elif path.name != "search":
            rows = len(content) - 40 - int.from_bytes(content[-40:-32], "big")
            path.write_bytes(content[:rows].replace(b"ruff", b"fufr").replace(b"port", b"trop") + content[rows:])


def cloned(desk: Desk, number: int) -> None:
    """In the place of the old one a clone, with the old one's cache put into it."""
    clone = desk.top.parent / "clone"
    subprocess.run(["git", "clone", "-q", desk.top, clone], env=desk.environ, check=True, stderr=subprocess.DEVNULL)
    shutil.copytree(desk.memdir / "local", clone / ".memdir/local", copy_function=shutil.copy2, dirs_exist_ok=True)
    shutil.rmtree(desk.top)
    clone.rename(desk.top)


def copied(desk: Desk, number: int) -> None:
    """As `cp -a` does, everything at once; then changed without another size or time."""
    copy = desk.top.parent / "copied"
    subprocess.run(["cp", "-a", desk.top, copy], check=True)
    shutil.rmtree(desk.top)
    copy.rename(desk.top)
    same_size(desk, number)


def swapped(desk: Desk, number: int) -> None:
    """Two files change places, with all their times."""
    one, other = (desk.memdir / path for path in (LINTER, "memories/build_command.md"))
    if one.is_file() and other.is_file():
        between = one.with_suffix(".new")
        one.rename(between)
        other.rename(one)
        between.rename(other)


ACTIONS: tuple[Callable[[Desk, int], None], ...] = (
    same_size, renamed_over, removed, checked_out, clock_moved, memdir_copied, kept_damaged, linked, user_forgets,
    remembered, corrected, confirmed, quarantined, forgotten, edited_twice_at_once, another_version, damaged,
    damaged_texts, cloned, copied, swapped,
)  # fmt: skip


def prepared(sandbox: Sandbox) -> Desk:
    """A desk whose memdirs have caches, those of a writer and those of a reader."""
    desk = desk_of(sandbox)
    time.sleep(SETTLED)
    remembered(desk, 0)
    for words in ASKED:
        desk.words = words
        desk.say()
    return desk


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return prepared(isolated(tmp_path_factory.mktemp("origin")))


@pytest.fixture(scope="module")
def fresh_desks(origin: Desk, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Desk]:
    return copies(origin, tmp_path_factory.mktemp("model") / "all")


@pytest.fixture
def desk(sandbox: Sandbox) -> Desk:
    return prepared(sandbox)


def taken(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many texts a list takes from caches."""
    asked: list[bytes] = []
    read = Texts.read

    def noticed(self: Texts, digest: str, at: int, size: int) -> bytes:
        asked.append(read(self, digest, at, size))
        return asked[-1]

    with monkeypatch.context() as patch:
        patch.setattr(Texts, "read", noticed)
        desk.words = ("list", "--json")
        desk.say()
    return sum(map(bool, asked))


def test_what_was_read_is_taken_from_the_caches(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    # after a write all is asked anew: linter and build_command of the project, port of the user
    remembered(desk, 1)
    assert taken(desk, monkeypatch) >= 3
    assert any(path.name.startswith("rows-") for path in desk.kept), "nobody has written to the user memdir since"


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.__name__)
@pytest.mark.parametrize("words", ASKED, ids=" ".join)
def test_each_of_these_is_seen_as_without_a_cache(
    desk: Desk, words: tuple[str, ...], action: Callable[[Desk, int], None]
) -> None:
    desk.words = words
    time.sleep(SETTLED)
    action(desk, 7)
    assert desk.say() == without_cache(desk), "at once"
    remembered(desk, 1)
    assert desk.say() == without_cache(desk), "after a write"
    action(desk, 8)
    assert desk.say() == without_cache(desk), "once more"


@settings(max_examples=40, suppress_health_check=list(HealthCheck), deadline=None)
@given(
    words=st.sampled_from(ASKED),
    history=st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 40)), min_size=1, max_size=5),
)
def test_no_history_lets_a_cache_change_an_answer(
    fresh_desks: Callable[[], Desk], words: tuple[str, ...], history: list[tuple[Callable[[Desk, int], None], int]]
) -> None:
    desk = fresh_desks()
    desk.words = words
    for action, number in history:
        action(desk, number)
        assert desk.say() == without_cache(desk), "at once"
        time.sleep(SETTLED)
        assert desk.say() == without_cache(desk), "later"


def test_forgetting_takes_the_text_out_of_every_cache(desk: Desk) -> None:
    assert any(b"8080" in path.read_bytes() for path in caches(desk))
    forgotten(desk, 0)
    assert not any(b"8080" in path.read_bytes() for path in caches(desk))
    assert "8080" not in desk.say()[1]


@pytest.mark.parametrize("what", ["save", "write"])
def test_what_is_forgotten_while_it_is_kept_does_not_stay(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """An answer, and what was read for it: the writer is done before the reader's file has its name."""
    for path in caches(desk):
        path.unlink()
    original = getattr(kept, what)
    happened: list[str] = []

    def late(*given: object) -> None:
        monkeypatch.setattr(kept, what, original)
        forgotten(desk, 0)
        happened.append(what)
        original(*given)

    monkeypatch.setattr(kept, what, late)
    desk.words = ("context",)
    assert "8080" in desk.say()[1]
    assert happened == [what]
    assert not any(b"8080" in path.read_bytes() for path in caches(desk))


# -- several processes


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Sandbox, Path]:
    """So many memories that a cache is worth it, none of them made just now."""
    made = furnished(tmp_path_factory.mktemp("crowd"), 1200)
    time.sleep(2.1)
    return made


def started(sandbox: Sandbox, top: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "memdir_cli", *words]
    return subprocess.Popen(
        command, cwd=top, env=dict(sandbox.environ), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    )


def test_processes_that_rebuild_it_at_once_answer_the_same(crowd: tuple[Sandbox, Path]) -> None:
    sandbox, top = crowd
    due = sandbox.run("context", cwd=top, env={"XDG_CACHE_HOME": "/dev/null/none"}).stdout
    place = Path(sandbox.environ["XDG_CACHE_HOME"]) / "memdir"
    for _ in range(3):
        shutil.rmtree(place, ignore_errors=True)
        processes = [started(sandbox, top, "context") for _ in range(4)]
        assert [process.communicate()[0] for process in processes] == [due] * 4
        assert len(list(place.glob("rows-*"))) == 2
        assert not list(place.glob(".*")), "nothing half written stays"


def test_writers_and_readers_at_once_leave_a_cache_that_is_true(crowd: tuple[Sandbox, Path]) -> None:
    sandbox, top = crowd
    config = sandbox.user_memdir / "config.yaml"
    config.write_bytes(config.read_bytes() + b"gate: {attestation: claimed}\n")
    said = ("--scope", "repository", "--from", "user", "--said")
    for number in range(2):
        words = f"npm {number}"
        writers = [started(sandbox, top, "correct", KEY, words, *said, f"from now on {words}") for _ in range(2)]
        readers = [started(sandbox, top, "list") for _ in range(2)]
        for process in (*writers, *readers):
            process.communicate()
        assert [process.returncode for process in readers] == [0, 0]
        now = sandbox.run("list", cwd=top).stdout
        for path in (top / ".memdir" / layout.CACHE, sandbox.user_memdir / layout.CACHE):
            if path.exists():
                os.rename(path, path.with_suffix(".aside"))
        assert sandbox.run("list", cwd=top, env={"XDG_CACHE_HOME": "/dev/null/none"}).stdout == now
