"""Streams: nothing waits, nothing traces back, whatever stdin, stdout and stderr are."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir_cli.cli.app import COMMANDS
from tests.sandbox import Sandbox

VALUE = "日本語 — “quoted” 🙂 naïve"

#: A command line for every verb that gets as far as possible without a person.
LINES: dict[str, list[str]] = {
    "init": ["init"],
    "remember": ["remember", "greeting", VALUE, "--scope", "user"],
    "correct": ["correct", "greeting", VALUE, "--scope", "user"],
    "confirm": ["confirm", "greeting"],
    "settle": ["settle", "greeting", "--keep", "abc"],
    "get": ["get", "greeting"],
    "explain": ["explain", "greeting"],
    "list": ["list", "--all"],
    "show": ["show", "greeting"],
    "history": ["history", "greeting"],
    "context": ["context"],
    "log": ["log"],
    "whoami": ["whoami"],
    "check": ["check"],
    "repair": ["repair"],
    "schema": ["schema"],
}

LOCALES = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "c-locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.fixture
def project(sandbox: Sandbox, repo: Callable[..., Path]) -> Path:
    """A repository with a memdir in which a user said something that no narrow encoding can print."""
    top = repo(init=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate:\n  attestation: claimed\n", encoding="utf-8")
    said = ["--from", "user", "--said", f"say {VALUE}"]
    done = sandbox.run("remember", "greeting", VALUE, "--scope", "repository", *said, cwd=top)
    assert done.exit == 0, done.stderr
    return top


def test_every_verb_has_a_line() -> None:
    assert list(LINES) == [entry.verb for entry in COMMANDS]


@pytest.mark.parametrize("verb", LINES)
@pytest.mark.parametrize("locale", LOCALES)
def test_in_any_locale_the_exit_status_is_that_of_utf8(sandbox: Sandbox, project: Path, locale: str, verb: str) -> None:
    narrow = sandbox.run(*LINES[verb], cwd=project, env=LOCALES[locale])
    wide = sandbox.run(*LINES[verb], cwd=project)
    assert "Traceback" not in narrow.stderr
    assert narrow.exit == wide.exit
    assert narrow.exit != 70


def test_what_an_encoding_lacks_is_escaped_and_utf8_is_verbatim(sandbox: Sandbox, project: Path) -> None:
    assert sandbox.run("get", "greeting", cwd=project).stdout == f"{VALUE}\n"
    narrow = sandbox.run("get", "greeting", cwd=project, env=LOCALES["ascii"])
    assert narrow.stdout == VALUE.encode("ascii", "backslashreplace").decode() + "\n"


def test_an_ascii_locale_still_takes_utf8_from_the_command_line(sandbox: Sandbox, project: Path) -> None:
    said = ["--from", "user", "--said", "ja"]
    done = sandbox.run("remember", "größe", "日本", "--scope", "user", *said, cwd=project, env=LOCALES["c-locale"])
    assert done.exit == 0, done.stderr
    assert sandbox.run("get", "größe", cwd=project).stdout == "日本\n"


@pytest.mark.parametrize("verb", LINES)
def test_an_open_pipe_at_stdin_is_not_waited_for(sandbox: Sandbox, project: Path, verb: str) -> None:
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "memdir_cli", *LINES[verb]],
            cwd=project,
            env=dict(sandbox.environ),
            stdin=reading,
            capture_output=True,
            timeout=20,
            check=False,
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert b"Traceback" not in done.stderr
    assert done.returncode != 70


@pytest.mark.parametrize("verb", LINES)
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_do_no_harm(sandbox: Sandbox, project: Path, verb: str, closed: str) -> None:
    command = f'"$0" -m memdir_cli "$@" {closed}'
    done = sandbox.process("sh", "-c", command, sys.executable, *LINES[verb], cwd=project)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.exit == sandbox.run(*LINES[verb], cwd=project).exit
    assert sandbox.run("get", "greeting", cwd=project).stdout == f"{VALUE}\n", "no line went into a file"


@pytest.mark.parametrize("verb", LINES)
def test_a_reader_that_goes_away_is_not_an_error_to_hear_of(sandbox: Sandbox, project: Path, verb: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "memdir_cli", *LINES[verb], "--json"],
        cwd=project,
        env=dict(sandbox.environ),
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 141, "as git | head"


def test_both_outputs_may_go_away_at_once(sandbox: Sandbox, project: Path) -> None:
    for line in (["rember"], ["get", "greeting"], ["list", "--all"], ["-h"], ["get", "-h"], ["--version"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [sys.executable, "-m", "memdir_cli", *line],
            cwd=project,
            env=dict(sandbox.environ),
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=writing,
            timeout=60,
            check=False,
        )
        os.close(writing)
        assert done.returncode == 141, line


def test_a_full_disk_behind_stdout_is_told(sandbox: Sandbox, project: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("the system has no /dev/full")
    done = sandbox.process("sh", "-c", '"$0" -m memdir_cli get greeting > /dev/full', sys.executable, cwd=project)
    assert done.exit == 6
    assert done.stderr == "error: The answer could not be printed: No space left on device.\n"


def test_a_deleted_working_directory_is_a_sentence(sandbox: Sandbox) -> None:
    script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" -m memdir_cli list'
    env = {"PYTHONSAFEPATH": "1"}
    done = sandbox.process("sh", "-c", script, sys.executable, env=env)
    assert done.exit == 2
    assert done.stderr.startswith("error: The working directory does not exist any more.")


@pytest.mark.parametrize("value", ["-x", "--json", "", " padded ", "two\nlines", "tab\there", "--", "a=b # c"])
def test_values_are_kept_character_for_character(sandbox: Sandbox, project: Path, value: str) -> None:
    said = ["--from", "user", "--said", "exactly so"]
    done = sandbox.run("remember", "exact", "--scope", "user", *said, "--", value, cwd=project)
    assert done.exit == 0, done.stderr
    assert sandbox.run("get", "exact", cwd=project).stdout == f"{value}\n"
    assert sandbox.run("get", "exact", "--json", cwd=project).json["value"] == value


def test_an_interrupt_is_silent(sandbox: Sandbox) -> None:
    script = (
        "import os, signal, sys\nfrom memdir_cli.cli import boundary\n"
        "def act():\n    os.kill(os.getpid(), signal.SIGINT)\n    return 0\n"
        "sys.exit(boundary.guarded(act, json=False))"
    )
    done = sandbox.process(sys.executable, "-c", script)
    assert (done.exit, done.stdout, done.stderr) == (130, "", "")
