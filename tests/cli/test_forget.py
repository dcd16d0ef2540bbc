"""forget on the command line: who is asked, what is told, and that the commands for a person do what they say."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.pseudoterminal import typed
from tests.sandbox import Outcome, Sandbox

PYTHON = sys.executable
CANARY = "kestrel-7.internal.example"
USER = ("--from", "user", "--said", f"staging is {CANARY}", "--session", "session-0001", "--message")


@pytest.fixture
def project(sandbox: Sandbox, repo: Callable[..., Path]) -> Path:
    """A repository in which a memory and its correction were committed."""
    top = repo(init=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate:\n  attestation: claimed\n", encoding="utf-8")
    for number, verb in enumerate(("remember", "correct")):
        words = (verb, "staging_host", f"{CANARY}-{number}", "--scope", "repository", *USER, f"m{number}")
        done = sandbox.run(*words, cwd=top)
        assert done.exit == 0, done.stderr
        sandbox.git("add", "-A", cwd=top)
        sandbox.git("commit", "-qm", f"Remember {number}", cwd=top)
    return top


def forget(sandbox: Sandbox, top: Path, *more: str) -> Outcome:
    return sandbox.run("forget", "staging_host", *more, cwd=top)


def test_off_a_terminal_nothing_is_forgotten_without_yes(sandbox: Sandbox, project: Path) -> None:
    done = forget(sandbox, project)
    assert (done.exit, done.stdout) == (2, "")
    assert "--yes" in done.stderr
    assert sandbox.run("get", "staging_host", cwd=project).exit == 0


@pytest.mark.parametrize(("answer", "value"), [("y\n", 1), ("n\n", 0), ("\n", 0), ("\x04", 0)])
def test_a_person_is_shown_what_would_go_and_asked(sandbox: Sandbox, project: Path, answer: str, value: int) -> None:
    session = typed(sandbox, "forget", "staging_host", answers=answer, cwd=project)
    assert session.exit == 0, session.shown
    assert "Forget this for good?" in session.shown
    assert "memories/staging_host.md" in session.shown
    assert CANARY not in session.shown
    assert sandbox.run("get", "staging_host", cwd=project).exit == value


def test_the_answer_tells_what_went_and_what_remains_and_not_what_it_was(sandbox: Sandbox, project: Path) -> None:
    commits = sandbox.git("log", "--format=%H", "-2", cwd=project).split()
    done = forget(sandbox, project, "--yes")
    assert done.exit == 0, done.stderr
    first, second, *rest = done.stdout.splitlines()
    assert first.startswith("forgotten staging_host [repository:github.com/acme/legacy-dashboard] ")
    assert second == "2 files removed"
    assert CANARY not in done.stdout + done.stderr
    told = "\n".join(rest)
    assert all(commit in told for commit in commits)
    for kind in ("index", "commits", "clones", "backups", "transcripts"):
        assert f"remains: {kind}: " in told
    assert "session-0001" in told


def test_the_commands_take_it_out_of_every_commit(sandbox: Sandbox, project: Path) -> None:
    """Typed one after the other as they are printed; git holds no object with the text afterwards."""
    sandbox.git("checkout", "-q", "-b", "side", cwd=project)
    (project / "file").write_text("x", encoding="utf-8")
    sandbox.git("add", "file", cwd=project)
    sandbox.git("commit", "-qm", "Side", cwd=project)
    sandbox.git("tag", "v1", cwd=project)
    assert CANARY.encode() in objects(sandbox, project)
    remains = forget(sandbox, project, "--yes", "--json").json["remains"]
    sandbox.git("reset", "-q", cwd=project)
    for kind in ("index", "commits"):
        for one in (one for one in remains if one["kind"] == kind):
            for command in one["commands"]:
                words = command.replace("memdir ", f"{subprocess.list2cmdline([PYTHON])} -m memdir_cli ")
                done = sandbox.process("sh", "-c", words, cwd=project, env={"FILTER_BRANCH_SQUELCH_WARNING": "1"})
                assert done.exit == 0, (command, done.stderr)
    sandbox.git("add", "-A", cwd=project)
    sandbox.git("commit", "-qm", "Index", cwd=project)
    assert CANARY.encode() not in objects(sandbox, project)
    assert sandbox.run("check", "--strict", cwd=project).exit == 0
    again = sandbox.run("remember", "staging_host", "x", "--scope", "repository", cwd=project)
    assert again.exit == 4, "rewriting the history lifts nothing"


def test_another_working_tree_that_holds_it_is_named_with_what_takes_it_out(
    sandbox: Sandbox, project: Path, tmp_path: Path
) -> None:
    beside = tmp_path / "beside"
    sandbox.git("worktree", "add", "-q", str(beside), "-b", "beside", cwd=project)
    done = forget(sandbox, project, "--yes", "--json")
    (told,) = (one for one in done.json["remains"] if "working tree" in one["message"])
    assert (told["kind"], told["known"], told["where"]) == ("clones", "yes", [str(beside / ".memdir")])
    assert sandbox.run("get", "staging_host", cwd=beside).exit == 1
    assert sandbox.run(*shlex.split(told["commands"][0])[1:], cwd=project).exit == 0
    assert not [path for path in (beside / ".memdir").rglob("*.md") if CANARY in path.read_text("utf-8")]


def test_what_was_pushed_is_said_to_be_with_others(sandbox: Sandbox, project: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    sandbox.git("init", "-q", "--bare", str(bare), cwd=tmp_path)
    sandbox.git("remote", "set-url", "origin", str(bare), cwd=project)
    before = clones(forget(sandbox, project, "--dry-run", "--json"))
    sandbox.git("push", "-q", "origin", "HEAD", cwd=project)
    after = clones(forget(sandbox, project, "--dry-run", "--json"))
    assert (before["known"], after["known"]) == ("unknown", "yes")
    assert str(bare) in after["where"]
    assert any("push --force" in command for command in after["commands"])


def test_no_credentials_of_a_remote_are_told(sandbox: Sandbox, project: Path) -> None:
    sandbox.git("remote", "set-url", "origin", "https://user:hunter2secret@example.invalid/x.git", cwd=project)
    assert "hunter2secret" not in forget(sandbox, project, "--dry-run").stdout


def test_a_shallow_clone_does_not_say_that_there_is_no_more(sandbox: Sandbox, project: Path, tmp_path: Path) -> None:
    sandbox.git("clone", "-q", "--depth", "1", f"file://{project}", str(tmp_path / "shallow"), cwd=tmp_path)
    remains = forget(sandbox, tmp_path / "shallow", "--dry-run", "--json").json["remains"]
    doubt = [one for one in remains if one["kind"] == "commits" and one["known"] == "unknown"]
    assert "shallow" in doubt[0]["message"]


def test_what_was_never_committed_is_in_no_commit(sandbox: Sandbox, project: Path) -> None:
    sandbox.run("remember", "other_key", CANARY, "--scope", "repository", *USER, "m7", cwd=project)
    remains = sandbox.run("forget", "other_key", "--yes", "--json", cwd=project).json["remains"]
    assert [(one["kind"], one["known"]) for one in remains if one["kind"] == "commits"] == [("commits", "no")]
    assert "index" not in {one["kind"] for one in remains}


def test_a_file_renamed_in_an_old_commit_is_found_by_its_id(sandbox: Sandbox, project: Path) -> None:
    memdir = project / ".memdir/memories"
    (memdir / "staging_host.md").rename(memdir / "old name.md")
    sandbox.git("add", "-A", cwd=project)
    sandbox.git("commit", "-qm", "Rename", cwd=project)
    (commit,) = sandbox.git("log", "--format=%H", "-1", cwd=project).split()
    (memdir / "old name.md").rename(memdir / "staging_host.md")
    (told,) = (one for one in forget(sandbox, project, "--yes", "--json").json["remains"] if one["kind"] == "commits")
    assert commit in told["where"]
    assert "old name.md" in " ".join(told["commands"])


def test_outside_git_nothing_is_said_of_commits(sandbox: Sandbox, tmp_path: Path) -> None:
    place = tmp_path / "plain"
    place.mkdir()
    sandbox.run("init", cwd=place)
    sandbox.run("remember", "linter", "ruff", "--scope", "repository", cwd=place)
    remains = sandbox.run("forget", "linter", "--yes", "--json", cwd=place).json["remains"]
    assert {one["kind"] for one in remains} == {"backups", "transcripts"}


def test_other_memories_that_say_the_same_are_named(sandbox: Sandbox, project: Path) -> None:
    sandbox.run("remember", "backup_host", f"not {CANARY}-1", "--scope", "repository", *USER, "m8", cwd=project)
    remains = forget(sandbox, project, "--yes", "--json").json["remains"]
    (files,) = (one for one in remains if one["kind"] == "files")
    assert [Path(path).name for path in files["where"]] == ["backup_host.md"]


def test_several_scopes_are_for_a_person_to_say(sandbox: Sandbox, project: Path) -> None:
    sandbox.run("remember", "staging_host", "mine", "--scope", "user", *USER, "m9", cwd=project)
    for yes in ((), ("--yes",)):
        done = forget(sandbox, project, *yes, "--json")
        assert (done.exit, done.json["error"]["code"]) == (3, "ambiguous")
        assert len(done.json["error"]["ids"]) == 2
        assert "--scope" in done.json["error"]["hint"]
    assert forget(sandbox, project, "--yes", "--all-scopes").exit == 0
    assert sandbox.run("list", "--all", cwd=project).stdout == ""


def test_several_of_one_level_are_told_apart(sandbox: Sandbox, project: Path) -> None:
    here = ("--scope", "repository", "--path", "web/**", *USER, "m9")
    assert sandbox.run("remember", "staging_host", "another", *here, cwd=project).exit == 0
    done = forget(sandbox, project, "--scope", "repository", "--yes")
    assert done.exit == 3
    assert "repository:github.com/acme/legacy-dashboard path=web/**" in done.stderr
    assert "narrow with" not in done.stderr, "it is narrowed already"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Name what is to be forgotten"),
        (("nothing_here",), "Nothing is remembered as `nothing_here`"),
        (("staging_host", "--source", "s1"), "Name what is to be forgotten"),
        (("staging_host",), "Nothing is forgotten without a yes"),
    ],
)
def test_what_is_wrong_with_the_aim_is_told_before_a_yes_is_asked_for(
    sandbox: Sandbox, project: Path, words: tuple[str, ...], said: str
) -> None:
    done = sandbox.run("forget", *words, cwd=project)
    assert (done.exit, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_person_who_says_it_again_is_asked_and_an_agent_is_refused(sandbox: Sandbox, project: Path) -> None:
    forget(sandbox, project, "--yes")
    words = ("remember", "staging_host", f"{CANARY}-1", "--scope", "repository")
    refused = sandbox.run(*words, "--json", cwd=project)
    assert (refused.exit, refused.json["decision"], refused.json["reason"]) == (4, "refused", "forgotten")
    declined = typed(sandbox, *words, answers="n\n", cwd=project)
    assert declined.exit == 4
    assert sandbox.run("get", "staging_host", cwd=project).exit == 1
    agreed = typed(sandbox, *words, answers="y\n", cwd=project)
    assert agreed.exit == 0, agreed.shown
    assert sandbox.run("get", "staging_host", cwd=project).stdout == f"{CANARY}-1\n"


def clones(outcome: Outcome) -> dict[str, str]:
    (found,) = (one for one in outcome.json["remains"] if one["kind"] == "clones")
    return found  # type: ignore[no-any-return]


def objects(sandbox: Sandbox, top: Path) -> bytes:
    """Everything that git holds, reachable or not."""
    listed = sandbox.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)", cwd=top)
    done = subprocess.run(
        ["git", "cat-file", "--batch"], cwd=top, env=dict(sandbox.environ), input=listed.encode(), capture_output=True,
        check=True,
    )  # fmt: skip
    return done.stdout
