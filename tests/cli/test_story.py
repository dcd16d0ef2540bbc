"""The story that memdir is for, as a person sees it: three repositories, one user, six statements."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.sandbox import Sandbox


@pytest.fixture
def sandbox(sandbox: Sandbox) -> Sandbox:
    """The user accepts what agents claim that they said."""
    sandbox.user_memdir.mkdir(parents=True, mode=0o700)
    (sandbox.user_memdir / "config.yaml").write_text("gate:\n  attestation: claimed\n", encoding="utf-8")
    return sandbox


def transcript(sandbox: Sandbox, top: Path, *lines: str, **env: str) -> str:
    """The command lines with what they print; ids by order of appearance, no path of this machine."""
    told = []
    for line in lines:
        words = shlex.split(line)
        said = [part for word in words for part in _user(word)]
        done = sandbox.run(*said, cwd=top, env=env)
        status = f"-> {done.exit}\n" if done.exit else ""
        told.append(f"$ memdir {line}\n{done.stdout}{done.stderr}{status}")
    text = "".join(told).replace(str(sandbox.root), "~")
    ids: dict[str, str] = {}
    return re.sub(r"\b[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{12}\b", lambda m: _named(ids, m[0]), text)


def _named(ids: dict[str, str], one: str) -> str:
    return ids.setdefault(one, f"ID{len(ids) + 1}")


def _user(word: str) -> list[str]:
    """``@words`` is what the user said in a message of its own."""
    return ["--from", "user", "--said", word[1:], "--message", f"m{len(word)}"] if word.startswith("@") else [word]


def test_a_rule_for_one_repository_leaves_the_users_default_alone(sandbox: Sandbox) -> None:
    legacy = sandbox.repository("legacy-dashboard", init=True)
    fresh = sandbox.repository("new-project")
    told = transcript(
        sandbox,
        legacy,
        "remember package_manager pnpm --scope user '@new frontends use pnpm'",
        "remember package_manager npm --scope repo '@this repository keeps npm ci'",
        "remember package_manager npm --scope repo '@still npm ci here'",
        "get package_manager",
        "explain package_manager",
    )
    assert told == snapshot("""\
$ memdir remember package_manager pnpm --scope user '@new frontends use pnpm'
created package_manager = pnpm [user] ID1
$ memdir remember package_manager npm --scope repo '@this repository keeps npm ci'
created package_manager = npm [repository:github.com/acme/legacy-dashboard] ID2
$ memdir remember package_manager npm --scope repo '@still npm ci here'
confirmed package_manager = npm [repository:github.com/acme/legacy-dashboard] ID2
$ memdir get package_manager
npm
$ memdir explain package_manager
winner	npm	repository:github.com/acme/legacy-dashboard	verified	ID2	repository comes before user
lost	pnpm	user	verified	ID1	beaten by `ID2`: repository comes before user
""")
    assert transcript(sandbox, fresh, "get package_manager") == "$ memdir get package_manager\npnpm\n"
    later = transcript(
        sandbox,
        fresh,
        "remember package_manager bun '@maybe bun'",
        "correct package_manager npm --scope user '@from now on npm'",
        "history package_manager --scope user",
    )
    assert later == snapshot("""\
$ memdir remember package_manager bun '@maybe bun'
error: Where does `package_manager` apply? No scope was given, and nothing is guessed.
  memdir remember --scope user package_manager bun --from user --said 'maybe bun' --message m10
hint: add `--scope repository`, `--scope user` or `--scope task:ID`
-> 3
$ memdir correct package_manager npm --scope user '@from now on npm'
superseded package_manager = npm [user] ID1
$ memdir history package_manager --scope user
ID1@1	pnpm	user	superseded	2026-09-14	user, claimed by agent (message:m23)
ID1@2	npm	user	verified	2026-09-14	user, claimed by agent (message:m16)
""")
    assert transcript(sandbox, legacy, "get package_manager") == "$ memdir get package_manager\nnpm\n"


def test_a_task_that_installs_nothing_is_told_so(sandbox: Sandbox) -> None:
    legacy = sandbox.repository("legacy-dashboard", init=True)
    lines = (
        "remember package_manager npm --scope repo '@npm ci here'",
        "remember package_manager --none --scope task '@install nothing for this ticket'",
        "get package_manager",
    )
    assert transcript(sandbox, legacy, *lines, MEMDIR_TASK="T9") == snapshot("""\
$ memdir remember package_manager npm --scope repo '@npm ci here'
created package_manager = npm [repository:github.com/acme/legacy-dashboard] ID1
$ memdir remember package_manager --none --scope task '@install nothing for this ticket'
created package_manager = (nothing applies) [task:T9] ID2
$ memdir get package_manager
Nothing applies: `ID2` says so for task:T9.
-> 1
""")


def test_a_contradiction_of_equal_weight_is_for_a_person_to_settle(sandbox: Sandbox) -> None:
    legacy = sandbox.repository("legacy-dashboard", init=True)
    lines = (
        "remember test_runner jest --scope repo '@we test with jest'",
        "remember test_runner vitest --scope repo '@tests run in vitest'",
        "get test_runner",
        "correct test_runner vitest --scope repo '@vitest it is'",
        "get test_runner",
        "log",
    )
    assert transcript(sandbox, legacy, *lines) == snapshot("""\
$ memdir remember test_runner jest --scope repo '@we test with jest'
created test_runner = jest [repository:github.com/acme/legacy-dashboard] ID1
$ memdir remember test_runner vitest --scope repo '@tests run in vitest'
conflicted test_runner = (in conflict) [repository:github.com/acme/legacy-dashboard] ID1 conflicted
error: Two values of equal weight stand against each other for `test_runner`; none is served.
hint: memdir settle ID1 --keep SIDE-ID
  ID2  jest
  ID3  vitest
-> 3
$ memdir get test_runner
error: `test_runner` is in conflict: ask which value holds.
hint: memdir show ID1; then memdir settle ID1 --keep SIDE-ID
-> 3
$ memdir correct test_runner vitest --scope repo '@vitest it is'
superseded test_runner = vitest [repository:github.com/acme/legacy-dashboard] ID1
$ memdir get test_runner
vitest
$ memdir log
2026-09-14T09:30:00Z	superseded	ID1@3	test_runner	verified	user	project
2026-09-14T09:30:00Z	conflicted	ID1@2	test_runner	conflicted	user	project
2026-09-14T09:30:00Z	created	ID1@1	test_runner	verified	user	project
""")
