"""What a reading verb answers again is what it would find out anew, whatever happened in between."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import memdir_cli
from memdir_cli.cli import entry, lane
from memdir_cli.operations import repeating
from memdir_cli.probes import survey, variables
from memdir_cli.probes.checkout import find_checkout
from memdir_cli.storage import kept, layout
from tests.checks.plants import LINTER
from tests.operations.retelling_desk import ACTIONS, SETTLED, Desk, copies, desk_of, replace_text, settle
from tests.sandbox import Sandbox, isolated

#: What is asked; every form of answer, keys that are there and that are not.
ASKED = (
    ("get", "build_command"),
    ("get", "linter", "--json"),
    ("get", "port"),
    ("get", "lintre"),
    ("context",),
    ("context", "--query", "ruff", "--format", "json"),
    ("list",),
    ("list", "--all", "--json"),
    ("search", "ruff"),
    ("search", "run", "--json"),
)


def read_once(sandbox: Sandbox) -> Desk:
    """A desk whose memdirs have a log of reads: a read that makes one changes more than it."""
    desk = desk_of(sandbox)
    desk.words = ("context",)
    desk.say(XDG_CACHE_HOME="/dev/null/none")
    return desk


@pytest.fixture
def desk(sandbox: Sandbox) -> Desk:
    return read_once(sandbox)


def again(desk: Desk, **environ: str) -> repeating.Told | None:
    """What would be given again to the desk's words."""
    given_ = lane.parse(desk.words)
    assert given_ is not None
    before = Path.cwd()
    os.chdir(desk.cwd)
    try:
        call = repeating.call(desk.words[0], given_, str(Path.cwd()))
        return repeating.repeated(call, {**desk.environ, **environ})
    finally:
        os.chdir(before)


def logged(root: Path) -> list[dict[str, object]]:
    """The lines of the access logs of a memdir, without the time."""
    lines = [line for log in sorted((root / layout.ACCESS).glob("*")) for line in log.read_text("utf-8").splitlines()]
    return [{name: value for name, value in json.loads(line).items() if name != "at"} for line in lines]


# -- nothing changed


@pytest.mark.parametrize("words", ASKED, ids=" ".join)
def test_what_was_answered_is_answered_again(desk: Desk, words: tuple[str, ...]) -> None:
    desk.words = words
    first = settle(desk)
    told = again(desk)
    assert told is not None
    assert (told[0], told[1], "".join(f"{line}\n" for line in told[2])) == first
    assert desk.say() == first == desk.anew()


@pytest.mark.parametrize("words", [words for words in ASKED if words[0] != "list"], ids=" ".join)
def test_a_read_that_is_answered_again_is_logged_again(desk: Desk, words: tuple[str, ...]) -> None:
    desk.words = words
    roots = [desk.memdir, Path(desk.environ["XDG_DATA_HOME"]) / "memdir"]
    before = [len(logged(root)) for root in roots]
    sessions = ["first", 'se"cond', "drüben"]
    for session in sessions:
        time.sleep(SETTLED)
        desk.say(MEMDIR_SESSION=session)
    assert len(desk.kept) == 1
    new = [logged(root)[count:] for root, count in zip(roots, before, strict=True)]
    for lines in new:
        assert [line.pop("session") for line in lines] in (sessions, [])
        assert all(line == lines[0] for line in lines)
    # an unknown key shows nothing of anybody
    assert any(new) == (words != ("get", "lintre"))


def test_the_second_time_imports_next_to_nothing(desk: Desk) -> None:
    desk.words = ("get", "linter")
    settle(desk)
    script = (
        "import sys\nfrom memdir_cli.cli.entry import enter\nenter(['get', 'linter'])\n"
        "dear = {'dataclasses', 'json', 're', 'subprocess', 'typing', 'hashlib', 'memdir_cli.storage.store'}\n"
        "sys.exit(repr(sorted(dear & set(sys.modules))))"
    )
    run = [sys.executable, "-S", "-c", script]
    environ = {**desk.environ, "PYTHONPATH": str(Path(entry.__file__).parents[2])}
    done = subprocess.run(run, cwd=desk.top, env=environ, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr.splitlines()[-1]) == ("ruff\n", "[]")


def test_another_option_is_another_question(desk: Desk) -> None:
    desk.words = ("get", "linter")
    settle(desk)
    assert again(desk) is not None
    for words in (("get", "linter", "-q"), ("get", "linter", "--path", "a"), ("get", "port")):
        desk.words = words
        assert again(desk) is None


