"""Streams: nothing waits, nothing traces back, whatever stdin, stdout and stderr are."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    "reject": ["reject", "greeting", "--reason", VALUE],
    "narrow": ["narrow", "greeting", "--topic", VALUE],
    "settle": ["settle", "greeting", "--keep", "abc"],
    "expire": ["expire", "greeting"],
    "forget": ["forget", "greeting", "--dry-run"],
    "archive": ["archive", "--cold", "1d"],
    "restore": ["restore", "greeting"],
    "quarantine": ["quarantine", "nothing_here", "--reason", VALUE],
    "release": ["release", "greeting"],
    "get": ["get", "greeting"],
    "explain": ["explain", "greeting"],
    "list": ["list", "--all"],
    "show": ["show", "greeting"],
    "search": ["search", VALUE],
    "history": ["history", "greeting"],
    "context": ["context"],
    "log": ["log"],
    "whoami": ["whoami"],
    "check": ["check"],
    "refresh": ["refresh"],
    "review": ["review"],
    "trace": ["trace", "greeting"],
    "health": ["health"],
    "repair": ["repair"],
    "hook": ["hook", "stop", "--agent", "claude"],
    "sync": ["sync"],
    "install": ["install", "git", "--dry-run"],
    "import": ["import", "markdown", "."],
    "export": ["export", "agents-md", "AGENTS.md"],
    "rule": ["rule"],
    "schema": ["schema"],
    "completion": ["completion", "zsh"],
}

#: Verbs that print, between them, in every way there is: a value, a table, a page, a record, a warning, an error.
SEVERAL = ("remember", "get", "explain", "list", "show", "context", "check", "health", "hook", "install", "schema")

LOCALES = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "c-locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


def several() -> list[list[str]]:
    return [LINES[verb] for verb in SEVERAL]


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
    # those that run until they are stopped have tests of their own
    assert list(LINES) == [entry.verb for entry in COMMANDS if entry.verb not in {"watch", "mcp"}]


@pytest.mark.parametrize("locale", LOCALES)
def test_in_any_locale_the_exit_status_is_that_of_utf8(sandbox: Sandbox, project: Path, locale: str) -> None:
    for line in LINES.values() if locale == "ascii" else several():
        narrow = sandbox.run(*line, cwd=project, env=LOCALES[locale])
        wide = sandbox.run(*line, cwd=project)
        assert "Traceback" not in narrow.stderr, line
        assert narrow.exit == wide.exit != 70, line


def test_what_an_encoding_lacks_is_escaped_and_utf8_is_verbatim(sandbox: Sandbox, project: Path) -> None:
    assert sandbox.run("get", "greeting", cwd=project).stdout == f"{VALUE}\n"
    narrow = sandbox.run("get", "greeting", cwd=project, env=LOCALES["ascii"])
    assert narrow.stdout == VALUE.encode("ascii", "backslashreplace").decode() + "\n"


def test_an_ascii_locale_still_takes_utf8_from_the_command_line(sandbox: Sandbox, project: Path) -> None:
    said = ["--from", "user", "--said", "ja"]
    done = sandbox.run("remember", "größe", "日本", "--scope", "user", *said, cwd=project, env=LOCALES["c-locale"])
    assert done.exit == 0, done.stderr
    assert sandbox.run("get", "größe", cwd=project).stdout == "日本\n"


def test_an_open_pipe_at_stdin_is_not_waited_for(sandbox: Sandbox, project: Path) -> None:
    reading, writing = os.pipe()
    try:
        for line in LINES.values():
            done = spawned(sandbox, *line, cwd=project, stdin=reading, timeout=20)
            assert b"Traceback" not in done.stderr, line
            assert done.returncode != 70, line
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_do_no_harm(sandbox: Sandbox, project: Path, closed: str) -> None:
    command = f'"$0" -m memdir_cli "$@" {closed}'
    for line in several() if len(closed) < 5 else LINES.values():
        done = sandbox.process("sh", "-c", command, sys.executable, *line, cwd=project)
        assert "Traceback" not in done.stderr, line
        assert "Exception ignored" not in done.stderr, line
        assert done.exit == sandbox.run(*line, cwd=project).exit, line
    assert sandbox.run("get", "greeting", cwd=project).stdout == f"{VALUE}\n", "no line went into a file"


def test_a_reader_that_goes_away_is_not_an_error_to_hear_of(sandbox: Sandbox, project: Path) -> None:
    with deaf() as writing:
        for line in LINES.values():
            done = spawned(sandbox, *line, "--json", cwd=project, stdout=writing)
            # as git does; but no hook ever fails
            assert (done.returncode, done.stderr) == (0 if line[0] == "hook" else 141, b""), line


def test_both_outputs_may_go_away_at_once(sandbox: Sandbox, project: Path) -> None:
    with deaf() as writing:
        for line in (["rember"], ["get", "greeting"], ["list", "--all"], ["-h"], ["get", "-h"], ["--version"]):
            done = spawned(sandbox, *line, cwd=project, stdout=writing, stderr=writing)
            assert done.returncode == 141, line


@contextmanager
def deaf() -> Iterator[int]:
    """The writing end of a pipe that nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


