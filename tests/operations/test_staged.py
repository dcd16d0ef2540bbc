"""check --staged: git's index is judged, not the disk; where it cannot be seen, nothing is called clean."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests import hooked
from tests.checks.ground import tree
from tests.hooked import LINTER, PACKAGE, Project
from tests.sandbox import Outcome, Sandbox


@pytest.fixture
def made(sandbox: Sandbox) -> Project:
    return hooked.project(sandbox)


def codes(done: Outcome) -> list[str]:
    """The codes that were printed."""
    assert "Traceback" not in done.stderr, done
    return [line.split(": ")[1].split()[1] for line in done.stdout.splitlines()]


def test_clean_index_is_clean_whatever_lies_on_the_disk(made: Project) -> None:
    made.break_linter()
    (made.top / ".memdir/memories/new.md").write_text("---\nid: [\n")
    (made.top / ".memdir/MEMORY.md").unlink()
    made.write("package.json", "{}")
    before, index = tree(made.top / ".memdir"), (made.top / ".git/index").read_bytes()
    assert (done := made.check("--staged", "--strict")).exit == 0, done
    assert done.stdout == done.stderr == ""
    assert tree(made.top / ".memdir") == before
    assert (made.top / ".git/index").read_bytes() == index
    assert made.check().exit == 1


def test_findings_name_the_files_of_the_repository(made: Project) -> None:
    made.break_linter()
    made.git("add", ".")
    line = made.read(LINTER).split("\n").index("value: a: b") + 1
    done = made.check("--staged")
    assert f"{LINTER}:{line}:9: error M131 " in done.stdout
    assert codes(made.check("--staged", LINTER)) == ["M131"]
    assert codes(made.check("--staged", "package.json")) == []


def test_deletions_and_renames_count(made: Project) -> None:
    made.git("rm", "-q", "--cached", LINTER)
    assert codes(made.check("--staged")) == ["M211"]
    made.git("add", LINTER)
    made.git("mv", LINTER, ".memdir/memories/lint.md")
    shutil.copy(made.top / ".memdir/memories/lint.md", made.top / LINTER)
    assert "M201" in codes(made.check("--staged"))


def test_evidence_is_what_is_staged(made: Project) -> None:
    made.write("package.json", PACKAGE.replace("vite build", "tsc"))
    assert codes(made.check("--staged")) == []
    made.git("add", "package.json")
    made.write("package.json", PACKAGE)
    assert codes(made.check("--staged")) == ["M321"]
    made.git("rm", "-qf", "--cached", "package.json")
    assert codes(made.check("--staged")) == codes(made.check()) == []
    (made.top / "web").mkdir()
    shutil.move(made.top / "package.json", made.top / "web/package.json")
    made.git("add", ".")
    assert codes(made.check("--staged")) == ["M323"]


def test_evidence_behind_a_link_is_found(made: Project) -> None:
    (made.top / "real").mkdir()
    shutil.move(made.top / "package.json", made.top / "real/package.json")
    (made.top / "package.json").symlink_to("real/package.json")
    made.git("add", ".")
    assert codes(made.check("--staged")) == codes(made.check()) == []
    (made.top / "package.json").unlink()
    (made.top / "package.json").symlink_to("../outside.json")
    made.git("add", ".")
    assert codes(made.check("--staged")) == codes(made.check())


NAMES = ["café.md", "a b.md", "-x.md", "tab\there.md", 'quo"te.md', "new\nline.md", "back\\slash.md"]


@pytest.mark.parametrize("name", NAMES)
def test_odd_names(made: Project, name: str) -> None:
    path = made.top / ".memdir/memories" / name
    path.write_text(made.read(LINTER).replace("value: ruff", "value: a: b"), encoding="utf-8")
    made.git("add", ".")
    found = made.check("--json").json["findings"]
    path.unlink()
    assert [(one["path"], one["code"]) for one in made.check("--staged", "--json").json["findings"]] == [
        (one["path"], one["code"]) for one in found
    ]
    assert found


def test_a_name_that_is_not_utf8(made: Project) -> None:
    with open(os.fsencode(made.top / ".memdir/memories") + b"/caf\xe9.md", "wb") as file:
        file.write(b"\0")
    made.git("add", ".")
    assert set(codes(made.check("--staged"))) == set(codes(made.check())) == {"M108", "M207"}


def test_links_and_submodules_among_the_memories(made: Project) -> None:
    (made.top / LINTER).unlink()
    (made.top / LINTER).symlink_to("/etc/passwd")
    made.git("add", ".")
    assert "M101" in codes(made.check("--staged"))


def test_what_is_only_announced_is_not_staged(made: Project) -> None:
    made.write(".memdir/memories/draft.md", "---\nid: [\n")
    made.git("add", "-N", ".memdir/memories/draft.md")
    assert codes(made.check("--staged")) == []
    made.write(".memdir/memories/draft.md", "")
    made.git("add", ".memdir/memories/draft.md")
    assert codes(made.check("--staged")) == ["M109"]


def test_local_files_are_taken_from_nowhere(made: Project) -> None:
    made.write(".memdir/local/journal.json", "{")
    assert codes(made.check()) == ["M712"]
    assert codes(made.check("--staged")) == []
    made.git("add", "-f", ".memdir/local/journal.json")
    assert codes(made.check("--staged")) == []


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"])
def test_the_environment_of_another_repository_is_not_heard(made: Project, name: str) -> None:
    other = made.sandbox.repository("other")
    (other / ".git/index").replace(other / ".git/index.lock")
    value = {"GIT_DIR": other / ".git", "GIT_INDEX_FILE": other / ".git/index.lock", "GIT_WORK_TREE": other}[name]
    done = made.sandbox.run("check", "--staged", cwd=made.top, env={name: str(value)})
    assert (done.exit, done.stdout) == (0, ""), done


def test_an_index_of_its_own_counts(made: Project) -> None:
    """As `git commit -a` has one."""
    shutil.copy(made.top / ".git/index", made.top / ".git/next-index-1.lock")
    made.break_linter()
    made.git("add", ".")
    env = {"GIT_INDEX_FILE": ".git/next-index-1.lock"}
    assert codes(made.sandbox.run("check", "--staged", cwd=made.top, env=env)) == []
    below = made.top / ".memdir/memories"
    assert codes(made.sandbox.run("check", "--staged", cwd=below, env=env)) == [], "seen from the top level too"
    assert "M131" in codes(made.check("--staged"))


# -- nothing was checkable is never clean


def refused(done: Outcome, words: str) -> bool:
    return done.exit == 2 and done.stdout == "" and words in done.stderr and "hint: " in done.stderr


def test_outside_git(sandbox: Sandbox) -> None:
    made = hooked.project(sandbox)
    shutil.rmtree(made.top / ".git")
    assert refused(made.check("--staged"), "lies in no git working tree")


def test_memdir_that_is_not_staged(made: Project) -> None:
    made.git("rm", "-rq", "--cached", ".memdir")
    assert refused(made.check("--staged"), "nothing can be checked")


def test_no_memdir(made: Project) -> None:
    made.sandbox.user_memdir.mkdir(parents=True)
    shutil.rmtree(made.top / ".memdir")
    assert refused(made.check("--staged"), "no project memdir")


def test_damaged_index(made: Project) -> None:
    (made.top / ".git/index").write_bytes(b"DIRC rubbish")
    assert refused(made.check("--staged"), "cannot be looked at")


def test_lost_object(made: Project) -> None:
    blob = made.git("rev-parse", f":{LINTER}").strip()
    (made.top / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert refused(made.check("--staged"), "is not here")


def test_unfinished_merge(made: Project) -> None:
    made.git("checkout", "-qb", "side")
    for branch, value in (("side", "flake8"), ("main", "pylint")):
        made.git("checkout", "-q", branch)
        made.write(LINTER, made.read(LINTER).replace("value: ruff", f"value: {value}"))
        made.git("commit", "-aqm", branch)
    made.sandbox.process("git", "merge", "side", cwd=made.top)
    assert refused(made.check("--staged"), "is in conflict")


def test_no_git(made: Project, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    done = made.sandbox.run("check", "--staged", cwd=made.top, env={"PATH": str(tmp_path / "bin")})
    assert refused(done, "git cannot be run")


def test_settings_that_cannot_be_read(made: Project) -> None:
    config = made.top / ".memdir/config.yaml"
    config.write_text("key: [\n")
    made.git("add", ".")
    assert (done := made.check("--staged")).exit == 2, "settings that cannot be read prove nothing"
    assert "M1" in done.stdout


@pytest.mark.parametrize("args", [(), ("--staged",), ("--fix",)])
def test_memdir_that_is_passed_over(made: Project, args: tuple[str, ...]) -> None:
    """One's own memories are not judged in its place."""
    made.sandbox.user_memdir.mkdir(parents=True, mode=0o700)
    assert made.check(*args).exit == 0
    shutil.move(made.top / ".memdir", made.top.parent / "elsewhere")
    (made.top / ".memdir").symlink_to(made.top.parent / "elsewhere")
    done = made.check(*args)
    assert refused(done, "passed over, so that nothing was checked")


def test_an_empty_folder_is_no_clean_memdir(made: Project) -> None:
    shutil.rmtree(made.top / ".memdir")
    (made.top / ".memdir").mkdir()
    assert codes(made.check()) == ["M721"]
    assert made.check().exit == 1
