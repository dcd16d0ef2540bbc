"""A memory whose text was let go of is the same memory."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from memdir_cli.errors import ChangedError
from memdir_cli.shapes import replace
from memdir_cli.storage import codec, memories
from memdir_cli.storage.shelved import LEAST, Shelved, shelve
from tests.sandbox import Sandbox

TEXT = "Why it is so: the service answers 409 where two writers race.\n" * 5


def read(root: Path, body: str) -> Any:
    """The record of a file with this text."""
    memory = Memory("a1", "user:1", "build.retry", Scope("user"), "verified", description="how", value="3", body=body)
    path = root / "memories/build.retry.md"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(codec.render(memory))
    return memories.read_record(str(root), "user", "memories/build.retry.md", None)


def test_nothing_tells_it_from_another_one(tmp_path: Path) -> None:
    record, other = read(tmp_path, TEXT), read(tmp_path, TEXT)
    shelve(record, str(tmp_path))
    assert type(record.memory) is Shelved
    assert record.memory.body == TEXT == record.memory.body
    assert record.memory == other.memory
    assert other.memory == record.memory
    assert record.memory != replace(other.memory, body="")
    assert record.memory != record
    assert repr(record.memory) == repr(other.memory).replace("Memory(", "Shelved(", 1)
    assert replace(record.memory, value="4") == replace(other.memory, value="4")
    assert codec.render(record.memory) == codec.render(other.memory)


@pytest.mark.parametrize(("size", "kind"), [(LEAST - 1, Memory), (LEAST, Shelved)])
def test_a_short_text_stays(tmp_path: Path, size: int, kind: type) -> None:
    record = read(tmp_path, "x" * size)
    shelve(record, str(tmp_path))
    assert type(record.memory) is kind


@pytest.mark.parametrize("change", ["changed", "gone"])
def test_a_file_that_is_another_one_meanwhile_is_told(tmp_path: Path, change: str) -> None:
    record = read(tmp_path, TEXT)
    shelve(record, str(tmp_path))
    file = tmp_path / record.path
    file.unlink() if change == "gone" else file.write_bytes(file.read_bytes() + b"more\n")
    with pytest.raises(ChangedError) as caught:
        _ = record.memory.body
    assert caught.value.facts["path"] == record.path
    assert caught.value.hint == "repeat the command"
    shelve(record, str(tmp_path))  # what lies there already is not read for it


def test_another_text_may_take_the_place_of_one_that_was_let_go_of(tmp_path: Path) -> None:
    record = read(tmp_path, TEXT)
    shelve(record, str(tmp_path))
    object.__setattr__(record.memory, "body", "Otherwise.\n")
    assert record.memory.body == "Otherwise.\n"


@pytest.fixture
def top(sandbox: Sandbox) -> Path:
    """A repository whose memories have long texts, and some of them nothing else."""
    top = sandbox.repository(init=True)
    sandbox.user_memdir.mkdir(parents=True, exist_ok=True)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n")
    for number, value in enumerate(("3", "3", "3", "", "")):
        said = ("--from", "user", "--said", f"remember this of retry {number}")
        line = (
            "remember",
            f"build.retry-{number}",
            *filter(None, [value]),
            "--body-file",
            "-",
            "--scope",
            "repository",
        )
        assert sandbox.run(*line, *said, cwd=top, input=TEXT).exit == 0
    return top


def watched(sandbox: Sandbox, top: Path, then: str = "") -> list[str]:
    """What `check` says, with the names of the memory files that it opened in front."""
    script = (
        "import os, sys\nopened = []\n"
        "def see(name, args):\n"
        "    if name == 'open':\n"
        "        opened.append(str(args[0]))\n"
        f"        {then or 'pass'}\n"
        "sys.addaudithook(see)\n"
        "from memdir_cli.cli.entry import enter\nstatus = enter(['check'])\n"
        "print(*sorted(one for one in opened if one.startswith('build.retry')), status)"
    )
    done = sandbox.process(sys.executable, "-c", script, cwd=top)
    return [done.stdout.splitlines()[-1], *done.stdout.splitlines()[:-1]]


def test_check_reads_a_text_again_only_where_it_is_asked_for(sandbox: Sandbox, top: Path) -> None:
    names = [f"build.retry-{number}.md" for number in (0, 1, 2, 3, 3, 4, 4)]
    assert watched(sandbox, top) == [" ".join((*names, "0"))]


def test_a_past_that_cannot_be_read_hides_no_memory(sandbox: Sandbox, top: Path) -> None:
    """An edited memory is compared with its past, and a fault there is told once."""
    file = top / ".memdir/memories/build.retry-1.md"
    file.write_text(f"{file.read_text('utf-8')}And more.\n", "utf-8")
    shutil.rmtree(top / ".memdir/history", ignore_errors=True)
    (top / ".memdir/history").symlink_to(sandbox.home)
    done = sandbox.run("check", "--json", cwd=top)
    assert done.exit == 2
    assert [(found["code"], found["path"]) for found in done.json["findings"]] == [("M104", ".memdir")]


def test_what_somebody_changes_before_it_is_asked_for_is_looked_at_anew(sandbox: Sandbox, top: Path) -> None:
    file = top / ".memdir/memories/build.retry-3.md"
    add = "password: h7Kq2mXv9Lw4Rt8Zp3Ns6Yb1"
    change = (
        "if str(args[0]) == 'MEMORY.md' and opened.count('build.retry-3.md') == 1:\n"
        f"            opened.append('build.retry-3.md'); open({str(file)!r}, 'a').write({add!r} + chr(10))"
    )
    opened, *said = watched(sandbox, top, change)
    assert opened.count("build.retry-0.md") == 2
    assert said == sandbox.run("check", cwd=top).stdout.splitlines()
    assert any("build.retry-3.md" in line for line in said)
