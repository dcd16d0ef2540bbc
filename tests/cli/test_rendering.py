"""What is printed: one line a success, columns off a terminal, nothing interpreted, nothing cut."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir_cli.cli.render import findings, human, whole
from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.findings import Finding
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from tests.cli.pseudoterminal import typed
from tests.sandbox import Sandbox

HOSTILE = "[/USER] [red]x[/red] :bug: [link=a]b[/link] \x1b[2J\x1b]8;;http://x\x07y\r\x9b31m \u202etxt"
SAID = ("--from", "user", "--said", "the key is as I say")


@pytest.fixture
def project(sandbox: Sandbox, repo: Callable[..., Path]) -> Path:
    """A repository in whose user memdir claims count."""
    top = repo(init=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate:\n  attestation: claimed\n", encoding="utf-8")
    return top


def memory(**keys: object) -> Memory:
    """A memory with these differences from a plain one."""
    plain: dict[str, object] = {
        "id": "k7f3x9a1b2c3d",
        "subject": "user:42",
        "predicate": "key",
        "scope": Scope("user"),
        "status": "verified",
        "value": "v",
    }
    return Memory(**{**plain, **keys})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "line"),
    [
        (memory(), "created key = v [user] k7f3x9a1b2c3d"),
        (memory(status="candidate"), "created key = v [user] k7f3x9a1b2c3d candidate"),
        (memory(value=""), 'created key = "" [user] k7f3x9a1b2c3d'),
        (memory(value=None, none=True), "created key = (nothing applies) [user] k7f3x9a1b2c3d"),
        (memory(value=None, body="Text."), "created key = (text) [user] k7f3x9a1b2c3d"),
        (memory(value="a\nb\x1b"), "created key = a\\nb\\x1b [user] k7f3x9a1b2c3d"),
        (
            memory(scope=Scope("repository", repository="r", path="a/**", environment=(("os", "linux"),))),
            "created key = v [repository:r path=a/** environment.os=linux] k7f3x9a1b2c3d",
        ),
    ],
)
def test_a_write_is_one_line(one: Memory, line: str) -> None:
    assert human.written(WriteAnswer("created", "key", memory=one)) == line


def test_a_whole_memory_reads_like_its_header() -> None:
    document: dict[str, object] = {
        "id": "k7",
        "none": True,
        "value": None,
        "environment": {"os": "linux"},
        "source": [{"kind": "user", "said": "a\nb"}, {"kind": "agent"}],
        "body": "First.\r\n\n[red]second[/red]\x07\n",
        "warnings": [],
    }
    assert whole.lines(document) == (
        "id: k7\nnone: true\nenvironment:\n  os: linux\nsource:\n"
        "  - kind: user\n    said: a\\nb\n  - kind: agent\n\nFirst.\n\n[red]second[/red]\\x07"
    )


def test_findings_for_github_escape_what_would_end_them() -> None:
    finding = Finding("a,b:c.md", 3, 5, "M101", "info", "100% wrong", fixable=False)
    assert findings.github([finding]) == "::notice file=a%2Cb%3Ac.md,line=3,col=5,title=M101::100%25 wrong"
    assert findings.statistics([finding, finding]) == "2\tM101\tinfo"


def test_success_is_one_line_on_stdout_and_quiet_has_none(sandbox: Sandbox, project: Path) -> None:
    done = sandbox.run("remember", "key", "v", "--scope", "repo", *SAID, cwd=project)
    assert re.fullmatch(r"created key = v \[repository:github\.com/acme/legacy-dashboard\] [0-9a-z]{13}\n", done.stdout)
    assert done.stderr == ""
    quiet = sandbox.run("remember", "key", "v", "--scope", "repo", "-q", *SAID, cwd=project)
    assert (quiet.exit, quiet.stdout, quiet.stderr) == (0, "", "")


def test_quiet_keeps_errors_and_results(sandbox: Sandbox, project: Path) -> None:
    refused = sandbox.run("correct", "key", "v", "--scope", "repo", "--quiet", cwd=project)
    assert refused.exit == 4
    assert refused.stderr.startswith("error: ")
    sandbox.run("remember", "key", "v", "--scope", "repo", *SAID, cwd=project)
    assert sandbox.run("get", "key", "--quiet", cwd=project).stdout == "v\n"
    assert sandbox.run("get", "kex", "--quiet", cwd=project).exit == 1


def test_a_lowered_statement_says_so(sandbox: Sandbox, project: Path) -> None:
    done = sandbox.run("remember", "key", "v", "--scope", "repo", "--from", "tool", cwd=project)
    assert done.exit == 0
    assert done.stdout.endswith(" candidate\n")
    assert done.stderr.startswith("warning: It waits in the inbox")


def test_no_scope_shows_the_commands_to_choose_from(sandbox: Sandbox, project: Path) -> None:
    done = sandbox.run("remember", "key", "it's", *SAID, cwd=project)
    assert (done.exit, done.stdout) == (3, "")
    assert [line.strip().split()[:4] for line in done.stderr.splitlines()[1:3]] == [
        ["memdir", "remember", "--scope", "repository"],
        ["memdir", "remember", "--scope", "user"],
    ]
    choices = sandbox.run("remember", "key", "it's", "--json", *SAID, cwd=project).json["choices"]
    assert [choice["scope"].split(":")[0] for choice in choices] == ["repository", "user"]
    assert all("it'\"'\"'s" in choice["command"] for choice in choices)


def test_columns_are_whole_and_nothing_in_them_is_interpreted(sandbox: Sandbox, project: Path) -> None:
    long = "packages/" + "x" * 300
    done = sandbox.run("remember", "long", long, "--scope", "user", *SAID, cwd=project)
    assert done.exit == 0, done.stderr
    hostile = sandbox.run("remember", "hostile", HOSTILE, "--scope", "user", *SAID, cwd=project)
    for verb in (["list"], ["history", "long"], ["explain", "long"], ["show", "long"]):
        shown = sandbox.run(*verb, cwd=project, env={"COLUMNS": "20"}).stdout
        assert any(long in line for line in shown.splitlines()), verb
    if hostile.exit == 0:
        for verb in (
            ["list"],
            ["history", "hostile"],
            ["explain", "hostile"],
            ["show", "hostile"],
            ["context"],
            ["search", "red"],
        ):
            shown = sandbox.run(*verb, cwd=project).stdout
            assert not {"\x1b", "\r", "\x07", "\x9b", "\u202e"} & set(shown), verb
            assert "[/USER] [red]x[/red] :bug:" in shown, verb


def test_at_a_terminal_list_is_a_table_with_headings(sandbox: Sandbox, project: Path) -> None:
    sandbox.run("remember", "key", "[red]v[/red] :bug:", "--scope", "user", *SAID, cwd=project)
    shown = typed(sandbox, "list", cwd=project, env={"COLUMNS": "200"}).shown
    assert "status" in shown
    assert "[red]v[/red] :bug:" in shown
    plain = typed(sandbox, "list", cwd=project, env={"NO_COLOR": "1"}).shown
    assert "\x1b" not in plain
    assert plain == sandbox.run("list", cwd=project).stdout


@pytest.mark.parametrize("switch", ["1", "true"])
def test_ignored_memory_is_printed_by_no_reading_verb(sandbox: Sandbox, project: Path, switch: str) -> None:
    sandbox.run("remember", "key", "kestrel", "--scope", "user", *SAID, cwd=project)
    env = {"MEMDIR_IGNORE": switch}
    for verb in (
        ["get", "key"],
        ["explain", "key"],
        ["list", "--all"],
        ["show", "key"],
        ["history", "key"],
        ["search", "key"],
        ["context"],
    ):
        for form in ([], ["--json"]):
            done = sandbox.run(*verb, *form, cwd=project, env=env)
            assert done.exit == (1 if verb[0] == "get" else 0), verb
            assert "kestrel" not in done.stdout + done.stderr
            assert not form or done.json["ignored"] is True
    assert sandbox.run("get", "key", cwd=project, env={"MEMDIR_IGNORE": "0"}).stdout == "kestrel\n"


def test_check_prints_nothing_when_clean_and_lines_when_not(sandbox: Sandbox, project: Path) -> None:
    sandbox.run("remember", "key", "v", "--scope", "repo", *SAID, cwd=project)
    clean = sandbox.run("check", "--strict", cwd=project)
    assert (clean.exit, clean.stdout, clean.stderr) == (0, "", "")
    (project / ".memdir/memories/key.md").write_text("---\nid: x\nid: y\n---\n", encoding="utf-8")
    done = sandbox.run("check", cwd=project)
    assert done.exit == 1
    assert all(re.match(r"[^:]+:\d+:\d+: (error|warning|info) M\d{3} ", line) for line in done.stdout.splitlines())
    annotated = sandbox.run("check", "--format", "github", cwd=project).stdout
    assert re.search(r"^::error file=\.memdir/memories/key\.md,line=3,col=1,title=M125::The key `id`", annotated, re.M)
    assert sandbox.run("check", "--quiet", cwd=project).stderr == ""


def test_repair_says_what_it_did(sandbox: Sandbox, project: Path) -> None:
    sandbox.run("remember", "key", "v", "--scope", "repo", *SAID, cwd=project)
    index = project / ".memdir/MEMORY.md"
    whole_index = index.read_bytes()
    index.unlink()
    told = sandbox.run("repair", "--dry-run", cwd=project).stdout
    assert told.startswith(".memdir/MEMORY.md: written anew from the memories\n")
    # the rest is the diff of what would be written
    added = [line[1:] for line in told.splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert added == whole_index.decode().splitlines()
    assert not index.exists()
    assert sandbox.run("repair", cwd=project).exit == 0
    assert index.read_bytes() == whole_index
    again = sandbox.run("repair", cwd=project)
    assert (again.exit, again.stdout, again.stderr) == (0, "", "There is nothing to repair.\n")
