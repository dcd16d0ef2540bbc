"""The rules of the house that no linter knows."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
PACKAGE = PROJECT / "memdir_cli"
MODULES = sorted(PACKAGE.rglob("*.py"))
SOURCES = [*MODULES, *sorted((PROJECT / "tests").rglob("*.py"))]

#: Operations that are not verbs but what verbs share.
SHARED = frozenset(
    {
        "aiming", "answering", "attesting", "barring", "baselining", "combining", "cooling", "evidencing",
        "examining", "exhuming", "fitting", "forgetting", "founding", "gathering", "isolating", "keeping", "lasting",
        "looking", "mending", "placing", "referring", "refusing", "rejecting", "rejoining", "remaining", "repeating",
        "retaining", "retelling", "reviving", "scoring", "shelving", "sourcing", "staging", "stating", "versioning",
        "vouching", "withdrawing", "workplace",
    }
)  # fmt: skip

#: Functions that change a disk, by their last name, whatever module they are taken from.
CHANGING = frozenset(
    {
        "chflags", "chmod", "chown", "copy", "copy2", "copyfile", "copyfileobj", "copytree", "fchmod", "fchown",
        "fdatasync", "fsync", "ftruncate", "hardlink_to", "lchown", "link", "makedirs", "mkdir", "mkdtemp", "mkfifo",
        "mknod", "mkstemp", "move", "posix_fallocate", "pwrite", "pwritev", "removedirs", "rename", "renames",
        "rmdir", "rmtree", "sendfile", "setxattr", "symlink", "symlink_to", "touch", "truncate", "unlink", "utime",
        "write_bytes", "write_text", "writev", "NamedTemporaryFile", "TemporaryDirectory", "TemporaryFile",
    }
)  # fmt: skip

#: Names that change a disk only when they are taken from `os`; elsewhere they belong to text and lists.
CHANGING_OF_OS = frozenset({"remove", "replace", "write"})

#: Flags of `os.open` that let a file be changed or made.
WRITING_FLAGS = frozenset({"O_APPEND", "O_CREAT", "O_RDWR", "O_TMPFILE", "O_TRUNC", "O_WRONLY"})

#: What else opens something for writing, and what: the null device and the standard streams.
EXEMPT = {"memdir_cli/cli/streams.py": {"O_RDWR", "O_WRONLY", "open"}}


def name_of(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_no_file_is_longer_than_a_person_reads_at_once(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 400


def test_half_of_the_rooms_are_small() -> None:
    sizes = [len(path.read_text("utf-8").splitlines()) for path in MODULES]
    assert sum(size < 100 for size in sizes) * 2 >= len(sizes)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_but_the_disk_module_changes_a_disk(path: Path) -> None:
    found = list(changes_of_a_disk(path.read_text("utf-8")))
    if path == PACKAGE / "storage" / "disk.py":
        assert len({what for _, what in found}) > 5, "the search finds what it is meant to find"
    else:
        assert {what for _, what in found} == EXEMPT.get(name_of(path), set())


@pytest.mark.parametrize(
    "line",
    [
        "os.write(1, b'')", "os.open(p, os.O_WRONLY)", "os.open(p, FLAGS | os.O_CREAT)", "open(p, 'w')",
        "open(p, mode='r+b')", "open(p, mode)", "io.open(p, 'x')", "os.fdopen(d, 'ab')", "Path(p).open('w')",
        "os.rename(a, b)", "os.replace(a, b)", "os.remove(a)", "os.unlink(a)", "Path(p).unlink()", "os.mkdir(a)",
        "os.makedirs(a)", "Path(p).write_text('')", "shutil.rmtree(a)", "tempfile.mkstemp()", "Path(p).touch()",
        "os.ftruncate(d, 0)", "os.utime(p)", "from os import write", "from shutil import move as carry",
    ],
)  # fmt: skip
def test_the_search_for_changes_is_not_blind(line: str) -> None:
    assert list(changes_of_a_disk(line))


@pytest.mark.parametrize(
    "line",
    [
        "open(p)", "open(p, 'rb')", "os.open(p, os.O_RDONLY)", "text.replace('a', 'b')", "found.remove(x)",
        "dataclasses.replace(x, a=1)", "sys.stderr.write('x')", "stream.write(x)", "os.read(d, 1)", "os.stat(p)",
    ],
)  # fmt: skip
def test_the_search_for_changes_leaves_other_code_alone(line: str) -> None:
    assert list(changes_of_a_disk(line)) == []


@pytest.mark.parametrize("floor", ["domain", "checks"])
def test_the_pure_floors_read_no_clock(floor: str) -> None:
    for path in sorted((PACKAGE / floor).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                assert node.attr not in {"now", "utcnow", "today"} or not is_call_of_clock(node), name_of(path)


def test_the_floors_stand_as_the_contracts_say() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_verb_is_under_the_contract_that_keeps_verbs_apart() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (verbs,) = (contract["modules"] for contract in contracts if contract["id"] == "verbs")
    lying = {path.stem for path in (PACKAGE / "operations").glob("*.py")} - {"__init__"}
    assert {name.rpartition(".")[2] for name in verbs} == lying - SHARED
    assert lying >= SHARED, "what is named as shared exists"


def changes_of_a_disk(source: str) -> Iterator[tuple[int, str]]:
    """Where ``source`` uses what changes a disk, and what it is."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module in {"os", "shutil", "tempfile"}:
            for alias in node.names:
                if alias.name in CHANGING | CHANGING_OF_OS:
                    yield node.lineno, alias.name
        elif isinstance(node, ast.Attribute):
            of_os = isinstance(node.value, ast.Name) and node.value.id == "os"
            if node.attr in CHANGING or (of_os and node.attr in CHANGING_OF_OS | WRITING_FLAGS):
                yield node.lineno, node.attr
        elif isinstance(node, ast.Call) and opens_for_writing(node):
            yield node.lineno, "open"


def opens_for_writing(call: ast.Call) -> bool:
    """Whether a call opens a file in a mode that is not plainly one for reading."""
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if name not in {"open", "fdopen"} or is_of_os(call.func, "open"):
        return False
    position = 0 if isinstance(call.func, ast.Attribute) and not is_of_module(call.func) else 1
    modes = [*call.args[position : position + 1], *(word.value for word in call.keywords if word.arg == "mode")]
    return any(not (isinstance(mode, ast.Constant) and str(mode.value) in {"r", "rb", "rt"}) for mode in modes)


def is_of_os(function: ast.expr, name: str) -> bool:
    return ast.unparse(function) == f"os.{name}"


def is_of_module(function: ast.Attribute) -> bool:
    return isinstance(function.value, ast.Name) and function.value.id in {"io", "os", "codecs", "gzip"}


def is_call_of_clock(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in {"datetime", "date", "time"}
