"""The readers of other tools' memories: what is an entry, what is left out, what cannot be read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.domain.foreign import FORMS, Entry, Form, Found
from memdir_cli.errors import UsageError
from memdir_cli.storage.foreign import places, read


def put(root: Path, path: str, content: str | bytes) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


def found(form: Form, path: Path, **environ: str) -> Found:
    return read(form, str(path), environ)


def told(one: Found) -> list[tuple[tuple[str, ...], str | None, str]]:
    return [(entry.name, entry.value, entry.body) for entry in one.entries]


def only(one: Found) -> Entry:
    (entry,) = one.entries
    assert one.unread == ()
    return entry


NOTE = """\
---
name: Test database
description: The tests need a running Postgres
metadata:
  node_type: memory
  type: feedback
  originSessionId: 4b7c
  modified: 2026-05-01T10:00:00+02:00
---

Start it with `docker compose up db`.
"""


def test_claude_notes_with_nested_and_with_flat_keys(tmp_path: Path) -> None:
    put(tmp_path, "db.md", NOTE)
    entry = only(found("claude", tmp_path))
    assert (entry.name, entry.type, entry.reach) == (("Test database",), "project-rule", "project")
    assert (entry.description, entry.value) == ("The tests need a running Postgres", None)
    assert entry.body == "Start it with `docker compose up db`.\n"
    assert (entry.session, entry.at) == ("4b7c", "2026-05-01T08:00:00Z")
    flat = "---\nname: me\ndescription: d\ntype: user\n---\nLikes short answers.\n"
    put(tmp_path, "db.md", flat)
    entry = only(found("claude", tmp_path))
    assert (entry.type, entry.reach, entry.line) == ("preference", "personal", 6)


@pytest.mark.parametrize("content", [NOTE.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + NOTE.encode()])
def test_line_ends_and_marks_do_not_count(tmp_path: Path, content: bytes) -> None:
    put(tmp_path, "db.md", NOTE)
    plain = only(found("claude", tmp_path))
    put(tmp_path, "db.md", content)
    assert only(found("claude", tmp_path)) == plain


def test_a_note_without_header_is_called_as_its_file(tmp_path: Path) -> None:
    put(tmp_path, "agents/reviewer/known_issues.md", "# Known issues\n\nNone.\n")
    entry = only(found("claude", tmp_path))
    assert entry.name == ("agents", "reviewer", "known_issues")
    assert (entry.description, entry.body) == ("Known issues", "# Known issues\n\nNone.\n")


def test_an_index_is_left_out_but_for_what_stands_in_it_alone(tmp_path: Path) -> None:
    put(tmp_path, "MEMORY.md", "# Index\n- [DB](db.md) — the database\n- [[other]] too\n")
    put(tmp_path, "db.md", NOTE)
    one = found("claude", tmp_path)
    assert [entry.name for entry in one.entries] == [("Test database",)]
    assert [part.reason for part in one.left] == ["index"]
    put(tmp_path, "MEMORY.md", "# Index\n- [DB](db.md) — the database\n## Facts\n- Ports begin at 9000\n")
    assert told(found("claude", tmp_path))[0] == (("Facts", "Ports begin at 9000"), "Ports begin at 9000", "")


def test_the_root_of_a_project_is_looked_through_for_the_usual_places(tmp_path: Path) -> None:
    top, home = tmp_path / "my.app", tmp_path / "home"
    put(top, ".claude/agent-memory/reviewer/a.md", "one\n")
    put(top, ".claude/agent-memory-local/reviewer/b.md", "two\n")
    put(top, "CLAUDE.md", "- three\n")
    put(top, "docs/other.md", "no memory\n")
    slug = str(top.resolve()).translate({ord(char): "-" for char in "/._"})
    put(home, f".claude/projects/{slug}/memory/c.md", "four\n")
    one = found("claude", top, HOME=str(home))
    assert [entry.value or entry.body.strip() for entry in one.entries] == ["one", "two", "three", "four"]
    assert [entry.body.strip() for entry in found("serena", lay_serena(top)).entries] == ["five"]


def lay_serena(top: Path) -> Path:
    put(top, ".serena/memories/core/style.md", "five\n")
    return top


@pytest.mark.parametrize(
    ("form", "path", "content", "name"),
    [
        ("serena", ".serena/memories/core/style.md", "# Style\nx\n", ("core", "style")),
        ("cline", "memory-bank/activeContext.md", "# Now\nx\n", ("activeContext",)),
        ("cline", ".clinerules/testing.md", "x\n", ("testing",)),
        ("cursor", ".cursor/rules/common.mdc", "---\nalwaysApply: true\n---\nx\n", ("common",)),
        ("cursor", ".cursorrules", "x\n", (".cursorrules",)),
        ("agent-memory-git", "memories/2026/05/a.md", "---\nid: a1\nname: db\ntype: project\n---\nx\n", ("db",)),
        ("markdown", "notes/a.md", "x\n", ("notes", "a")),
        ("markdown", "a.markdown", "---\ntitle: T\n---\nx\n", ("a",)),
        ("basic-memory", "a.md", "---\ntitle: Coffee\n---\nx\n", ("Coffee",)),
    ],
)
def test_pages(tmp_path: Path, form: Form, path: str, content: str, name: tuple[str, ...]) -> None:
    put(tmp_path, path, content)
    assert only(found(form, tmp_path)).name == name


def test_a_single_file_may_be_named(tmp_path: Path) -> None:
    put(tmp_path, "GEMINI.md", "# Memories\n## Gemini Added Memories\n- The user lives by the sea\n- Second\n")
    one = found("markdown", tmp_path / "GEMINI.md")
    assert told(one) == [
        (("Gemini Added Memories", "The user lives by the sea"), "The user lives by the sea", ""),
        (("Gemini Added Memories", "Second"), "Second", ""),
    ]


def test_instructions_give_an_entry_for_each_item(tmp_path: Path) -> None:
    text = "# Rules\n\nProse is left alone.\n\n- Use **pnpm**, never npm\n- Steps:\n  1. build\n  2. test\n"
    put(tmp_path, "AGENTS.md", f"{text}- {'x' * 300}\n<!-- memdir:begin -->\n- ours\n<!-- memdir:end -->\n")
    one = found("codex", tmp_path)
    assert told(one) == [
        (("Rules", "Use pnpm , never npm"), "Use **pnpm**, never npm", ""),
        (("Rules", "Steps:"), None, "Steps:\n1. build\n2. test\n"),
        (("Rules", "x" * 300), None, "x" * 300 + "\n"),
    ]
    assert [entry.line for entry in one.entries] == [5, 6, 9]
    assert {entry.type for entry in one.entries} == {"project-rule"}


def test_codex_memories(tmp_path: Path) -> None:
    thread = "0199a213-81c0-7800-8aa1-bbab2a035a53"
    book = f"# Task Group: fix the build\nscope: x thread_id={thread}\n- a\n\n# Task Group: docs\nb\n"
    put(tmp_path, "memories/MEMORY.md", book)
    put(tmp_path, "memories/memory_summary.md", "v1\n## User preferences\n- Answers in German\n")
    put(tmp_path, "memories/raw_memories.md", "- raw\n")
    put(tmp_path, "memories/rollout_summaries/a.md", "- raw\n")
    put(tmp_path, "memories/extensions/ad_hoc/notes/n.md", "A note\n")
    one = found("codex", tmp_path)
    assert [entry.name for entry in one.entries] == [
        ("fix the build",),
        ("docs",),
        ("ad_hoc", "notes", "n"),
        ("User preferences", "Answers in German"),
    ]
    assert one.entries[0].session == thread
    assert one.entries[1].line == 5
    assert [part.reason for part in one.left] == ["raw", "raw"]


@pytest.mark.parametrize(
    ("header", "glob", "description"),
    [
        ("globs: *.ts", "**/*.ts", "d"),
        ('globs: ["src/**/*.ts"]', "src/**/*.ts", "d"),
        ("globs: src/**/*.ts\nalwaysApply: true", "", "d"),
        ("globs: *", "", "d"),
        ("globs: **/*", "", "d"),
        ("globs: *.ts,*.tsx", "", "Only for **/*.ts, **/*.tsx: d"),
        ("globs: src/*.{ts,tsx}", "", "Only for src/*.ts, src/*.tsx: d"),
        ('globs: "/lib/a.py"', "lib/a.py", "d"),
        ("globs:\nalwaysApply: false", "", "d"),
        ("globs: ../x", "", "Only for ../x: d"),
    ],
)
def test_rules_of_cursor_stay_bound_to_their_files(tmp_path: Path, header: str, glob: str, description: str) -> None:
    put(tmp_path, ".cursor/rules/a.mdc", f"---\ndescription: d\n{header}\n---\nUse tabs.\n")
    entry = only(found("cursor", tmp_path))
    assert (entry.glob, entry.description, entry.type) == (glob, description, "project-rule")


def test_agent_memory_git_leaves_out_what_was_replaced(tmp_path: Path) -> None:
    put(tmp_path, "memories/a.md", "---\nid: a\nname: port\nscope: here\n---\n8080\n")
    put(tmp_path, "memories/b.md", "---\nid: b\nname: port\nscope: global\nsupersedes: [a]\n---\n9090\n")
    entry = only(found("agent-memory-git", tmp_path))
    assert (entry.body, entry.reach) == ("9090\n", "everywhere")


def test_basic_memory_gives_observations_relations_and_the_text(tmp_path: Path) -> None:
    text = (
        "---\ntitle: Auth Design\ntype: note\n---\n# Auth Design\nWhy it is so.\n## Observations\n"
        "- [decision] Use JWT #security (2026)\n- [x] done\n- [ ] open\n- [link](a.md) no\n## Relations\n"
        "- implements [[API Spec]] (v2)\n"
    )
    put(tmp_path, "auth.md", text)
    one = found("basic-memory", tmp_path)
    assert told(one)[:2] == [
        (("Auth Design", "decision"), "Use JWT #security (2026)", ""),
        (("Auth Design", "implements"), "API Spec", ""),
    ]
    assert one.entries[0].line == 8
    rest = one.entries[2]
    assert "Why it is so." in rest.body
    assert "- [x] done" in rest.body
    assert "JWT" not in rest.body
    put(tmp_path, "auth.md", "# Title\n## Observations\n- [fact] alone\n")
    assert told(found("basic-memory", tmp_path)) == [(("auth", "fact"), "alone", "")]


def test_the_graph_of_the_mcp_server(tmp_path: Path) -> None:
    lines = [
        {"type": "entity", "name": "Build", "entityType": "system", "observations": ["uses bazel"]},
        {"type": "entity", "name": "Anna", "entityType": "person", "observations": ["leads QA", "speaks Finnish"]},
        {"type": "relation", "from": "Anna", "to": "Build", "relationType": "owns"},
        {"type": "entity", "name": "Empty", "entityType": "x", "observations": []},
        {"type": "entity", "observations": [1]},
        [1],
    ]
    text = "\n".join([*map(json.dumps, lines), "{no json", ""])
    put(tmp_path, "memory.jsonl", text)
    one = found("mcp", tmp_path)
    assert told(one) == [
        (("Build",), "uses bazel", ""),
        (("Anna",), None, "- leads QA\n- speaks Finnish\n"),
        (("Anna", "owns"), "Build", ""),
    ]
    assert [(part.reason, part.line) for part in one.unread] == [("bad-entry", 5), ("bad-entry", 6), ("bad-json", 7)]
    assert [part.reason for part in one.left] == ["empty"]


@pytest.mark.parametrize(
    ("content", "reason", "line"),
    [
        (b"---\ndescription: *anchor\n---\nx\n", "alias", 2),
        (b"---\nname: a: b\n---\nx\n", "unquoted-colon", 2),
        (b"---\nname: a\nx\n", "unterminated-header", 1),
        (b"---\nname: a\nname: b\n---\nx\n", "duplicate-key", 3),
        (b"---\nname: a\n---\n---\nname: b\n---\nx\n", "second-header", 4),
        (b"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", "conflict-markers", 1),
        (b"caf\xe9\n", "not-utf8", 1),
        (b"\xff\xfea\0", "utf-16", 1),
        (b"a\0b", "nul", 1),
        (b"x" * (1 << 20) + b"y", "too_large", 0),
    ],
)
def test_what_cannot_be_read_is_listed_and_hides_nothing(
    tmp_path: Path, content: bytes, reason: str, line: int
) -> None:
    put(tmp_path, "bad.md", content)
    put(tmp_path, "good.md", "good\n")
    one = found("markdown", tmp_path)
    assert [entry.body for entry in one.entries] == ["good\n"]
    assert [(part.reason, part.line, Path(part.path).name) for part in one.unread] == [(reason, line, "bad.md")]
    assert one.unread[0].message


def test_a_tail_that_is_a_comment_is_told(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "---\ndescription: Stray #[test] attribute\n---\nx\n")
    entry = only(found("claude", tmp_path))
    assert entry.description == "Stray"
    assert entry.remarks


@pytest.mark.parametrize("content", ["", "\n\n", "---\nname: a\n---\n"])
def test_an_empty_file_is_left_out(tmp_path: Path, content: str) -> None:
    put(tmp_path, "a.md", content)
    one = found("markdown", tmp_path)
    assert (one.entries, one.unread, [part.reason for part in one.left]) == ((), (), ["empty"])


@pytest.mark.parametrize(
    "content",
    [
        "---\nid: a\nsubject: user:1\npredicate: k\nscope: user\nstatus: verified\n---\nx\n",
        "---\nname: a\nmemdir: abc@1\n---\nx\n",
        "# Memory\n\n<!-- memdir:export:begin -->\n- [a](a.md) — x\n<!-- memdir:export:end -->\n",
        "<!-- memdir:begin -->\n- a\n<!-- memdir:end -->\n",
    ],
)
@pytest.mark.parametrize("form", ["claude", "markdown", "basic-memory", "agent-memory-git"])
def test_what_memdir_wrote_itself_is_left_out(tmp_path: Path, form: Form, content: str) -> None:
    put(tmp_path, "a.md", content)
    assert [part.reason for part in found(form, tmp_path).left] == ["own"]


def test_what_stands_around_a_block_of_memdirs_is_a_page_of_its_own(tmp_path: Path) -> None:
    block = "<!-- memdir:export:begin -->\n- {}\n<!-- memdir:export:end -->\n"
    digests = set()
    for words in ("one", "two"):
        put(tmp_path, "a.md", f"# Mine\n\nKeep it.\n{block.format(words)}")
        (entry,) = found("markdown", tmp_path).entries
        assert entry.body == "# Mine\n\nKeep it.\n"
        digests.add(entry.digest)
    assert len(digests) == 1, "what memdir writes there makes no new page of it"


def test_nothing_is_followed_out_of_the_place(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    put(outside, "secret.md", "secret\n")
    inside = tmp_path / "inside"
    put(inside, "a.md", "good\n")
    (inside / "link.md").symlink_to(outside / "secret.md")
    (inside / "folder").symlink_to(outside)
    os.mkfifo(inside / "pipe.md")
    one = found("markdown", inside)
    assert [entry.body for entry in one.entries] == ["good\n"]
    assert sorted((Path(part.path).name, part.reason) for part in one.unread) == [
        ("link.md", "link"),
        ("pipe.md", "special"),
    ]


def test_folders_of_others_and_hidden_ones_are_passed_over(tmp_path: Path) -> None:
    for folder in ("node_modules", ".git", ".hidden", "ok"):
        put(tmp_path, f"{folder}/a.md", "x\n")
    put(tmp_path, "a.txt", "x\n")
    assert [entry.name for entry in found("markdown", tmp_path).entries] == [("ok", "a")]


def test_a_whole_disk_is_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "ENTRIES", 3)
    for number in range(3):
        put(tmp_path, f"{number}.txt", "x\n")
    put(tmp_path, "a/b.md", "x\n")
    with pytest.raises(UsageError) as raised:
        found("markdown", tmp_path)
    assert (raised.value.code, bool(raised.value.hint)) == ("too-many-files", True)
    monkeypatch.setattr(places, "ENTRIES", 5)
    assert [entry.body for entry in found("markdown", tmp_path).entries] == ["x\n"]
    monkeypatch.setattr(places, "ENTRIES", 4)
    with pytest.raises(UsageError, match="more than 4"):
        found("markdown", tmp_path)


@pytest.mark.parametrize("path", ["nowhere", "a\0b"])
def test_a_place_that_is_not_there_is_said_so(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError) as raised:
        read("markdown", f"{tmp_path}/{path}", {})
    assert (raised.value.code, bool(raised.value.hint)) == ("no-such-path", True)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.sampled_from(FORMS),
    st.sampled_from(["a.md", "MEMORY.md", "AGENTS.md", "memory_summary.md", "a.mdc", "memory.jsonl"]),
    st.one_of(
        st.binary(max_size=60),
        st.lists(
            st.sampled_from(
                ["---", "a: b", "globs: *", "- [c] d", "- e [[f]]", "# g", "```", "- h", '{"type":"entity"}', "i", ""]
            ),
            max_size=10,
        ).map(lambda lines: "\n".join(lines).encode()),
    ),
)
def test_no_file_makes_a_reader_fail_or_is_lost(tmp_path: Path, form: Form, name: str, content: bytes) -> None:
    for old in tmp_path.iterdir():
        old.unlink()
    put(tmp_path, name, content)
    one = found(form, tmp_path)
    wanted = name.endswith({"cursor": (".mdc", ".md"), "mcp": (".jsonl",)}.get(form, (".md",)))
    told = [*one.entries, *one.unread, *one.left]
    assert bool(told) == wanted or (form in {"mcp", "basic-memory"} and not content.strip())
    assert all(entry.value is not None or entry.body for entry in one.entries)
