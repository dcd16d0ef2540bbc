"""The project's version: the nearest package.json that tells one, else pyproject.toml, else unknown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdir_cli.domain.runtime import Fact
from memdir_cli.probes.project_version import project_version


def files(root: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_the_nearest_package(tmp_path: Path) -> None:
    files(tmp_path, package_json='{"version": "1.2.3"}', web__package_json='{"version": "4.0.0-rc.1"}')
    (tmp_path / "web/src/deep").mkdir(parents=True)
    assert project_version(str(tmp_path), "") == Fact("1.2.3", "package.json")
    assert project_version(str(tmp_path), "web/src/deep") == Fact("4.0.0-rc.1", "web/package.json")
    assert project_version(str(tmp_path), "api") == Fact("1.2.3", "package.json")


@pytest.mark.parametrize("silent", ["{}", '{"version": null}', '{"version": 1}', '{"version": " "}', "[]", '"1.0.0"'])
def test_a_package_without_version_is_passed_over(tmp_path: Path, silent: str) -> None:
    files(tmp_path, package_json='{"version": "1.2.3"}', web__package_json=silent)
    assert project_version(str(tmp_path), "web").value == "1.2.3"


def test_pyproject_after_every_package(tmp_path: Path) -> None:
    files(tmp_path, pyproject_toml='[project]\nversion = "0.9"\n', py__pyproject_toml="[tool.x]\n")
    assert project_version(str(tmp_path), "py") == Fact("0.9", "pyproject.toml")
    files(tmp_path, package_json='{"version": "1.2.3"}')
    assert project_version(str(tmp_path), "py").value == "1.2.3"


@pytest.mark.parametrize(
    "text", ['[project]\ndynamic = ["version"]\n', "project = 3\n", "[tool.poetry]\nversion = '1'\n"]
)
def test_no_version_anywhere(tmp_path: Path, text: str) -> None:
    files(tmp_path, pyproject_toml=text)
    assert project_version(str(tmp_path), "").value is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON (line 1, column 2)"),
        ('{"version": "1"} // x', "not JSON"),
        ("\xff", "not JSON"),
        ("[" * 9999, "not JSON"),
    ],
)
def test_a_package_that_cannot_be_read_ends_the_search(tmp_path: Path, text: str, why: str) -> None:
    files(tmp_path, package_json='{"version": "1.2.3"}', web__package_json=text)
    fact = project_version(str(tmp_path), "web")
    assert fact.value is None
    assert fact.origin.startswith(f"web/package.json: {why}")


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    files(tmp_path, package_json='\ufeff{\r\n"version": "1.2.3"\r\n}')
    assert project_version(str(tmp_path), "").value == "1.2.3"


def test_neither_links_outwards_nor_special_files_are_read(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    files(tmp_path, package_json='{"version": "6.6.6"}')
    (root / "package.json").symlink_to("../package.json")
    assert project_version(str(root), "") == Fact(None, "package.json: the path leads out of the workspace")
    (root / "package.json").unlink()
    os.mkfifo(root / "package.json")
    assert project_version(str(root), "") == Fact(None, "package.json: it is not a regular file")


@pytest.mark.parametrize("path", ["..", "../x", "/etc"])
def test_a_path_outside_has_no_version(tmp_path: Path, path: str) -> None:
    files(tmp_path, package_json='{"version": "1.2.3"}')
    assert project_version(str(tmp_path), path) == Fact(None, "outside a project")