def test_what_is_counted_from_now_on_is_not_kept(desk: Desk) -> None:
    desk.words = ("search", "ruff", "--max-age", "1h")
    settle(desk)
    assert desk.kept == []


def test_another_version_asks_anew(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.words = ("get", "linter")
    settle(desk)
    assert again(desk) is not None
    monkeypatch.setattr(repeating, "__version__", f"{memdir_cli.__version__}.1")
    assert again(desk) is None


def test_a_session_that_is_none_is_told(desk: Desk) -> None:
    desk.words = ("get", "linter")
    settle(desk)
    told = desk.say(MEMDIR_SESSION="a b")
    assert (told[0], told[1]) == (2, "")
    assert "MEMDIR_SESSION" in told[2]


def test_the_first_answer_after_midnight_is_a_new_one(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    del desk.environ["MEMDIR_NOW"]
    desk.words = ("context",)
    seconds = [1_906_848_000 + 86_390]
    monkeypatch.setattr(time, "time", lambda: seconds[0])
    settle(desk)
    assert again(desk) is not None
    seconds[0] += 9
    assert again(desk) is not None
    seconds[0] += 1
    assert again(desk) is None
    assert desk.say() == desk.anew()


# -- what it follows from


class Noticed(Mapping[str, str]):
    """An environment that knows which variables were asked for."""

    def __init__(self, variables_: Mapping[str, str]) -> None:
        self.asked: set[str] = set()
        self._variables = variables_

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return self._variables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)


def test_every_variable_that_a_survey_asks_for_is_looked_at(desk: Desk) -> None:
    environ = Noticed({"HOME": desk.environ["HOME"]})
    here = str(desk.top)
    survey.survey(here, environ, "2026-09-14T09:30:00Z", checkout=find_checkout(here, environ), with_version=True)
    decided = {name for name, _ in variables.deciding(dict.fromkeys(environ.asked, "1"))}
    only_logged = {*variables.TOLD_APART, *variables.SESSION_VARIABLES, *(run for _, _, run in variables.CI_SYSTEMS)}
    assert environ.asked - only_logged <= decided


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Where every history begins; it is copied."""
    return read_once(isolated(tmp_path_factory.mktemp("origin")))


@pytest.fixture(scope="module")
def fresh_desks(origin: Desk, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Desk]:
    """A desk of its own for every history, at the same place."""
    return copies(origin, tmp_path_factory.mktemp("model") / "all")


def shell_changed(desk: Desk, number: int) -> None:
    desk.environ["SHELL"] = "/bin/zsh" if number % 2 else "/bin/bash"


def container_entered(desk: Desk, number: int) -> None:
    desk.environ["DEVCONTAINER"] = str(number % 2)


def version_changed(desk: Desk, number: int) -> None:
    if (desk.top / "package.json").exists():
        replace_text(desk.top / "package.json", '"version": "1', f'"version": "{number}1')


def remembered(desk: Desk, number: int) -> None:
    memdir(desk, "remember", f"key_{number % 3}", f"value {number}", "--scope", "repository")


def corrected(desk: Desk, number: int) -> None:
    memdir(desk, "correct", "linter", f"tool {number}", "--from", "user", "--said", f"tool {number}")


def private_rule(desk: Desk, number: int) -> None:
    """From now on git is asked."""
    memdir(desk, "remember", "linter", f"mine {number}", "--scope", "repository", "--private")


def quarantined(desk: Desk, number: int) -> None:
    memdir(desk, "quarantine", "linter", "--reason", "odd")


def forgotten(desk: Desk, number: int) -> None:
    memdir(desk, "forget", "port", "--yes")


def variant_added(desk: Desk, number: int) -> None:
    """By hand, a file whose name begins as that of another."""
    path = desk.memdir / LINTER
    if path.exists():
        (path.parent / "linter--0badcafe.md").write_bytes(path.read_bytes())


def memdir(desk: Desk, *words: str) -> None:
    before = desk.words
    desk.words = words
    desk.say()
    desk.words = before


MORE: tuple[Callable[[Desk, int], None], ...] = (
    *ACTIONS, shell_changed, container_entered, version_changed, remembered, corrected, private_rule, quarantined,
    forgotten, variant_added,
)  # fmt: skip


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(
    words=st.sampled_from(ASKED),
    history=st.lists(st.tuples(st.sampled_from(MORE), st.integers(0, 40)), min_size=1, max_size=4),
)
def test_no_history_makes_it_answer_what_is_not_so(
    fresh_desks: Callable[[], Desk], words: tuple[str, ...], history: list[tuple[Callable[[Desk, int], None], int]]
) -> None:
    desk = fresh_desks()
    desk.words = words
    settle(desk)
    for action, number in history:
        action(desk, number)
        assert desk.say() == desk.anew(), "at once"
        assert settle(desk) == desk.anew(), "kept"
        assert desk.say() == desk.anew(), "again"


@pytest.mark.parametrize("words", [("get", "linter"), ("get", "build_command"), ("context",)], ids=" ".join)
@pytest.mark.parametrize("action", MORE, ids=lambda action: action.__name__)
def test_each_of_these_is_noticed_or_changes_nothing(
    desk: Desk, words: tuple[str, ...], action: Callable[[Desk, int], None]
) -> None:
    desk.words = words
    settle(desk)
    assert again(desk) is not None
    time.sleep(SETTLED)
    action(desk, 7)
    assert desk.say() == desk.anew()


def test_edits_of_the_same_size_in_the_same_moment(desk: Desk) -> None:
    desk.words = ("get", "linter", "-q")
    path = desk.memdir / LINTER
    text = path.read_text("utf-8")
    for number in range(10, 60):
        path.write_text(text.replace("ruff", f"ru{number}"), "utf-8")
        assert desk.say()[1] == f"ru{number}\n"


# -- who else is there


def test_many_at_once_answer_the_same(desk: Desk) -> None:
    run = [sys.executable, "-m", "memdir_cli", "context"]
    desk.words = ("context",)
    due = desk.anew()
    for _ in range(3):
        started = [
            subprocess.Popen(run, cwd=desk.top, env=desk.environ, stdout=subprocess.PIPE, text=True) for _ in range(3)
        ]
        said = [process.communicate()[0] for process in started]
        assert said == [due[1]] * 3
    assert len(desk.kept) == 1


def test_a_hook_answers_again_for_every_session(sandbox: Sandbox, desk: Desk) -> None:
    root = desk.memdir
    answers = []
    for number in range(3):
        time.sleep(SETTLED)
        event = json.dumps({"session_id": f"s{number}", "cwd": str(desk.top), "hook_event_name": "SessionStart"})
        done = sandbox.run("hook", "session-start", "--agent", "claude", input=event, cwd=desk.top)
        answers.append((done.exit, done.stdout, done.stderr))
    assert answers[0] == answers[1] == answers[2]
    assert "ruff" in answers[0][1]
    assert len(desk.kept) == 1
    assert [line.get("session") for line in logged(root)][-3:] == ["s0", "s1", "s2"]


@pytest.mark.parametrize("verb", [("forget", "port", "--yes"), ("quarantine", "port", "--reason", "odd")])
def test_what_must_go_leaves_what_was_kept_at_once(sandbox: Sandbox, desk: Desk, verb: tuple[str, ...]) -> None:
    """It is the user's memory, and the answer that quotes it was one about the project."""
    desk.words = ("context",)
    assert "8080" in settle(desk)[1]
    assert b"8080" in b"".join(path.read_bytes() for path in desk.kept)
    done = sandbox.run(*verb, cwd=desk.top)
    assert done.exit == 0, done.stderr
    assert desk.kept == []
    assert "8080" not in desk.say()[1]


def test_a_memdir_that_nobody_may_write_to_is_answered_for_again(desk: Desk) -> None:
    desk.words = ("get", "linter")
    before = {path: path.read_bytes() for path in desk.memdir.rglob("*") if path.is_file()}
    settle(desk)
    assert again(desk) is not None
    changed = {path for path in desk.memdir.rglob("*") if path.is_file() and before.get(path) != path.read_bytes()}
    assert {path.parent.name for path in changed} <= {"access"}


def test_without_a_place_nothing_is_kept_and_all_works(desk: Desk) -> None:
    desk.words = ("get", "linter")
    due = desk.anew()
    desk.environ["XDG_CACHE_HOME"] = ""
    desk.environ["HOME"] = ""
    assert kept.folder(desk.environ) == ""
    assert desk.say()[1] == due[1]
