"""Fixtures for every test: nothing of the machine's own may leak in or be touched."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.sandbox import FOREIGN, FOREIGN_PREFIXES, Outcome, Sandbox, isolated

# who starts the tests in the background of a script lets them ignore interrupts, and all that they start
signal.signal(signal.SIGINT, signal.default_int_handler)

# the same examples every time, so that a red run is a change's own fault; look further with MEMDIR_EXAMPLES=random
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile("random" if os.environ.get("MEMDIR_EXAMPLES") == "random" else "steady")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables that tests have recorded, also those of tests that ran in another process."""
    for report in terminalreporter.getreports("passed"):
        for name, text in report.user_properties:
            if name == "table" and report.when == "call":
                terminalreporter.write_line(f"\n{text}")


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In this process too: no foreign variables, and a home that is not the developer's."""
    for name in list(os.environ):
        # the coverage of child processes is asked for by a variable of this prefix
        if name in FOREIGN or (name.startswith(FOREIGN_PREFIXES) and not name.startswith("COVERAGE_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home/.local/share"))


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    """A user of the test's own."""
    return isolated(tmp_path)


@pytest.fixture
def run(sandbox: Sandbox) -> Callable[..., Outcome]:
    """``run(*args, cwd=, env=, input=)``: the real ``memdir`` in a process of its own."""
    return sandbox.run


@pytest.fixture
def repo(sandbox: Sandbox) -> Callable[..., Path]:
    """``repo(name, remote=, init=)``: a new git repository with one commit and a remote."""
    return sandbox.repository
