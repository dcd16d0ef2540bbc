"""The boundary: every error becomes a sentence, a status and, as JSON, one document."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from memdir_cli import errors
from memdir_cli.cli.boundary import guarded
from memdir_cli.errors import MemdirError

STATUSES: list[tuple[type[MemdirError], int]] = [
    (errors.UsageError, 2),
    (errors.NoMemdirError, 2),
    (errors.PersonNeededError, 3),
    (errors.RefusedError, 4),
    (errors.ChangedError, 5),
    (errors.FaultError, 6),
    (errors.LockedError, 75),
]


def _raising(error: BaseException) -> Callable[[], int]:
    def act() -> int:
        raise error

    return act


@pytest.mark.parametrize(("kind", "status"), STATUSES)
def test_an_error_of_ours_has_its_status(
    kind: type[MemdirError], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(_raising(kind("It failed.", hint="do this")), json=False) == status
    assert capsys.readouterr() == ("", "error: It failed.\nhint: do this\n")


@pytest.mark.parametrize(("kind", "status"), STATUSES)
def test_as_json_it_is_one_document_with_its_facts(
    kind: type[MemdirError], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(_raising(kind("It failed.", hint="do this", pid=7)), json=True) == status
    out, err = capsys.readouterr()
    assert err == ""
    # who asks only for the decision finds that it was refused
    decided = {"decision": "refused", "reason": kind.code} if kind is errors.RefusedError else {}
    assert json.loads(out) == {
        "schema": 1,
        **decided,
        "error": {"pid": 7, "code": kind.code, "message": "It failed.", "hint": "do this"},
    }
    assert out.isascii()


def test_memory_text_in_an_error_cannot_steer_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    guarded(_raising(errors.UsageError("bad \x1b]0;x\x07 and\nforged: line")), json=False)
    assert capsys.readouterr().err == "error: bad \\x1b]0;x\\x07 and\\nforged: line\n"


def test_rich_markup_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    guarded(_raising(errors.UsageError("[/USER] [red]x[/red] :bug:")), json=False)
    assert capsys.readouterr().err == "error: [/USER] [red]x[/red] :bug:\n"


@pytest.mark.parametrize("error", [ValueError("secret"), RecursionError(), KeyError("k")])
def test_an_error_of_memdir_itself_is_70_and_tells_no_content(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(_raising(error), json=False) == 70
    err = capsys.readouterr().err
    assert err.splitlines()[0] == f"error: memdir failed with {type(error).__name__}, which is an error of its own."
    assert "Traceback" not in err
    assert "secret" not in err


def test_the_traceback_comes_on_request(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("MEMDIR_DEBUG", "1")
    assert guarded(_raising(ValueError("where")), json=False) == 70
    assert "ValueError: where" in capsys.readouterr().err


def test_an_error_of_the_disk_names_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(_raising(PermissionError(13, "Permission denied", "/m/x.md")), json=False) == 6
    assert capsys.readouterr().err == "error: `/m/x.md` cannot be used: Permission denied.\n"


def test_a_machine_without_memory_is_at_fault_and_not_memdir(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(_raising(MemoryError()), json=False) == 6
    assert capsys.readouterr().err == "error: There is not enough memory for that.\n"


def test_success_is_handed_through(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(lambda: 3, json=True) == 3
    assert capsys.readouterr() == ("", "")
