"""trace: who was shown a memory, what they did then, what derives from it; and no text of it anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.cli.render.incident import report
from memdir_cli.domain.incident import Incident
from memdir_cli.domain.statement import Provenance
from memdir_cli.errors import PersonNeededError, UsageError
from memdir_cli.operations.context import context
from memdir_cli.operations.get import get
from memdir_cli.operations.show import show
from memdir_cli.operations.trace import trace
from tests.domain.test_deeds import claude
from tests.operations.writing_place import AGENT, Scene, message, scene
from tests.probes.test_aftermath import write
from tests.sandbox import Outcome, Sandbox

LATER = "2026-09-15T09:30:00Z"
CANARIES = ("zebrakey", "zebravalue", "zebrabody", "zebradescription", "zebratopic", "zebrasaid", "newzebra")


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository with one memory that was corrected once; both revisions were shown."""
    found = scene(sandbox, claims=True)
    found.remember(
        "zebrakey", "zebravalue", by=message(1, "zebrasaid"), body="zebrabody\n", description="zebradescription"
    )
    read(found, "s1", "T1", "get")
    read(found, "s1", "T1", "context")
    found.correct("zebrakey", "newzebra", by=message(2))
    read(found.at(LATER), "s2", "", "show")
    read(found.at(LATER), "", "", "get")
    return found


def read(here: Scene, session: str, task: str, verb: str) -> None:
    env = {name: value for name, value in (("MEMDIR_SESSION", session), ("MEMDIR_TASK", task)) if value}
    place = here.open(env=env)
    acts: dict[str, Callable[[], Any]] = {
        "get": lambda: get(place, "zebrakey"),
        "context": lambda: context(place),
        "show": lambda: show(place, "zebrakey"),
    }
    acts[verb]()


def traced(here: Scene, ref: str = "zebrakey", **more: Any) -> Incident:
    return trace(here.open(), ref, **more)


def told(answer: Incident) -> Any:
    return json.loads(json.dumps(answer.document()))


def test_every_session_is_told_with_its_reads(here: Scene) -> None:
    document = told(traced(here))
    assert [(one["session"], one["tasks"], one["verbs"], one["revisions"]) for one in document["sessions"]] == [
        ("s1", ["T1"], {"context": 1, "get": 1}, [1]),
        ("s2", [], {"show": 1}, [2]),
        (None, [], {"get": 1}, [2]),
    ]
    first = document["sessions"][0]
    assert (first["first"], first["last"], first["followed"]) == ("2026-09-14T09:30:00Z", "2026-09-14T09:30:00Z", None)
    assert first["reads"][0] == {
        "at": "2026-09-14T09:30:00Z", "verb": "get", "task": "T1", "revision": 1, "status": "verified",
    }  # fmt: skip
    assert document["counts"] == {"sessions": 2, "tasks": 1, "reads": 4, "derived": 0}
    assert (document["since"], "lower bound" in document["lowerBound"]) == ("2026-09-14T09:30:00Z", True)
    assert (document["status"], document["level"], document["sources"]) == ("verified", "repository", {"user": 1})
    assert [one["kind"] for one in document["events"]] == ["created", "superseded"]


def test_one_revision_is_traced_alone(here: Scene) -> None:
    memory_id = traced(here).id
    for number, sessions in ((1, ["s1"]), (2, ["s2", None])):
        document = told(traced(here, f"{memory_id}@{number}"))
        assert [one["session"] for one in document["sessions"]] == sessions
        assert (document["revision"], document["status"]) == (number, "verified")


def test_neither_form_holds_any_text_of_it(here: Scene, tmp_path: Path) -> None:
    write(tmp_path / "transcripts/s1.jsonl", [claude("Bash", command="echo zebravalue > zebrabody")])
    answer = traced(here, transcripts=str(tmp_path / "transcripts"))
    for text in (json.dumps(answer.document()), report(answer)):
        assert [canary for canary in CANARIES if canary in text] == []
        assert answer.id in text


