"""The gate: whatever is committed, however, and by whichever hook, what the commit will hold is judged."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import hooked
from tests.checks import ground
from tests.hooked import LINTER, PACKAGE, Project
from tests.sandbox import Outcome, Sandbox

ROOT = Path(__file__).resolve().parent.parent


def has(program: str) -> bool:
    return Path(sys.executable).with_name(program).exists()


KINDS = [
    "script",
    pytest.param("pre-commit", marks=pytest.mark.skipif(not has("pre-commit"), reason="pre-commit is not installed")),
    pytest.param("prek", marks=pytest.mark.skipif(not has("prek"), reason="prek is not installed")),
]


@pytest.fixture(params=KINDS)
def made(request: pytest.FixtureRequest, sandbox: Sandbox) -> Project:
    return hooked.project(sandbox, request.param, "--strict")


def stopped(done: Outcome, code: str) -> bool:
    """Whether the commit was stopped by a finding of that code, and by nothing else."""
    said = done.stdout + done.stderr
    return done.exit == 1 and f" {code} " in said and "Traceback" not in said


def deletion(made: Project) -> Outcome:
    made.git("rm", "-q", LINTER)
    return made.commit()


def rename(made: Project) -> Outcome:
    made.git("mv", LINTER, ".memdir/memories/lint.md")
    return made.commit()


def package_alone(made: Project) -> Outcome:
    made.write("package.json", PACKAGE.replace("vite build", "tsc"))
    made.git("add", "package.json")
    return made.commit()


def staged_fault(made: Project) -> Outcome:
    """The file on the disk is mended, what is staged is not."""
    made.break_linter()
    made.git("add", LINTER)
    made.mend_linter()
    return made.commit()


def with_all(made: Project) -> Outcome:
    made.break_linter()
    return made.commit("-a")


def with_path(made: Project) -> Outcome:
    made.break_linter()
    return made.commit("--", LINTER)


def amended(made: Project) -> Outcome:
    made.break_linter()
    made.git("add", LINTER)
    return made.commit("--amend")


def many(made: Project) -> Outcome:
    for at in range(300):
        made.write(f".memdir/memories/key{at}.md", ground.header(f"id: k{at}\npredicate: key{at}"))
    made.git("add", ".")
    return made.commit()


STOPPED: list[tuple[Callable[[Project], Outcome], str]] = [
    (deletion, "M211"),
    (rename, "M201"),
    (package_alone, "M321"),
    (staged_fault, "M131"),
    (with_all, "M131"),
    (with_path, "M131"),
    (amended, "M131"),
    (many, "M212"),
]


@pytest.mark.parametrize(("act", "code"), STOPPED, ids=[act.__name__ for act, _ in STOPPED])
def test_a_commit_with_a_fault_is_stopped_and_nothing_else_moves(made: Project, act: object, code: str) -> None:
    assert callable(act)
    made.write("notes.txt", "mine\n")
    made.git("add", "notes.txt")
    made.git("stash", "push", "-q", "--", "notes.txt")
    head, stashes = made.git("rev-parse", "HEAD"), made.git("stash", "list")
    done = act(made)
    assert stopped(done, code), done
    assert made.git("rev-parse", "HEAD") == head
    assert made.git("stash", "list") == stashes
    # the same again: the hook left index and files as they were
    staged, status = made.git("ls-files", "-s"), made.git("status", "--porcelain")
    made.sandbox.process("git", "commit", "-m", "again", cwd=made.top)
    assert (made.git("ls-files", "-s"), made.git("status", "--porcelain")) == (staged, status)


def test_faults_that_are_not_staged_stop_no_commit(made: Project) -> None:
    made.write("README.md", "# App\n")
    made.git("add", "README.md")
    made.break_linter()
    done = made.commit()
    assert done.exit == 0, done
    assert "value: a: b" in made.read(LINTER), "what was not staged is still there"


def test_merges_are_judged(made: Project) -> None:
    made.git("checkout", "-qb", "side")
    made.break_linter()
    made.git("add", LINTER)
    made.git("commit", "-qm", "side", "--no-verify")
    made.git("checkout", "-q", "main")
    made.write("README.md", "# App\n")
    made.git("add", "README.md")
    made.git("commit", "-qm", "main")
    done = made.sandbox.process("git", "merge", "--no-edit", "side", cwd=made.top)
    assert stopped(done, "M131"), done


def test_linked_worktrees_are_judged_as_what_they_are(made: Project) -> None:
    made.git("worktree", "add", "-q", "../linked")
    linked = Project(made.sandbox, made.top.parent / "linked", made.by)
    made.break_linter()
    linked.write("README.md", "# App\n")
    linked.git("add", "README.md")
    assert linked.commit().exit == 0, "what lies in the main worktree is another matter"
    linked.break_linter()
    linked.git("add", LINTER)
    assert stopped(linked.commit(), "M131")


def test_a_submodule_beside_is_another_matter(made: Project) -> None:
    other = made.sandbox.repository("other")
    made.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "vendored")
    done = made.commit()
    assert done.exit == 0, done
    made.git("rm", "-q", LINTER)
    assert stopped(made.commit(), "M211")


@pytest.mark.skipif(not has("pre-commit"), reason="pre-commit is not installed")
def test_the_published_hook_is_valid(sandbox: Sandbox) -> None:
    program = str(Path(sys.executable).with_name("pre-commit"))
    done = sandbox.process(program, "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"))
    assert done.exit == 0, done


@pytest.mark.parametrize(
    "standing",
    [None, "# ours\r\nrepos:\r\n- repo: meta  # theirs\r\n  hooks:\r\n  - id: identity"],
    ids=["none", "one"],
)
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(name, marks=pytest.mark.skipif(not has(name), reason=f"{name} is not installed"))
        for name in ("pre-commit", "prek")
    ],
)
def test_the_hook_that_memdir_installs_stops_commits(program: str, standing: str | None, sandbox: Sandbox) -> None:
    made = hooked.project(sandbox)
    config = made.top / ".pre-commit-config.yaml"
    if standing is not None:
        config.write_bytes(standing.encode())
    found = sandbox.root / "bin/memdir"
    found.parent.mkdir()
    found.write_text(f'#!/bin/sh\nexec {hooked.MEMDIR} "$@"\n')
    found.chmod(0o755)
    env = {"PATH": f"{found.parent}:{sandbox.environ['PATH']}"}
    installed = sandbox.run("install", "pre-commit", cwd=made.top)
    assert installed.exit == 0, installed.stderr
    tool = str(Path(sys.executable).with_name(program))
    for line in (("validate-config",), ("install", "-t", "pre-commit", "-t", "pre-merge-commit")):
        done = sandbox.process(tool, *line, cwd=made.top)
        assert done.exit == 0, done
    made.git("add", ".pre-commit-config.yaml")
    good = sandbox.process("git", "commit", "-m", "Check the memdir", cwd=made.top, env=env)
    assert good.exit == 0, good
    assert "memdir check" in good.stdout + good.stderr
    made.git("rm", "-q", LINTER)
    assert stopped(sandbox.process("git", "commit", "-m", "x", cwd=made.top, env=env), "M211")
    assert sandbox.run("install", "pre-commit", cwd=made.top).stdout == ""
    assert sandbox.run("install", "pre-commit", "--remove", cwd=made.top).exit == 0
    assert (config.read_bytes().decode() if config.exists() else None) == standing


@pytest.mark.slow
@pytest.mark.skipif(not has("pre-commit"), reason="pre-commit is not installed")
def test_the_published_hook_installs_and_runs(sandbox: Sandbox) -> None:
    made = hooked.project(sandbox)
    program = str(Path(sys.executable).with_name("pre-commit"))
    # the checkout of the developer may belong to another account
    trust = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    run = (program, "try-repo", str(ROOT), "memdir-check", "--all-files", "--verbose")
    done = sandbox.process(*run, cwd=made.top, env=trust, timeout=600)
    if "No matching distribution" in done.stdout or "Could not find a version" in done.stdout:
        pytest.skip("pip reaches no package index")
    assert done.exit == 0, done
    made.git("rm", "-q", LINTER)
    done = sandbox.process(*run, cwd=made.top, env=trust, timeout=600)
    assert stopped(done, "M211"), done
