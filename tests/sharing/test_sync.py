"""`memdir sync`: machines come to say the same, and nothing is lost on the way."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.errors import PersonNeededError
from memdir_cli.operations.sync import sync
from memdir_cli.storage import repository
from memdir_cli.storage.repository import Done
from tests.sharing.machines import Machine, another, first, machine, pair


@pytest.fixture
def two(tmp_path: Path) -> tuple[Machine, Machine]:
    """Two machines that hold the same."""
    return pair(tmp_path)


def test_the_first_sync_commits_and_pushes_what_is_shared(tmp_path: Path) -> None:
    one = first(tmp_path)
    done = one.sync()
    assert (done.remote, done.branch, done.sent, done.received) == ("origin", "main", True, 0)
    pushed = one.git("ls-tree", "-r", "--name-only", "origin/main").splitlines()
    assert pushed == [
        ".gitattributes", ".gitignore", "MEMORY.md", "config.yaml", "memories/editor.md", "receipts/2026-09.jsonl",
    ]  # fmt: skip
    assert done.committed == len(pushed)
    again = one.sync()
    assert (again.committed, again.received, again.sent) == (0, 0, False)


def test_what_one_machine_says_stands_on_the_other(two: tuple[Machine, Machine]) -> None:
    one, other = two
    one.remember("shell", "fish")
    one.correct("editor", "nano")
    one.sync()
    done = other.sync()
    assert (done.sent, done.conflicts) == (False, ())
    assert other.view() == one.view() == {"editor": ("verified", "nano"), "shell": ("verified", "fish")}
    assert other.git("rev-parse", "HEAD") == one.git("rev-parse", "HEAD"), "nothing had to be merged"
    assert other.codes() == []


def test_both_have_said_something(two: tuple[Machine, Machine]) -> None:
    one, other = two
    one.remember("shell", "fish")
    one.correct("editor", "nano")
    one.sync()
    other.remember("pager", "less")
    other.correct("editor", "emacs")
    done = other.sync()
    assert [memory.predicate for memory in done.conflicts] == ["editor"]
    assert "memdir settle" in done.warnings[0][1]
    one.sync()
    assert one.view() == other.view() == {
        "editor": ("conflicted", "emacs|nano"), "pager": ("verified", "less"), "shell": ("verified", "fish"),
    }  # fmt: skip
    assert one.git("status", "--porcelain") == other.git("status", "--porcelain") == ""
    assert one.codes() == other.codes() == []
    assert "Merge" in one.git("log", "--merges", "--format=%s")


def test_an_end_here_and_a_correction_there_need_nobody(two: tuple[Machine, Machine]) -> None:
    one, other = two
    assert one.run("expire", "editor", "--from", "user", "--said", "no more").exit == 4
    path = next(one.memdir.glob("memories/editor.md"))
    path.unlink()
    one.repair()
    one.sync()
    other.correct("editor", "emacs")
    other.sync()
    one.sync()
    assert one.view() == other.view() == {"editor": ("verified", "emacs")}
    assert one.codes() == []


def test_what_lies_on_this_machine_alone_is_never_committed(two: tuple[Machine, Machine]) -> None:
    one, _ = two
    one.scene.remember("task", "x", "task", env={"MEMDIR_TASK": "T1"})
    (one.memdir / "local/notes").mkdir(parents=True, exist_ok=True)
    (one.memdir / "local/notes/mine.md").write_text("mine")
    (one.memdir / ".gitignore").write_text("")
    one.sync()
    assert not [path for path in one.git("ls-files").splitlines() if path.startswith("local/")]


def test_files_of_others_in_the_repository_are_left_alone(two: tuple[Machine, Machine]) -> None:
    one, other = two
    (one.memdir / "notes.txt").write_text("one\n")
    one.git("add", "notes.txt")
    one.remember("shell", "fish")
    one.sync()
    assert "notes.txt" not in one.git("ls-tree", "-r", "--name-only", "HEAD")
    assert one.git("diff", "--cached", "--name-only") == "notes.txt\n", "it is staged as it was"
    one.git("commit", "-qm", "Note")
    one.sync()
    other.sync()
    assert (other.memdir / "notes.txt").read_text() == "one\n", "what others committed comes along"


def test_a_file_with_changes_that_nobody_committed_is_not_covered(two: tuple[Machine, Machine]) -> None:
    one, other = two
    (one.memdir / "notes.txt").write_text("one\n")
    one.git("add", "notes.txt")
    one.git("commit", "-qm", "Note")
    one.sync()
    (other.memdir / "notes.txt").write_text("mine\n")
    with pytest.raises(PersonNeededError, match="not committed") as raised:
        other.sync()
    assert raised.value.code == "both-changed"
    assert (other.memdir / "notes.txt").read_text() == "mine\n"


def test_text_that_persons_wrote_into_the_index_stays(two: tuple[Machine, Machine]) -> None:
    one, other = two
    for who, words in ((one, "For the road."), (other, "For the desk.")):
        index = who.memdir / "MEMORY.md"
        index.write_text(f"{index.read_text()}\n{words}\n")
        who.remember(words.split()[2].strip("."), "x")
        who.sync()
    one.sync()
    for who in (one, other):
        text = (who.memdir / "MEMORY.md").read_text()
        assert "For the road." in text
        assert "For the desk." in text
        assert who.codes() == []


def test_settings_that_both_changed_are_joined_key_by_key(two: tuple[Machine, Machine]) -> None:
    one, other = two
    for who, line in ((one, "ageLimits: {fact: 90d}\n"), (other, "retention: {history: 365d}\n")):
        config = who.memdir / "config.yaml"
        config.write_text(f"{config.read_text()}{line}")
    one.sync()
    other.sync()
    text = (other.memdir / "config.yaml").read_text()
    assert "90d" in text
    assert "365d" in text


def test_the_same_setting_changed_twice_is_for_a_person(two: tuple[Machine, Machine]) -> None:
    one, other = two
    for who, line in ((one, "ageLimits: {fact: 90d}\n"), (other, "ageLimits: {fact: 30d}\n")):
        config = who.memdir / "config.yaml"
        config.write_text(f"{config.read_text()}{line}")
    one.sync()
    before = (other.memdir / "config.yaml").read_bytes()
    with pytest.raises(PersonNeededError, match=r"config\.yaml"):
        other.sync()
    assert (other.memdir / "config.yaml").read_bytes() == before


def test_a_project_memdir_inside_a_repository_travels_with_it(tmp_path: Path) -> None:
    one = machine(tmp_path, "one")
    top = one.scene.sandbox.repository("app", init=True)
    done = one.scene.sandbox.run("sync", cwd=top)
    assert (done.exit, "travels with it" in done.stderr) == (2, True)


def test_a_project_memdir_that_is_its_own_repository_syncs(tmp_path: Path) -> None:
    one = machine(tmp_path, "one")
    sandbox = one.scene.sandbox
    sandbox.git("init", "-q", "--bare", str(tmp_path / "remote.git"), cwd=tmp_path)
    top = sandbox.root / "plain"
    top.mkdir()
    sandbox.run("init", cwd=top)
    sandbox.git("init", "-q", cwd=top / ".memdir")
    sandbox.git("remote", "add", "origin", str(tmp_path / "remote.git"), cwd=top / ".memdir")
    done = sandbox.run("sync", "--json", cwd=top)
    assert (done.exit, done.json["memdir"], done.json["sent"]) == (0, "project", True)


@pytest.mark.slow
def test_interrupted_before_any_call_of_git_nothing_is_lost(
    two: tuple[Machine, Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    git = repository.git
    for number in count(1):
        one.correct("editor", f"one-{number}")
        one.remember(f"shell-{number}", "fish")
        one.sync()
        other.correct("editor", f"other-{number}")
        calls = 0

        def dying(*args: Any, **more: Any) -> Done:
            nonlocal calls
            calls += 1
            if calls == number:  # noqa: B023
                raise KeyboardInterrupt
            return git(*args, **more)

        with monkeypatch.context() as patched:
            patched.setattr(repository, "git", dying)
            with suppress(KeyboardInterrupt):
                other.sync()
        other.sync()
        one.sync()
        assert one.view() == other.view()
        assert one.view()["editor"] == ("conflicted", f"one-{number}|other-{number}")
        assert one.view()[f"shell-{number}"] == ("verified", "fish")
        assert one.git("status", "--porcelain") == other.git("status", "--porcelain") == ""
        if calls < number:
            break
    assert number > 20
    assert one.at(4).codes() == other.codes() == []


def test_what_was_forgotten_elsewhere_is_gone_here_to_the_last_byte(two: tuple[Machine, Machine]) -> None:
    one, other = two
    secret = "a-name-nobody-should-read"
    one.remember("friend", secret)
    one.sync()
    other.sync()
    other.correct("friend", f"{secret}-changed")
    assert one.run("forget", "friend", "--yes").exit == 0
    one.sync()
    other.sync()
    one.sync()
    for who in (one, other):
        assert set(who.view()) == {"editor"}
        held = [path for path in who.memdir.rglob("*") if path.is_file() and ".git" not in path.parts]
        assert [path for path in held if secret.encode() in path.read_bytes()] == []
        assert who.codes() == []


@pytest.mark.parametrize("how", ["revert", "checkout", "reset"])
def test_a_forgetting_that_git_takes_back_lifts_nothing(two: tuple[Machine, Machine], how: str) -> None:
    one, other = two
    one.remember("friend", "a-name-nobody-should-read")
    one.sync()
    before = one.git("rev-parse", "HEAD").strip()
    assert one.run("forget", "friend", "--yes").exit == 0
    one.sync()
    other.sync()
    words = {"revert": ("--no-edit", "HEAD"), "checkout": (before, "--", "."), "reset": ("-q", "--hard", before)}
    one.git(how, *words[how])
    assert (one.memdir / "memories/friend.md").exists()
    assert one.run("get", "friend").exit == 1
    assert one.run("remember", "friend", "a-name-nobody-should-read", "--scope", "user").exit == 4
    assert "M732" in one.codes()
    one.sync()
    other.sync()
    assert other.run("get", "friend").exit == 1
    for who in (one, other):
        who.repair()
        assert set(who.view()) == {"editor"}
        assert who.codes() == []


def test_a_forgotten_conflict_is_forgotten_on_every_machine_with_all_its_sides(two: tuple[Machine, Machine]) -> None:
    one, other = two
    one.correct("editor", "emacs")
    other.correct("editor", "nano")
    for who in (one, other, one):
        who.sync()
    assert one.view()["editor"][0] == "conflicted"
    assert one.run("forget", "editor", "--yes").exit == 0
    one.sync()
    other.sync()
    assert one.codes() == other.codes() == []


def test_two_calls_at_once_wait_for_each_other(two: tuple[Machine, Machine]) -> None:
    one, _ = two
    one.remember("shell", "fish")
    place = one.scene.open()
    store = place.user
    assert store is not None
    with store.writing(1):
        done = one.run("sync", "--user", "--lock-timeout", "0.2")
    assert done.exit == 75
    assert sync(place, user=True).sent


def test_three_machines_come_to_say_the_same(tmp_path: Path) -> None:
    one = first(tmp_path)
    one.sync()
    machines = [one.at(3), another(tmp_path, "two").at(4), another(tmp_path, "three").at(5)]
    for number, who in enumerate(machines):
        who.correct("editor", f"editor-{number}")
        who.remember(f"key-{number}", "x")
        who.sync()
    for who in machines:
        who.sync()
    views = [who.view() for who in machines]
    assert views[0] == views[1] == views[2]
    assert views[0]["editor"] == ("conflicted", "editor-0|editor-1|editor-2")
    assert [who.at(6).codes() for who in machines] == [[], [], []]
