"""The recipes for a schedule, as far as they can be run here: cron, systemd, GitHub."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from memdir_cli.domain.health.workflow import PATH, TEXT
from tests.sandbox import Sandbox
from tests.test_docs import README
from tests.year.place import Place, laid

#: When the schedules of the README run first after the year.
FIRST = "2026-10-01T06:17:00Z"
PROGRAM, FOLDER = "/usr/local/bin/memdir", "/srv/dashboard"


@pytest.fixture
def year(tmp_path: Path) -> Place:
    """Home and repository after the year."""
    return laid(tmp_path)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """``memdir`` as a program at a path of its own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "memdir"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m memdir_cli "$@"\n', "utf-8")
    command.chmod(0o755)
    return command


def blocks(language: str) -> list[str]:
    """The blocks of the README in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def here(text: str, year: Place, program: Path) -> str:
    """A recipe with the paths of this test."""
    return text.replace(PROGRAM, str(program)).replace(FOLDER, str(year.top))


def test_the_line_for_cron_runs_without_home_terminal_or_path(year: Place, program: Path) -> None:
    (line,) = blocks("crontab")
    *fields, command = line.strip().split(" ", 5)
    assert [field for field in fields if not re.fullmatch(r"\d+|\*", field)] == []
    assert "%" not in command, "cron would take it for a line end"
    bare = Sandbox(year.sandbox.root, {"PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "MEMDIR_NOW": FIRST})
    done = bare.process("/bin/sh", "-c", here(command, year, program), cwd=Path("/"))
    assert (done.exit, done.stderr) == (0, "")
    assert done.stdout.startswith("Memory health of github.com/acme/legacy-dashboard, September 2026\n")
    assert "because something is gone: 1" in done.stdout, "evidence is looked at in the project, wherever cron runs"


def test_the_units_for_systemd_are_ones(year: Place, program: Path, tmp_path: Path) -> None:
    units = blocks("ini")
    names = [re.match(r"# (\S+)\n", unit)[1] for unit in units]  # type: ignore[index]
    assert names == ["memdir-health.service", "memdir-health.timer"]
    for name, unit in zip(names, units, strict=True):
        (tmp_path / name).write_text(here(unit, year, program), "utf-8")
    (start,) = re.findall(r"^ExecStart=(.*)$", here(units[0], year, program), re.MULTILINE)
    bare = Sandbox(year.sandbox.root, {"PATH": "/usr/bin:/bin", "MEMDIR_NOW": FIRST})
    done = bare.process(*shlex.split(start), cwd=year.top)
    assert (done.exit, done.stdout, done.stderr) == (0, "", "")
    assert (year.top / "health.html").read_text("utf-8").startswith("<!doctype html>")
    if shutil.which("systemd-analyze"):
        paths = [str(tmp_path / name) for name in names]
        verified = subprocess.run(["systemd-analyze", "verify", *paths], capture_output=True, text=True, check=False)
        assert verified.returncode == 0, verified.stderr
        assert "memdir" not in verified.stderr, verified.stderr


def steps() -> list[dict[str, Any]]:
    """The steps of the workflow."""
    workflow = YAML(typ="safe").load(TEXT)
    assert set(workflow) == {"name", "on", "permissions", "jobs"}
    assert workflow["permissions"] == {"contents": "read"}
    assert set(workflow["on"]) == {"schedule", "workflow_dispatch"}
    assert re.fullmatch(r"\d+ \d+ 1 \* \*", workflow["on"]["schedule"][0]["cron"])
    (job,) = workflow["jobs"].values()
    assert job["timeout-minutes"] <= 10
    found: list[dict[str, Any]] = job["steps"]
    return found


def test_the_steps_of_the_workflow_do_what_they_say_in_a_shallow_clone(
    year: Place, program: Path, tmp_path: Path
) -> None:
    git = year.sandbox.git
    git("add", "-A", cwd=year.top)
    git("commit", "-qm", "Keep", cwd=year.top)
    clone = tmp_path / "clone"
    git("clone", "-q", "--depth", "1", f"file://{year.top}", str(clone), cwd=tmp_path)
    git("remote", "set-url", "origin", "https://github.com/acme/legacy-dashboard.git", cwd=clone)
    summary = tmp_path / "summary.md"
    runner = {
        "PATH": f"{program.parent}:/usr/bin:/bin",
        "HOME": str(tmp_path / "runner"),
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_STEP_SUMMARY": str(summary),
        "MEMDIR_NOW": FIRST,
    }
    scripts = [step["run"] for step in steps() if "run" in step]
    assert scripts[0] == "python -m pip install --quiet memdir-cli"
    for script in scripts[1:]:
        done = Sandbox(year.sandbox.root, runner).process(
            "bash", "--noprofile", "-eo", "pipefail", "-c", script, cwd=clone
        )
        assert (done.exit, done.stderr) == (0, ""), script
    assert summary.read_text("utf-8").startswith(
        "# Memory health of github.com/acme/legacy-dashboard, September 2026\n"
    )
    (artifact,) = (
        step["with"]["path"] for step in steps() if step.get("uses", "").startswith("actions/upload-artifact")
    )
    assert (clone / artifact).read_text("utf-8").startswith("<!doctype html>")
    assert "shallow clone" in summary.read_text("utf-8")


def test_the_workflow_trusts_no_token_to_what_it_runs() -> None:
    checkout = next(step for step in steps() if step.get("uses", "").startswith("actions/checkout"))
    assert checkout["with"]["persist-credentials"] is False
    assert "${{" not in TEXT, "nothing of an event ends in a shell"


def test_installing_writes_the_file_once_and_removing_takes_it_away(year: Place) -> None:
    file = year.top / PATH
    install = ("install", "health-workflow")
    shown = year.sandbox.run(*install, "--dry-run", cwd=year.top)
    assert (shown.exit, file.exists()) == (0, False)
    assert f"+{TEXT.splitlines()[0]}" in shown.stdout + shown.stderr
    folder = year.top / "packages/web"
    folder.mkdir(parents=True)
    done = year.sandbox.run(*install, "--yes", "--json", cwd=folder)
    assert [one["action"] for one in done.json["done"]] == ["created"]
    assert file.read_text("utf-8") == TEXT
    assert year.sandbox.run(*install, "--yes", "--json", cwd=year.top).json["done"] == []
    file.write_text(TEXT.replace("17 6 1", "3 3 1"), "utf-8")
    told = year.sandbox.run(*install, "--remove", "--yes", "--json", cwd=year.top).json
    assert (told["done"], "left alone" in told["warnings"][0]["message"]) == ([], True)
    file.write_text(TEXT, "utf-8")
    assert year.sandbox.run(*install, "--remove", "--yes", cwd=year.top).exit == 0
    assert not file.exists()


def test_a_workflow_of_somebody_else_is_left_alone(year: Place) -> None:
    file = year.top / PATH
    file.parent.mkdir(parents=True)
    file.write_text("name: ours\n", "utf-8")
    told = year.sandbox.run("install", "health-workflow", "--yes", "--json", cwd=year.top).json
    assert (told["done"], file.read_text("utf-8")) == ([], "name: ours\n")
    assert "left alone" in told["warnings"][0]["message"]


def test_without_a_memdir_or_a_repository_there_is_nothing_to_install(sandbox: Sandbox) -> None:
    assert sandbox.run("install", "health-workflow", "--json").json["error"]["code"] == "no_memdir"
    plain = sandbox.root / "plain"
    plain.mkdir()
    assert sandbox.run("init", cwd=plain).exit == 0
    assert sandbox.run("install", "health-workflow", "--json", cwd=plain).json["error"]["code"] == "no-repository"
