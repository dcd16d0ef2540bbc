"""Pointers into files that may hold secrets: what is hashed, and what is not copied into a memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdir_cli.probes.ground import Ground
from memdir_cli.probes.registry import take


@pytest.mark.parametrize(
    ("pointer", "was"),
    [
        ("/server/port", "8080"),
        ("/files", '["a", "b"]'),
        ("/server/apiKey", ""),
        ("/DB_PASSWORD", ""),
        ("/server", ""),
        ("/list", ""),
    ],
)
def test_what_may_hold_a_secret_is_hashed_but_not_copied(tmp_path: Path, pointer: str, was: str) -> None:
    server = {"port": 8080, "apiKey": "hunter2"}
    document = {"server": server, "DB_PASSWORD": "x", "files": ["a", "b"], "list": [server]}
    (tmp_path / "c.json").write_text(json.dumps(document), encoding="utf-8")
    evidence, seen = take(f"c.json#{pointer}", Ground(str(tmp_path)))
    assert (seen.state, seen.shown) == ("seen", was)
    assert evidence.hash
    assert evidence.was == was


def test_a_script_that_holds_a_secret_is_hashed_but_not_copied(tmp_path: Path) -> None:
    token = "gh" + "p_" + "a1B2" * 9
    scripts = {"deploy": f"TOKEN={token} ./deploy", "build": "vite build"}
    (tmp_path / "package.json").write_text(json.dumps({"scripts": scripts}), encoding="utf-8")
    evidence, seen = take("package.json#scripts.deploy", Ground(str(tmp_path)))
    assert (seen.state, evidence.was) == ("seen", "")
    assert evidence.hash
    whole, _ = take("package.json#scripts", Ground(str(tmp_path)))
    assert token not in whole.was
    built, _ = take("package.json#scripts.build", Ground(str(tmp_path)))
    assert built.was == "vite build"
