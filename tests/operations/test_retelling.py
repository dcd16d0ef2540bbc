"""What `check` says again is what it would find out anew, whatever happened in between."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import memdir_cli
from memdir_cli.checks.registry import RULES
from memdir_cli.cli import entry
from memdir_cli.operations import retelling
from memdir_cli.storage import kept, signature
from tests.checks import ground
from tests.checks.plants import LINTER, Plant
from tests.checks.test_plants import PLANTS
from tests.operations.retelling_desk import ACTIONS, SETTLED, Desk, copies, desk_of, replace_text, settle
from tests.sandbox import Sandbox, isolated


@pytest.fixture
def desk(sandbox: Sandbox) -> Desk:
    return desk_of(sandbox)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written just now count as settled: the tests change them later than a tick."""
    monkeypatch.setattr(signature, "TICKS", 0)
    monkeypatch.setattr(signature, "COARSE", 0)


# -- nothing changed


@pytest.mark.parametrize(
    "options",
    [
        ("--json",), (), ("-q",), ("--strict",), ("--format", "sarif"), ("--statistics",),
        ("--select", "M2", "--ignore", "M211"), ("--dir", ".memdir"),
    ],
)  # fmt: skip
def test_what_was_said_is_said_again(desk: Desk, options: tuple[str, ...]) -> None:
    (desk.memdir / LINTER).unlink()
    desk.words = ("check", *options)
    first = settle(desk)
    told = desk.again()
    assert told is not None
    assert (told[0], told[1].strip(), "".join(f"{line}\n" for line in told[2])) == (
        first[0],
        first[1].strip(),
        first[2],
    )
    assert desk.say() == first == desk.anew()


def test_the_second_time_imports_next_to_nothing(desk: Desk) -> None:
    settle(desk)
    script = (
        "import sys\nfrom memdir_cli.cli.entry import enter\nenter(['check', '--json'])\n"
        "dear = {'dataclasses', 'json', 're', 'subprocess', 'typing', 'memdir_cli.checks.registry'}\n"
        "sys.exit(repr(sorted(dear & set(sys.modules))))"
    )
    run = [sys.executable, "-S", "-c", script]
    environ = {**desk.environ, "PYTHONPATH": str(Path(entry.__file__).parents[2])}
    done = subprocess.run(run, cwd=desk.top, env=environ, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "[]"
    assert json.loads(done.stdout)["findings"] == []


def test_the_memdirs_are_not_touched(desk: Desk) -> None:
    before = ground.tree(desk.top), ground.tree(Path(desk.environ["XDG_DATA_HOME"]))
    settle(desk)
    desk.say()
    assert (ground.tree(desk.top), ground.tree(Path(desk.environ["XDG_DATA_HOME"]))) == before
    (kept_file,) = desk.kept
    assert kept_file.stat().st_mode & 0o777 == 0o600
    assert kept_file.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "options",
    [("--staged",), ("--fix",), ("--baseline", "debt.json"), (".memdir/memories",), ("--lock-timeout", "1")],
)
def test_what_looks_elsewhere_or_writes_is_not_kept(desk: Desk, options: tuple[str, ...]) -> None:
    assert retelling.asked(options) is None
    desk.words = ("check", *options)
    settle(desk)
    assert desk.kept == []


def test_what_could_not_be_checked_is_not_kept(desk: Desk) -> None:
    (desk.memdir / "config.yaml").write_text("key: [\n")
    assert settle(desk)[0] == 2
    assert desk.kept == []


def test_only_so_many_are_kept(desk: Desk) -> None:
    time.sleep(SETTLED)
    for number in range(kept.KEPT + 3):
        folder = desk.top / f"folder-{number}"
        folder.mkdir()
        desk.cwd = folder
        desk.say()
    assert len(desk.kept) == kept.KEPT
    assert desk.again() is not None


# -- every rule


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean memdir outside git, to be copied."""
    return ground.project(tmp_path_factory.mktemp("good"))


@pytest.fixture
def planted(good: Path, tmp_path: Path) -> Desk:
    sandbox = isolated(tmp_path)
    shutil.copytree(good, tmp_path / "app/.memdir")
    return Desk(tmp_path / "app", dict(sandbox.environ))


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("plant", PLANTS, ids=str)
def test_whatever_a_rule_goes_by_is_seen(planted: Desk, plant: Plant) -> None:
    clean = planted.say()
    assert planted.again() is not None
    time.sleep(SETTLED)
    plant.plant(planted.memdir)
    assert planted.again() is None
    found = planted.say()
    assert found != clean
    assert found == planted.anew()
    assert planted.say() == found


def test_every_rule_has_been_tried() -> None:
    """A new rule goes by something that the signature must hold: plant it, or name what tries it."""
    elsewhere = {
        # below, or only in a user memdir, whose files are looked at in the same way
        "M209", "M312", "M313", "M321", "M322", "M323", "M324", "M325", "M326", "M601", "M722", "M724", "M725", "M726",
        "M727", "M733",
    }  # fmt: skip
    planted = {plant.code for plant in PLANTS}
    # what M1 is about stands in memory files
    assert {rule.code for rule in RULES if not rule.code.startswith("M1")} - planted <= elsewhere


# -- anything in between


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Where every history begins; it is copied."""
    return desk_of(isolated(tmp_path_factory.mktemp("origin")))


