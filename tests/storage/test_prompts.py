"""Witnessed prompts on a disk: whole or not there, private, each gone by itself, and nothing else read as one."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain.prompt import Prompt
from memdir_cli.errors import FaultError
from memdir_cli.storage import disk, prompts
from tests.storage.faulty import SimulatedCrash, failing, faulty, filling

NOW, LATER = "2026-09-14T09:30:00Z", "2026-09-14T09:31:01Z"
PROMPT = Prompt("use npm ci “hier” 🙂\n> no", "s1", "t1", "/app", NOW)
FOLDER = "local/prompts"

#: All that a prompt says, with more blanks than a file of one has bytes.
HUGE = b'{"text": "a", "session": "s", "turn": "", "root": "", "at": ""' + b" " * (2 << 20) + b"}"


@pytest.fixture
def root(tmp_path: Path) -> str:
    """A user memdir."""
    disk.create_root(str(tmp_path / "memdir"), private=True)
    return str(tmp_path / "memdir")


def kept(root: str, session: str | None = None, kept_for: str = "14d", now: str = NOW) -> list[Prompt]:
    return list(prompts.kept(root, session, kept_for, now))


def names(root: str) -> list[str]:
    folder = Path(root, FOLDER)
    return sorted(os.listdir(folder)) if folder.exists() else []


def test_a_prompt_comes_back_as_it_was_typed(root: str) -> None:
    assert prompts.note(root, PROMPT)
    assert kept(root) == kept(root, "s1") == [PROMPT]
    assert kept(root, "s2") == []
    assert prompts.text_in(Path(root, FOLDER, names(root)[0]).read_bytes()) == PROMPT.text


def test_what_two_hooks_tell_is_kept_once_and_what_is_said_again_later_twice(root: str) -> None:
    assert [prompts.note(root, PROMPT), prompts.note(root, PROMPT)] == [True, False]
    assert not prompts.note(root, Prompt(PROMPT.text, "s1", "t2", "/app", "2026-09-14T09:31:00Z")), "a minute later"
    assert prompts.note(root, Prompt(PROMPT.text, "s1", "t2", "/app", LATER))
    assert prompts.note(root, Prompt(PROMPT.text, "s2", "t1", "/app", NOW)), "another session"
    assert [prompt.at for prompt in kept(root, "s1", now=LATER)] == [LATER, NOW], "the newest first"


def test_whatever_was_typed_is_kept_for_this_account_alone(root: str) -> None:
    for text in ("half a character \ud83d", "\0", "x" * 1_500_000):
        assert prompts.note(root, Prompt(text, "s1", "t1", "/app", NOW))
        (prompt,) = kept(root)
        (name,) = names(root)
        assert prompt.text == text
        assert stat.S_IMODE(Path(root, FOLDER, name).stat().st_mode) == 0o600
        Path(root, FOLDER, name).unlink()
    assert stat.S_IMODE(Path(root, FOLDER).stat().st_mode) == 0o700


def test_a_prompt_that_bears_the_name_of_another_session_is_not_taken_for_one_of_it(root: str) -> None:
    prompts.note(root, PROMPT)
    (name,) = names(root)
    prompts.note(root, Prompt(PROMPT.text, "s2", "t1", "/app", NOW))
    other = next(one for one in names(root) if one != name)
    Path(root, FOLDER, name).replace(Path(root, FOLDER, other))
    assert (kept(root, "s2"), kept(root)) == ([], [PROMPT])


def test_a_folder_that_is_called_like_a_prompt_keeps_none_from_going(root: str) -> None:
    prompts.note(root, PROMPT)
    Path(root, FOLDER, "20200101T000000Z-a-b.json").mkdir()
    prompts.let_go(root, "1d", "2030-01-01T00:00:00Z")
    assert names(root) == ["20200101T000000Z-a-b.json"]


def test_a_prompt_that_goes_while_they_are_read_is_none(root: str) -> None:
    prompts.note(root, PROMPT)
    prompts.note(root, Prompt("another", "s1", "", "/app", LATER))

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if name == "open" and str(args[0]) == names(root)[0] and len(names(root)) == 2:
            Path(root, FOLDER, names(root)[0]).unlink()

    with faulty(plan):
        assert [prompt.text for prompt in kept(root, now=LATER)] == ["another"]


def test_the_time_of_each_is_over_by_itself(root: str) -> None:
    prompts.note(root, PROMPT)
    prompts.note(root, Prompt("another", "s1", "", "/app", LATER))
    end = "2026-09-28T09:30:30Z"
    assert [prompt.text for prompt in kept(root, now=end)] == ["another"]
    assert len(prompts.over(root, "14d", end)) == 1
    prompts.let_go(root, "14d", end)
    assert len(names(root)) == 1
    prompts.let_go(root, "", "2030-01-01T00:00:00Z")
    assert len(names(root)) == 1, "for ever"


@pytest.mark.parametrize(
    "name", ["notes.txt", "x.json", "20260914T093000Z.txt", "20269999T999999Z-a-b.json", ".hidden.json"]
)
def test_what_is_no_prompt_is_neither_read_nor_removed(name: str, root: str) -> None:
    prompts.note(root, PROMPT)
    Path(root, FOLDER, name).write_text("{}")
    assert kept(root) == [PROMPT]
    prompts.let_go(root, "1d", "2030-01-01T00:00:00Z")
    assert names(root) == [name]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"text": 1}', b'{"text": "a"}', b"\xff", b"[" * 100_000, HUGE])
def test_a_spoilt_prompt_proves_nothing(content: bytes, root: str) -> None:
    prompts.note(root, PROMPT)
    Path(root, FOLDER, names(root)[0]).write_bytes(content)
    assert kept(root) == []
    assert prompts.text_in(content) is None or content is HUGE


def test_a_link_proves_nothing(root: str, tmp_path: Path) -> None:
    prompts.note(root, PROMPT)
    (name,) = names(root)
    Path(root, FOLDER, name).rename(tmp_path / "elsewhere.json")
    Path(root, FOLDER, name).symlink_to(tmp_path / "elsewhere.json")
    assert kept(root) == []


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EROFS])
@pytest.mark.parametrize(
    "plan", [lambda n, e: failing(n, e, lasting=False), lambda n, e: failing(n, e, lasting=True), filling]
)
def test_a_prompt_that_cannot_be_written_leaves_nothing_or_is_whole(error: int, plan: object, root: str) -> None:
    assert callable(plan)
    number = 0
    while True:
        number += 1
        with faulty(plan(number, error)) as system, contextlib.suppress(FaultError):
            prompts.note(root, PROMPT)
        found = kept(root)
        assert found in ([], [PROMPT]), number
        for name in names(root):
            Path(root, FOLDER, name).unlink()
        if system.calls < number:
            return


def test_a_crash_leaves_a_whole_prompt_or_a_leftover_that_nobody_reads(root: str) -> None:
    for number in range(1, 60):

        def crash(call: int, *_: object, at: int = number) -> None:
            if call >= at:
                raise SimulatedCrash

        with faulty(crash) as system, contextlib.suppress(SimulatedCrash):
            prompts.note(root, PROMPT)
        assert kept(root) in ([], [PROMPT]), number
        disk.sweep(root, [FOLDER]) if Path(root, FOLDER).exists() else None
        assert len(names(root)) == len(kept(root))
        for name in names(root):
            Path(root, FOLDER, name).unlink()
        if system.calls < number:
            break
    else:
        pytest.fail("it never ended")
