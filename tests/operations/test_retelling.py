"""What `check` says again is what it would find out anew, whatever happened in between."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.checks.registry import RULES
from memdir_cli.cli import entry
from memdir_cli.operations import retelling
from memdir_cli.storage import kept, signature
from tests.checks import ground
from tests.checks.grave_plants import GRAVES
from tests.checks.plants import LINTER, PLANTS, Plant
from tests.checks.wary_plants import WARY
from tests.operations.writing_place import scene
from tests.sandbox import Sandbox, isolated

#: Exit status, result, remarks.
Said = tuple[int, str, str]

#: Longer than two ticks of the clock of a file system.
SETTLED = 0.03


@dataclass
class Desk:
    """A place from which check is run in this process, as its command line is."""

    top: Path
    environ: dict[str, str]
    words: tuple[str, ...] = ("check", "--json")
    cwd: Path = field(init=False)

    def __post_init__(self) -> None:
        self.cwd = self.top

    @property
    def memdir(self) -> Path:
        return self.top / ".memdir"

    def say(self, **environ: str) -> Said:
        """What check says, again or not."""
        out, err = io.StringIO(), io.StringIO()
        before = Path.cwd()
        os.chdir(self.cwd)
        try:
            variables = patch.dict(os.environ, {**self.environ, **environ}, clear=True)
            with variables, redirect_stdout(out), redirect_stderr(err):
                status = entry.enter(self.words)
        finally:
            os.chdir(before)
        return status, out.getvalue(), err.getvalue()

    def anew(self) -> Said:
        """What check says where nothing can be kept."""
        return self.say(XDG_CACHE_HOME="/dev/null/none")

    def again(self) -> retelling.Told | None:
        """What would be said again."""
        request = retelling.asked(self.words[1:])
        assert request is not None
        return retelling.retold(request, os.path.realpath(self.cwd), self.environ)

    @property
    def kept(self) -> list[Path]:
        """The files in which something is kept."""
        return sorted((Path(self.environ["XDG_CACHE_HOME"]) / "memdir").glob("*"))


def desk_of(sandbox: Sandbox) -> Desk:
    """A repository with a memory that cites a script."""
    here = scene(sandbox)
    scripts = {"version": "1.4.0", "scripts": {"build": "tsc", "test": "vitest"}}
    (here.top / "package.json").write_text(json.dumps(scripts), encoding="utf-8")
    here.remember("build_command", "npm run build")
    here.remember("linter", "ruff")
    here.remember("port", "8080", "user")
    sandbox.git("add", ".", cwd=here.top)
    sandbox.git("commit", "-qm", "Remember", cwd=here.top)
    return Desk(here.top, dict(sandbox.environ))


@pytest.fixture
def desk(sandbox: Sandbox) -> Desk:
    return desk_of(sandbox)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written just now count as settled: the tests change them later than a tick."""
    monkeypatch.setattr(signature, "TICKS", 0)
    monkeypatch.setattr(signature, "COARSE", 0)


def settle(desk: Desk) -> Said:
    """Let everything stand for a while, and have it checked."""
    time.sleep(SETTLED)
    return desk.say()


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
@pytest.mark.parametrize("plant", [*PLANTS, *WARY, *GRAVES], ids=str)
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
        "M312", "M313", "M321", "M322", "M323", "M324", "M325", "M326", "M601", "M722", "M724", "M725", "M726", "M733",
    }  # fmt: skip
    planted = {plant.code for plant in (*PLANTS, *WARY, *GRAVES)}
    # what M1 is about stands in memory files
    assert {rule.code for rule in RULES if not rule.code.startswith("M1")} - planted <= elsewhere


# -- anything in between


