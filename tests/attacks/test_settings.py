"""Settings that ask for more care in a way that memdir does not know are never passed over in silence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sandbox import Outcome, Sandbox

WORDS = ("--from", "user", "--said", "use v for k", "--session", "s1", "--message", "m1")


@pytest.mark.parametrize(
    "settings",
    ["gate: proven", "gate: [proven]", "gate: {attestation: [proven]}", "gate: {atestation: proven}", "policy: u1"],
)
def test_a_project_that_asks_for_proof_in_other_words_is_not_served_as_if_it_had_not(
    repo: Callable[..., Path], run: Callable[..., Outcome], sandbox: Sandbox, settings: str
) -> None:
    sandbox.user_memdir.mkdir(parents=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", encoding="utf-8")
    top = repo(init=True)
    config = top / ".memdir/config.yaml"
    config.write_text(f"{config.read_text(encoding='utf-8')}{settings}\n", encoding="utf-8")
    refused = run("remember", "k", "v", "--scope", "repository", *WORDS, "--json", cwd=top)
    assert (refused.exit, refused.json["error"]["code"]) == (6, "config-unreadable")
    checked = run("check", "--json", cwd=top)
    assert checked.exit == 2
    assert checked.json["findings"][0]["path"] == ".memdir/config.yaml"
