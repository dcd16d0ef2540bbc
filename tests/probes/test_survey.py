"""The runtime of a call, from real places."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from memdir_cli.domain.runtime import UNKNOWN, Fact
from memdir_cli.probes.checkout import find_checkout
from memdir_cli.probes.survey import repository_fact, survey, version_fact, working_path
from tests.sandbox import NOW, Sandbox


def test_every_fact_and_where_it_came_from(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    (top / "web").mkdir()
    (top / "package.json").write_text('{"version": "2.1.0"}')
    environ = {
        **sandbox.environ,
        "MEMDIR_TASK": "t1",
        "MEMDIR_SESSION": "s1",
        "MEMDIR_MESSAGE": "m1",
        "SHELL": "/bin/zsh",
    }
    runtime = survey(
        str(top / "web"),
        environ,
        NOW,
        checkout=find_checkout(str(top / "web"), environ),
        project_id="github.com/acme/fixed",
        with_git=True,
        with_version=True,
        platform="darwin",
        root=str(sandbox.root),
    )
    assert runtime.now == NOW
    assert runtime.user == Fact("42", "environment MEMDIR_USER")
    assert runtime.repository == Fact("github.com/acme/legacy-dashboard", "git remote origin")
    assert runtime.project == Fact("github.com/acme/fixed", "project memdir's config.yaml")
    assert (runtime.task.value, runtime.session.value, runtime.message.value) == ("t1", "s1", "m1")
    assert runtime.path == Fact("web", "working directory")
    assert runtime.version == Fact("2.1.0", "package.json")
    assert {name: fact.value for name, fact in runtime.environment.items()} == {
        "os": "macos",
        "container": "false",
        "shell": "zsh",
    }
    assert runtime.subjects == ("user:42", "project:github.com/acme/fixed")


def test_git_and_package_json_are_asked_only_when_wanted(sandbox: Sandbox) -> None:
    top = sandbox.repository()
    checkout = find_checkout(str(top), sandbox.environ)
    runtime = survey(str(top), {**sandbox.environ, "PATH": "/nowhere"}, NOW, checkout=checkout)
    assert runtime.repository == runtime.version == UNKNOWN
    assert repository_fact(checkout, sandbox.environ).value == "github.com/acme/legacy-dashboard"
    assert version_fact(str(top), runtime.path).value is None


def test_outside_git_paths_count_from_the_memdirs_directory(sandbox: Sandbox) -> None:
    notes = sandbox.home / "notes/deep"
    notes.mkdir(parents=True)
    runtime = survey(str(notes), sandbox.environ, NOW, workspace=str(sandbox.home / "notes"), with_git=True)
    assert runtime.path.value == "deep"
    assert runtime.repository == Fact(None, "not in a git repository")
    assert survey(str(notes), sandbox.environ, NOW).path == Fact(None, "outside a project")


def test_the_working_path(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "ab").mkdir()
    (tmp_path / "link").symlink_to("a/b")
    top = str(tmp_path / "a")
    assert working_path(top, top).value == ""
    assert working_path(f"{top}/b", top).value == "b"
    assert working_path(str(tmp_path / "link"), top).value == "b"
    assert working_path(str(tmp_path / "ab"), top).value is None
    assert working_path("/", "/").value == ""
    assert working_path("/usr", "/").value == "usr"


def test_a_survey_without_git_starts_no_process_and_imports_no_more_than_it_needs() -> None:
    lines = (
        "import os, sys; from memdir_cli.probes.checkout import find_checkout;"
        "from memdir_cli.probes.memdir_place import project_memdir, user_memdir;"
        "from memdir_cli.probes.survey import survey;"
        "c = find_checkout(os.getcwd(), os.environ); project_memdir(os.getcwd(), c, os.environ);"
        "survey(os.getcwd(), os.environ, '2026-09-14T09:30:00Z', checkout=c);"
        "print(*sorted({'subprocess', 'pathlib', 'json', 'tomllib', 'ruamel', 'typing_extensions'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r}); {lines}",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []
