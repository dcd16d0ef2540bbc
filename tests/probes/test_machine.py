"""Operating system, container and shell, each from what is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.domain.runtime import UNKNOWN, Fact
from memdir_cli.probes.machine import container, environment_facts, shell


@pytest.mark.parametrize(
    ("platform", "name"),
    [("linux", "linux"), ("darwin", "macos"), ("win32", "windows"), ("cygwin", "windows"), ("freebsd14", "freebsd")],
)
def test_the_operating_system(platform: str, name: str, tmp_path: Path) -> None:
    assert environment_facts({}, platform, str(tmp_path))["os"].value == name


def test_no_sign_of_a_container(tmp_path: Path) -> None:
    assert container({}, str(tmp_path)).value == "false"


@pytest.mark.parametrize("sign", [".dockerenv", "run/.containerenv", "run/systemd/container"])
def test_a_file_that_an_engine_leaves(sign: str, tmp_path: Path) -> None:
    (tmp_path / sign).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / sign).touch()
    assert container({}, str(tmp_path)) == Fact("true", f"file /{sign}")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("KUBERNETES_SERVICE_HOST", "10.0.0.1", "true"),
        ("container", "podman", "true"),
        ("CODESPACES", "true", "true"),
        ("container", "", "false"),
        ("CODESPACES", "false", "false"),
        ("REMOTE_CONTAINERS", "0", "false"),
    ],
)
def test_a_variable_that_an_engine_sets(name: str, value: str, expected: str, tmp_path: Path) -> None:
    assert container({name: value}, str(tmp_path)).value == expected


@pytest.mark.parametrize(
    ("groups", "expected"),
    [("12:cpu:/docker/4f2a\n", "true"), ("1:name=systemd:/kubepods/burstable/x\n", "true"), ("0::/\n", "false")],
)
def test_control_groups(groups: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "proc/1").mkdir(parents=True)
    (tmp_path / "proc/1/cgroup").write_text(groups)
    assert container({}, str(tmp_path)).value == expected


@pytest.mark.parametrize(
    ("environ", "fact"),
    [
        ({"SHELL": "/bin/bash"}, Fact("bash", "environment SHELL")),
        ({"SHELL": "/opt/homebrew/bin/fish"}, Fact("fish", "environment SHELL")),
        ({"SHELL": "C:\\Program Files\\Git\\bin\\Bash.EXE"}, Fact("bash", "environment SHELL")),
        ({"COMSPEC": "C:\\Windows\\system32\\cmd.exe"}, Fact("cmd", "environment COMSPEC")),
        ({"SHELL": ""}, UNKNOWN),
        ({"SHELL": "/bin/"}, UNKNOWN),
        ({"SHELL": "/bin/\x1b[31m"}, UNKNOWN),
        ({}, UNKNOWN),
    ],
)
def test_the_shell(environ: dict[str, str], fact: Fact) -> None:
    assert shell(environ) == fact