@pytest.fixture(scope="module")
def fresh_desks(origin: Desk, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Desk]:
    """A desk of its own for every history, at the same place."""
    return copies(origin, tmp_path_factory.mktemp("model") / "all")


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(history=st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 40)), min_size=1, max_size=5))
def test_no_history_makes_it_say_what_is_not_so(
    fresh_desks: Callable[[], Desk], history: list[tuple[Callable[[Desk, int], None], int]]
) -> None:
    desk = fresh_desks()
    settle(desk)
    for action, number in history:
        action(desk, number)
        assert desk.say() == desk.anew(), "at once"
        assert settle(desk) == desk.anew(), "kept"
        assert desk.say() == desk.anew(), "again"


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.__name__)
def test_each_of_these_is_noticed_or_changes_nothing(desk: Desk, action: Callable[[Desk, int], None]) -> None:
    settle(desk)
    assert desk.again() is not None
    time.sleep(SETTLED)
    action(desk, 7)
    assert desk.say() == desk.anew()


def test_edits_of_the_same_size_in_the_same_moment(desk: Desk) -> None:
    path = desk.memdir / LINTER
    text = path.read_text("utf-8")
    for number in range(25):
        path.write_text(text.replace("ruff", f"ru{'f' if number % 2 else chr(0x7F)}f"), "utf-8")
        assert ("M502" in desk.say()[1]) == (number % 2 == 0), number


def test_the_clock_runs_on_and_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    del desk.environ["MEMDIR_NOW"]
    replace_text(desk.memdir / LINTER, "\nauthority:", '\nreviewAfter: "2030-06-01"\nauthority:')
    days = {"due": 1_906_848_000, "not yet": 1_906_500_000}
    seconds = [days["not yet"]]
    monkeypatch.setattr(time, "time", lambda: seconds[0])
    first = settle(desk)
    assert "M313" not in first[1]
    assert desk.again() is not None
    seconds[0] = days["due"]
    assert desk.again() is None
    assert "M313" in settle(desk)[1]
    assert desk.again() is not None
    seconds[0] = days["not yet"]
    assert desk.again() is None
    assert desk.say() == first


# -- who else is there


def test_many_at_once_say_the_same(desk: Desk) -> None:
    run = [sys.executable, "-m", "memdir_cli", "check", "--json"]
    due = desk.anew()
    for _ in range(3):
        started = [
            subprocess.Popen(run, cwd=desk.top, env=desk.environ, stdout=subprocess.PIPE, text=True) for _ in range(3)
        ]
        said = [process.communicate()[0] for process in started]
        assert said == [due[1]] * 3
    assert len(desk.kept) == 1


@pytest.mark.parametrize("mode", [0o666, 0o620])
def test_what_others_may_have_written_is_not_believed(desk: Desk, mode: int) -> None:
    settle(desk)
    (path,) = desk.kept
    assert desk.again() is not None
    path.chmod(mode)
    assert desk.again() is None


def test_what_was_damaged_anywhere_is_not_believed(desk: Desk) -> None:
    settle(desk)
    (path,) = desk.kept
    whole = path.read_bytes()
    chance = random.Random(4)
    places = [*range(40), *(chance.randrange(len(whole)) for _ in range(160)), len(whole) - 1]
    for at in places:
        other = bytes([whole[at] ^ chance.randrange(1, 256)])
        for damaged in (whole[:at] + other + whole[at + 1 :], whole[:at], whole[:at] + other + whole[at:]):
            path.write_bytes(damaged)
            assert desk.again() is None, at
    path.write_bytes(whole)
    assert desk.again() is not None


def test_what_another_version_kept_is_not_said(desk: Desk, tmp_path: Path) -> None:
    replace_text(desk.memdir / LINTER, "ruff", "ruff this time")
    package = Path(str(memdir_cli.__file__)).parent
    other = tmp_path / "other"
    shutil.copytree(package, other / "memdir_cli", ignore=shutil.ignore_patterns("__pycache__"))
    replace_text(other / "memdir_cli/__init__.py", memdir_cli.__version__, "99.0.0")
    replace_text(other / "memdir_cli/domain/remarks.py", "and lasts;", "and stays;")
    time.sleep(SETTLED)

    def said(version: Path) -> str:
        environ = {**desk.environ, "PYTHONPATH": str(version), "PYTHONDONTWRITEBYTECODE": "1"}
        argv = [sys.executable, "-m", "memdir_cli", *desk.words]
        return subprocess.run(argv, cwd=desk.top, env=environ, capture_output=True, text=True, check=True).stdout

    for version, words in ((package.parent, "and lasts;"), (other, "and stays;"), (package.parent, "and lasts;")):
        assert words in said(version)
        assert words in said(version), "again"
    assert len(desk.kept) == 2, "each kept its own"


def test_a_link_is_not_followed(desk: Desk) -> None:
    settle(desk)
    (path,) = desk.kept
    path.rename(desk.top / "elsewhere")
    path.symlink_to(desk.top / "elsewhere")
    assert desk.again() is None


def test_without_a_place_nothing_is_kept_and_all_works(desk: Desk) -> None:
    for name in ("XDG_CACHE_HOME", "HOME"):
        desk.environ.pop(name)
    assert settle(desk)[0] == 0


def test_a_write_takes_away_what_quotes_the_memdir(sandbox: Sandbox, desk: Desk) -> None:
    replace_text(desk.memdir / LINTER, "ruff", "zanzibar this time")
    assert "zanzibar" in settle(desk)[1]
    assert b"zanzibar" in b"".join(path.read_bytes() for path in desk.kept)
    done = sandbox.run("forget", "linter", "--yes", cwd=desk.top)
    assert done.exit == 0, done.stderr
    assert desk.kept == []
