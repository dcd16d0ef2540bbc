"""A repository whose ``.git`` was packed by somebody else: memdir asks git, and git runs nothing of theirs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdir_cli.cli.app import COMMANDS
from tests.fuzz.declared import ENDLESS, line
from tests.fuzz.entering import entered
from tests.fuzz.places import WORDS, Place, lived
from tests.fuzz.playing import broken_promise
from tests.quick_folder import quick_folder

#: Every setting by which git can be made to run a program, or to fetch.
CONFIG = """
[core]
	fsmonitor = {trap}
	hooksPath = {hooks}
	sshCommand = {trap}
	pager = {trap}
	editor = {trap}
	askPass = {trap}
	gitProxy = {trap}
	alternateRefsCommand = {trap}
[diff]
	external = {trap}
[log]
	showSignature = true
[gpg]
	program = {trap}
[filter "x"]
	clean = {trap}
	smudge = {trap}
	process = {trap}
[diff "x"]
	textconv = {trap}
	command = {trap}
[merge "x"]
	driver = {trap}
[alias]
	remote = !{trap}
	log = !{trap}
	rev-parse = !{trap}
	ls-files = !{trap}
[credential]
	helper = !{trap}
[remote "origin"]
	url = ext::{trap} %S
	uploadpack = {trap}
	promisor = true
	partialclonefilter = blob:none
[extensions]
	partialClone = origin
"""

LINES = [
    *(line(entry.verb) for entry in COMMANDS if entry.verb not in ENDLESS),
    ["check", "--staged"],
    ["forget", "build", "--yes", *WORDS],
]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with quick_folder(tmp_path) as folder:
        found = lived(folder / "here")
        found.sandbox.git("add", "-A", cwd=found.top)
        found.sandbox.git("commit", "-qm", "Add a memdir", cwd=found.top)
        yield found


def trapped(place: Place) -> Path:
    """Set the traps; the file that one of them leaves."""
    sprung, trap, hooks = place.root / "sprung", place.root / "trap", place.root / "hooks"
    trap.write_text(f'#!/bin/sh\necho "$0 $*" >> {sprung}\nexit 1\n', "utf-8")
    trap.chmod(0o755)
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-commit"):
        (hooks / name).symlink_to(trap)
    with (place.top / ".git/config").open("a", encoding="utf-8") as config:
        config.write(CONFIG.format(trap=trap, hooks=hooks))
    (place.top / ".gitattributes").write_text("* filter=x diff=x merge=x\n", "utf-8")
    return sprung


def test_no_verb_lets_git_run_what_a_repository_names(place: Place) -> None:
    sprung = trapped(place)
    place.sandbox.process("git", "status", cwd=place.top)
    assert sprung.exists(), "the traps work"
    sprung.unlink()
    for words in LINES:
        done = entered(words, cwd=place.top, environ=place.sandbox.environ, stdin=b"{}")
        assert broken_promise(done) == "", done
        assert not sprung.exists(), (words, sprung.read_text("utf-8"))


def test_what_is_not_here_is_not_fetched(place: Place) -> None:
    sprung = trapped(place)
    for pack in (place.top / ".git/objects").rglob("*"):
        if pack.is_file():
            pack.unlink()
    for words in (["check", "--staged"], ["whoami"], ["forget", "build", "--yes", *WORDS]):
        done = entered(words, cwd=place.top, environ=place.sandbox.environ)
        assert broken_promise(done) == "", done
        assert not sprung.exists(), (words, sprung.read_text("utf-8"))


@pytest.mark.parametrize("count", ["", "1", "x", "-1", "99999999999999999999"])
def test_the_settings_of_a_person_in_the_environment_still_count(place: Place, count: str) -> None:
    own = {
        "GIT_CONFIG_COUNT": count,
        "GIT_CONFIG_KEY_0": "url.https://x.org/y.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://github.com/acme",
    }
    done = entered(["whoami"], cwd=place.top, environ={**place.sandbox.environ, **own})
    assert done.exit == 0
    assert ("x.org/y/app" in done.stdout) is (count == "1")


@pytest.mark.parametrize(
    "pointer",
    [
        "gitdir: /\n",
        "gitdir: .\n",
        "gitdir: ../../..\n",
        "gitdir: \n",
        "gitdir: /dev/zero\n",
        "gitdir: .git\n",
        "x" * 100_000,
        "\0",
        "gitdir: \0",
    ],
)
def test_a_git_file_that_leads_nowhere_stops_nobody(place: Place, pointer: str) -> None:
    os.rename(place.top / ".git", place.root / "elsewhere")
    (place.top / ".git").write_text(pointer, "utf-8")
    for words in (
        ["get", "build"],
        ["check"],
        ["check", "--staged"],
        ["whoami"],
        ["remember", "k", "v", "--private", *WORDS],
    ):
        done = entered(words, cwd=place.top, environ=place.sandbox.environ)
        assert broken_promise(done) == "", done


@pytest.mark.parametrize("name", ["config", "HEAD", "index", "commondir", "objects", "info/exclude"])
def test_a_pipe_in_the_repository_stops_nobody(place: Place, name: str) -> None:
    path = place.top / ".git" / name
    path.parent.mkdir(exist_ok=True)
    if path.exists():
        os.rename(path, place.root / "aside")
    os.mkfifo(path)
    for words in (["get", "build"], ["context"], ["hook", "prompt", "--agent", "claude"]):
        done = entered(words, cwd=place.top, environ=place.sandbox.environ, stdin=b"{}")
        assert broken_promise(done) == "", done
