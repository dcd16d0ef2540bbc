"""Logs of this machine: what can be read of them is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdir_cli.domain.snapshot import Layer
from memdir_cli.errors import FaultError
from memdir_cli.storage import layout, logs, noting, refusals
from memdir_cli.storage.store import Store
from tests.sandbox import NOW


def test_every_line_that_is_an_object_is_read_the_oldest_month_first(tmp_path: Path) -> None:
    folder = tmp_path / layout.REFUSALS
    folder.mkdir(parents=True)
    (folder / "2026-09.jsonl").write_bytes(b'{"n":2}\n\n{"n":\n[3]\n\xff\n{"n":4}')
    (folder / "2026-08.jsonl").write_bytes(b'{"n":1}\n' + b"[" * 100_000)
    (folder / "notes.txt").write_text('{"n":9}', "utf-8")
    os.mkfifo(folder / "2026-10.jsonl")
    assert [entry["n"] for entry in logs.read(str(tmp_path), layout.REFUSALS)] == [1, 2, 4]


def test_where_there_is_no_log_there_is_nothing(tmp_path: Path) -> None:
    assert list(logs.read(str(tmp_path), layout.REFUSALS)) == []


def test_a_log_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "local").mkdir()
    (tmp_path / layout.REFUSALS).write_text("a file where a folder should be", "utf-8")
    with pytest.raises(FaultError):
        list(logs.read(str(tmp_path), layout.REFUSALS))


def test_what_was_noted_is_read_again(tmp_path: Path) -> None:
    store = Store(str(tmp_path), "project")
    refusals.note(store, NOW, "remember", "secret")
    refusals.note(store, NOW, "import", "forgotten")
    told = [(entry["verb"], entry["reason"]) for entry in logs.read(str(tmp_path), layout.REFUSALS)]
    assert told == [("remember", "secret"), ("import", "forgotten")]


@pytest.mark.parametrize(
    "session", ["s1", 'a"b', "a\\", "\\", "a\nb", "a\x7f\u2028", "caf\u00e9 \u65e5", "\ud800", '"', "", None]
)
def test_a_read_is_told_in_one_line_with_its_session_whatever_that_is_called(
    tmp_path: Path, session: str | None
) -> None:
    text = noting.line(NOW, "get", session, '"shown":[]}')
    noting.append(str(tmp_path), layout.access_path(NOW), text, private=False)
    told = {"at": NOW, "verb": "get", "shown": []}
    assert list(logs.read(str(tmp_path), layout.ACCESS)) == [told | ({"session": session} if session else {})]


@pytest.mark.parametrize("layer", ["user", "project"])
def test_what_was_refused_is_told_to_this_account_alone(tmp_path: Path, layer: Layer) -> None:
    old = os.umask(0)
    try:
        refusals.note(Store(str(tmp_path), layer), NOW, "remember", "secret")
    finally:
        os.umask(old)
    assert (tmp_path / layout.refusals_path(NOW)).stat().st_mode & 0o777 == 0o600
