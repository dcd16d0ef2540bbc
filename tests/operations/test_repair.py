"""repair: what a crash interrupted is finished, nothing is overwritten, and a second run does nothing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memdir_cli.errors import FaultError, LockedError, NoMemdirError
from memdir_cli.operations.repair import repair
from memdir_cli.storage import lock
from tests.checks import ground
from tests.checks.ground import checked, header, memory, repaired, seen, tree, workplace
from tests.checks.plants import LINTER, edit, index_edited, interrupted, journal_cut, reindex, renamed


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean memdir, to be copied."""
    return ground.project(tmp_path_factory.mktemp("good"))


@pytest.fixture
def memdir(good: Path, tmp_path: Path) -> Path:
    """A clean project memdir of three memories."""
    return shutil.copytree(good, tmp_path / "app/.memdir")


def contents(root: Path) -> dict[str, bytes]:
    """Every memory file by name."""
    return {path.name: path.read_bytes() for path in root.glob("memories/*.md")}


def test_nothing_to_repair_touches_nothing(memdir: Path) -> None:
    before = tree(memdir.parent)
    assert repaired(memdir).actions == ()
    assert tree(memdir.parent) == before


def test_no_memdir_is_wrong_usage() -> None:
    with pytest.raises(NoMemdirError):
        repaired(None, None)


def test_both_memdirs_the_users_first(memdir: Path, tmp_path: Path) -> None:
    own = ground.user(tmp_path)
    own.chmod(0o755)
    index_edited(memdir)
    assert [action.text for action in repaired(memdir, own).actions] == [
        ".memdir/MEMORY.md: written anew from the memories",
        f"{own}: mode set to 0700",
        f"{own}/MEMORY.md: written anew from the memories",
    ]
    assert repaired(memdir, own).actions == ()


def test_one_memdir_at_fault_does_not_keep_the_other_from_repair(memdir: Path, tmp_path: Path) -> None:
    own = ground.user(tmp_path)
    (own / "local").write_text("a file where a folder should be")
    index_edited(memdir)
    with pytest.raises(FaultError):
        repaired(memdir, own)
    assert seen(checked(memdir)) == ()


def test_index_keeps_what_a_person_wrote(memdir: Path) -> None:
    text = (memdir / "MEMORY.md").read_text()
    (memdir / "MEMORY.md").write_text(f"# Ours\n\nRead this first.\n\n{text.replace('`ruff`', '`flake8`')}\nBelow.\n")
    repaired(memdir)
    index = (memdir / "MEMORY.md").read_text()
    assert index.startswith("# Ours\n\nRead this first.\n")
    assert index.endswith("\nBelow.\n")
    assert "`ruff`" in index


