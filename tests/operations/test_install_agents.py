"""`memdir install claude` and its like: what they write and where, and that nothing else moves."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import validate  # type: ignore[import-untyped]
from ruamel.yaml import YAML

from memdir_cli.domain.agent_settings import SETTINGS
from memdir_cli.domain.hook import AGENTS, EVENTS
from tests.fuzz.entering import entered
from tests.sandbox import Outcome, Sandbox

Install = Callable[..., Outcome]

#: By target, the files that it writes.
FILES = {
    "claude": [".claude/settings.json", ".claude/skills/memdir/SKILL.md"],
    "codex": [".codex/hooks.json", "AGENTS.md"],
    "gemini": [".gemini/settings.json", "GEMINI.md"],
    "copilot": [".github/hooks/memdir.json", ".github/instructions/memdir.instructions.md"],
    "cursor": [".cursor/hooks.json", ".cursor/rules/memdir.mdc"],
    "agents-md": ["AGENTS.md"],
}
TARGETS = list(FILES)
ALL = sorted({path for paths in FILES.values() for path in paths})
MARKDOWN = ["AGENTS.md", "GEMINI.md"]


def _list(element: dict[str, object]) -> dict[str, object]:
    return {"type": "array", "minItems": 1, "items": element}


def _object(required: dict[str, object], **optional: object) -> dict[str, object]:
    keys = {**required, **optional}
    return {"type": "object", "properties": keys, "required": list(required), "additionalProperties": False}


_LINE: dict[str, object] = {"type": "string", "pattern": "^memdir hook [a-z-]+ --agent [a-z]+$"}
_HANDLER = {"type": {"const": "command"}, "command": _LINE}
_SECONDS: dict[str, object] = {"type": "integer", "minimum": 1, "maximum": 30}
_GROUP = _object({"hooks": _list(_object(dict(_HANDLER), timeout=_SECONDS))}, matcher={"type": "string"})
_MILLISECONDS = _object(
    dict(_HANDLER), timeout={"type": "integer", "minimum": 1000, "maximum": 60_000}, name={"type": "string"}
)

#: What a list of hooks may hold, by the agents' documents.
ELEMENTS: dict[str, dict[str, object]] = {
    "claude": _GROUP,
    "codex": _GROUP,
    "gemini": _object({"hooks": _list(_MILLISECONDS)}, matcher={"type": "string"}),
    "copilot": _object({"type": {"const": "command"}, "bash": _LINE, "powershell": _LINE}, timeoutSec=_SECONDS),
    "cursor": _object({"command": _LINE}),
}

#: What the agents call the four events.
NAMES = {
    "claude": ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"],
    "codex": ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"],
    "gemini": ["SessionStart", "BeforeAgent", "AfterTool", "AfterAgent"],
    "copilot": ["sessionStart", "userPromptSubmitted", "postToolUse", "agentStop"],
    "cursor": ["sessionStart", "beforeSubmitPrompt", "postToolUse", "stop"],
}


def app(sandbox: Sandbox) -> Path:
    """A repository with a memdir."""
    top = sandbox.root / "app"
    top.mkdir()
    sandbox.git("init", "-q", cwd=top)
    assert entered(["init"], cwd=top, environ=sandbox.environ).exit == 0
    return top


@pytest.fixture
def top(sandbox: Sandbox) -> Path:
    return app(sandbox)


@pytest.fixture
def install(sandbox: Sandbox, top: Path) -> Install:
    """``install(*args, cwd=)``, in this process; a shell finds ``memdir``."""
    place = sandbox.root / "bin"
    place.mkdir()
    (place / "memdir").write_text("#!/bin/sh\n")
    (place / "memdir").chmod(0o755)
    environ = {**sandbox.environ, "PATH": f"{place}:{sandbox.environ['PATH']}"}

    def call(*args: str, cwd: Path | None = None) -> Outcome:
        done = entered(["install", *args], cwd=cwd or top, environ=environ)
        return Outcome(done.exit, done.stdout, done.stderr)

    return call


def files(top: Path) -> dict[str, tuple[bytes, int]]:
    """Every file and folder of the project but git's and memdir's."""
    found = {}
    for path in sorted(top.rglob("*")):
        name = path.relative_to(top).as_posix()
        if not name.startswith((".git/", ".memdir/")):
            found[name] = (path.read_bytes() if path.is_file() else b"", path.lstat().st_mode)
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_put_in_is_taken_out_and_nothing_stays(target: str, top: Path, install: Install) -> None:
    before = files(top)
    done = install(target)
    assert done.exit == 0, done.stderr
    assert done.stdout.splitlines() == [f"created {top / path}" for path in FILES[target]]
    assert "+++ b/" in done.stderr, "the diff is shown first"
    written = files(top)
    assert {path for path in written if (top / path).is_file()} - before.keys() == set(FILES[target])
    again = install(target)
    assert (again.exit, again.stdout, again.stderr) == (0, "", "There is nothing to change.\n")
    assert files(top) == written
    removed = install(target, "--remove")
    assert (removed.exit, files(top)) == (0, before)
    assert install(target, "--remove").stdout == ""


@pytest.mark.parametrize("agent", AGENTS)
def test_hooks_have_the_shape_that_the_agent_documents(agent: str, top: Path, install: Install) -> None:
    install(agent)
    file = json.loads((top / FILES[agent][0]).read_bytes())
    lists: dict[str, object] = {name: _list(ELEMENTS[agent]) for name in NAMES[agent]}
    whole: dict[str, object] = {"hooks": _object(lists)}
    validate(file, _object({**whole, **({"version": {"const": 1}} if agent in {"copilot", "cursor"} else {})}))
    for event, name in zip(EVENTS, NAMES[agent], strict=True):
        assert f'"memdir hook {event} --agent {agent}"' in json.dumps(file["hooks"][name])


@pytest.mark.parametrize("target", TARGETS)
def test_a_dry_run_shows_what_would_come_and_writes_nothing(target: str, top: Path, install: Install) -> None:
    before = files(top)
    done = install(target, "--dry-run")
    assert (done.exit, files(top)) == (0, before)
    assert all(f"+++ b/{path}" in done.stdout for path in FILES[target])
    told = install(target, "--dry-run", "--json").json
    assert ([one["path"] for one in told["done"]], told["dryRun"]) == (
        [str(top / path) for path in FILES[target]],
        True,
    )


SETTINGS_OF_OTHERS = {
    "own hooks": '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"hooks": [{"type": "command"}]}\n\t\t]\n\t}\n}',
    "empty": "{}",
    "one line": '{"permissions": {"allow": ["Bash(ls)"]}, "hooks": {}}\n',
    "windows": '\ufeff{\r\n    "model": "opus",\r\n    "env": {"A": "ü \\u00fc"}\r\n}\r\n',
    "blank": " {\n\n } \n",
    "tight": '{"version":1,"hooks":{"stop":[]}}',
}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("standing", SETTINGS_OF_OTHERS.values(), ids=list(SETTINGS_OF_OTHERS))
def test_settings_of_others_stay_byte_for_byte(agent: str, standing: str, top: Path, install: Install) -> None:
    path = top / FILES[agent][0]
    path.parent.mkdir(parents=True)
    path.write_bytes(standing.encode())
    path.chmod(0o600)
    before = files(top)
    done = install(agent)
    assert done.exit == 0, done.stderr
    assert path.stat().st_mode & 0o777 == 0o600
    written = files(top)
    assert install(agent).stdout == ""
    assert files(top) == written
    assert install(agent, "--remove").exit == 0
    assert files(top) == before


@pytest.mark.parametrize(
    "standing",
    [b"", b"\n", b"# App\n", b"# App", b"# App\r\n\r\nBe brief.\r\n", b"\xef\xbb\xbf# App\n", b"\xef\xbb\xbf",
     b"---\nx: 1\n---\n# App\n", b"---\nx: 1\n---", b"# memdir\n<!-- memdir:instructions:begin\n"],
)  # fmt: skip
@pytest.mark.parametrize("target", ["codex", "gemini", "agents-md"])
def test_instructions_of_others_stay_byte_for_byte(target: str, standing: bytes, top: Path, install: Install) -> None:
    path = top / FILES[target][-1]
    path.write_bytes(standing)
    before = files(top)
    assert install(target).exit == 0
    text = path.read_bytes()
    assert text.count(b"memdir:instructions:end") == 1
    assert text.startswith((b"<!--", b"\xef\xbb\xbf<!--", b"---"))
    assert b"-->" in text
    assert install(target).stdout == ""
    assert install(target, "--remove").exit == 0
    assert files(top) == before


def test_a_block_that_two_want_goes_with_the_last_of_them(top: Path, install: Install) -> None:
    path = top / "AGENTS.md"
    path.write_text("# App\n")
    install("codex")
    alone = path.read_text()
    install("agents-md")
    assert path.read_text().count("`memdir get KEY`") == 1
    install("codex", "--remove")
    assert path.read_text().count("`memdir get KEY`") == 1
    install("codex")
    install("agents-md", "--remove")
    assert path.read_text() == alone
    install("codex", "--remove")
    assert path.read_text() == "# App\n"


@pytest.mark.parametrize("target", TARGETS)
def test_what_somebody_has_written_into_memdirs_part_is_not_taken(target: str, top: Path, install: Install) -> None:
    install(target)
    path = top / FILES[target][-1]
    edited = path.read_text().replace("Look up", "Always look up")
    path.write_text(edited)
    for more in ([], ["--remove"]):
        done = install(target, *more)
        assert done.exit == 0
        assert "left a" in done.stderr
        assert path.read_text() == edited


@pytest.mark.parametrize("target", TARGETS)
def test_what_an_earlier_version_wrote_is_brought_up_to_date(target: str, top: Path, install: Install) -> None:
    from memdir_cli.storage import signed_block

    install(target)
    path = top / FILES[target][-1]
    now = path.read_bytes()
    if path.name in MARKDOWN:
        old = signed_block.with_signed(now, ["## Memory", "", "Use memdir."], signed_block.INSTRUCTIONS, [target])
    else:
        old = signed_block.page(["# memdir", "", "Use it."], target)
    path.write_bytes(old)
    done = install(target)
    assert done.stdout == f"changed {path}\n"
    assert path.read_bytes() == now


def test_a_skill_of_that_name_that_is_somebody_elses_is_left_alone(top: Path, install: Install) -> None:
    path = top / ".claude/skills/memdir/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: memdir\n---\nmine\n")
    for more in ([], ["--remove"]):
        done = install("claude", *more)
        assert "`.claude/skills/memdir/SKILL.md` is not what memdir wrote" in done.stderr
        assert path.read_text() == "---\nname: memdir\n---\nmine\n"


def test_line_ends_that_git_gave_a_page_do_not_count(top: Path, install: Install) -> None:
    install("claude")
    path = top / FILES["claude"][1]
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert install("claude").stdout == ""
    assert install("claude", "--remove").exit == 0
    assert not path.exists()


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("standing", [b"", b"{", b"[]", b'{"hooks": 1}', b"\xff\xfe{\0}\0", b'{"a": 1,, "b": 2}'])
def test_settings_that_cannot_be_read_are_refused_and_left(
    agent: str, standing: bytes, top: Path, install: Install
) -> None:
    path = top / FILES[agent][0]
    path.parent.mkdir(parents=True)
    path.write_bytes(standing)
    before = files(top)
    for more in ([], ["--remove"]):
        done = install(agent, *more)
        assert (done.exit, done.stdout) == (6, "")
        assert f"error: `{FILES[agent][0]}` cannot be read: " in done.stderr
        assert "hint: " in done.stderr
        assert files(top) == before


def test_comments_are_read_where_the_agent_reads_them(top: Path, install: Install) -> None:
    text = '{\n  // ours\n  "model": "x", /* that one */\n}\n'
    for agent in AGENTS:
        path = top / FILES[agent][0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        assert install(agent).exit == (0 if SETTINGS[agent].comments else 6)
        assert install(agent, "--remove").exit == (0 if SETTINGS[agent].comments else 6)
        assert path.read_text() == text


def test_a_text_that_is_no_utf8_is_refused_before_anything_is_written(top: Path, install: Install) -> None:
    (top / "AGENTS.md").write_bytes("# App\n".encode("utf-16"))
    before = files(top)
    done = install("codex")
    assert (done.exit, "`AGENTS.md` is no UTF-8 text" in done.stderr) == (6, True)
    assert files(top) == before


@pytest.mark.parametrize("target", TARGETS)
def test_no_link_is_followed_out_of_the_project(target: str, sandbox: Sandbox, top: Path, install: Install) -> None:
    outside = sandbox.root / "outside"
    outside.mkdir()
    for name in FILES[target]:
        for number, link in enumerate(sorted({top / name.split("/")[0], top / name})):
            shutil.rmtree(top / name.split("/")[0], ignore_errors=True)
            link.parent.mkdir(parents=True, exist_ok=True)
            aim = outside / f"{number}{name.replace('/', '-')}"
            if link != top / name:
                aim.mkdir()
            link.symlink_to(aim)
            before = files(top)
            for more in ([], ["--remove"]):
                done = install(target, *more)
                assert (done.exit, "is a link to" in done.stderr) == (4, True), done
            assert files(top) == before
            assert not [path for path in outside.rglob("*") if path.is_file()]
            link.unlink()


@pytest.mark.parametrize("aim", [".git/hooks", ".memdir"])
def test_no_link_is_followed_to_what_git_and_memdir_keep(aim: str, top: Path, install: Install) -> None:
    (top / ".claude").symlink_to(aim)
    before = sorted((top / aim).rglob("*"))
    assert install("claude").exit == 4
    assert sorted((top / aim).rglob("*")) == before


def test_a_link_inside_the_project_leads_to_the_file_that_changes(top: Path, install: Install) -> None:
    (top / "CLAUDE.md").write_text("# App\n")
    (top / "AGENTS.md").symlink_to("CLAUDE.md")
    done = install("agents-md")
    assert done.stdout == f"changed {top}/CLAUDE.md\n"
    assert (top / "AGENTS.md").is_symlink()
    install("agents-md", "--remove")
    assert (top / "CLAUDE.md").read_text() == "# App\n"


def test_a_file_that_may_not_be_written_is_told_and_kept(top: Path, install: Install) -> None:
    (top / "AGENTS.md").write_text("# App\n")
    (top / "AGENTS.md").chmod(0o444)
    done = install("agents-md")
    assert (done.exit, "read-only" in done.stderr) == (6, True)
    assert (top / "AGENTS.md").read_text() == "# App\n"


def test_another_name_of_the_same_file_keeps_what_it_had(top: Path, install: Install) -> None:
    (top / "AGENTS.md").write_text("# App\n")
    os.link(top / "AGENTS.md", top / "kept.md")
    assert install("agents-md").exit == 0
    assert (top / "kept.md").read_text() == "# App\n"


def test_it_is_the_top_of_the_project_wherever_it_is_typed(top: Path, install: Install) -> None:
    (top / "packages/web").mkdir(parents=True)
    assert install("claude", cwd=top / "packages/web").exit == 0
    assert (top / ".claude/settings.json").is_file()


def test_the_skill_is_one_that_claude_code_reads(top: Path, install: Install) -> None:
    install("claude")
    _, header, body = (top / ".claude/skills/memdir/SKILL.md").read_text().split("---\n", 2)
    told = YAML(typ="safe").load(header)
    assert (told.keys(), told["name"]) == ({"name", "description"}, "memdir")
    assert 20 < len(told["description"]) <= 1024
    assert len(body.split()) < 350, "few words"
    for word in (
        "--said",
        "--session ${CLAUDE_SESSION_ID}",
        "--message",
        "--transcript",
        "exit 3",
        "grants no permission",
    ):
        assert word in body


def test_without_a_memdir_or_memdir_on_the_path_it_says_what_is_missing(sandbox: Sandbox) -> None:
    top = sandbox.repository("bare")
    done = sandbox.run("install", "claude", cwd=top, env={"PATH": "/usr/bin:/bin"})
    assert done.exit == 0
    assert "`memdir init` makes one" in done.stderr
    assert "`memdir` is not found on PATH" in done.stderr
    nowhere = sandbox.run("install", "claude", "--json", cwd=sandbox.home)
    assert (nowhere.exit, nowhere.json["error"]["code"]) == (2, "no-repository")


def test_nothing_of_it_is_taken_for_a_memory(top: Path, install: Install, sandbox: Sandbox) -> None:
    (top / "AGENTS.md").write_text("- use npm ci here\n")
    for target in TARGETS:
        install(target)
    seen = [
        sandbox.run("import", *line, "--dry-run", "--json", cwd=top).json
        for line in (("codex", "AGENTS.md"), ("codex", "GEMINI.md"), ("cursor", "."), ("markdown", ".claude/skills"))
    ]
    assert [len(one["imported"]) for one in seen] == [1, 0, 0, 0], seen
