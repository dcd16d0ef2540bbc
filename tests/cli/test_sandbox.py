"""The sandbox itself: what the other tests rely on."""

from __future__ import annotations

import os
from pathlib import Path

from tests.sandbox import Sandbox


def test_a_repository_is_real_and_its_identity_is_the_tests_own(sandbox: Sandbox) -> None:
    top = sandbox.repository("legacy-dashboard")
    assert sandbox.git("remote", "get-url", "origin", cwd=top) == "https://github.com/acme/legacy-dashboard.git\n"
    assert sandbox.git("log", "--format=%an <%ae>", cwd=top) == "User <user@example.invalid>\n"


def test_no_agent_and_no_home_of_the_machine_leaks_in(sandbox: Sandbox, tmp_path: Path) -> None:
    shown = sandbox.process("env").stdout.splitlines()
    names = {line.split("=", 1)[0] for line in shown}
    assert not names & {"CLAUDECODE", "AI_AGENT", "AGENT", "CI", "PYTHONDONTWRITEBYTECODE"}
    assert f"HOME={sandbox.home}" in shown
    assert os.environ["HOME"].startswith(str(tmp_path))