def spawned(
    sandbox: Sandbox,
    *line: str,
    cwd: Path,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    timeout: float = 60,
) -> subprocess.CompletedProcess[bytes]:
    """Run ``memdir LINE`` with these descriptors."""
    return subprocess.run(
        [sys.executable, "-m", "memdir_cli", *line],
        cwd=cwd,
        env=dict(sandbox.environ),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        timeout=timeout,
        check=False,
    )


FULL = (
    "get greeting",
    "get greeting --json",
    "get nothing",
    "get nothing --json",
    "schema --json",
    "list",
    "rember --json",
)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_stdout_is_told(sandbox: Sandbox, project: Path, unbuffered: str) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("the system has no /dev/full")
    for line in FULL:
        script = f'"$0" -m memdir_cli {line} > /dev/full'
        done = sandbox.process("sh", "-c", script, sys.executable, cwd=project, env={"PYTHONUNBUFFERED": unbuffered})
        silent = line == "get nothing"  # all that it says is on stderr
        assert done.exit == (1 if silent else 6), line
        told = "error: The answer could not be printed: No space left on device.\n"
        assert (done.stderr == told) is not silent, (line, done.stderr)


def test_a_deleted_working_directory_is_a_sentence(sandbox: Sandbox) -> None:
    script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" -m memdir_cli list'
    env = {"PYTHONSAFEPATH": "1"}
    done = sandbox.process("sh", "-c", script, sys.executable, env=env)
    assert done.exit == 2
    assert done.stderr.startswith("error: The working directory does not exist any more.")


EXACT = ("-x", "--json", "", " padded ", "two\nlines", "tab\there", "--", "a=b # c", "ends with a line\n", "\\n")


def test_values_are_kept_character_for_character(sandbox: Sandbox, project: Path) -> None:
    said = ["--from", "user", "--said", "exactly so"]
    for number, value in enumerate(EXACT):
        done = sandbox.run("remember", f"exact{number}", "--scope", "user", *said, "--", value, cwd=project)
        assert done.exit == 0, done.stderr
        assert sandbox.run("get", f"exact{number}", cwd=project).stdout == f"{value}\n"
        assert sandbox.run("get", f"exact{number}", "--json", cwd=project).json["value"] == value


#: Says which modules Python itself has imported by the time a module begins that was started by `-m`.
LOADED = "import sys\nprint(*sys.modules)\n"


@pytest.mark.parametrize("way", ["-m memdir_cli", "memdir"])
def test_no_module_is_taken_from_the_working_directory(sandbox: Sandbox, project: Path, way: str) -> None:
    (project / "loaded.py").write_text(LOADED)
    own = sandbox.process(sys.executable, "-m", "loaded", cwd=project).stdout.split() if way != "memdir" else ["sys"]
    assert "sys" in own
    for name in sys.stdlib_module_names - set(own):
        (project / f"{name}.py").write_text("raise SystemExit('planted')\n")
    script = Path(sys.executable).with_name("memdir")
    program = [sys.executable, *way.split()] if way != "memdir" else [str(script)]
    for line in (["get", "greeting"], ["list"], ["check"], ["health"], ["remember", "-h"]):
        done = sandbox.process(*program, *line, cwd=project)
        assert (done.exit, "planted" in done.stderr) == (0, False), (line, done.stderr)


def test_an_interrupt_is_silent(sandbox: Sandbox) -> None:
    script = (
        "import os, signal, sys\nfrom memdir_cli.cli import boundary\n"
        "def act():\n    os.kill(os.getpid(), signal.SIGINT)\n    return 0\n"
        "sys.exit(boundary.guarded(act, json=False))"
    )
    done = sandbox.process(sys.executable, "-c", script)
    assert (done.exit, done.stdout, done.stderr) == (130, "", "")
