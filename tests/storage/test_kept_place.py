"""Where an account keeps what it could work out again, and what it believes of that."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from memdir_cli.storage import kept


@pytest.mark.parametrize(
    ("environ", "place"),
    [
        ({"XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/c/memdir"),
        ({"HOME": "/h"}, "/h/.cache/memdir"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/memdir"),
        ({"XDG_CACHE_HOME": "", "HOME": "h"}, ""),
        ({}, ""),
    ],
)
def test_a_cache_lies_where_other_programs_have_theirs_or_nowhere(environ: dict[str, str], place: str) -> None:
    assert kept.folder(environ) == place


def test_what_was_kept_of_a_call_is_said_again_until_its_memdir_is_written(tmp_path: Path) -> None:
    place, content = str(tmp_path / "cache"), ("an answer", 3, None)
    assert kept.load(place, "get lint") is None
    kept.save(place, ["/one", "/two"], "get lint", content)
    kept.save(place, ["/three"], "get test", "other")
    assert (kept.load(place, "get lint"), kept.load(place, "get test")) == (content, "other")
    assert kept.load(place, "get") is None
    kept.save(place, ["/one"], "get lint", "newer")
    assert kept.load(place, "get lint") == "newer"
    assert len(os.listdir(place)) == 2, "nothing is left of what was said before, whatever memdirs it was said of"
    kept.drop(place, "/one")
    assert (kept.load(place, "get lint"), kept.load(place, "get test")) == (None, "other")


def test_what_is_kept_is_for_this_account_alone(tmp_path: Path) -> None:
    kept.save(str(tmp_path / "saved"), ["/r"], "call", 1)
    kept.write(str(tmp_path / "written"), "name", b"x")
    assert (tmp_path / "written/name").read_bytes() == b"x"
    for place in tmp_path.iterdir():
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (place, *place.iterdir())]
        assert modes == [0o700, 0o600]


@pytest.mark.parametrize("spoil", ["writable", "cut", "changed", "link", "folder"])
def test_what_this_account_has_not_written_so_is_not_believed(tmp_path: Path, spoil: str) -> None:
    kept.save(str(tmp_path), ["/r"], "get lint", "an answer")
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    if spoil == "writable":
        path.chmod(0o666)
    elif spoil in {"cut", "changed"}:
        path.write_bytes(whole[:-1] + (b"" if spoil == "cut" else b"?"))
    else:
        path.rename(tmp_path / "elsewhere")
        path.mkdir() if spoil == "folder" else path.symlink_to("elsewhere")
    assert kept.load(str(tmp_path), "get lint") is None


def test_what_others_may_read_and_not_write_is_believed(tmp_path: Path) -> None:
    kept.save(str(tmp_path), ["/r"], "get lint", "an answer")
    (path,) = tmp_path.iterdir()
    path.chmod(0o755)
    assert kept.load(str(tmp_path), "get lint") == "an answer"


def test_what_another_account_has_written_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.save(str(tmp_path), ["/r"], "get lint", "an answer")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert kept.load(str(tmp_path), "get lint") is None
    (path,) = tmp_path.iterdir()
    with pytest.raises(PermissionError):
        kept.opened(str(tmp_path), path.name)


def test_what_is_larger_than_it_may_be_is_neither_kept_nor_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.save(str(tmp_path), ["/r"], "get lint", "an answer")
    (path,) = tmp_path.iterdir()
    monkeypatch.setattr(kept, "LIMIT", path.stat().st_size)
    assert kept.load(str(tmp_path), "get lint") == "an answer"
    kept.save(str(tmp_path), ["/r"], "get lint", "the answer")
    assert kept.load(str(tmp_path), "get lint") is None
    monkeypatch.setattr(kept, "LIMIT", 1 << 20)
    kept.save(str(tmp_path), ["/r"], "get lint", "an answer")
    monkeypatch.setattr(kept, "LIMIT", path.stat().st_size - 1)
    assert kept.load(str(tmp_path), "get lint") is None


def test_a_file_of_the_cache_is_opened_where_this_account_alone_has_written_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = str(tmp_path)
    kept.write(place, "own", b"x")
    descriptor = kept.opened(place, "own")
    assert os.read(descriptor, 9) == b"x"
    os.close(descriptor)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe", 0o600)
    (tmp_path / "open").touch()
    (tmp_path / "open").chmod(0o620)
    for name in ("folder", "pipe", "open"):
        with pytest.raises(PermissionError):
            kept.opened(place, name)
    monkeypatch.chdir(tmp_path)
    for account, name in ((place, "missing"), ("", "own")):
        with pytest.raises(FileNotFoundError):
            kept.opened(account, name)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no /proc tells what is open")
def test_nothing_stays_open_whatever_lies_there(tmp_path: Path) -> None:
    kept.save(str(tmp_path), ["/r"], "get lint", "an answer")
    (path,) = tmp_path.iterdir()
    before = len(os.listdir("/proc/self/fd"))
    assert kept.load(str(tmp_path), "get lint") == "an answer"
    path.chmod(0o666)
    assert kept.load(str(tmp_path), "get lint") is None
    with pytest.raises(PermissionError):
        kept.opened(str(tmp_path), path.name)
    assert len(os.listdir("/proc/self/fd")) == before


def test_the_oldest_goes_first_and_what_leads_nowhere_with_it(tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to("nowhere")
    os.utime(tmp_path / "dangling", (0, 0), follow_symlinks=False)
    for number in range(kept.KEPT + 2):
        before = set(tmp_path.iterdir())
        kept.save(str(tmp_path), ["/r"], f"call {number}", number)
        for path in set(tmp_path.iterdir()) - before:
            os.utime(path, (number + 1, number + 1))
    found = [kept.load(str(tmp_path), f"call {number}") for number in range(kept.KEPT + 2)]
    assert found == [None, None, *range(2, kept.KEPT + 2)]
    assert not (tmp_path / "dangling").is_symlink()
