"""The access log: content-free, append-only, local, rotated, best effort, and no burden to a read."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain.access import Access, Shown
from memdir_cli.domain.snapshot import Layer
from memdir_cli.storage import access
from memdir_cli.storage.store import Store
from tests.records import NOW
from tests.sandbox import Outcome, Sandbox

#: Every text that a memory or a question about it has; none of them may get into the log.
CANARIES = (
    "zebrakey",
    "zebravalue",
    "zebradescription",
    "zebrabody",
    "zebratopic",
    "zebrapath",
    "zebrasaid",
    "zebraquery",
)

READS = (
    ("get", "zebrakey", "--topic", "zebratopic", "--path", "zebrapath/a.ts"),
    ("get", "zebrakey"),
    ("show", "zebrakey"),
    ("context", "--query", "zebraquery", "--topic", "zebratopic", "--path", "zebrapath/a.ts"),
    ("context",),
)


@pytest.fixture
def top(sandbox: Sandbox, repo: Callable[..., Path]) -> Path:
    """A repository with one memory, all of whose words are known."""
    found = repo(init=True)
    sandbox.user_memdir.mkdir(parents=True, exist_ok=True, mode=0o700)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", "utf-8")
    said = ("--from", "user", "--said", "zebrasaid", "--session", "s1", "--message", "m1")
    narrowed = ("--topic", "zebratopic", "--path", "zebrapath/**")
    words = ("--description", "zebradescription", "--body-file", "-", "--scope", "repository")
    done = sandbox.run("remember", "zebrakey", "zebravalue", *words, *narrowed, *said, cwd=found, input="zebrabody\n")
    assert done.exit == 0, done.stderr
    return found


def logs(top: Path) -> dict[str, bytes]:
    folder = top / ".memdir/local/access"
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*"))} if folder.is_dir() else {}


def answers(sandbox: Sandbox, top: Path) -> list[Outcome]:
    return [sandbox.run(*line, cwd=top) for line in READS]


def test_it_holds_no_content(sandbox: Sandbox, top: Path) -> None:
    for line in READS:
        assert sandbox.run(*line, cwd=top, env={"MEMDIR_SESSION": "s9", "MEMDIR_TASK": "T1"}).exit in {0, 1}
    (content,) = logs(top).values()
    assert [canary for canary in CANARIES if canary.encode() in content] == []
    lines = [json.loads(line) for line in content.splitlines()]
    assert [line["verb"] for line in lines] == ["get", "get", "show", "context", "context"]
    assert {(line["session"], line["task"], line["at"]) for line in lines} == {("s9", "T1", "2026-09-14T09:30:00Z")}
    known = {"at", "verb", "session", "task", "candidates", "shown", "excluded", "budget", "characters", "query"}
    assert {key for line in lines for key in line} <= known
    assert lines[0]["shown"][0].keys() == {"id", "revision", "status", "age"}


def test_it_is_only_ever_added_to(sandbox: Sandbox, top: Path) -> None:
    before = b""
    for line in READS:
        sandbox.run(*line, cwd=top)
        (after,) = logs(top).values()
        assert after.startswith(before)
        assert after != before
        before = after
    sandbox.run("remember", "other", "x", "--scope", "repository", cwd=top)
    assert logs(top) == {"2026-09.jsonl": before}


def test_many_readers_at_once_lose_no_line(sandbox: Sandbox, top: Path) -> None:
    command = ["memdir_cli", "get", "zebrakey", "--topic", "zebratopic", "--path", "zebrapath"]
    running = [
        subprocess.Popen(
            [os.sys.executable, "-m", *command],  # type: ignore[attr-defined]
            cwd=top,
            env={**sandbox.environ, "MEMDIR_SESSION": f"s{number}"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        for number in range(8)
    ]
    assert [process.wait(timeout=60) for process in running] == [0] * 8
    assert sorted(str(line["session"]) for line in access.read(str(top / ".memdir"))) == [f"s{n}" for n in range(8)]


def test_it_stays_on_this_machine(sandbox: Sandbox, top: Path) -> None:
    answers(sandbox, top)
    (file,) = (top / ".memdir/local/access").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    sandbox.git("add", "-A", cwd=top)
    assert "local" not in sandbox.git("ls-files", cwd=top)


@pytest.mark.parametrize(("layer", "folder"), [("user", 0o700), ("project", 0o755)])
def test_what_a_log_makes_is_its_accounts_alone_in_a_project_from_the_log_on(
    tmp_path: Path, layer: Layer, folder: int
) -> None:
    mask = os.umask(0o022)
    try:
        access.note([Store(str(tmp_path), layer)], Access("get", NOW, shown=(Shown(layer, "k1", 1, "verified", ""),)))
    finally:
        os.umask(mask)
    modes = [
        stat.S_IMODE((tmp_path / path).stat().st_mode)
        for path in ("local", "local/access", "local/access/2026-09.jsonl")
    ]
    assert modes == [folder, 0o700, 0o600]


def test_every_month_has_a_file_of_its_own(sandbox: Sandbox, top: Path) -> None:
    for now in ("2026-09-30T23:59:59Z", "2026-10-01T00:00:00Z"):
        sandbox.run("show", "zebrakey", cwd=top, env={"MEMDIR_NOW": now})
    assert list(logs(top)) == ["2026-09.jsonl", "2026-10.jsonl"]
    assert [line["at"] for line in access.read(str(top / ".memdir"))] == [
        "2026-09-30T23:59:59Z",
        "2026-10-01T00:00:00Z",
    ]


def test_a_person_who_reads_leaves_no_line(top: Path, sandbox: Sandbox) -> None:
    from tests.cli.pseudoterminal import typed

    assert "zebravalue" in typed(sandbox, "show", "zebrakey", cwd=top).shown
    assert logs(top) == {}


def _folder(path: Path) -> None:
    (path / "2026-09.jsonl").mkdir(parents=True)


def _fifo(path: Path) -> None:
    path.mkdir()
    os.mkfifo(path / "2026-09.jsonl")


def _link(path: Path) -> None:
    path.mkdir()
    (path / "2026-09.jsonl").symlink_to(path.parent.parent.parent / "README.md")


def _file(path: Path) -> None:
    path.write_text("in the way", "utf-8")


@pytest.mark.parametrize("hinder", [_folder, _fifo, _link, _file])
def test_what_is_in_its_way_is_not_in_the_way_of_a_read(
    sandbox: Sandbox, top: Path, hinder: Callable[[Path], None]
) -> None:
    expected = answers(sandbox, top)
    folder = top / ".memdir/local/access"
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    readme = (top / "README.md").read_bytes()
    hinder(folder)
    assert answers(sandbox, top) == expected
    assert (top / "README.md").read_bytes() == readme


def test_a_full_disk_is_not_in_the_way_of_a_read(sandbox: Sandbox, top: Path) -> None:
    expected = answers(sandbox, top)
    size = len(logs(top)["2026-09.jsonl"])
    command = (
        f"ulimit -f {size // 1024 + 1}; trap '' XFSZ; head -c 4096 /dev/zero >> .memdir/local/access/2026-09.jsonl"
    )
    subprocess.run(["bash", "-c", command], cwd=top, check=False, capture_output=True)
    # Python, too, would leave files that are cut off where it keeps what it has compiled
    limited = "ulimit -f 1; trap '' XFSZ; export PYTHONDONTWRITEBYTECODE=1; exec \"$@\""
    for line, one in zip(READS, expected, strict=True):
        done = sandbox.process("bash", "-c", limited, "bash", os.sys.executable, "-m", "memdir_cli", *line, cwd=top)  # type: ignore[attr-defined]
        assert done == one


@contextmanager
def read_only(memdir: Path) -> Iterator[None]:
    """The memdir on a file system that takes no writes."""
    mounted = ["mount", "--bind", str(memdir), str(memdir)]
    if os.geteuid() != 0:
        subprocess.run(["chmod", "-R", "a-w", str(memdir)], check=True)
        yield
        subprocess.run(["chmod", "-R", "u+w", str(memdir)], check=True)
        return
    if subprocess.run(mounted, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(memdir)], check=True)
        yield
    finally:
        subprocess.run(["umount", str(memdir)], check=True)


def test_a_memdir_that_takes_no_writes_is_read_all_the_same(sandbox: Sandbox, top: Path) -> None:
    expected = answers(sandbox, top)
    before = logs(top)
    with read_only(top / ".memdir"):
        assert answers(sandbox, top) == expected
    assert logs(top) == before


def test_lines_that_say_nothing_are_passed_over(top: Path) -> None:
    folder = top / ".memdir/local/access"
    folder.mkdir(parents=True)
    (folder / "2026-09.jsonl").write_bytes(b'{"verb":"get"}\n\n{"verb":\n[]\n\xff\n{"verb":"show"}\n{"ver')
    (folder / "notes.txt").write_bytes(b'{"verb":"other"}\n')
    assert [line["verb"] for line in access.read(str(top / ".memdir"))] == ["get", "show"]


def test_a_long_log_takes_no_longer_to_add_to(top: Path) -> None:
    store = Store(str(top / ".memdir"), "project")
    one = Access("get", "2026-09-14T09:30:00Z", shown=(Shown("project", "k7f3x9a2b4c5d", 1, "verified", "today"),))
    short = _seconds(lambda: access.note([store], one))
    with (top / ".memdir/local/access/2026-09.jsonl").open("ab") as stream:
        stream.write(b'{"verb":"get"}\n' * 2_000_000)
    long = _seconds(lambda: access.note([store], one))
    assert long < 5 * short


def _seconds(act: Callable[[], Any]) -> float:
    """The best of many: what a machine that is busy otherwise adds is not asked for."""
    best = 1.0
    for _ in range(50):
        began = time.perf_counter()
        act()
        best = min(best, time.perf_counter() - began)
    return best
