"""From citations to evidence: the nearest package.json, workspaces, and what does not exist."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdir_cli.probes.cited import cited
from memdir_cli.probes.ground import Ground

ROOT = {"name": "acme", "scripts": {"test": "vitest", "lint": "eslint .", "is": "true"}}
WEB = {"name": "@acme/web", "scripts": {"test": "jest", "dev": "vite"}}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, package in (("", ROOT), ("packages/web", WEB), ("packages/api", {"name": "api", "scripts": {}})):
        (tmp_path / path).mkdir(parents=True, exist_ok=True)
        (tmp_path / path / "package.json").write_text(json.dumps(package))
    return tmp_path


def probes(root: Path, text: str, start: str = "") -> list[tuple[str, bool]]:
    return [(each.evidence.probe, each.missing) for each in cited([text], Ground(str(root)), start)]


def test_one_script_of_the_nearest_package(root: Path) -> None:
    assert probes(root, "npm run test") == [("package.json#scripts.test", False)]
    for start in ("packages/web", "packages/web/src/deep", "packages/web/gone"):
        assert probes(root, "npm run test", start) == [("packages/web/package.json#scripts.test", False)]
    assert probes(root, "npm run test", "packages") == [("package.json#scripts.test", False)]


def test_the_evidence_holds_hash_and_command(root: Path) -> None:
    (found,) = cited(["npm run lint"], Ground(str(root)))
    assert found.evidence.hash.startswith("v1:")
    assert found.evidence.was == found.seen.shown == "eslint ."


def test_a_script_that_does_not_exist_is_missing(root: Path) -> None:
    (found,) = cited(["npm run e2e"], Ground(str(root)))
    assert found.missing
    assert (found.evidence.probe, found.evidence.hash) == ("package.json#scripts.e2e", "")
    assert probes(root, "`pnpm e2e`") == [("package.json#scripts.e2e", True)]


def test_shorthand_in_a_sentence_counts_only_where_the_script_exists(root: Path) -> None:
    assert probes(root, "pnpm lint before pushing") == [("package.json#scripts.lint", False)]
    assert probes(root, "pnpm works well, yarn does not") == []


def test_without_a_package_json_nothing_can_be_told(tmp_path: Path) -> None:
    assert probes(tmp_path, "npm run build") == []
    assert cited(["npm run build"], Ground("")) == ()


def test_a_package_json_that_cannot_be_read_is_named_without_hash(root: Path) -> None:
    (root / "package.json").write_text("{")
    (found,) = cited(["npm run build"], Ground(str(root)))
    assert (found.seen.state, found.evidence.hash, found.missing) == ("unreadable", "", False)


@pytest.mark.parametrize(
    "command",
    [
        "npm run dev -w packages/web",
        "npm run dev -w ./packages/web",
        "npm run dev --workspace=@acme/web",
        "npm --prefix packages/web run dev",
        "pnpm --filter @acme/web run dev",
        "pnpm --filter web run dev",
        "pnpm --filter ./packages/web run dev",
        "pnpm --filter {packages/web} run dev",
        "pnpm --filter @acme/web... run dev",
        "pnpm -C packages/web run dev",
        "yarn workspace @acme/web run dev",
    ],
)
def test_a_workspace_is_found_by_path_or_name(root: Path, command: str) -> None:
    assert probes(root, command) == [("packages/web/package.json#scripts.dev", False)]


def test_flags_count_from_where_one_stands(root: Path) -> None:
    assert probes(root, "npm -C ../api run x", "packages/web") == []
    assert probes(root, "npm --prefix web run dev", "packages") == [("packages/web/package.json#scripts.dev", False)]
    assert probes(root, "npm run test -w packages/web", "packages/api") == [
        ("packages/web/package.json#scripts.test", False)
    ]
    assert probes(root, "pnpm -w run lint", "packages/web") == [("package.json#scripts.lint", False)]


@pytest.mark.parametrize(
    "command",
    ["pnpm --filter nobody run dev", "pnpm --filter ./packages/* run dev", "npm --prefix /etc run dev",
     "npm --prefix ../.. run dev", "npm run dev -w ../outside"],
)  # fmt: skip
def test_a_workspace_that_cannot_be_told_stands_for_nothing(root: Path, command: str) -> None:
    assert probes(root, command) == []


def test_two_packages_of_one_name_are_none(root: Path) -> None:
    (root / "packages/other").mkdir()
    (root / "packages/other/package.json").write_text(json.dumps(WEB))
    assert probes(root, "pnpm --filter @acme/web run dev") == []


def test_value_description_and_body_together_each_probe_once(root: Path) -> None:
    found = cited(["npm run test", "Run `npm test`.", "```\nnpm run lint\n```"], Ground(str(root)))
    assert [each.evidence.probe for each in found] == ["package.json#scripts.test", "package.json#scripts.lint"]


@pytest.mark.parametrize(
    ("path", "text", "command", "probe"),
    [
        ("Makefile", "build:\n\tcc\n", "make build", "Makefile#targets.build"),
        ("justfile", "deploy:\n  ./x\n", "just deploy", "justfile#targets.deploy"),
        (".cargo/config.toml", '[alias]\nxtask = "run -p xtask"\n', "cargo xtask", ".cargo/config.toml#/alias/xtask"),
        ("composer.json", '{"scripts": {"cs": "phpcs"}}', "composer cs", "composer.json#scripts.cs"),
        ("pyproject.toml", '[project.scripts]\napp = "a:m"\n', "uv run app", "pyproject.toml#/project/scripts/app"),
        (
            "pyproject.toml",
            '[tool.poetry.scripts]\napp = "a:m"\n',
            "poetry run app",
            "pyproject.toml#/tool/poetry/scripts/app",
        ),
        ("pyproject.toml", '[project.scripts]\napp = "a:m"\n', "poetry run app", "pyproject.toml#/project/scripts/app"),
        ("pyproject.toml", '[tool.pdm.scripts]\nfmt = "ruff"\n', "pdm run fmt", "pyproject.toml#/tool/pdm/scripts/fmt"),
    ],
)
def test_other_programs_cite_what_exists_and_nothing_else(
    tmp_path: Path, path: str, text: str, command: str, probe: str
) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    assert probes(tmp_path, f"`{command}`") == [(probe, False)]
    assert probes(tmp_path, f"`{command}-nothing`") == []
