"""`memdir install git`: what it writes, that it writes nothing else, and that it can be taken out again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir_cli.storage import attributes
from memdir_cli.storage.managed_block import HASH, with_block, without_block
from tests.sandbox import Outcome, Sandbox

CONFIG = """\
[core]
\trepositoryformatversion = 0
\tbare = false
; a comment of mine
[remote "origin"]
\turl = https://user:t0ken-of-mine@github.com/acme/app.git
[merge "ours"]
\tdriver = true
"""


@pytest.fixture
def top(sandbox: Sandbox) -> Path:
    return sandbox.repository("app", init=True)


@pytest.fixture
def install(sandbox: Sandbox, top: Path) -> Callable[..., Outcome]:
    def call(*args: str, cwd: Path | None = None) -> Outcome:
        return sandbox.run("install", "git", *args, cwd=cwd or top)

    return call


def driver(sandbox: Sandbox, cwd: Path) -> str:
    return sandbox.process("git", "config", "--get", "merge.memdir.driver", cwd=cwd).stdout.strip()


def test_git_knows_the_driver_and_which_files_are_for_it(
    sandbox: Sandbox, top: Path, install: Callable[..., Outcome]
) -> None:
    done = install()
    assert done.exit == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"changed {top}/.git/config", f"changed {top}/.memdir/.gitattributes",
    ]  # fmt: skip
    assert '+[merge "memdir"]' in done.stderr
    assert driver(sandbox, top).endswith("merge-driver %O %A %B %P")
    told = sandbox.git("check-attr", "merge", "--", *(f".memdir/{path}" for path in ATTRIBUTES), cwd=top)
    assert [line.rpartition(" ")[2] for line in told.splitlines()] == list(ATTRIBUTES.values())
    assert sandbox.run("check", "--strict", cwd=top).stdout == ""


ATTRIBUTES = {
    "memories/a.md": "memdir", "history/a~x@1.md": "memdir", "archive/a~x.md": "memdir", "MEMORY.md": "union",
    "receipts/2026-09.jsonl": "union", "tombstones.jsonl": "union", "history/a~x.sources.jsonl": "union",
    "config.yaml": "unspecified",
}  # fmt: skip


def test_union_is_told_to_every_clone_from_the_start(sandbox: Sandbox, top: Path) -> None:
    told = sandbox.git("check-attr", "merge", "--", ".memdir/MEMORY.md", ".memdir/memories/a.md", cwd=top)
    assert [line.rpartition(" ")[2] for line in told.splitlines()] == ["union", "unspecified"]


def test_repeated_it_changes_nothing(top: Path, install: Callable[..., Outcome]) -> None:
    install()
    files = [top / ".git/config", top / ".memdir/.gitattributes"]
    before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in files]
    again = install()
    assert (again.exit, again.stdout) == (0, "")
    assert [(path.read_bytes(), path.stat().st_mtime_ns) for path in files] == before


@pytest.mark.parametrize("standing", [None, b"", b"*.md text", b"# mine\r\n/x merge=ours\r\n", attributes.NEW])
def test_everything_else_stays_byte_for_byte_and_comes_back(
    top: Path, install: Callable[..., Outcome], standing: bytes | None
) -> None:
    path = top / ".memdir/.gitattributes"
    path.unlink()
    if standing is not None:
        path.write_bytes(standing)
    (top / ".git/config").write_text(CONFIG)
    done = install()
    assert done.exit == 0, done.stderr
    assert (top / ".git/config").read_text().startswith(CONFIG)
    assert path.read_bytes().endswith(standing or b"")
    assert "t0ken" not in done.stdout + done.stderr
    removed = install("--remove")
    assert removed.exit == 0, removed.stderr
    assert (top / ".git/config").read_text() == CONFIG
    assert (path.read_bytes() if path.exists() else b"") == (standing or b"")
    assert install("--remove").stdout == ""


def test_a_dry_run_shows_the_diff_and_writes_nothing(top: Path, install: Callable[..., Outcome]) -> None:
    files = [top / ".git/config", top / ".memdir/.gitattributes"]
    before = [path.read_bytes() for path in files]
    done = install("--dry-run")
    assert [path.read_bytes() for path in files] == before
    assert "+/memories/*.md merge=memdir" in done.stdout
    assert done.exit == 0


def test_a_linked_worktree_shares_the_configuration(
    sandbox: Sandbox, top: Path, install: Callable[..., Outcome]
) -> None:
    sandbox.git("add", ".", cwd=top)
    sandbox.git("commit", "-qm", "Remember", cwd=top)
    sandbox.git("worktree", "add", "-q", "../fix", cwd=top)
    linked = top.parent / "fix"
    assert install(cwd=linked).exit == 0
    assert driver(sandbox, top) == driver(sandbox, linked) != ""
    assert "merge=memdir" in (linked / ".memdir/.gitattributes").read_text()
    assert "merge=memdir" not in (top / ".memdir/.gitattributes").read_text(), "that is another branch's file"


def test_a_driver_that_somebody_configured_for_all_repositories_is_enough(
    sandbox: Sandbox, top: Path, install: Callable[..., Outcome]
) -> None:
    sandbox.git("config", "--global", "merge.memdir.driver", "memdir merge-driver %O %A %B %P", cwd=top)
    before = (top / ".git/config").read_bytes()
    assert install().exit == 0
    assert (top / ".git/config").read_bytes() == before


def test_a_driver_of_that_name_that_is_not_ours_is_not_taken_out(
    sandbox: Sandbox, top: Path, install: Callable[..., Outcome]
) -> None:
    sandbox.git("config", "merge.memdir.driver", "mine %A", cwd=top)
    install("--remove")
    assert driver(sandbox, top) == "mine %A"


def test_memdir_is_named_as_a_shell_finds_it(sandbox: Sandbox, top: Path) -> None:
    place = top.parent / "bin"
    place.mkdir()
    (place / "memdir").write_text(f'#!/bin/sh\nexec {sys.executable} -m memdir_cli "$@"\n')
    (place / "memdir").chmod(0o755)
    path = f"{place}:{sandbox.environ['PATH']}"
    assert sandbox.run("install", "git", cwd=top, env={"PATH": path}).exit == 0
    assert driver(sandbox, top) == "memdir merge-driver %O %A %B %P"


def test_without_a_repository_or_a_memdir_there_is_something_to_type(sandbox: Sandbox) -> None:
    nowhere = sandbox.run("install", "git", cwd=sandbox.home)
    assert (nowhere.exit, "memdir init" in nowhere.stderr) == (2, True)
    outside = sandbox.root / "plain"
    outside.mkdir()
    sandbox.run("init", cwd=outside)
    done = sandbox.run("install", "git", cwd=outside)
    assert (done.exit, "git init" in done.stderr) == (2, True)


def test_an_unknown_target_names_the_nearest(sandbox: Sandbox, top: Path) -> None:
    done = sandbox.run("install", "gti", cwd=top)
    assert (done.exit, "did you mean `memdir install git`?" in done.stderr) == (2, True)


def test_a_locked_configuration_is_told_and_left_alone(
    sandbox: Sandbox, top: Path, install: Callable[..., Outcome]
) -> None:
    (top / ".git/config.lock").touch()
    before = (top / ".git/config").read_bytes()
    done = install()
    assert done.exit == 6
    assert "lock" in done.stderr
    assert (top / ".git/config").read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"a", b"a\n", b"a\r\nb\r\n", b"# memdir:begin\nnever closed\n"])
def test_a_block_comes_and_goes_without_a_trace(content: bytes) -> None:
    once = with_block(content, ["x", "y"], HASH, "(words)")
    assert with_block(once, ["x", "y"], HASH, "(words)") == once
    assert without_block(with_block(once, ["z"], HASH), HASH) == content
