"""Wrong usage: one plain sentence, a hint, exit 2; as JSON one document."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.sandbox import Sandbox

WRONG = {
    "unknown command": (["rember"], "memdir has no command `rember`.", "did you mean `memdir remember`?"),
    "unknown option": (["get", "k", "--pth", "x"], "`memdir get` has no option `--pth`.", "`--path`"),
    "option before the command": (["--dir", "x", "get", "k"], "`memdir` has no option `--dir`.", "after the command"),
    "missing argument": (["get"], "`memdir get`: KEY is missing.", "memdir get -h"),
    "missing option": (["settle", "k"], "`memdir settle`: --keep is missing.", "memdir settle -h"),
    "option without value": (["get", "k", "--path"], "`--path` takes a value.", "--path VALUE"),
    "one word too many": (["remember", "k", "npm", "ci"], "`ci` is too much", "memdir remember -h"),
    "value with a dash": (["remember", "k", "-5"], "has no option `-5`", "`--` goes before a value"),
    "scope": (["remember", "k", "v", "--scope", "repositry"], "takes task, repository or user", "--scope repository"),
    "scope with an id": (["remember", "k", "v", "--scope", "user:42"], "names an id", "--scope user"),
    "task without id": (["remember", "k", "v", "--scope", "task:"], "names no task", "task:ID"),
    "type": (["remember", "k", "v", "--type", "project-rul"], "`--type` takes", "--type project-rule"),
    "authority": (["remember", "k", "v", "--authority", "user"], "takes only `policy`", "--authority policy"),
    "from": (["remember", "k", "v", "--from", "me"], "`--from` takes user, file", "--from"),
    "env": (["remember", "k", "v", "--env", "linux"], "`--env` takes K=V", "os=linux"),
    "env twice": (["get", "k", "--env", "os=linux", "--env", "os=macos"], "two values", "--env"),
    "revision": (["remember", "k", "v", "--if-revision", "one"], "takes a whole number", "--if-revision 2"),
    "lock timeout": (["get", "k", "--lock-timeout", "inf"], "takes seconds", "--lock-timeout 10"),
    "body file": (["remember", "k", "--body-file", "gone.md"], "`gone.md` cannot be read: No such file", "stdin"),
    "budget": (["context", "--budget", "-1"], "`--budget` takes a whole number", "--budget"),
    "status": (["list", "--status", "stal"], "`--status` takes", "--status stale"),
    "empty": (["remember", "k", "v", "--scope", "repository", "--topic", ""], "`--topic` is empty.", "leave it out"),
    "blank": (["get", "k", "--env", " "], "`--env` is empty.", "leave it out"),
    "empty path": (["get", "k", "--path", ""], "`--path` is empty.", "leave it out"),
    "empty words": (["confirm", "k", "--from", "user", "--said", ""], "`--said` is empty.", "leave it out"),
    "empty id": (["init", "--id", ""], "`--id` is empty.", "leave it out"),
    "no version": (["get", "k", "--for-version", "latest"], "`latest` is no version.", "--for-version 2.1.0"),
    "no code": (["check", "--select", ","], "`,` names nothing.", "leave it out"),
    "nothing selected": (["check", "--select", "M1", "--ignore", "M1"], "nothing would be checked", "leave out one"),
    "counted lines": (["check", "--statistics", "--format", "sarif"], "`sarif` has no place for it", "leave out one"),
    "counted lines of another": (
        ["check", "--statistics", "--format", "github"], "`github` has no place for it", "leave out one",
    ),
    "proof of nobody": (
        ["remember", "k", "v", "--from", "tool", "--transcript", "t"], "proves the words of a user", "--from user",
    ),
    "schema": (["schema", "gett"], "There is no schema `gett`.", "memdir schema get"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_usage_is_one_sentence_and_a_hint(sandbox: Sandbox, case: str) -> None:
    args, sentence, hint = WRONG[case]
    done = sandbox.run(*args)
    assert (done.exit, done.stdout) == (2, "")
    error, hinted = done.stderr.splitlines()
    assert error.startswith("error: ")
    assert sentence in error
    assert hinted.startswith("hint: ")
    assert hint in hinted


@pytest.mark.parametrize("case", ["unknown command", "unknown option", "missing argument", "scope", "body file"])
def test_as_json_it_is_one_document(sandbox: Sandbox, case: str) -> None:
    (verb, *rest), sentence, _ = WRONG[case]
    done = sandbox.run(verb, "--json", *rest)
    assert (done.exit, done.stderr) == (2, "")
    assert done.json["schema"] == 1
    assert set(done.json["error"]) >= {"code", "message", "hint"}
    assert sentence in done.json["error"]["message"]


def test_two_dashes_end_the_options_of_json_too(sandbox: Sandbox) -> None:
    done = sandbox.run("rember", "--", "--json")
    assert (done.exit, done.stdout) == (2, "")


@pytest.mark.parametrize("verb", ["get", "remember"])
def test_a_command_line_that_is_not_utf8_is_refused(sandbox: Sandbox, verb: str) -> None:
    done = subprocess.run(
        [sys.executable.encode(), b"-m", b"memdir_cli", verb.encode(), b"caf\xe9", b"--json"],
        cwd=sandbox.home,
        env=dict(sandbox.environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "not UTF-8" in json.loads(done.stdout)["error"]["message"]


def test_control_characters_of_the_command_line_do_not_reach_the_terminal(sandbox: Sandbox) -> None:
    done = sandbox.run("get", "\x1b[2Jevil\x07")
    assert done.exit == 2
    assert "\x1b" not in done.stderr
    assert "\x07" not in done.stderr
