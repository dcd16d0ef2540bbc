"""`memdir check --fix`: what is safe is mended in the memdir that is judged, git is left alone, the rest reported."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests import hooked
from tests.checks.ground import tree
from tests.hooked import LINTER, Project
from tests.sandbox import Sandbox


@pytest.fixture
def made(sandbox: Sandbox) -> Project:
    """Two faults that can be mended, one file that cannot be read."""
    made = hooked.project(sandbox)
    (made.top / ".memdir/memories/test_runner.md").rename(made.top / ".memdir/memories/tests.md")
    (made.top / ".memdir/.gitignore").write_text("# nothing\n")
    made.break_linter()
    return made


def test_fix_mends_what_is_safe_and_reports_what_remains(made: Project) -> None:
    broken = made.read(LINTER)
    done = made.check("--fix")
    assert done.exit == 1
    assert [line.split(" ")[2] for line in done.stdout.splitlines()] == ["M131"]
    assert "mended: .memdir/memories/tests.md: moved to .memdir/memories/test_runner.md" in done.stderr
    assert made.read(LINTER) == broken, "what cannot be read is never edited"
    assert made.read(".memdir/.gitignore") == "# nothing\n/local/\n"
    made.mend_linter()
    assert made.check("--fix").exit == 0
    assert made.check("--strict").exit == 0


def test_fix_leaves_git_alone(made: Project) -> None:
    made.write("notes.txt", "mine\n")
    made.git("add", "notes.txt")
    made.git("stash", "push", "-q", "--", "notes.txt")
    index, stashes = made.git("ls-files", "-s"), made.git("stash", "list")
    made.check("--fix")
    assert (made.git("ls-files", "-s"), made.git("stash", "list")) == (index, stashes)
    assert made.git("diff", "--cached") == ""


def test_dry_run_shows_a_diff_and_writes_nothing(made: Project) -> None:
    before = tree(made.top / ".memdir")
    done = made.check("--fix", "--dry-run")
    assert done.exit == 1
    assert "M723" in done.stdout
    assert "rename from .memdir/memories/tests.md\nrename to .memdir/memories/test_runner.md" in done.stderr
    assert "--- a/.memdir/.gitignore\n+++ b/.memdir/.gitignore\n@@ -1 +1,2 @@\n # nothing\n+/local/" in done.stderr
    assert tree(made.top / ".memdir") == before


def test_the_diff_is_what_repair_does(made: Project) -> None:
    made.write(".memdir/MEMORY.md", made.read(".memdir/MEMORY.md").replace("npm", "yarn"))
    diff = made.sandbox.run("repair", "--dry-run", "--json", cwd=made.top).json["diff"]
    assert "+++ b/.memdir/MEMORY.md" in diff
    copy = made.top.parent / "copy"
    subprocess.run(["cp", "-a", made.top, copy], check=True)
    done = made.sandbox.process("git", "apply", "-p1", "-", cwd=copy, input=_applicable(diff))
    assert done.exit == 0, done
    made.sandbox.run("repair", cwd=made.top)
    for name in ("MEMORY.md", ".gitignore"):
        assert (copy / ".memdir" / name).read_bytes() == (made.top / ".memdir" / name).read_bytes()


def _applicable(diff: str) -> str:
    """Without the renames, which git wants another heading for."""
    kept = [line for line in diff.split("\n") if not line.startswith(("similarity ", "rename "))]
    return "\n".join(kept) + "\n"


def test_a_key_that_will_be_made_is_not_shown(made: Project) -> None:
    made.git("rm", "-rq", "--cached", ".memdir/receipts")
    for path in (made.top / ".memdir/receipts").iterdir():
        path.unlink()
    config = made.read(".memdir/config.yaml")
    kept = [line for line in config.splitlines(keepends=True) if not line.startswith("key:")]
    made.write(".memdir/config.yaml", "".join(kept))
    diff = made.sandbox.run("repair", "--dry-run", cwd=made.top).stdout
    assert "+key: …" in diff
    assert diff == made.sandbox.run("repair", "--dry-run", cwd=made.top).stdout


def test_memories_of_ones_own_are_not_touched(made: Project) -> None:
    own = made.sandbox.user_memdir
    own.mkdir(parents=True)
    (own / "config.yaml").write_text('format: "1"\nuser: "42"\nkey: "ab"\n')
    os.chmod(own, 0o755)
    before = tree(own)
    made.check("--fix")
    assert tree(own) == before
    assert own.stat().st_mode & 0o777 == 0o755


def test_settings_that_cannot_be_read_are_left_alone(made: Project) -> None:
    made.write(".memdir/config.yaml", "key: [\n")
    before = tree(made.top / ".memdir")
    assert made.check("--fix").exit == 2
    assert tree(made.top / ".memdir") == before


def test_no_memdir_is_never_clean(sandbox: Sandbox, tmp_path: Path) -> None:
    done = sandbox.run("check", "--fix", cwd=tmp_path)
    assert (done.exit, done.stdout) == (2, "")


@pytest.mark.parametrize("args", [("--fix", "--staged"), ("--dry-run",)])
def test_what_does_not_go_together_is_wrong_usage(made: Project, args: tuple[str, ...]) -> None:
    done = made.check(*args)
    assert (done.exit, done.stdout) == (2, "")
    assert "hint: " in done.stderr
