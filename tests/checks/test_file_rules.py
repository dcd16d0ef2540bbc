"""Files and frontmatter: each way to be broken has its code, file and line, and its cure is silent."""

from __future__ import annotations

import os
import shutil
import socket
import time
from pathlib import Path

import pytest

from memdir_cli.checks import files
from memdir_cli.checks.examined import Examined
from memdir_cli.checks.file_table import FAULTS, Fault
from memdir_cli.checks.registry import RULES
from memdir_cli.domain.snapshot import Snapshot, Unreadable
from memdir_cli.storage.faults import SENTENCES
from memdir_cli.storage.problems import PROBLEMS
from tests.checks import ground
from tests.checks.ground import HEADER, checked, header, seen

FILE = "memories/package_manager.md"

#: Faults that stand on another line of their example than the first.
LATER = {
    "duplicate-key": 1, "tab-indentation": 1, "unknown-kind": 1, "unknown-attestation": 2, "bad-indentation": 1,
}  # fmt: skip

SHOWN = [fault for fault in FAULTS if not fault.fires.startswith("[")]
TOLD = [fault for fault in FAULTS if fault.fires.startswith("[")]


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memdir without memories, to be copied."""
    root = ground.project(tmp_path_factory.mktemp("bare"))
    for path in root.glob("memories/*"):
        path.unlink()
    (root / "MEMORY.md").write_text("# Memory\n\n<!-- memdir:begin -->\n<!-- memdir:end -->\n")
    return root


@pytest.fixture
def memdir(bare: Path, tmp_path: Path) -> Path:
    """A memdir without memories."""
    return shutil.copytree(bare, tmp_path / ".memdir")


def of_family(root: Path, *, family: str = "M1") -> tuple[ground.Seen, ...]:
    return tuple(one for one in seen(checked(root)) if one[0].startswith(family))


def line_of(text: str, fault: Fault) -> int:
    """The line on which the example of a fault shows it."""
    shown = fault.fires.split("\n")[LATER.get(fault.name, 0)]
    return text.split("\n").index(shown) + 1


@pytest.mark.parametrize("fault", SHOWN, ids=lambda fault: fault.name)
def test_example_that_fires(memdir: Path, fault: Fault) -> None:
    text = header(fault.fires)
    (memdir / FILE).write_text(text)
    assert seen(checked(memdir)) == ((fault.code, FILE, line_of(text, fault)),)


@pytest.mark.parametrize("fault", SHOWN, ids=lambda fault: fault.name)
def test_example_that_stays_silent(memdir: Path, fault: Fault) -> None:
    (memdir / FILE).write_text(header(fault.silent))
    assert of_family(memdir) == ()


HEAD = header()
KEYS = HEAD.removeprefix("---\n").partition("---\n")[0]

#: Name of the rule, content, line.
BYTES: tuple[tuple[str, bytes, int], ...] = (
    ("too-large", HEAD.encode() + b"x" * (1 << 20), 1),
    ("utf-16", HEAD.encode("utf-16"), 1),
    ("utf-16", HEAD.encode("utf-16-le"), 1),
    ("utf-16", HEAD.encode("utf-16-be"), 1),
    ("not-utf8", HEAD.encode() + "é".encode()[:1], HEAD.count("\n") + 1),
    ("not-utf8", HEAD.replace("npm ci", "caf\xe9").encode("latin-1"), 4),
    ("nul", HEAD.encode().replace(b"npm ci", b"npm\0ci"), 4),
    ("nul", b"\0" * 4096, 1),
    ("empty", b"", 1),
    ("empty", b" \n\n", 1),
    ("misplaced-header", b"\n" + HEAD.encode(), 2),
    ("misplaced-header", b"-" + HEAD.encode(), 1),
    ("unterminated-header", f"---\n{KEYS}\nno end\n".encode(), 1),
    ("unterminated-header", f"---\n{KEYS}...\nno end\n".encode(), len(HEADER) + 2),
    ("header-too-large", header(f"description: {'x' * 70_000}").encode(), 1),
    ("second-header", HEAD.replace("Because", f"---\n{KEYS}---\nBecause").encode(), len(HEADER) + 3),
    ("not-a-mapping", b"---\n- id: a\n- status: verified\n---\n", 2),
    ("missing-status", HEAD.replace("status: verified\n", "").encode(), 1),
    ("too-deep", header(f"note: {'[' * 100}{']' * 100}").encode(), len(HEADER) + 2),
)


@pytest.mark.parametrize(("name", "content", "line"), BYTES)
def test_bytes_that_are_no_memory(memdir: Path, name: str, content: bytes, line: int) -> None:
    (memdir / FILE).write_bytes(content)
    code = next(fault.code for fault in FAULTS if fault.name == name)
    assert seen(checked(memdir)) == ((code, FILE, line),)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "bom"])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_lines_count_in_the_file(memdir: Path, mark: bytes, ending: bytes) -> None:
    text = header("description: fix: retry").encode()
    (memdir / FILE).write_bytes(mark + text.replace(b"\n", ending))
    (found,) = checked(memdir).findings
    assert (found.code, found.line, found.column) == ("M131", 4, 17)


GOOD = (HEAD.encode(), HEAD.encode().replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + HEAD.encode())


@pytest.mark.parametrize("content", GOOD, ids=["lf", "crlf", "bom"])
def test_good_bytes_stay_silent(memdir: Path, content: bytes) -> None:
    (memdir / FILE).write_bytes(content)
    assert of_family(memdir) == ()


def fifo(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # a socket's path may be 108 bytes long
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)


def dangling(path: Path) -> None:
    path.symlink_to("nowhere.md")


def looping(path: Path) -> None:
    path.symlink_to(path.name)


def outside(path: Path) -> None:
    path.symlink_to("/etc/passwd")


STRANGE = (
    (fifo, "M102"), (listening, "M102"), (Path.mkdir, "M102"), (dangling, "M101"), (looping, "M101"), (outside, "M101"),
)  # fmt: skip


@pytest.mark.parametrize(("make", "code"), STRANGE, ids=lambda one: getattr(one, "__name__", one))
@pytest.mark.parametrize("folder", ["memories", "inbox", "history"])
def test_special_files_never_block(memdir: Path, make: object, code: str, folder: str) -> None:
    (memdir / FILE).write_bytes(HEAD.encode())
    (memdir / folder).mkdir(exist_ok=True)
    make(memdir / folder / "x.md")  # type: ignore[operator]
    began = time.monotonic()
    answer = checked(memdir)
    assert time.monotonic() - began < 1
    assert (code, f"{folder}/x.md", 1) in seen(answer)
    assert answer.files == 2, "the good file is read all the same"
    assert answer.exit_status == 1


def test_pipe_of_another_name_is_an_error_too(memdir: Path) -> None:
    os.mkfifo(memdir / "memories/pipe")
    assert seen(checked(memdir)) == (("M102", "memories/pipe", 1),)


def test_huge_file_is_not_read(memdir: Path) -> None:
    with (memdir / FILE).open("wb") as file:
        file.truncate(1 << 33)
    began = time.monotonic()
    assert seen(checked(memdir)) == (("M105", FILE, 1),)
    assert time.monotonic() - began < 1


def test_folder_that_is_a_link_cannot_be_checked(memdir: Path) -> None:
    (memdir / "memories").rmdir()
    (memdir / "memories").symlink_to("/etc")
    answer = checked(memdir)
    assert of_family(memdir) == (("M104", "memories", 1),)
    assert answer.exit_status == 2


def test_unmanaged_markdown_is_one_line(memdir: Path) -> None:
    for name in ("a.md", "b.md", "c.md"):
        (memdir / "memories" / name).write_text("# Notes\n\n---\n\nA rule.\n")
    answer = checked(memdir)
    assert seen(answer) == (("M115", "memories/a.md", 1),)
    assert "2 more" in answer.findings[0].message
    assert answer.exit_status == 0


@pytest.mark.parametrize("header", ["globs: *.ts", "description: fix: retry", "a: 1\na: 2", "\tx: y"])
def test_broken_header_of_somebody_elses_is_unmanaged(memdir: Path, header: str) -> None:
    (memdir / "memories/rule.md").write_text(f"---\n{header}\n---\nUse vitest.\n")
    assert seen(checked(memdir)) == (("M115", "memories/rule.md", 1),)
    (memdir / "memories/rule.md").write_text(f"---\nscope: user\n{header}\n---\nUse vitest.\n")
    assert [code for code, _, _ in seen(checked(memdir))] != ["M115"]


def test_value_that_loses_its_tail(memdir: Path) -> None:
    (memdir / FILE).write_text(header("description: see issue #12"))
    (found,) = (one for one in checked(memdir).findings if one.code.startswith("M1"))
    assert (found.code, found.line, found.severity) == ("M137", 4, "warning")
    (memdir / FILE).write_text(header('description: "see issue #12"'))
    assert of_family(memdir) == ()


def test_body_may_hold_rules_and_hashes(memdir: Path) -> None:
    (memdir / FILE).write_text(HEAD + "\n---\n\nkey: value #1\n\n---\nHeading\n=======\n")
    assert of_family(memdir) == ()


def test_every_reason_has_its_rule() -> None:
    names = {rule.name for rule in RULES}
    assert set(PROBLEMS) - {"uneditable"} <= names | files.UNMANAGED, "an edit alone can be `uneditable`"
    assert {name for fault in FAULTS if (name := fault.name)} <= set(PROBLEMS) | {
        "symlink", "special-file", "unreachable", "not-a-folder", "empty", "config-unreadable",
    }  # fmt: skip


def test_every_word_of_the_system_has_its_rule() -> None:
    names = {rule.name for rule in RULES}
    for code, _, _ in SENTENCES.values():
        assert files.name_of(code) in names or code == files.BAD_PATH


def test_what_examples_cannot_show_is_planted_elsewhere() -> None:
    planted = {name for name, _, _ in BYTES} | {"symlink", "special-file", "not-a-folder"}
    # another account, and a verb that opens settings, are in tests/operations; any other YAML fault has no example
    assert {fault.name for fault in TOLD} - planted == {"unreachable", "invalid-yaml", "config-unreadable"}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_rule_says_what_to_do_about_it(fault: Fault) -> None:
    (rule,) = (one for one in RULES if one.code == fault.code)
    assert rule.fix == fault.advice or (fault.name == "conflict-markers" and rule.fixable)


def test_one_folder_that_could_not_be_looked_at_is_enough_to_prove_nothing_clean() -> None:
    broken = Unreadable("memories/a.md", "not-utf8", "It is no UTF-8.")
    closed = Unreadable("inbox", "not_a_folder", "It is no folder.")
    assert files.unchecked(Examined(Snapshot("project", unreadable=(broken, closed)), ground.NOW))
    assert not files.unchecked(Examined(Snapshot("project", unreadable=(broken,)), ground.NOW))
