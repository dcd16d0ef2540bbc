"""What sessions did after a moment, from folders of transcripts as agents lay them out."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.probes import aftermath
from tests.domain.test_deeds import claude, shell

SINCE = {"s1": "2026-09-14T09:30:00Z"}


def write(path: Path, records: Iterable[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    return path


def at(minute: int, record: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**record, "timestamp": f"2026-09-14T09:{minute:02}:00.123Z", **more}


def test_only_what_followed_counts(tmp_path: Path) -> None:
    records = [
        at(29, claude("Bash", command="rm -rf old")),
        at(30, claude("Bash", command="git push")),
        at(31, claude("Bash", command="curl https://x.example")),
        at(32, claude("Read", file_path="a")),
    ]
    write(tmp_path / "-home-user-app/s1.jsonl", records)
    trails, troubles = aftermath.follow(str(tmp_path), SINCE)
    assert troubles == ()
    assert trails["s1"].tools == {"Bash": 2, "Read": 1}
    assert trails["s1"].risks == {"push": 1, "network": 1}


def test_a_sub_agent_belongs_to_its_session(tmp_path: Path) -> None:
    write(tmp_path / "p/s1.jsonl", [at(31, claude("Task"))])
    write(tmp_path / "p/s1/subagents/agent-a1.jsonl", [at(32, claude("Write"), isSidechain=True, agentId="a1")])
    assert aftermath.follow(str(tmp_path), SINCE)[0]["s1"].tools == {"Task": 1, "Write": 1}


def test_a_rollout_of_codex_is_known_by_its_first_record_or_its_name(tmp_path: Path) -> None:
    meta = {"type": "session_meta", "payload": {"id": "s1"}}
    write(
        tmp_path / "sessions/2026/09/14/rollout-x.jsonl", [at(0, meta), at(31, shell("git push")), at(32, shell("ls"))]
    )
    write(tmp_path / "sessions/2026/09/14/rollout-2026-09-14T09-00-00-s1.jsonl", [at(33, shell("rm -rf x"))])
    trail = aftermath.follow(str(tmp_path), SINCE)[0]["s1"]
    assert (trail.tools, trail.risks) == ({"shell": 3}, {"push": 1, "deletion": 1})


def test_other_sessions_are_left_alone(tmp_path: Path) -> None:
    write(tmp_path / "s10.jsonl", [at(31, claude("Bash"), sessionId="s10")])
    write(tmp_path / "s2.jsonl", [at(31, claude("Bash", command="memdir trace --session s1"), sessionId="s2")])
    assert aftermath.follow(str(tmp_path), SINCE)[0] == {}


def test_a_session_that_did_nothing_is_told_apart_from_one_without_a_transcript(tmp_path: Path) -> None:
    write(tmp_path / "s1.jsonl", [{"type": "user", "sessionId": "s1"}])
    trails, _ = aftermath.follow(str(tmp_path), {**SINCE, "s2": ""})
    assert {session: dict(trail.tools) for session, trail in trails.items()} == {"s1": {}}


def test_a_call_without_a_time_may_have_followed(tmp_path: Path) -> None:
    write(tmp_path / "s1.jsonl", [claude("Bash"), at(29, claude("Read")), claude("Grep"), at(31, claude("Edit"))])
    assert aftermath.follow(str(tmp_path), SINCE)[0]["s1"].tools == {"Bash": 1, "Edit": 1}


def test_lines_that_are_broken_or_too_long_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aftermath, "LINE_BYTES", 2000)
    path = write(tmp_path / "s1.jsonl", [at(31, claude("Bash", command="x" * 5000)), at(32, claude("Read"))])
    with path.open("ab") as stream:
        stream.write(b'{"tool_use"\n[1]"tool_use"\n\xff"tool_use"\n' + json.dumps(at(33, claude("Edit"))).encode())
    assert aftermath.follow(str(tmp_path), SINCE)[0]["s1"].tools == {"Read": 1, "Edit": 1}


def test_what_cannot_be_read_is_told_and_holds_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "s1.jsonl")
    (tmp_path / "link.jsonl").symlink_to(write(tmp_path / "elsewhere/s1.txt", [at(31, claude("Bash"))]))
    (tmp_path / "notes.md").write_text("s1", "utf-8")
    trails, troubles = aftermath.follow(str(tmp_path), SINCE)
    assert trails == {}
    assert len(troubles) == 2
    assert "link.jsonl" in troubles[0]
    assert "not a regular file" in troubles[1]
