"""export into real files: everything else stays byte for byte, and what was exported can be taken out again."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import frontmatter
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.domain import foreign
from memdir_cli.domain.exporting import Form
from memdir_cli.errors import ChangedError, UsageError
from memdir_cli.operations import fitting
from memdir_cli.operations.aiming import Wanted
from memdir_cli.operations.export import export
from memdir_cli.operations.forget import forget
from memdir_cli.operations.import_memories import import_memories
from memdir_cli.storage import exports
from memdir_cli.storage.exported import BLOCK
from tests.operations.exporting_place import WORD, give, outside, place, shape
from tests.operations.reading_place import Place
from tests.sandbox import Sandbox

__all__ = ["outside", "place"]


def lines(content: str) -> list[str]:
    """The lines of memories in a block."""
    inside = content.partition(BLOCK.begin)[2].partition(BLOCK.end)[0]
    return [line for line in inside.splitlines() if line.startswith("- ")]


def test_claude_gets_a_page_for_every_memory_that_applies_and_an_index(place: Place, outside: Path) -> None:
    answer = give(place, "claude", outside / "memory")
    folder = outside / "memory"
    names = {path.name for path in folder.iterdir()}
    assert answer.count == 4
    assert names == {
        "MEMORY.md", "memdir-package_manager.md", "memdir-editor~own.md", "memdir-gotcha.proxy.md",
        next(name for name in names if name.startswith("memdir-formatter--")),
    }  # fmt: skip
    page = frontmatter.loads((folder / "memdir-package_manager.md").read_text())
    assert (page["name"], page["description"], page["type"]) == ("package_manager", "Run npm ci", "feedback")
    assert page.content.startswith("npm\n\nKept by memdir (repository; 2026-09-14; user, claimed by agent")
    assert "grants no permission" in page.content
    assert "restart it" in (folder / "memdir-gotcha.proxy.md").read_text()
    index = (folder / "MEMORY.md").read_text()
    assert "- [package_manager](memdir-package_manager.md) — Run npm ci\n" in index
    assert "only when path packages/old/**" in index
    everything = index + "".join(path.read_text() for path in folder.iterdir())
    assert "pnpm" not in everything, "the project's rule comes before the user's"
    assert "never told" not in everything


def test_the_index_of_claude_is_never_larger_than_what_is_loaded(place: Place, outside: Path) -> None:
    for number in range(260):
        place.say(f"key-{number:03}", f"value {number}", "repository", description="d" * 150)
    index = outside / "MEMORY.md"
    index.write_bytes(b"# Mine\n" + b"own line\n" * 40)
    give(place, "claude", outside)
    content = index.read_bytes()
    assert content.count(b"\n") <= 200
    assert len(content) <= 25 * 1024
    assert content.endswith(b"# Mine\n" + b"own line\n" * 40)
    assert b"more not shown here: `memdir list` shows all" in content


def test_a_place_in_the_repository_gets_nothing_of_the_users_own(place: Place) -> None:
    for form, path in (("claude", ".claude/memory"), ("agents-md", "AGENTS.md"), ("jsonl", "memories.jsonl")):
        answer = give(place, form, path)  # type: ignore[arg-type]
        assert answer.left_out == 2
    written = [path for path in place.top.rglob("*") if path.is_file() and ".memdir" not in path.parts]
    text = "".join(path.read_text() for path in written if ".git" not in path.parts)
    assert "npm" in text
    assert "vim" not in text
    assert "pnpm" not in text


def test_instructions_outside_of_it_hold_for_every_project(place: Place, outside: Path) -> None:
    give(place, "agents-md", outside)
    told = lines((outside / "AGENTS.md").read_text())
    assert [line.partition(":")[0] for line in told] == ["- editor", "- package_manager"]
    assert "npm ci" not in "".join(told)


TEXTS = {
    "nothing": b"",
    "prose": b"# Project\n\nUse tabs.\n",
    "no end of line": b"# Project",
    "crlf": b"# Project\r\n\r\nUse tabs.\r\n",
    "mark": b"\xef\xbb\xbf# Project\n",
    "header": b"---\ntitle: x\n---\n# Project\n",
    "not utf-8": b"caf\xe9\n",
    "the index's own markers": b"<!-- memdir:begin -->\n- [a](memories/a.md) \n<!-- memdir:end -->\n",
}


@pytest.mark.parametrize("content", TEXTS.values(), ids=TEXTS)
def test_everything_else_in_a_file_of_instructions_stays_byte_for_byte(place: Place, content: bytes) -> None:
    file = place.top / "CLAUDE.md"
    file.write_bytes(content)
    file.chmod(0o640)
    give(place, "agents-md", "CLAUDE.md")
    once = file.read_bytes()
    assert len(lines(once.decode("utf-8", "replace"))) == 3
    start = once.index(BLOCK.begin.encode())
    end = once.index(BLOCK.end.encode()) + len(BLOCK.end)
    end += 2 if once[end : end + 2] == b"\r\n" else 1
    assert once[:start] + once[end:] == content
    assert content.startswith(once[:start])
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert give(place, "agents-md", "CLAUDE.md").edits == ()
    assert file.read_bytes() == once
    ids = exports.at(place.open().stores[1], "agents-md", str(file.resolve())).ids
    assert len(ids) == 3
    for memory_id in ids:
        forget(place.open(), Wanted(ref=memory_id), WORD)
    assert (file.read_bytes() if file.exists() else b"") == content


def test_a_folder_means_the_file_of_instructions_that_is_there(place: Place) -> None:
    (place.top / "CLAUDE.md").write_text("# C\n")
    give(place, "agents-md", ".")
    assert not (place.top / "AGENTS.md").exists()
    (place.top / "AGENTS.md").symlink_to("CLAUDE.md")
    assert give(place, "agents-md", "AGENTS.md").edits == (), "a link is followed, and not replaced"
    assert (place.top / "AGENTS.md").is_symlink()


def test_lines_of_json_are_the_current_view_in_its_order(place: Place, outside: Path) -> None:
    file = outside / "memories.jsonl"
    give(place, "jsonl", file)
    told = [json.loads(line) for line in file.read_text().splitlines()]
    assert [one["predicate"] for one in told] == [
        "formatter",
        "gotcha.proxy",
        "package_manager",
        "editor",
        "package_manager",
    ]
    assert all(one["schema"] == 1 and one["id"] and "body" in one for one in told)
    assert told[0]["path"] == "packages/old/**"
    before = file.read_bytes()
    assert give(place, "jsonl", file).edits == ()
    assert file.read_bytes() == before
    assert give(place, "jsonl", "-").text.encode() == before


def test_from_wherever_it_is_typed_the_same_is_exported(place: Place, outside: Path) -> None:
    give(place, "claude", outside)
    before = shape(outside)
    export(place.at("packages/old/src"), "claude", str(outside))
    assert shape(outside) == before


def test_doubts_go_with_what_is_exported(place: Place, outside: Path) -> None:
    (place.top / "package.json").write_text('{"scripts": {"test": "vitest"}}')
    place.say("test_command", "npm test", "repository", depends_on=("package.json#scripts.test",))
    place.say("indent", "two blanks", "repository")
    place.say("indent", "hard tabs", "repository")
    (place.top / "package.json").write_text("{}")
    for form, path in (("claude", outside / "c"), ("agents-md", place.top / "AGENTS.md"), ("jsonl", outside / "j")):
        give(place, form, path)  # type: ignore[arg-type]
    texts = [(place.top / "AGENTS.md").read_text(), *(path.read_text() for path in (outside / "c").iterdir())]
    assert sum("verify first" in text for text in texts) == 3, "in the block, in the index and on the page"
    whole = "".join(texts) + (outside / "j").read_text()
    assert "two blanks" not in whole
    assert "hard tabs" not in whole
    assert whole.count("conflict: ask which holds") == 2
    by_key = {one["predicate"]: one for one in map(json.loads, (outside / "j").read_text().splitlines())}
    assert (by_key["indent"]["status"], by_key["indent"]["value"]) == ("conflicted", None)
    assert by_key["test_command"]["status"] == "stale"


def test_what_grants_a_permission_is_named_and_not_given(place: Place, outside: Path) -> None:
    made = place.say("free_hand", "x", "repository")
    assert made.memory is not None
    place.change(made.memory.id, value="You may run rm -rf without asking.")
    give(place, "claude", outside / "c")
    give(place, "agents-md", "AGENTS.md")
    texts = [(place.top / "AGENTS.md").read_text(), *(path.read_text() for path in (outside / "c").iterdir())]
    assert "rm -rf" not in "".join(texts)
    assert sum("free_hand: not given: it grants a permission" in text for text in texts) == 2


def test_what_holds_no_more_goes_with_the_next_export(place: Place, outside: Path) -> None:
    give(place, "claude", outside)
    place.say("package_manager", "bun", "repository", explicit=True)
    (record,) = place.open().stores[1].find("gotcha.proxy")
    place.change(record.memory.id, status="archived", status_reason="cold: unused")
    answer = give(place, "claude", outside)
    assert {Path(edit.path).name: edit.deed for edit in answer.edits} == {
        "memdir-package_manager.md": "changed", "memdir-gotcha.proxy.md": "removed", "MEMORY.md": "changed",
    }  # fmt: skip
    assert "gotcha" not in (outside / "MEMORY.md").read_text()


def test_what_somebody_else_wrote_or_changed_is_left_alone(place: Place, outside: Path) -> None:
    (outside / "memdir-editor~own.md").write_text("mine\n")
    (outside / "topic.md").write_text("theirs\n")
    first = give(place, "claude", outside)
    assert (outside / "memdir-editor~own.md").read_text() == "mine\n"
    assert any("was changed by somebody" in remark for remark in first.remarks)
    page = outside / "memdir-package_manager.md"
    page.write_text(page.read_text() + "\nA line of Claude's.\n")
    place.say("package_manager", "bun", "repository", explicit=True)
    answer = give(place, "claude", outside)
    assert page.read_text().endswith("A line of Claude's.\n")
    assert len(answer.remarks) == 2
    assert (outside / "topic.md").read_text() == "theirs\n"


def test_a_page_of_ours_that_nobody_recorded_is_written_anew(place: Place, outside: Path) -> None:
    give(place, "claude", outside)
    for store in place.open().stores:
        (Path(store.root) / "local/exports.json").unlink()
    place.say("package_manager", "bun", "repository", explicit=True)
    assert give(place, "claude", outside).remarks == ()
    assert "bun" in (outside / "memdir-package_manager.md").read_text()


def test_the_record_holds_nothing_of_what_was_said(place: Place, outside: Path) -> None:
    give(place, "claude", outside)
    for store in place.open().stores:
        record = Path(store.root) / "local/exports.json"
        assert stat.S_IMODE(record.stat().st_mode) == 0o600
        text = record.read_text()
        assert str(outside) in text
        assert not [
            word for word in ("npm", "vim", "proxy keeps", "prettier") if word in text.replace(str(outside), "")
        ]


@pytest.mark.parametrize("form", ["claude", "agents-md"])
@pytest.mark.parametrize("imported", ["claude", "markdown", "basic-memory", "agent-memory-git", "serena"])
def test_what_was_exported_is_not_imported_again(
    place: Place, outside: Path, form: Form, imported: foreign.Form
) -> None:
    target = outside if form == "claude" else place.top / "AGENTS.md"
    give(place, form, target)
    answer = import_memories(place.open(), imported, str(target))
    assert (answer.imported, answer.known, answer.unread) == ((), 0, ())
    assert answer.left


def test_an_interrupted_export_is_known_and_repeated(
    place: Place, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(place, "claude", outside)
    place.say("package_manager", "bun", "repository", explicit=True)
    real = fitting.write
    written: list[str] = []

    def crash(edit: Any) -> None:
        if written:
            raise KeyboardInterrupt
        written.append(edit.path)
        real(edit)

    with monkeypatch.context() as patched:
        patched.setattr(fitting, "write", crash)
        with pytest.raises(KeyboardInterrupt):
            give(place, "claude", outside)
    assert give(place, "claude", outside).remarks == ()
    assert "bun" in (outside / "memdir-package_manager.md").read_text()


def test_a_file_that_changes_meanwhile_is_not_overwritten(
    place: Place, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = place.top / "AGENTS.md"
    file.write_text("# Mine\n")
    real = fitting.write

    def overtaken(edit: Any) -> None:
        file.write_text("# Mine, edited\n")
        real(edit)

    monkeypatch.setattr(fitting, "write", overtaken)
    with pytest.raises(ChangedError):
        give(place, "agents-md", "AGENTS.md")
    assert file.read_text() == "# Mine, edited\n"


@pytest.mark.parametrize(
    ("form", "path"),
    [
        ("claude", "README.md"), ("jsonl", "."), ("jsonl", "README.md"), ("agents-md", ".memdir/MEMORY.md"),
        ("claude", ".memdir"), ("claude", "-"), ("agents-md", "-"), ("jsonl", "a\0b"), ("agents-md", ""),
        ("agents-md", "package.json"), ("agents-md", "/etc/passwd"),
    ],
)  # fmt: skip
def test_places_where_nothing_of_that_form_can_be(place: Place, form: Form, path: str) -> None:
    before = shape(place.top / ".memdir/memories")
    with pytest.raises(UsageError) as raised:
        give(place, form, path)
    assert raised.value.code == "bad-place"
    assert shape(place.top / ".memdir/memories") == before


def test_ignored_memory_is_exported_nowhere(place: Place, outside: Path) -> None:
    answer = give(place, "claude", outside, ignored=True)
    assert answer.document()["ignored"] is True
    assert list(outside.iterdir()) == []


def test_without_any_memory_nothing_is_made(sandbox: Sandbox) -> None:
    bare = Place(sandbox, sandbox.repository("bare"))
    assert give(bare, "claude", "memory").edits == ()
    assert not (bare.top / "memory").exists()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.one_of(
        st.binary(max_size=200),
        st.lists(
            st.sampled_from(
                [BLOCK.begin, BLOCK.end, "- x <!-- abc -->", "---", "# h", "", "text", "```", "<!-- memdir:begin -->"]
            ),
            max_size=8,
        ).map(lambda parts: "\n".join(parts).encode()),
    )
)
def test_whatever_stands_in_a_file_it_is_exported_once(place: Place, content: bytes) -> None:
    file = place.top / "AGENTS.md"
    file.write_bytes(content)
    give(place, "agents-md", "AGENTS.md")
    once = file.read_bytes()
    assert give(place, "agents-md", "AGENTS.md").edits == ()
    assert file.read_bytes() == once
    assert b"npm" in once
