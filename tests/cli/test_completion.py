"""What the shells offer: asked through bash, zsh and fish themselves."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir_cli.cli.app import COMMANDS, load
from memdir_cli.cli.completing import BY_PARAMETER
from memdir_cli.cli.options import DECLARED
from tests.sandbox import Sandbox

SAID = ("--from", "user", "--said", "keep it so")

#: Each prints the candidates for the words that follow, one a line; `$0` is a folder in which `memdir` lies.
ASKING = {
    "bash": """
        source <(memdir completion bash)
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _memdir_completion memdir "${COMP_WORDS[COMP_CWORD]}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """,
    "zsh": """
        compdef() { : }
        _arguments() { print -l ${(Q)${(z)${${@[-1]#\\*: :\\(\\(}%\\)\\)}}} }
        compadd() { print -l -- $@ }
        source <(memdir completion zsh)
        words=("$@"); CURRENT=$#
        _memdir_completion
    """,
    "fish": """
        memdir completion fish | source
        complete --do-complete "$argv"
    """,
}

Ask = Callable[..., set[str]]


@pytest.fixture
def ask(sandbox: Sandbox, repo: Callable[..., Path]) -> Ask:
    """Asks a shell, in a repository with memories, what it offers for words of which the last is not finished."""
    top = repo(init=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate:\n  attestation: claimed\n", encoding="utf-8")
    for key in ("package_manager", "port", "poison"):
        assert sandbox.run("remember", key, "1", "--scope", "repository", *SAID, cwd=top).exit == 0
    assert sandbox.run("quarantine", "poison", "--reason", "a page told it", cwd=top).exit == 0
    programs = sandbox.root / "bin"
    programs.mkdir()
    (programs / "memdir").write_text(f'#!/bin/sh\nexec {sys.executable} -m memdir_cli "$@"\n')
    (programs / "memdir").chmod(0o755)

    def asked(shell: str, *words: str) -> set[str]:
        if shutil.which(shell) is None:
            pytest.skip(f"{shell} is not installed")
        path = f"{programs}:{sandbox.environ['PATH']}"
        quiet = {"bash": ("--norc",), "zsh": ("-f",), "fish": ("--no-config",)}[shell]
        given = (str(programs), *words) if shell != "fish" else words
        done = sandbox.process(shell, *quiet, "-c", ASKING[shell], *given, cwd=top, env={"PATH": path})
        assert done.stderr == ""
        return {line.split("\t")[0].split(":")[0] for line in done.stdout.splitlines() if line.strip()}

    return asked


@pytest.mark.parametrize("shell", ASKING)
def test_a_shell_offers_commands_keys_and_words(shell: str, ask: Ask) -> None:
    assert ask(shell, "memdir", "arch") == {"archive"}
    assert ask(shell, "memdir", "get", "p") == {"package_manager", "port"}
    assert ask(shell, "memdir", "rule", "M20") >= {"M201", "M202"}
    assert ask(shell, "memdir", "remember", "k", "v", "--scope", "re") == {"repository"}


def test_ids_are_offered_and_what_is_in_quarantine_only_to_release_it(ask: Ask, sandbox: Sandbox) -> None:
    listed = sandbox.run("list", "--all", "--json", cwd=sandbox.root / "legacy-dashboard").json["memories"]
    ids = {one["predicate"]: one["id"] for one in listed}
    offered = ask("bash", "memdir", "show", "")
    assert {"package_manager", "port", ids["port"]} <= offered
    assert not {"poison", ids["poison"]} & offered
    assert ask("bash", "memdir", "release", "") == {ids["poison"]}


def test_a_name_in_a_file_of_somebody_else_is_no_command(ask: Ask, sandbox: Sandbox) -> None:
    top = sandbox.root / "legacy-dashboard"
    page = top / ".memdir/memories/port.md"
    for name in ("$(touch stolen)", "`touch stolen`", "a b", "*"):
        page.write_text(page.read_text().replace("predicate: port", f"predicate: '{name}'"))
        for shell in ASKING:
            if shutil.which(shell) is not None:
                assert ask(shell, "memdir", "get", "p") == {"package_manager"}
        page.write_text(page.read_text().replace(f"predicate: '{name}'", "predicate: port"))
    assert not (top / "stolen").exists()


def test_memory_that_is_to_be_ignored_is_not_offered(ask: Ask, sandbox: Sandbox) -> None:
    top = sandbox.root / "legacy-dashboard"
    asked = {"_MEMDIR_COMPLETE": "complete_bash", "COMP_WORDS": "memdir get p", "COMP_CWORD": "2"}
    assert sandbox.run(cwd=top, env=asked).stdout == "package_manager\nport\n"
    done = sandbox.run(cwd=top, env={**asked, "MEMDIR_IGNORE": "1"})
    assert (done.exit, done.stdout.strip(), done.stderr) == (0, "", "")


def test_outside_everything_nothing_is_offered_and_nothing_said(sandbox: Sandbox) -> None:
    asked = {"_MEMDIR_COMPLETE": "complete_bash", "COMP_WORDS": "memdir get ", "COMP_CWORD": "2"}
    done = sandbox.run(env={**asked, "XDG_DATA_HOME": "/proc"})
    assert (done.exit, done.stdout.strip(), done.stderr) == (0, "", "")


def test_what_is_offered_belongs_to_parameters_that_exist() -> None:
    assert {*BY_PARAMETER} <= {name.rpartition(".")[2] for name in DECLARED}
    taken = {param.name for entry in COMMANDS for param in load(entry.verb).params}
    assert {*BY_PARAMETER} <= taken


def test_no_other_shell_is_known(sandbox: Sandbox) -> None:
    done = sandbox.run("completion", "bsh")
    assert done.exit == 2
    assert "give `bash`" in done.stderr
