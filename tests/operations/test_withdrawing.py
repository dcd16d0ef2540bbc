"""Withdrawing: what was exported is found again by its record, and taken out when it is forgotten."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.cli.render.incident import report
from memdir_cli.domain.exporting import FORMS, Form
from memdir_cli.errors import UsageError
from memdir_cli.operations.aiming import Wanted
from memdir_cli.operations.forget import forget
from memdir_cli.operations.import_memories import import_memories
from memdir_cli.operations.quarantine import quarantine
from memdir_cli.operations.release import release
from memdir_cli.operations.trace import trace
from memdir_cli.storage import exports
from tests.operations.exporting_place import WORD, give, outside, place, shape
from tests.operations.reading_place import Place
from tests.operations.writing_place import PERSON

__all__ = ["outside", "place"]


@pytest.mark.parametrize("form", FORMS)
def test_forgetting_reaches_what_was_exported_and_nothing_else(place: Place, outside: Path, form: Form) -> None:
    target = outside / "x" if form != "agents-md" else place.top / "AGENTS.md"
    give(place, form, target)
    whole = [*target.rglob("*"), target]
    before = {path: path.read_text() for path in whole if path.is_file()}
    assert any("restart it" in text for text in before.values())
    answer = forget(place.open(), Wanted(ref="gotcha.proxy"), WORD)
    after = {path: path.read_text() for path in whole if path.is_file()}
    assert not any("proxy" in text for text in after.values())
    assert any("npm" in text for text in after.values())
    assert set(answer.removed) >= {str(path.resolve()) for path in before if before[path] != after.get(path)}
    (told,) = [one for one in answer.remains if one.kind == "exports"]
    assert told.known == "unknown"
    again = give(place, form, target)
    assert again.edits == (), "what forgetting left is what an export writes"


def test_forgetting_reaches_a_page_that_was_changed_since(place: Place, outside: Path) -> None:
    give(place, "claude", outside)
    page = outside / "memdir-gotcha.proxy.md"
    page.write_text(page.read_text() + "\nmodified\n")
    forget(place.open(), Wanted(ref="gotcha.proxy"), WORD)
    assert not page.exists()


def test_lines_and_pages_that_somebody_changed_or_moved_go_or_are_named(place: Place, outside: Path) -> None:
    agents, claude, lines = place.top / "AGENTS.md", outside / "pages", outside / "x.jsonl"
    torn = place.top / "CLAUDE.md"
    for form, target in (("agents-md", agents), ("agents-md", torn), ("claude", claude), ("jsonl", lines)):
        give(place, form, target)  # type: ignore[arg-type]
    agents.write_text(re.sub(r"(restart it.*) <!-- \w+ -->", r"\1", agents.read_text()))
    torn.write_text(torn.read_text().replace("<!-- memdir:export:end -->\n", ""))
    (claude / "memdir-gotcha.proxy.md").rename(claude / "mine.md")
    lines.rename(outside / "elsewhere.jsonl")
    answer = forget(place.open(), Wanted(ref="gotcha.proxy"), WORD)
    assert "restart it" not in agents.read_text(), "a line of the block is known by what it says"
    assert "npm" in agents.read_text()
    told = {path: one.known for one in answer.remains if one.kind == "exports" for path in one.where}
    expected = {str(torn): "yes", str(claude / "mine.md"): "yes", str(lines): "unknown"}
    assert {path: told.get(path) for path in expected} == expected


def test_what_forgetting_cannot_reach_is_told(place: Place, outside: Path) -> None:
    target = outside / "x"
    give(place, "jsonl", target)
    target.unlink()
    target.mkdir()
    answer = forget(place.open(), Wanted(ref="gotcha.proxy"), WORD)
    (told,) = [one for one in answer.remains if one.kind == "exports"]
    assert (told.known, told.where) == ("yes", (str(target),))
    assert len(exports.at(place.open().stores[1], "jsonl", str(target)).ids) == 3, "it stays recorded"


def test_a_dry_run_of_forgetting_names_the_files(place: Place, outside: Path) -> None:
    give(place, "claude", outside)
    before = shape(outside)
    answer = forget(place.open(), Wanted(ref="gotcha.proxy"), WORD, dry_run=True)
    assert {str(outside / "MEMORY.md"), str(outside / "memdir-gotcha.proxy.md")} <= set(answer.removed)
    assert shape(outside) == before


@pytest.mark.parametrize("form", FORMS)
def test_quarantine_reaches_what_was_exported_and_trace_told_of_it_before(
    place: Place, outside: Path, form: Form
) -> None:
    target = outside / "x" if form != "agents-md" else place.top / "AGENTS.md"
    give(place, form, target)
    whole = [*target.rglob("*"), target]
    (told,) = trace(place.open(), "gotcha.proxy").exports
    assert told.document() == {"form": form, "path": str(target), "memdir": "project"}
    assert str(target) in report(trace(place.open(), "gotcha.proxy"))
    answer = quarantine(place.open(), "gotcha.proxy", "poison", WORD)
    assert answer.decision == "quarantined"
    assert not any("proxy" in path.read_text() for path in whole if path.is_file())
    assert any("npm" in path.read_text() for path in whole if path.is_file())
    assert {one.code for one in answer.warnings} == {"exported"}
    assert trace(place.open(), answer.memory.id if answer.memory else "").exports == ()
    release(place.open(), answer.memory.id if answer.memory else "", PERSON)
    give(place, form, target)
    assert any("proxy" in path.read_text() for path in whole if path.is_file())


def test_what_quarantine_cannot_reach_is_told_and_tried_again(place: Place, outside: Path) -> None:
    target = outside / "x"
    give(place, "jsonl", target)
    text = target.read_bytes()
    target.unlink()
    target.mkdir()
    answer = quarantine(place.open(), "gotcha.proxy", "poison", WORD)
    (told,) = answer.warnings
    assert (told.code, str(target) in told.message) == ("exported", True)
    target.rmdir()
    target.write_bytes(text)
    with pytest.raises(UsageError, match="in quarantine already"):
        quarantine(place.open(), answer.memory.id if answer.memory else "", "poison", WORD)
    assert b"proxy" not in target.read_bytes()


def test_originals_of_an_import_are_named_among_what_remains(place: Place, outside: Path) -> None:
    original = outside / "note.md"
    original.write_text("The staging host is called kestrel.\n")
    (one,) = import_memories(place.open(), "markdown", str(original)).imported
    answer = forget(place.open(), Wanted(ref=one.memory.id), WORD)
    (told,) = [left for left in answer.remains if left.kind == "originals"]
    assert (told.known, told.where) == ("yes", (str(original),))
    assert original.exists()


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.one_of(
        st.binary(max_size=80),
        st.recursive(st.none() | st.text(max_size=5) | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(
            st.sampled_from(["format", "exports", "form", "path", "ids", "pages", "claude"]), inner)).map(
            lambda value: json.dumps({"format": 1, "exports": [value, value]}).encode()),
    )
)  # fmt: skip
def test_a_damaged_record_records_nothing_and_hinders_nobody(place: Place, content: bytes) -> None:
    store = place.open().stores[1]
    record = Path(store.root) / "local/exports.json"
    record.write_bytes(content)
    assert isinstance(exports.recorded(store), tuple)
    assert give(place, "agents-md", "AGENTS.md").count == 3
    assert len(exports.recorded(store)) >= 1
    os.unlink(place.top / "AGENTS.md")
