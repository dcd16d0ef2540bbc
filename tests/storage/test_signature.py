"""Signature: what is in it, what is not, and what is too fresh to be relied upon."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir_cli.storage import layout, signature
from memdir_cli.storage.signature import LOGS, Signature, ancestors


@pytest.fixture
def memdir(tmp_path: Path) -> Path:
    """A memdir with a file in every folder."""
    root = tmp_path / "memdir"
    for folder in layout.FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "a.md").write_text("a")
    return root


def digest(root: Path) -> str:
    taken = Signature()
    taken.memdir(str(root))
    assert not taken.blind
    return taken.digest


@pytest.mark.parametrize("folder", [folder for folder in layout.FOLDERS if folder not in LOGS])
@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_text("b"),
        lambda path: path.unlink(),
        lambda path: path.rename(path.with_name("b.md")),
        lambda path: path.with_name(".memdir-x-0.tmp").write_text("x"),
        lambda path: path.chmod(0o600),
        lambda path: (path.unlink(), path.symlink_to("/dev/null")),
    ],
    ids=["written", "removed", "renamed", "temporary", "mode", "link"],
)
def test_every_change_shows(memdir: Path, folder: str, change: Callable[[Path], object]) -> None:
    before = digest(memdir)
    assert digest(memdir) == before
    time.sleep(0.02)
    change(memdir / folder / "a.md")
    assert digest(memdir) != before


@pytest.mark.parametrize("path", [layout.LOCK, layout.HOLDER, layout.CACHE, layout.SEARCH, f"{layout.ACCESS}/b.jsonl"])
def test_what_comes_and_goes_without_a_word_on_memories_does_not(memdir: Path, path: str) -> None:
    before = digest(memdir)
    (memdir / path).write_text("x")
    assert digest(memdir) == before


@pytest.mark.parametrize("folder", sorted(LOGS))
def test_what_a_killed_writer_leaves_shows_everywhere(memdir: Path, folder: str) -> None:
    before = digest(memdir)
    (memdir / folder / ".memdir-x-0.tmp").write_text("x")
    assert digest(memdir) != before


def test_names_of_the_layout_are_those_of_the_layout() -> None:
    passing = {f"{folder}/{name}" for folder, names in signature.PASSING.items() for name in names}
    assert passing == {layout.LOCK, layout.HOLDER, *layout.DERIVED}
    assert {layout.ACCESS, layout.PROMPTS, layout.REFUSALS} == signature.LOGS
    assert layout.is_temp_name(f"{signature._TEMPORARY}x.tmp")


def test_a_folder_that_nobody_may_look_into_is_told(memdir: Path) -> None:
    (memdir / "inbox/a.md").unlink()
    (memdir / "inbox").rmdir()
    (memdir / "inbox").symlink_to(memdir / "history")
    taken = Signature()
    taken.folder(str(memdir / "inbox"))
    assert taken.blind
    missing = Signature()
    missing.folder(str(memdir / "nowhere"))
    assert not missing.blind


def test_a_memdir_behind_a_link_is_looked_into(memdir: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(memdir)
    before = digest(tmp_path / "link")
    time.sleep(0.02)
    (memdir / "memories/a.md").write_text("b")
    assert digest(tmp_path / "link") != before


def test_links_are_followed_where_that_is_asked(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("1")
    (tmp_path / "two").write_text("2")
    (tmp_path / "link").symlink_to("one")
    first = Signature()
    first.look(str(tmp_path / "link"), follow=True)
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("two")
    second = Signature()
    second.look(str(tmp_path / "link"), follow=True)
    assert first.digest != second.digest


def test_a_file_of_this_moment_is_fresh_and_then_no_more(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("a")
    at_once = Signature()
    at_once.look(str(path))
    later = Signature()
    later.look(str(path))
    changed = path.stat().st_ctime_ns
    at_once.taken, later.taken = changed + signature.TICKS - 1, changed + signature.COARSE
    assert (at_once.fresh, later.fresh) == (True, False)


@pytest.mark.parametrize(
    ("fine", "ago", "fresh"),
    [
        (0, signature.COARSE - 1, True),
        (0, signature.COARSE, False),
        (1, signature.TICKS - 1, True),
        (1, signature.TICKS, False),
    ],
)
def test_coarse_times_need_longer(fine: int, ago: int, fresh: bool) -> None:
    changed = 1_900_000_000_000_000_000 + fine
    taken = Signature()
    taken._changed.append(changed)
    taken.taken = changed + ago
    assert taken.fresh is fresh


def signed(look: Callable[[Signature], object]) -> str:
    taken = Signature()
    look(taken)
    return taken.digest


def test_a_text_counts_as_it_is() -> None:
    assert signed(lambda taken: taken.add("a")) == signed(lambda taken: taken.add("a"))
    assert signed(lambda taken: taken.add("a")) != signed(lambda taken: taken.add("b"))


@pytest.mark.parametrize("look", [Signature.look, Signature.follow, Signature.folder])
def test_that_a_path_is_missing_and_that_it_cannot_be_are_two_things(
    tmp_path: Path, look: Callable[[Signature, str], object]
) -> None:
    path = str(tmp_path / "a/b")
    missing = signed(lambda taken: look(taken, path))
    (tmp_path / "a").write_text("no folder")
    assert signed(lambda taken: look(taken, path)) != missing


@pytest.mark.parametrize("look", [Signature.look, Signature.follow, Signature.folder, Signature.memdir])
def test_what_is_missing_here_is_another_thing_than_what_is_missing_there(
    tmp_path: Path, look: Callable[[Signature, str], object]
) -> None:
    assert signed(lambda taken: look(taken, f"{tmp_path}/here")) != signed(
        lambda taken: look(taken, f"{tmp_path}/there")
    )


def test_a_link_is_looked_at_itself_and_followed_only_where_that_is_asked(tmp_path: Path) -> None:
    link, one = tmp_path / "link", tmp_path / "one"
    one.write_text("1")
    os.link(one, tmp_path / "same")
    link.symlink_to("one")
    looked = signed(lambda taken: taken.look(str(link)))
    followed = signed(lambda taken: taken.follow(str(link)))
    time.sleep(0.02)
    one.write_text("2")
    assert signed(lambda taken: taken.look(str(link))) == looked
    assert signed(lambda taken: taken.follow(str(link))) != followed
    followed = signed(lambda taken: taken.follow(str(link)))
    link.unlink()
    link.symlink_to("same")
    assert signed(lambda taken: taken.follow(str(link))) != followed, "it is the same file at another place"


def test_a_path_below_a_link_is_looked_at_by_its_own_name(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    (tmp_path / "one/a").write_text("a")
    os.link(tmp_path / "one/a", tmp_path / "two/a")
    (tmp_path / "link").symlink_to("one")
    before = signed(lambda taken: taken.look(f"{tmp_path}/link/a"))
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("two")
    assert signed(lambda taken: taken.look(f"{tmp_path}/link/a")) == before


@pytest.mark.parametrize("name", ["memdir", "link"])
def test_who_may_look_into_a_memdir_shows(memdir: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "link").symlink_to(memdir)
    memdir.chmod(0o700)
    before = digest(tmp_path / name)
    memdir.chmod(0o750)
    assert digest(tmp_path / name) != before


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no /proc tells what is open")
def test_nothing_stays_open_of_what_was_looked_into(memdir: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    digest(memdir)
    assert len(os.listdir("/proc/self/fd")) == before


def test_of_a_folder_that_was_not_looked_into_nothing_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    taken = Signature()
    assert taken.stats(str(tmp_path)) == {}
    taken.folder(str(tmp_path))
    assert taken.stats(f"{tmp_path}/elsewhere") == {}


def test_ancestors() -> None:
    assert list(ancestors("/a/b")) == ["/a/b", "/a", "/"]
    assert list(ancestors(os.sep)) == ["/"]


def test_a_path_that_is_missing_is_another_than_one_that_is_missing_elsewhere(tmp_path: Path) -> None:
    digests = set()
    for name in ("here", "there"):
        for taken in (Signature(), Signature()):
            taken.look(str(tmp_path / name))
            digests.add(taken.digest)
    assert len(digests) == 2


def test_of_a_folder_that_was_looked_into_the_standing_of_each_file_is_known(tmp_path: Path) -> None:
    for name in ("a", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.md").write_text(name * 9)
    (tmp_path / "d.md").symlink_to("a.md")
    taken = Signature()
    assert taken.folder(str(tmp_path)) == ["a", "c"]
    files = {name: (tmp_path / name).lstat() for name in ("a.md", "c.md", "d.md")}
    assert taken.stats(str(tmp_path)) == {
        name: (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns) for name, status in files.items()
    }
    assert taken.stats(str(tmp_path / "a")) == {}


def test_the_names_in_a_folder_show_by_its_times_and_those_behind_a_link_do_not(tmp_path: Path) -> None:
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)

    def digests() -> list[str]:
        found = []
        for path in (folder, link, tmp_path / "none"):
            taken = Signature()
            taken.names(str(path))
            found.append(taken.digest)
        return found

    before = digests()
    assert digests() == before
    time.sleep(0.02)
    (folder / "new").touch()
    assert [one == other for one, other in zip(digests(), before, strict=True)] == [False, True, True]
    taken = Signature()
    taken.names(str(folder))
    assert taken.fresh, "a name that comes at this moment would not show"
