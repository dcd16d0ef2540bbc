"""Notes of basic-memory and the graph of the MCP memory server: what each line says, and what is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdir_cli.domain.foreign import VALUE_LETTERS, Entry, Found
from memdir_cli.storage.foreign import read

LONGEST = "x" * VALUE_LETTERS
LONGER = "x" * (VALUE_LETTERS + 1)

BLOCK = "<!-- memdir:export:begin -->\n- gotcha: {} [[proxy]] <!-- a1 -->\n<!-- memdir:export:end -->\n"


def vault(folder: Path, content: str) -> Found:
    (folder / "a.md").write_text(content, encoding="utf-8")
    return read("basic-memory", str(folder), {})


def graph(folder: Path, *lines: object) -> Found:
    text = "".join(line if isinstance(line, str) else f"{json.dumps(line)}\n" for line in lines)
    (folder / "memory.jsonl").write_text(text, encoding="utf-8")
    return read("mcp", str(folder), {})


def only(one: Found) -> Entry:
    (entry,) = one.entries
    assert one.unread == ()
    return entry


@pytest.mark.parametrize(
    ("line", "name", "value", "description"),
    [
        ("- [fact] alone", ("a", "fact"), "alone", "a: alone"),
        ("  * [fact]  alone \t", ("a", "fact"), "alone", "a: alone"),
        ("- uses [[ API Spec ]] (v2)", ("a", "uses"), "API Spec", "a: API Spec"),
        (f"- [fact] {LONGEST}", ("a", "fact"), LONGEST, f"a: {LONGEST}"),
    ],
)
def test_an_observation_or_a_relation_is_a_fact_of_its_note(
    tmp_path: Path, line: str, name: tuple[str, ...], value: str, description: str
) -> None:
    entry = only(vault(tmp_path, f"# Title\n{line}\n"))
    assert (entry.name, entry.value, entry.description, entry.body) == (name, value, description, "")
    assert (entry.type, entry.line, entry.original) == ("fact", 2, line.strip())


def test_an_observation_too_long_for_a_value_is_told_by_the_text(tmp_path: Path) -> None:
    entry = only(vault(tmp_path, f"- [fact] {LONGER}\n"))
    assert (entry.value, entry.body) == (None, f"{LONGER}\n")


def test_an_observation_is_as_old_as_its_note(tmp_path: Path) -> None:
    entry = only(vault(tmp_path, "---\ntitle: T\nmodified: 2026-05-01T10:00:00+02:00\n---\n- [fact] alone\n"))
    assert entry.at == "2026-05-01T08:00:00Z"


@pytest.mark.parametrize("headings", ["# Title\n## Observations\n", "  ## Observations\n", "#\n\n   \n## Facts ##\n"])
def test_headings_over_observations_say_nothing_more(tmp_path: Path, headings: str) -> None:
    assert only(vault(tmp_path, f"{headings}- [fact] alone\n")).value == "alone"


@pytest.mark.parametrize("text", ["Why it is so.", "#deploys are on Fridays", "Issue\n#1 is open"])
def test_the_text_around_observations_is_an_entry_that_they_do_not_change(tmp_path: Path, text: str) -> None:
    digests = set()
    for fact in ("one", "two"):
        *_, rest = vault(tmp_path, f"---\ntitle: T\n---\n\n- [fact] {fact}\n{text}\n\n\n").entries
        assert (rest.name, rest.value, rest.body) == (("T",), None, f"{text}\n")
        digests.add(rest.digest)
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("# Deploys are on Fridays\n", (None, "# Deploys are on Fridays\n")),
        ("---\ntitle: T\ndescription: Deploys are on Fridays\n---\n", ("Deploys are on Fridays", "")),
    ],
)
def test_a_note_that_is_but_a_heading_or_a_description_is_not_lost(
    tmp_path: Path, content: str, said: tuple[str | None, str]
) -> None:
    entry = only(vault(tmp_path, content))
    assert (entry.value, entry.body) == said


def test_what_memdir_wrote_into_a_note_is_neither_text_nor_a_relation(tmp_path: Path) -> None:
    digests = set()
    for words in ("one", "two\n- three"):
        one = vault(tmp_path, f"# T\nKeep it.\n{BLOCK.format(words)}- [fact] alone\n")
        assert [(entry.value, entry.body) for entry in one.entries] == [("alone", ""), (None, "# T\nKeep it.\n")]
        assert one.entries[0].line == 6 + words.count("\n"), "the lines of the block count"
        digests.add(one.entries[1].digest)
    assert len(digests) == 1, "what memdir writes there makes no new entry of it"
    assert only(vault(tmp_path, f"- [fact] alone\n{BLOCK.format('one')}")).value == "alone"


def test_of_a_memory_of_memdirs_no_line_is_an_observation(tmp_path: Path) -> None:
    one = vault(tmp_path, "---\ntitle: T\nmemdir: a1\n---\n- [fact] alone\nMore.\n")
    assert (one.entries, [part.reason for part in one.left]) == ((), ["own"])


ENTITY = {"type": "entity", "name": "Build", "entityType": "system", "observations": ["uses bazel"]}
RELATION = {"type": "relation", "from": "Anna", "to": "Build", "relationType": "owns"}


@pytest.mark.parametrize(
    ("observations", "value", "body"),
    [
        ([" uses bazel "], "uses bazel", ""),
        ([LONGEST], LONGEST, ""),
        ([LONGER], None, f"- {LONGER}\n"),
        (["one", 2, " ", None, "two "], None, "- one\n- two\n"),
        ([[], "one"], "one", ""),
    ],
)
def test_an_entity_says_what_was_observed_of_it(
    tmp_path: Path, observations: list[object], value: str | None, body: str
) -> None:
    entry = only(graph(tmp_path, {**ENTITY, "observations": observations}))
    assert (entry.name, entry.value, entry.body) == (("Build",), value, body)
    assert (entry.type, entry.description) == ("fact", "Build (system)")


@pytest.mark.parametrize("kind", [None, 5, "", " "])
def test_an_entity_of_no_type_is_an_entity(tmp_path: Path, kind: object) -> None:
    assert only(graph(tmp_path, {**ENTITY, "entityType": kind})).description == "Build (entity)"


def test_a_relation_says_how_two_entities_are_related(tmp_path: Path) -> None:
    entry = only(graph(tmp_path, RELATION))
    assert (entry.name, entry.value, entry.description) == (("Anna", "owns"), "Build", "Anna: Build")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        *(
            ({**RELATION, key: other}, "bad-entry")
            for key in ("from", "to", "relationType")
            for other in (None, 5, " ")
        ),
        *(({**ENTITY, "name": other}, "bad-entry") for other in (None, ["Build"], "", "\t")),
        ({**ENTITY, "type": "thing"}, "bad-entry"),
        ("[" * 100_000 + "\n", "bad-json"),
        ("{\n", "bad-json"),
        *(({**ENTITY, "observations": other}, "empty") for other in ([], [" "], "uses bazel", None)),
    ],
)
def test_a_line_that_says_nothing_is_told_with_its_place_and_hides_no_other(
    tmp_path: Path, line: object, reason: str
) -> None:
    one = graph(tmp_path, "\n", line, ENTITY)
    assert [(entry.value, entry.line) for entry in one.entries] == [("uses bazel", 3)]
    assert [(part.reason, part.line, part.column) for part in (*one.unread, *one.left)] == [(reason, 2, 1)]