@pytest.mark.parametrize("shape", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_moved_file_keeps_every_byte(memdir: Path, shape: bytes) -> None:
    content = b"\xef\xbb\xbf" + (memdir / LINTER).read_bytes().replace(b"\n", shape).rstrip(b"\r\n")
    (memdir / LINTER).unlink()
    (memdir / "memories/old name.md").write_bytes(content)
    (action,) = [one for one in repaired(memdir).actions if one.code == "M201"]
    assert action.text == ".memdir/memories/old name.md: moved to .memdir/memories/linter.md"
    assert (memdir / LINTER).read_bytes() == content
    assert not (memdir / "memories/old name.md").exists()


def test_file_in_the_way_is_never_overwritten(memdir: Path) -> None:
    renamed(memdir)
    (memdir / LINTER).write_text("my notes\n")
    before = contents(memdir)
    assert [action.code for action in repaired(memdir).actions] == []
    assert contents(memdir) == before


@pytest.mark.parametrize("content", [b"\0", b"", b"---\nid: [\n", b"my notes\n", b"caf\xe9"])
def test_file_that_cannot_be_read_is_never_touched(memdir: Path, content: bytes) -> None:
    (memdir / "memories/bad.md").write_bytes(content)
    status = (memdir / "memories/bad.md").stat()
    index_edited(memdir)
    repaired(memdir)
    after = (memdir / "memories/bad.md").stat()
    assert (memdir / "memories/bad.md").read_bytes() == content
    assert (after.st_mtime_ns, after.st_ino) == (status.st_mtime_ns, status.st_ino)


def test_two_files_that_say_the_same_become_one(memdir: Path) -> None:
    standing = (memdir / LINTER).read_bytes()
    (memdir / LINTER).rename(memdir / "memories/one.md")
    shutil.copy(memdir / "memories/one.md", memdir / "memories/two.md")
    assert {action.code for action in repaired(memdir).actions} >= {"M203"}
    assert sorted(path.name for path in (memdir / "memories").glob("*.md")) == [
        "linter.md", "package_manager.md", "test_runner.md",
    ]  # fmt: skip
    assert (memdir / LINTER).read_bytes() == standing
    assert checked(memdir).findings == ()


def test_a_copy_that_somebody_changed_is_left_to_a_person(memdir: Path) -> None:
    copy = memdir / "memories/two.md"
    copy.write_bytes((memdir / LINTER).read_bytes().replace(b"value: ", b"value: other-"))
    reindex(memdir)
    before = contents(memdir)
    assert repaired(memdir).actions == ()
    assert contents(memdir) == before
    assert "M203" in {finding.code for finding in checked(memdir).findings}


def test_nothing_comes_into_service_by_repair(memdir: Path) -> None:
    """A file that a person or an agent put into the inbox as verified stays there."""
    (memdir / "inbox").mkdir()
    (memdir / "inbox/editor.md").write_text(header("predicate: editor\nid: kbyhand"))
    assert [finding.code for finding in checked(memdir).findings] == ["M301"]
    assert repaired(memdir).actions == ()
    assert not (memdir / "memories/editor.md").exists()


def test_memory_that_receipts_support_goes_back_to_its_place(memdir: Path) -> None:
    (memdir / "archive").mkdir()
    (memdir / LINTER).rename(memdir / "archive/linter.md")
    reindex(memdir)
    repaired(memdir)
    assert (memdir / LINTER).exists()
    assert seen(checked(memdir)) == ()


def test_interrupted_transaction_is_finished(memdir: Path) -> None:
    interrupted(memdir)
    (action,) = repaired(memdir).actions
    assert action.text == ".memdir/local/journal.json: the interrupted transaction was finished"
    assert (memdir / "memories/editor.md").exists()
    assert "editor" in (memdir / "MEMORY.md").read_text()
    assert not list(memdir.rglob("*.tmp"))
    assert seen(checked(memdir)) == ()


def test_hand_edit_after_the_crash_is_kept(memdir: Path) -> None:
    interrupted(memdir)
    (memdir / "memories/editor.md").write_text("written by hand meanwhile\n")
    told = [action.text for action in repaired(memdir).actions]
    assert ".memdir/local/journal.json: the interrupted transaction was finished" in told
    assert any(".memdir/memories/editor.md: kept as it is" in text for text in told)
    assert (memdir / "memories/editor.md").read_text() == "written by hand meanwhile\n"
    codes = [finding.code for finding in checked(memdir).findings]
    assert codes == ["M714", "M115"], "the staged version is kept aside and told of"
    assert repaired(memdir).actions == ()


def test_unreadable_journal_loses_nothing(memdir: Path) -> None:
    journal_cut(memdir)
    staged = sorted(path.read_bytes() for path in memdir.rglob("*.tmp"))
    repaired(memdir)
    aside = {path.read_bytes() for path in (memdir / "local/set-aside").iterdir()}
    assert set(staged) < aside
    assert not (memdir / "local/journal.json").exists()


def test_gitignore_keeps_its_own_lines(memdir: Path) -> None:
    (memdir / ".gitignore").write_text("*.bak")
    repaired(memdir)
    assert (memdir / ".gitignore").read_text() == "*.bak\n/local/\n"


def test_settings_keep_their_comments(memdir: Path) -> None:
    config = (memdir / "config.yaml").read_text()
    edit(memdir, "config.yaml", "repository: github.com/acme/app\n", "# ours\ngate:\n  attestation: proven\n")
    repaired(memdir)
    after = (memdir / "config.yaml").read_text()
    assert "# ours\ngate:\n  attestation: proven\n" in after
    assert "repository: github.com/acme/app\n" in after
    assert config.split("key: ")[1] in after, "the key of the receipts stays"
    assert seen(checked(memdir)) == ()


def test_lost_settings_are_made_anew_only_without_receipts(memdir: Path) -> None:
    (memdir / "config.yaml").unlink()
    assert repaired(memdir).actions == ()
    shutil.rmtree(memdir / "receipts")
    repaired(memdir)
    assert "repository: github.com/acme/app" in (memdir / "config.yaml").read_text()
    assert {finding.code for finding in checked(memdir).findings} == {"M401"}


def test_lock_is_waited_for_and_its_holder_named(memdir: Path) -> None:
    index_edited(memdir)
    with lock.locked(str(memdir), 5, "memdir remember"), pytest.raises(LockedError, match="memdir remember"):
        repair(replace(workplace(memdir), lock_timeout=0.1))


def test_killed_at_any_moment_the_next_repair_heals(memdir: Path) -> None:
    """SIGKILL inside repair itself, later and later, until one gets through."""
    code = (
        "import os, sys, signal; from pathlib import Path; from memdir_cli.storage import disk, redo\n"
        "from tests.checks.ground import repaired\n"
        "calls = [int(sys.argv[2])]\n"
        "def counted(name):\n"
        "    real = getattr(os, name)\n"
        "    def call(*args, **kwargs):\n"
        "        calls[0] -= 1\n"
        "        if calls[0] == 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return real(*args, **kwargs)\n"
        "    return call\n"
        "for name in ('rename', 'unlink', 'fsync', 'write', 'mkdir'): setattr(os, name, counted(name))\n"
        "repaired(Path(sys.argv[1]))\n"
    )
    renamed(memdir)
    (memdir / ".gitignore").unlink()
    (memdir / "memories/.memdir-k7-1.tmp").write_text("half")
    content = (memdir / "memories/old.md").read_bytes()
    for moment in range(1, 200):
        root = shutil.copytree(memdir, memdir.parent.parent / f"run{moment}/.memdir")
        done = subprocess.run(
            [sys.executable, "-c", code, str(root), str(moment)], cwd=Path(__file__).parents[2], capture_output=True
        )
        places = [path for path in (root / LINTER, root / "memories/old.md") if path.exists()]
        assert places
        assert all(path.read_bytes() == content for path in places)
        repaired(root)
        assert (root / LINTER).read_bytes() == content
        assert seen(checked(root)) == ()
        assert not list(root.rglob("*.tmp"))
        if done.returncode == 0:
            assert moment > 10
            return
        assert done.returncode == -signal.SIGKILL, done.stderr
    raise AssertionError("no run got through")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a memdir of another account")
def test_dry_run_needs_no_right_to_write(memdir: Path) -> None:
    index_edited(memdir)
    before = tree(memdir)
    assert [action.code for action in repaired(memdir, dry_run=True).actions] == ["M213"]
    assert tree(memdir) == before


def test_document(memdir: Path) -> None:
    index_edited(memdir)
    document = repaired(memdir, dry_run=True).document()
    assert str(document.pop("diff")).startswith("--- a/.memdir/MEMORY.md\n+++ b/.memdir/MEMORY.md\n@@ ")
    assert document == {
        "done": [{"path": ".memdir/MEMORY.md", "action": "written anew from the memories", "code": "M213"}],
        "dryRun": True,
    }
    done = repaired(memdir).document()
    assert done["dryRun"] is False
    assert "diff" not in done


def test_new_memory_by_hand_is_indexed(memdir: Path) -> None:
    (memdir / "memories/editor.md").write_text(header(f"predicate: editor\nid: {memory('editor').id}\nvalue: vim"))
    assert [action.code for action in repaired(memdir).actions] == ["M212"]
    assert "(memories/editor.md)" in (memdir / "MEMORY.md").read_text()
    assert [finding.code for finding in checked(memdir).findings] == ["M401"]