def replace_text(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def same_size(desk: Desk, number: int) -> None:
    """In place, the old times put back."""
    path = desk.memdir / LINTER
    if path.exists():
        stat = path.stat()
        plain, faulty = "ruff", "ru\x7ff"
        text = path.read_text("utf-8")
        path.write_text(text.replace(plain, faulty) if plain in text else text.replace(faulty, plain), "utf-8")
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def renamed_over(desk: Desk, number: int) -> None:
    other = desk.memdir / "memories/new.tmp"
    other.write_text(f"---\nid: x{number}\n")
    other.rename(desk.memdir / LINTER)


def removed(desk: Desk, number: int) -> None:
    (desk.memdir / LINTER).unlink(missing_ok=True)


def checked_out(desk: Desk, number: int) -> None:
    subprocess.run(["git", "checkout", "-q", "--", "."], cwd=desk.top, env=desk.environ, check=True)


def script_changed(desk: Desk, number: int) -> None:
    replace_text(desk.top / "package.json", "tsc", "tsd")


def script_back(desk: Desk, number: int) -> None:
    replace_text(desk.top / "package.json", "tsd", "tsc")


def package_moved(desk: Desk, number: int) -> None:
    (desk.top / "web").mkdir(exist_ok=True)
    (desk.top / "package.json").rename(desk.top / "web/package.json")
    shutil.copy(desk.top / "web/package.json", desk.top / "package.json") if number % 2 else None


def package_back(desk: Desk, number: int) -> None:
    if (desk.top / "web/package.json").exists():
        (desk.top / "web/package.json").rename(desk.top / "package.json")


def remote_changed(desk: Desk, number: int) -> None:
    url = f"https://github.com/acme/other-{number % 2}.git"
    subprocess.run(["git", "remote", "set-url", "origin", url], cwd=desk.top, env=desk.environ, check=True)


def remote_rewritten(desk: Desk, number: int) -> None:
    """Outside the repository."""
    rule = '\n[url "https://github.com/acme/renamed"]\n\tinsteadOf = https://github.com/acme/legacy-dashboard\n'
    config = Path(desk.environ["GIT_CONFIG_GLOBAL"])
    text = config.read_text("utf-8")
    config.write_text(text.replace(rule, "") if rule in text else text + rule, "utf-8")


def settings_changed(desk: Desk, number: int) -> None:
    with (desk.memdir / "config.yaml").open("a", encoding="utf-8") as stream:
        stream.write(f"# {number}\n")
    if number % 2:
        replace_text(desk.memdir / "config.yaml", "# key of", "check: {severity: {M211: info}}\n# key of")


def user_forgets(desk: Desk, number: int) -> None:
    with (Path(desk.environ["XDG_DATA_HOME"]) / "memdir/tombstones.jsonl").open("a") as stream:
        stream.write('{"torn\n')


def memdir_copied(desk: Desk, number: int) -> None:
    """In the place of the old one, which is changed before."""
    copy = desk.top / "copy"
    shutil.copytree(desk.memdir, copy, copy_function=shutil.copy2)
    shutil.rmtree(desk.memdir)
    copy.rename(desk.memdir)
    same_size(desk, number)


def nearer_memdir(desk: Desk, number: int) -> None:
    """Another one between the working directory and the one that was judged."""
    desk.cwd = desk.top / "deep"
    (desk.cwd / ".memdir").mkdir(parents=True, exist_ok=True)


def nearer_gone(desk: Desk, number: int) -> None:
    shutil.rmtree(desk.top / "deep", ignore_errors=True)
    desk.cwd = desk.top


def task_named(desk: Desk, number: int) -> None:
    desk.environ["MEMDIR_TASK"] = f"t{number}"


def clock_moved(desk: Desk, number: int) -> None:
    """Ahead and back."""
    desk.environ["MEMDIR_NOW"] = f"20{number % 30 + 15}-09-14T09:30:00Z"


def review_due(desk: Desk, number: int) -> None:
    path = desk.memdir / LINTER
    if path.exists():
        replace_text(path, "\nauthority:", f'\nreviewAfter: "20{number % 30 + 15}-01-01"\nauthority:')


def kept_damaged(desk: Desk, number: int) -> None:
    for path in desk.kept:
        content = path.read_bytes()
        place = number * 7919 % max(1, len(content))
        path.write_bytes(content[:place] if number % 3 == 0 else content[:place] + b"\xff" + content[place + 1 :])


def kept_swapped(desk: Desk, number: int) -> None:
    """What was kept of another memdir, under the name of this one's."""
    for path in desk.kept:
        shutil.copy(path, path.with_name(f"check-0{path.name[7:]}"))


def linked(desk: Desk, number: int) -> None:
    outside = desk.top / "outside"
    if not outside.exists():
        (desk.memdir / "inbox").mkdir(exist_ok=True)
        (desk.memdir / "inbox").rename(outside)
        (desk.memdir / "inbox").symlink_to(outside)


def nothing(desk: Desk, number: int) -> None:
    pass


ACTIONS: tuple[Callable[[Desk, int], None], ...] = (
    same_size, renamed_over, removed, checked_out, script_changed, script_back, package_moved, package_back,
    remote_changed, remote_rewritten, settings_changed, user_forgets, memdir_copied, nearer_memdir, nearer_gone,
    task_named, clock_moved, review_due, kept_damaged, kept_swapped, linked, nothing,
)  # fmt: skip


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Where every history begins; it is copied."""
    return desk_of(isolated(tmp_path_factory.mktemp("origin")))


@pytest.fixture(scope="module")
def fresh_desks(origin: Desk, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Desk]:
    """A desk of its own for every history, at the same place."""
    root = origin.top.parent
    model = tmp_path_factory.mktemp("model") / "all"
    shutil.copytree(root, model, symlinks=True)

    def make() -> Desk:
        shutil.rmtree(root)
        shutil.copytree(model, root, symlinks=True)
        return Desk(origin.top, dict(origin.environ))

    return make


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
