"""`memdir sync`: machines come to say the same, and whatever is in the way ends in a clear state with nothing lost."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.errors import FaultError, MemdirError, PersonNeededError, RefusedError, UsageError
from memdir_cli.operations import versioning
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


# what may be in the way


def refused(found: Machine, kind: type[MemdirError], code: str) -> MemdirError:
    with pytest.raises(kind) as raised:
        found.sync()
    assert raised.value.code == code
    assert raised.value.hint
    return raised.value


def test_offline_everything_is_committed_and_goes_out_later(two: tuple[Machine, Machine], tmp_path: Path) -> None:
    one, other = two
    one.remember("shell", "fish")
    (tmp_path / "remote.git").rename(tmp_path / "away")
    refused(one, FaultError, "offline")
    assert one.git("status", "--porcelain") == ""
    (tmp_path / "away").rename(tmp_path / "remote.git")
    assert one.sync().sent
    other.sync()
    assert "shell" in other.view()


def test_credentials_are_never_printed(two: tuple[Machine, Machine]) -> None:
    one, _ = two
    one.git("remote", "set-url", "origin", "https://kim:s3cret-t0ken@127.0.0.1:1/x.git")
    done = one.run("sync", "--user")
    assert (done.exit, "cannot be reached" in done.stderr) == (6, True)
    assert "s3cret" not in done.stdout + done.stderr


def test_a_push_that_others_were_faster_than_is_repeated(two: tuple[Machine, Machine], tmp_path: Path) -> None:
    one, other = two
    one.remember("shell", "fish")
    other.remember("pager", "less")
    # while one pushes, the other one does
    hook = one.memdir / ".git/hooks/pre-push"
    flag = tmp_path / "once"
    race = f"cd {other.memdir} && unset $(git rev-parse --local-env-vars) && git add -A memories && "
    race += "git commit -qm race && git push -q origin HEAD"
    hook.write_text(f"#!/bin/sh\n[ -e {flag} ] && exit 0\ntouch {flag}\n({race}) >/dev/null 2>&1\nexit 0\n")
    hook.chmod(0o755)
    done = one.sync()
    assert flag.exists()
    assert (done.sent, done.received > 0) == (True, True)
    assert set(one.view()) == {"editor", "shell", "pager"}


def test_others_who_are_always_faster_end_it(two: tuple[Machine, Machine], tmp_path: Path) -> None:
    one, _ = two
    hook = tmp_path / "remote.git/hooks/update"
    one.remember("shell", "fish")
    # the remote moves before every push
    mover = one.memdir / ".git/hooks/pre-push"
    mover.write_text(
        f"#!/bin/sh\ncd {tmp_path}/remote.git && unset $(git rev-parse --local-env-vars) && "
        "t=$(git commit-tree main^{tree} -p main -m x) && git update-ref refs/heads/main $t\n"
    )
    mover.chmod(0o755)
    assert not hook.exists()
    done = one.run("sync", "--user")
    assert (done.exit, "faster" in done.stderr) == (5, True)
    mover.unlink()
    assert one.sync().sent


def test_a_remote_that_refuses_is_told(two: tuple[Machine, Machine], tmp_path: Path) -> None:
    one, _ = two
    hook = tmp_path / "remote.git/hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    one.remember("shell", "fish")
    error = refused(one, RefusedError, "remote-refused")
    assert "hook" in error.message


def test_a_hook_that_refuses_the_commit_leaves_everything(two: tuple[Machine, Machine]) -> None:
    one, _ = two
    hook = one.memdir / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\necho no such thing >&2\nexit 1\n")
    hook.chmod(0o755)
    one.remember("shell", "fish")
    error = refused(one, RefusedError, "commit-refused")
    assert "no such thing" in error.message
    assert "shell" in one.view()
    hook.unlink()
    assert one.sync().sent


def test_histories_without_a_common_past_are_two_memdirs(tmp_path: Path) -> None:
    one = first(tmp_path)
    one.sync()
    other = machine(tmp_path, "two")
    other.remember("editor", "emacs")
    other.git("init", "-q")
    other.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    before = other.view()
    error = refused(other, PersonNeededError, "unrelated")
    assert other.view() == before
    # what the hint says can be typed
    done = other.scene.sandbox.process("sh", "-c", error.hint.rpartition("\n")[2], cwd=other.scene.top)
    assert done.exit == 0, done.stderr
    assert other.view() == one.view()
    assert not other.sync().sent


def test_a_detached_head_is_told(two: tuple[Machine, Machine]) -> None:
    one, _ = two
    one.git("checkout", "-q", "--detach")
    assert "switch" in refused(one, UsageError, "detached").hint


def test_without_a_remote_it_is_committed_and_told(tmp_path: Path) -> None:
    one = machine(tmp_path, "one")
    one.remember("editor", "vim")
    assert "git init" in refused(one, UsageError, "no-repository").hint
    one.git("init", "-q")
    assert "remote add origin" in refused(one, UsageError, "no-remote").hint
    assert one.git("status", "--porcelain") == ""


def test_without_a_user_memdir_it_says_how_to_get_one(tmp_path: Path) -> None:
    done = machine(tmp_path, "one").run("sync", "--user")
    assert (done.exit, "git clone URL" in done.stderr) == (2, True)


def test_several_remotes_and_no_upstream(tmp_path: Path) -> None:
    one = first(tmp_path)
    one.git("remote", "rename", "origin", "here")
    one.git("remote", "add", "there", str(tmp_path / "remote.git"))
    refused(one, UsageError, "no-upstream")


def test_an_unfinished_merge_is_not_touched(two: tuple[Machine, Machine]) -> None:
    one, other = two
    one.correct("editor", "nano")
    one.sync()
    other.correct("editor", "emacs")
    other.git("add", "-A")
    other.git("commit", "-qm", "Mine")
    other.git("fetch", "-q")
    other.scene.sandbox.process("git", "merge", "-q", "origin/main", cwd=other.memdir)
    before = other.git("status", "--porcelain")
    error = refused(other, PersonNeededError, "merge-unfinished")
    assert "memdir repair" in error.hint
    assert other.git("status", "--porcelain") == before
    # what the hint says leads out of it
    other.repair()
    other.git("add", "-A")
    other.git("commit", "-qm", "Merge")
    assert other.sync().sent
    assert other.view() == {"editor": ("conflicted", "emacs|nano")}


def test_without_a_name_git_is_told_how_to_get_one(two: tuple[Machine, Machine]) -> None:
    one, _ = two
    (one.scene.sandbox.home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    one.remember("shell", "fish")
    assert "user.email" in refused(one, UsageError, "no-identity").hint
    given = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.invalid"}
    given |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in given.items()}
    assert one.run("sync", "--user", env=given).exit == 0
    assert one.git("log", "-1", "--format=%an") == "A\n"


def test_a_remote_that_never_answers_is_given_up(
    two: tuple[Machine, Machine], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one, _ = two
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nsleep 60 & wait\n")
    slow.chmod(slow.stat().st_mode | stat.S_IXUSR)
    one.git("config", "remote.origin.uploadpack", str(slow))
    monkeypatch.setattr(versioning, "NETWORK", 1.0)
    assert "within 1 seconds" in refused(one, FaultError, "offline").message


def test_nobody_is_asked_off_a_terminal(two: tuple[Machine, Machine]) -> None:
    one, _ = two
    environ = versioning._environment(one.scene.sandbox.environ, str(one.memdir), attended=False)
    assert environ["GIT_TERMINAL_PROMPT"] == "0"
    assert "BatchMode" in environ["GIT_SSH_COMMAND"]


def test_variables_of_a_hook_of_another_repository_are_not_heard(two: tuple[Machine, Machine], tmp_path: Path) -> None:
    one, _ = two
    elsewhere = one.scene.sandbox.repository("elsewhere")
    one.remember("shell", "fish")
    env = {"GIT_DIR": str(elsewhere / ".git"), "GIT_INDEX_FILE": str(elsewhere / ".git/index"), "GIT_PREFIX": "x"}
    assert one.run("sync", "--user", env=env).exit == 0
    assert one.scene.sandbox.git("log", "--format=%s", cwd=elsewhere) == "Start\n"
    assert one.scene.sandbox.git("status", "--porcelain", cwd=elsewhere) == ""


def test_a_remote_that_brings_files_of_a_machine_is_refused(two: tuple[Machine, Machine]) -> None:
    one, other = two
    (one.memdir / "local/journal.json").write_text("{}")
    one.git("add", "-f", "local/journal.json")
    one.git("commit", "-qm", "Wrong")
    one.git("push", "-q", "origin", "HEAD")
    refused(other, PersonNeededError, "local-tracked")
    refused(one, PersonNeededError, "local-tracked")
    assert not (other.memdir / "local/journal.json").exists()


def test_a_link_from_the_other_side_is_not_followed(two: tuple[Machine, Machine], tmp_path: Path) -> None:
    one, other = two
    (tmp_path / "secret").write_text("secret")
    os.symlink(tmp_path / "secret", one.memdir / "memories/evil.md")
    one.git("add", "memories/evil.md")
    one.git("commit", "-qm", "Wrong")
    one.git("push", "-q", "origin", "HEAD")
    refused(other, PersonNeededError, "both-changed")
    assert not (other.memdir / "memories/evil.md").exists()


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