def test_what_followed_is_counted_and_risks_are_marked(here: Scene, tmp_path: Path) -> None:
    calls = [claude("Bash", command="git push"), claude("Bash", command="rm -rf x"), claude("Edit", file_path="a")]
    write(tmp_path / "transcripts/app/s1.jsonl", [{**call, "timestamp": "2026-09-14T09:31:00.000Z"} for call in calls])
    answer = traced(here, transcripts=str(tmp_path / "transcripts"))
    followed = [one["followed"] for one in told(answer)["sessions"]]
    assert followed == [{"calls": 3, "tools": {"Bash": 2, "Edit": 1}, "risks": {"push": 1, "deletion": 1}}, None, None]
    (row,) = (line for line in report(answer).splitlines() if line.startswith("| s1 "))
    assert row.endswith("| Bash 2, Edit 1; **push 1, deletion 1** |")
    assert "| no transcript |" in report(answer)


def test_a_folder_that_is_none_is_wrong_usage(here: Scene) -> None:
    with pytest.raises(UsageError):
        traced(here, transcripts=str(here.top / "nowhere"))


def test_what_has_to_do_with_it_is_named_by_its_id(here: Scene) -> None:
    page = Provenance("url", said="zebrasaid", session="s7", message="m7")
    made: dict[str, Any] = {
        "traced": here.remember("zebra", "v", by=page),
        "same-source": here.remember("other", "w", by=page),
        "mentions": here.remember("third", "see `memories/zebra.md`", by=AGENT),
    }
    here.remember("unrelated", "x", by=AGENT)
    answer = traced(here, made["traced"].memory.id)
    found = {one.relation: one.id for one in answer.derived}
    assert found == {name: made[name].memory.id for name in ("same-source", "mentions")}
    assert (answer.status, answer.affected) == ("candidate", ())
    assert "No read in the log since 2026-09-14T09:30:00Z gave it away." in report(answer)


def test_rivals_and_heirs_are_related(here: Scene) -> None:
    rival = here.remember("zebrakey", "third", by=AGENT)
    assert rival.memory is not None
    answer = traced(here)
    assert [(one.relation, one.id) for one in answer.derived] == [("rival", rival.memory.id)]
    other = traced(here, rival.memory.id)
    assert [(one.relation, one.id) for one in other.derived] == [("rival", answer.id)]


def test_a_memory_whose_file_is_gone_is_traced_by_its_id(here: Scene) -> None:
    memory_id = traced(here).id
    for path in (*(here.memdir / "memories").glob("*"), *(here.memdir / "history").glob("*")):
        path.unlink()
    document = told(traced(here, memory_id))
    assert (document["status"], document["counts"]["reads"]) == (None, 4)
    assert "No file of it is left." in report(traced(here, memory_id))
    with pytest.raises(UsageError) as error:
        traced(here, "zebrakey")
    assert error.value.code == "unknown-ref"


def test_several_memories_are_not_traced_as_one(here: Scene) -> None:
    here.remember("zebrakey", "mine", "user", by=message(3))
    with pytest.raises(PersonNeededError):
        traced(here)
    assert traced(here, level="user").affected == ()


def test_a_log_that_cannot_be_read_is_told(here: Scene) -> None:
    access = here.memdir / "local/access"
    for path in access.iterdir():
        path.unlink()
    access.rmdir()
    access.symlink_to(here.top)
    answer = traced(here)
    assert [caution.code for caution in answer.warnings] == ["log-unreadable"]
    assert answer.affected == ()


def test_the_command_prints_the_report_and_the_document(here: Scene, run: Callable[..., Outcome]) -> None:
    plain = run("trace", "zebrakey", cwd=here.top)
    assert (plain.exit, plain.stdout) == (0, report(traced(here)) + "\n")
    document = run("trace", "zebrakey", "--json", cwd=here.top).json
    assert document == {"schema": 1, **told(traced(here))}
    assert run("trace", "nothing_of_that_kind", cwd=here.top).exit == 2
