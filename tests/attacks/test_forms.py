"""``--json`` is one document whatever else is asked for, and nothing is told by a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sandbox import Outcome, Sandbox

Run = Callable[..., Outcome]
Repo = Callable[..., Path]


@pytest.mark.parametrize("budget", ["0", "1", "20"])
@pytest.mark.parametrize("form", [["--json"], ["--format", "json"], []])
def test_a_budget_that_holds_no_answer_is_wrong_usage(repo: Repo, run: Run, budget: str, form: list[str]) -> None:
    top = repo(init=True)
    answer = run("context", "--budget", budget, *form, cwd=top)
    assert answer.exit == 2
    assert budget in answer.stderr or budget in answer.json["error"]["message"]


@pytest.mark.parametrize(
    "words", [["context", "--format", "markdown"], ["check", "--format", "text"], ["check", "--format", "github"]]
)
def test_two_forms_at_once_are_wrong_usage(repo: Repo, run: Run, words: list[str]) -> None:
    answer = run(*words, "--json", cwd=repo(init=True))
    assert answer.exit == 2
    assert answer.json["error"]["code"] == "usage"


def test_an_interrupt_while_the_program_is_being_read_is_quiet(sandbox: Sandbox) -> None:
    program = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'memdir_cli.cli.lane':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from memdir_cli.__main__ import main\n"
        "main()\n"
    )

    done = sandbox.process(sys.executable, "-c", program)
    assert (done.exit, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("shell", ["--body-file /dev/zero", "--body-file - < /dev/zero", "--body-file <(yes)"])
def test_a_text_that_never_ends_is_refused(repo: Repo, sandbox: Sandbox, shell: str) -> None:
    top = repo(init=True)
    command = f'"$0" -m memdir_cli remember k --scope repository {shell}'
    done = sandbox.process("bash", "-c", command, sys.executable, cwd=top, timeout=30)
    assert done.exit == 2
    assert "1 MiB" in done.stderr
