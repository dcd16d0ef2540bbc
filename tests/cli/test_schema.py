"""What memdir publishes describes what memdir prints and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from ruamel.yaml import YAML

from memdir_cli.cli.app import COMMANDS
from memdir_cli.cli.schemas.documents import SCHEMAS, WRITERS, document
from tests.sandbox import Outcome, Sandbox

SAID = ("--from", "user", "--said", "as the user said", "--session", "s1", "--message", "m1")
WIDE = ("--path", "apps/**", "--env", "os=linux")

#: schema, command line, exit status; run in this order in one repository.
STORY: list[tuple[str, list[str], int]] = [
    ("init", ["init"], 0),
    ("init", ["init"], 0),
    ("write", ["remember", "package_manager", "pnpm", "--scope", "user", *SAID], 0),
    ("write", ["remember", "package_manager", "npm", "--scope", "repo", *WIDE, *SAID], 0),
    ("write", ["remember", "package_manager", "npm", "--scope", "repo", *SAID], 0),
    ("write", ["remember", "package_manager", "npm", "--scope", "repo", *SAID], 0),
    ("write", ["remember", "package_manager", "yarn", "--scope", "repo", *SAID], 3),
    ("get", ["get", "package_manager"], 3),
    ("search", ["search", "yarn pnpm"], 0),
    ("explain", ["explain", "package_manager"], 0),
    ("context", ["context"], 0),
    ("list", ["list", "--all"], 0),
    ("write", ["correct", "package_manager", "bun", "--scope", "repo", *SAID], 0),
    ("write", ["remember", "package_manager", "deno", "--scope", "repo"], 3),
    ("write", ["remember", "package_manager", "deno"], 3),
    ("write", ["remember", "package_manager", "x", "--scope", "repo", "--if-revision", "1", *SAID], 5),
    ("write", ["remember", "package_manager", "x", "--scope", "repo", "--from", "user"], 4),
    ("write", ["remember", "installs", "--none", "--scope", "task:T9", "--expires", "1d", *SAID], 0),
    ("write", ["confirm", "package_manager", "--scope", "user", *SAID], 0),
    ("get", ["get", "package_manager"], 0),
    ("get", ["get", "package_manager", "--ignore-memory"], 1),
    ("get", ["get", "installs", "--scope", "task:T9"], 1),
    ("get", ["get", "pakage_manager"], 1),
    ("error", ["get", "bad key"], 2),
    ("error", ["show", "package_manager"], 3),
    ("explain", ["explain", "package_manager"], 0),
    ("explain", ["explain", "nothing_of_that_kind"], 1),
    ("list", ["list"], 0),
    ("list", ["list", "--all"], 0),
    ("list", ["list", "--ignore-memory"], 0),
    ("search", ["search", "pnpm yarn package"], 0),
    ("search", ["search", "package", "--all", "--max-age", "30d"], 0),
    ("search", ["search", "package", "--ignore-memory"], 0),
    ("error", ["search", "package", "--max-age", "soon"], 2),
    ("show", ["show", "package_manager", "--scope", "repo", "--ignore-memory"], 0),
    ("show", ["show", "package_manager", "--scope", "user"], 0),
    ("history", ["history", "package_manager"], 0),
    ("log", ["log"], 0),
    ("context", ["context"], 0),
    ("context", ["context", "--budget", "60"], 0),
    ("context", ["context", "--ignore-memory"], 0),
    ("whoami", ["whoami"], 0),
    ("error", ["narrow", "package_manager", "--scope", "repo", *WIDE, *SAID], 3),
    ("write", ["reject", "package_manager", "--scope", "repo", "--reason", "not here", *SAID], 0),
    ("write", ["remember", "package_manager", "deno", "--scope", "repo"], 4),
    ("write", ["narrow", "package_manager", "--scope", "user", "--topic", "apps", *SAID], 0),
    ("write", ["expire", "package_manager", "--scope", "user", *SAID], 0),
    ("write", ["remember", "poison", "x", "--scope", "repo", "--from", "url", "--session", "s9"], 0),
    ("write", ["quarantine", "poison", "--reason", "a page"], 0),
    ("write", ["remember", "poison", "y", "--scope", "repo", *SAID], 4),
    ("write", ["release", "poison", *SAID], 0),
    ("quarantine", ["quarantine", "--source", "s9", "--reason", "a page"], 0),
    ("list", ["list", "--status", "quarantined"], 0),
    ("review", ["review"], 0),
    ("review", ["review", "--sample"], 0),
    ("review", ["review", "--ignore-memory"], 0),
    ("trace", ["trace", "installs", "--scope", "task:T9", "--transcripts", "."], 0),
    ("check", ["check"], 0),
    ("refresh", ["refresh"], 0),
    ("health", ["health"], 0),
    ("health", ["health", "--month", "last"], 0),
    ("repair", ["repair"], 0),
    ("repair", ["repair", "--dry-run"], 0),
    ("import", ["import", "markdown", ".", "--dry-run"], 0),
    ("import", ["import", "markdown", "."], 0),
    ("import", ["import", "markdown", "."], 0),
    ("error", ["import", "markdown", "nowhere"], 2),
    ("error", ["sync"], 2),
    ("export", ["export", "agents-md", "AGENTS.md"], 0),
    ("export", ["export", "claude", ".claude/memory"], 0),
    ("error", ["export", "jsonl", "."], 2),
    ("install", ["install", "git", "--dry-run"], 0),
    ("install", ["install", "git"], 0),
    ("install", ["install", "git", "--remove"], 0),
    ("write", ["remember", "bundler", "esbuild", "--scope", "repo", *SAID], 0),
    ("archive", ["archive", "--cold", "365d"], 0),
    ("archive", ["archive", "--cold", "365d", "--yes"], 0),
    ("write", ["archive", "bundler"], 0),
    ("write", ["restore", "bundler"], 0),
    ("forget", ["forget", "installs", "--scope", "task:T9", "--dry-run"], 0),
    ("forget", ["forget", "installs", "--scope", "task:T9", "--yes"], 0),
    ("error", ["forget", "installs"], 2),
    ("rule", ["rule"], 0),
    ("rule", ["rule", "M2"], 0),
    ("schema", ["schema"], 0),
    ("completion", ["completion", "fish"], 0),
]  # fmt: skip


@pytest.fixture
def played(sandbox: Sandbox, repo: Callable[..., Path]) -> list[tuple[str, list[str], Outcome]]:
    """The story, as it was answered."""
    top = repo()
    sandbox.user_memdir.mkdir(parents=True, mode=0o700)
    (sandbox.user_memdir / "config.yaml").write_text("gate:\n  attestation: claimed\n", encoding="utf-8")
    done = []
    for name, args, status in STORY:
        outcome = sandbox.run(*args, "--json", cwd=top)
        assert outcome.exit == status, (args, outcome)
        done.append((name, args, outcome))
    return done


def test_every_document_is_as_its_schema_says_and_has_no_other_keys(
    played: list[tuple[str, list[str], Outcome]], sandbox: Sandbox
) -> None:
    for name, args, outcome in played:
        assert outcome.stderr == "", args
        assert outcome.stdout.isascii()
        assert outcome.json["schema"] == 1
        for published in {name, args[0] if name == "write" else name}:
            errors = [error.message for error in validator(published).iter_errors(outcome.json)]
            assert errors == [], (published, args)
        unknown = set(outcome.json) - set(document(name)["properties"])
        assert not unknown, (args, unknown)
    files = [*memory_files(sandbox.root / "legacy-dashboard/.memdir"), *memory_files(sandbox.user_memdir)]
    assert len(files) >= 5
    for path in files:
        assert [error.message for error in validator("memory").iter_errors(header(path))] == [], path


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_valid_and_described(name: str, sandbox: Sandbox) -> None:
    schema = sandbox.run("schema", name).json
    assert schema == document(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is True
    for key, part in schema["properties"].items():
        assert part.get("description") or "const" in part, key


def test_every_command_has_a_schema() -> None:
    # hooks and MCP answer in shapes that others have fixed
    assert {entry.verb for entry in COMMANDS} - {"hook", "mcp"} <= {*SCHEMAS, *WRITERS}


@pytest.mark.parametrize("verb", WRITERS)
def test_a_verb_that_answers_as_write_says_has_that_schema(verb: str, sandbox: Sandbox) -> None:
    assert sandbox.run("schema", verb).json == document("write")
    assert verb in document("write")["title"]


@pytest.mark.parametrize(
    "broken", [{"schema": 2, "error": {}}, {"schema": 1}, {"error": {"code": "x", "message": "y"}}]
)
def test_a_schema_refuses_what_is_not_its_document(broken: dict[str, Any]) -> None:
    assert not validator("get").is_valid(broken)


def validator(name: str) -> jsonschema.Draft202012Validator:
    """The published schema of that name, ready to judge."""
    return jsonschema.Draft202012Validator(document(name))


def memory_files(memdir: Path) -> Iterator[Path]:
    """Every memory file of a memdir."""
    for folder in ("memories", "inbox", "history", "local/tasks"):
        yield from (memdir / folder).glob("*.md")


def header(path: Path) -> Any:
    """The frontmatter, read by a YAML parser that is not ours."""
    return YAML(typ="safe").load(path.read_text(encoding="utf-8").split("---\n")[1])
