"""What `memdir install` shows, asks and leaves behind when something fails."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
from pathlib import Path

import pytest

from memdir_cli.domain.hook import AGENTS
from memdir_cli.domain.installing import Edit
from memdir_cli.errors import ChangedError
from memdir_cli.operations import fitting
from memdir_cli.operations.targets import TARGETS
from tests.attacks.shapes import SHAPES
from tests.cli.pseudoterminal import typed
from tests.fuzz.entering import entered
from tests.operations.test_install_agents import ALL, FILES, app, files
from tests.sandbox import Sandbox
from tests.storage.faulty import failing, faulty, filling

#: By target, files that it reads first.
TOUCHED = {"claude": FILES["claude"], "agents-md": ["AGENTS.md"], "pre-commit": [".pre-commit-config.yaml"]}

TOKEN = "t0ken-of-mine-4711"
SETTINGS = {
    "env": {"SERVICE_TOKEN": TOKEN},
    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": f"notify {TOKEN}"}]}]},
    "args": [TOKEN],
}


@pytest.fixture
def top(sandbox: Sandbox) -> Path:
    return app(sandbox)


def install(sandbox: Sandbox, top: Path, *args: str) -> str:
    """All that is printed."""
    done = entered(["install", *args], cwd=top, environ=sandbox.environ)
    assert done.exit == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("indent", ["\t", "  "])
def test_the_diff_shows_no_line_of_somebody_elses(agent: str, indent: str, sandbox: Sandbox, top: Path) -> None:
    path = top / FILES[agent][0]
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(SETTINGS, indent=indent))
    said = [
        install(sandbox, top, agent, *more) for more in (["--dry-run"], [], ["--remove", "--dry-run"], ["--remove"])
    ]
    assert [f"memdir hook stop --agent {agent}" in one for one in said] == [True] * 4
    assert [TOKEN in one for one in said] == [False] * 4
    assert path.read_text() == json.dumps(SETTINGS, indent=indent)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_comment_stays_where_the_agent_reads_comments_and_is_refused_elsewhere(
    agent: str, sandbox: Sandbox, top: Path
) -> None:
    path = top / FILES[agent][0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{ // theirs\n}\n")
    done = entered(["install", agent], cwd=top, environ=sandbox.environ)
    if agent in {"gemini", "cursor"}:
        assert done.exit == 0, done.stderr
        assert "// theirs" in path.read_text()
        assert f"memdir hook stop --agent {agent}" in path.read_text()
    else:
        assert done.stderr.startswith("error: ")
        assert path.read_text() == "{ // theirs\n}\n"


def test_where_all_is_on_one_line_a_token_in_it_is_masked(sandbox: Sandbox, top: Path) -> None:
    token = f"ghp_{'a1B2' * 9}"
    path = top / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"env": {"GITHUB_TOKEN": token}}))
    assert token not in install(sandbox, top, "claude", "--json") + install(sandbox, top, "claude", "--remove")


@pytest.mark.parametrize(("answer", "written"), [("y\n", True), ("n\n", False), ("\n", False), ("\x04", False)])
def test_a_person_sees_the_diff_and_is_asked(answer: str, written: bool, sandbox: Sandbox, top: Path) -> None:
    session = typed(sandbox, "install", "claude", answers=answer, cwd=top)
    assert session.exit == 0, session.shown
    assert session.shown.index("memdir hook session-start --agent claude") < session.shown.index("Change this?")
    assert ("Nothing was written." in session.shown) is not written
    assert all((top / path).exists() is written for path in FILES["claude"])


def test_with_yes_nobody_is_asked(sandbox: Sandbox, top: Path) -> None:
    session = typed(sandbox, "install", "claude", "--yes", cwd=top)
    assert (session.exit, "Change this?" in session.shown) == (0, False), session.shown
    assert all((top / path).exists() for path in FILES["claude"])


@pytest.mark.parametrize("kind", ["refused", "full"])
def test_whatever_fails_every_file_is_as_before_or_as_after(kind: str, sandbox: Sandbox, top: Path) -> None:
    standing = {"AGENTS.md": "# App\n", ".codex/hooks.json": '{\n  "a": 1\n}\n'}
    for name, text in standing.items():
        (top / name).parent.mkdir(exist_ok=True)
        (top / name).write_text(text)
    fresh = sandbox.root / "fresh"
    shutil.copytree(top, fresh)
    install(sandbox, top, "codex")
    after = {name: (top / name).read_text() for name in standing}
    failed = 0
    for number in range(1, 200):
        shutil.rmtree(top)
        shutil.copytree(fresh, top)
        plan = failing(number, errno.EIO, lasting=False) if kind == "refused" else filling(number, errno.ENOSPC)
        with faulty(plan) as system:
            done = entered(["install", "codex"], cwd=top, environ=sandbox.environ)
        assert done.exit in {0, 2, 6}, done
        failed += done.exit == 6
        assert all((top / name).read_text() in {standing[name], after[name]} for name in standing)
        assert set(files(top)) == {*standing, ".codex", ".git", ".memdir"}, "nothing is left beside them"
        if done.exit == 0 and system.calls < number:
            break
    else:
        pytest.fail("the sweep has no end")
    assert failed > 3
    assert {name: (top / name).read_text() for name in standing} == after
    install(sandbox, top, "codex", "--remove")
    assert {name: (top / name).read_text() for name in standing} == standing


@pytest.mark.parametrize("given", [[], [".claude"], [".claude/skills"]])
def test_folders_that_were_made_for_nothing_are_taken_back(given: list[str], sandbox: Sandbox, top: Path) -> None:
    for folder in given:
        (top / folder).mkdir(parents=True)
    before = set(top.rglob("*"))
    for number in range(1, 200):
        with faulty(filling(number, errno.ENOSPC)):
            done = entered(["install", "claude"], cwd=top, environ=sandbox.environ)
        if done.exit == 0:
            break
        left = {path for path in top.rglob("*") if ".git" not in path.parts}
        made = {path for path in left - before if path.is_dir()}
        assert all(any(path.is_file() for path in folder.rglob("*")) for folder in made), (number, made)
    assert number > 5


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", [".claude/settings.json", "AGENTS.md", ".pre-commit-config.yaml"])
def test_nothing_but_a_file_is_taken_for_one(name: str, shape: str, sandbox: Sandbox, top: Path) -> None:
    (sandbox.root / "outside").mkdir()
    outside = sandbox.root / "outside/secret.md"
    outside.write_text("canary\n")
    path = top / name
    path.parent.mkdir(exist_ok=True)
    SHAPES[shape](path, outside)
    if shape == "file without rights" and os.access(path, os.R_OK):
        return  # nobody is refused anything
    seen = path.lstat()
    (target,) = (one for one, paths in TOUCHED.items() if name in paths)
    for more in ([], ["--remove"]):
        done = entered(["install", target, *more], cwd=top, environ=sandbox.environ)
        beside = shape == "link to a file beside" or (shape == "10 MB" and name == "AGENTS.md")
        assert done.exit in ({0, 6} if beside else {0, 4, 6} if more else {4, 6}), done
        assert done.seconds < 3, done
        assert "Traceback" not in done.stderr
        assert "canary" not in done.stdout + done.stderr
        assert outside.read_text() == "canary\n"
        if not beside:
            assert (path.lstat().st_mode, path.lstat().st_ino) == (seen.st_mode, seen.st_ino)


@pytest.mark.parametrize("seed", range(3))
def test_in_whatever_order_all_come_and_go(seed: int, sandbox: Sandbox, top: Path) -> None:
    (top / "AGENTS.md").write_text("# App")
    (top / ".claude").mkdir()
    (top / ".claude/settings.json").write_text('{"hooks": {}, "model": "x"}')
    (top / ".pre-commit-config.yaml").write_text("repos:\n- repo: meta\n  hooks: []\n")
    before = files(top)
    targets, order = list(TARGETS), random.Random(seed)
    order.shuffle(targets)
    for target in targets:
        install(sandbox, top, target)
    order.shuffle(targets)
    for target in targets:
        install(sandbox, top, target, "--remove")
    assert files(top) == before


def test_what_somebody_changed_between_look_and_write_is_kept(sandbox: Sandbox, top: Path) -> None:
    path = top / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text("{}")
    edit = Edit(str(path), b"{}", b'{"hooks": {}}', str(top))
    path.write_text('{"model": "x"}')
    with pytest.raises(ChangedError):
        fitting.write(edit)
    assert path.read_text() == '{"model": "x"}'


def test_every_file_that_is_written_is_one_that_the_table_names(sandbox: Sandbox, top: Path) -> None:
    for target in FILES:
        install(sandbox, top, target)
    assert {name for name in files(top) if (top / name).is_file()} == set(ALL)


def test_pre_commit_wants_a_memdir_in_a_repository(sandbox: Sandbox) -> None:
    bare, plain = sandbox.root / "bare", sandbox.root / "plain"
    bare.mkdir()
    plain.mkdir()
    sandbox.git("init", "-q", cwd=bare)
    assert entered(["init"], cwd=plain, environ=sandbox.environ).exit == 0
    for top, code in ((bare, "no_memdir"), (plain, "no-repository")):
        done = entered(["install", "pre-commit", "--json"], cwd=top, environ=sandbox.environ)
        assert (done.exit, json.loads(done.stdout)["error"]["code"]) == (2, code)
        assert not (top / ".pre-commit-config.yaml").exists()


def test_a_configuration_of_pre_commit_that_is_strange_or_changed_stays(sandbox: Sandbox, top: Path) -> None:
    path = top / ".pre-commit-config.yaml"
    path.write_text("repos: []\n")
    done = entered(["install", "pre-commit"], cwd=top, environ=sandbox.environ)
    assert (done.exit, "`.pre-commit-config.yaml` was left alone" in done.stderr) == (6, True)
    assert path.read_text() == "repos: []\n"
    path.unlink()
    install(sandbox, top, "pre-commit")
    changed = path.read_text().replace("pre-push, manual", "manual")
    path.write_text(changed)
    for more in ([], ["--remove"]):
        assert "it was left as it is" in install(sandbox, top, "pre-commit", *more)
        assert path.read_text() == changed
