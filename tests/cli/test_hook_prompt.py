"""The prompt hook: what memdir has witnessed is proof, for a while, of what the user said and nobody else."""

from __future__ import annotations

import json

import pytest

from memdir_cli.domain.hook import AGENTS
from tests.cli.agent import SAID, SESSION, Project
from tests.sandbox import Sandbox


@pytest.fixture
def here(sandbox: Sandbox) -> Project:
    """A repository with a memdir and nothing remembered."""
    return Project(sandbox)


@pytest.mark.parametrize("agent", AGENTS)
def test_words_of_a_prompt_that_memdir_witnessed_are_proven(agent: str, here: Project) -> None:
    done = here.hook("prompt", agent, prompt=f"One more thing: {SAID}, please.")
    assert (done.exit, done.stderr) == (0, "")
    answer = here.claims()
    assert (answer["decision"], answer["status"], answer["warnings"]) == ("created", "verified", [])
    (source,) = here.run("show", "package_manager", "--json").json["source"]
    assert (source["kind"], source["attested"], source["said"]) == ("user", "hook", SAID)


@pytest.mark.parametrize(
    "prompt",
    [
        f"What is this?\n> {SAID}", f"```\n{SAID}\n```", f'It says "{SAID}".',
        f"<system-reminder>{SAID}</system-reminder>", "keep package-lock.json here", "", "   ",
    ],
)  # fmt: skip
def test_a_prompt_in_which_the_user_does_not_say_it_proves_nothing(prompt: str, here: Project) -> None:
    here.hook("prompt", prompt=prompt)
    assert here.claims()["status"] == "candidate"


def test_a_prompt_counts_in_its_session_only(here: Project) -> None:
    here.hook("prompt", prompt=SAID)
    assert here.claims("a", session="another")["status"] == "candidate"
    assert here.claims("b", session="", env={"CLAUDE_CODE_SESSION_ID": SESSION})["status"] == "verified"
    assert here.claims("c", session="")["status"] == "verified", "nobody says which session, and it was typed here"
    other = here.sandbox.repository("other", init=True)
    assert here.claims("d", session="", cwd=other)["status"] == "candidate"


def test_a_prompt_is_kept_for_14_days_and_then_gone(here: Project) -> None:
    here.hook("prompt", prompt=SAID)
    assert here.claims("a", env={"MEMDIR_NOW": "2026-09-28T09:29:00Z"})["status"] == "verified"
    assert len(here.prompts()) == 1
    later = {"MEMDIR_NOW": "2026-09-28T09:31:00Z"}
    assert here.claims("b", env=later)["status"] == "candidate"
    assert here.prompts() == []


def test_refresh_and_the_next_prompt_let_go_of_what_is_over(here: Project) -> None:
    later = {"MEMDIR_NOW": "2026-09-28T09:31:00Z"}
    here.hook("prompt", prompt=SAID)
    removed = here.run("refresh", "--json", env=later).json["removed"]
    assert (len(removed), here.prompts()) == (1, [])
    here.hook("prompt", prompt=SAID)
    here.hook("prompt", env=later, prompt="something new to say")
    assert [path.name[:8] for path in here.prompts()] == ["20260928"]


def test_the_settings_say_how_long(here: Project) -> None:
    here.hook("prompt", prompt=SAID)
    config = here.sandbox.user_memdir / "config.yaml"
    config.write_text(f"{config.read_text()}retention: {{prompts: 1d}}\n")
    assert here.claims(env={"MEMDIR_NOW": "2026-09-15T09:31:00Z"})["status"] == "candidate"


def test_a_prompt_is_private_once_and_without_secrets(here: Project) -> None:
    token = f"ghp_{'a1B2' * 9}"
    for _ in range(2):
        here.hook("prompt", prompt=f"{SAID} and log in with {token}")
    (path,) = here.prompts()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert token not in path.read_text()
    assert SAID in path.read_text()
    assert here.claims()["status"] == "verified"


@pytest.mark.parametrize(
    ("env", "more"),
    [
        ({"CLAUDECODE": "1"}, {}), ({"CODEX_SANDBOX": "seatbelt"}, {}), ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, {}),
        ({"CI": "true"}, {}), ({}, {"agent_id": "a1b2c3d"}), ({"MEMDIR_IGNORE": "1"}, {}),
    ],
    ids=str,
)  # fmt: skip
def test_what_no_user_types_is_not_kept(env: dict[str, str], more: dict[str, str], here: Project) -> None:
    assert here.hook("prompt", env=env, prompt=SAID, **more).exit == 0
    assert here.prompts() == []
    assert here.claims()["status"] == "candidate"


def test_a_hook_within_an_editors_terminal_is_one_all_the_same(here: Project) -> None:
    here.hook("prompt", env={"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(here.top)}, prompt=SAID)
    assert here.claims()["status"] == "verified"


def test_forgetting_takes_it_out_of_the_prompts_too(here: Project) -> None:
    here.hook("prompt", prompt="my company is Initech, remember that here")
    here.hook("prompt", prompt="and write the tests first")
    said = ("--from", "user", "--said", "my company is Initech", "--session", SESSION)
    assert here.run("remember", "company", "Initech", "--scope", "repository", *said).exit == 0
    here.hook("prompt", prompt="forget that I work for initech")
    assert len(here.prompts()) == 3
    done = here.run("forget", "company", "--yes", *said, "--json")
    assert done.exit == 0, done.stderr
    assert [json.loads(path.read_text())["text"] for path in here.prompts()] == ["and write the tests first"]
    for root in (here.top / ".memdir", here.sandbox.user_memdir):
        for path in root.rglob("*"):
            assert not path.is_file() or "initech" not in path.read_text("utf-8", "replace").lower(), path
