"""`memdir sync`: whatever is in the way ends in a clear state with nothing lost, and says what to type."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from memdir_cli.errors import FaultError, MemdirError, PersonNeededError, RefusedError, UsageError
from memdir_cli.operations import versioning
from tests.sharing.machines import Machine, first, machine, pair


@pytest.fixture
def two(tmp_path: Path) -> tuple[Machine, Machine]:
    """Two machines that hold the same."""
    return pair(tmp_path)


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


def test_a_hook_that_stops_the_push_is_not_taken_for_the_network(two: tuple[Machine, Machine]) -> None:
    one, _ = two
    hook = one.memdir / ".git/hooks/pre-push"
    hook.write_text("#!/bin/sh\necho no such thing >&2\nexit 1\n")
    hook.chmod(0o755)
    one.remember("shell", "fish")
    error = refused(one, RefusedError, "push-refused")
    assert "hook" in error.message
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
