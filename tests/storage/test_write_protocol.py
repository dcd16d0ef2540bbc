"""The order of system calls on which durability rests, read from a trace of the real process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdir_cli.storage.layout import HOLDER, INDEX, JOURNAL, LOCAL, LOCK, RECEIPTS, is_temp_name
from tests.storage.faulty import BEFORE, plant
from tests.storage.traced import WRITE_ONCE, Call, calls, skip_without_strace, trace

pytestmark = pytest.mark.slow


def violations(trace: list[Call], root: str) -> list[str]:
    """What a trace does with files below ``root`` that may lose or tear one, in words."""
    found: list[str] = []
    unsynced: set[str] = set()  # files written, and folders in which a name changed, since their last fsync
    for call in trace:
        paths = [os.path.relpath(path, root) for path in call.paths]
        if call.failed or not paths or paths[0].startswith(".."):
            continue
        if call.name == "openat":
            found += opened_badly(paths[0], call.arguments)
            if "O_CREAT" in call.arguments and paths[0] != LOCK:
                unsynced.add(os.path.dirname(paths[0]))
        elif call.name == "write":
            unsynced.add(paths[0])
        elif call.name in {"fsync", "fdatasync"}:
            unsynced.discard(paths[0])
        elif call.name.startswith("rename"):
            source, target = paths
            if target == HOLDER:  # told to those who wait now; after a crash nobody asks
                unsynced.discard(source)
            if source in unsynced:
                found.append(f"{source} renamed before it is synced")
            if is_temp_name(os.path.basename(source)) and os.path.dirname(source) != os.path.dirname(target):
                found.append(f"{source} renamed from another folder")
            unsynced |= {os.path.dirname(source), os.path.dirname(target)}
        elif call.name in {"unlink", "unlinkat"}:
            if paths[0] == JOURNAL and unsynced - {LOCAL}:
                found.append(f"the journal dropped before {sorted(unsynced)} are synced")
            unsynced.add(os.path.dirname(paths[0]))
        elif call.name in {"mkdir", "mkdirat"}:
            unsynced.add(os.path.dirname(paths[0]))
        else:
            found.append(f"{call.name} of {paths[0]}")
        unsynced = {"." if path == "" else path for path in unsynced}
    return found + [f"{path} never synced" for path in sorted(unsynced)]


def opened_badly(path: str, flags: str) -> list[str]:
    """What is wrong with opening ``path`` like that."""
    if "O_WRONLY" not in flags and "O_RDWR" not in flags:
        return []
    if "O_TRUNC" in flags:
        return [f"{path} truncated in place"]
    if "O_NOFOLLOW" not in flags or "O_CLOEXEC" not in flags:
        return [f"{path} opened through links, or for children"]
    if path == LOCK or (path.startswith(f"{RECEIPTS}/") and "O_APPEND" in flags):
        return []
    if not is_temp_name(os.path.basename(path)):
        return [f"{path} opened for writing in place"]
    return [] if "O_CREAT|O_EXCL" in flags else [f"{path} may be somebody else's"]


def traced(script: str, root: str, to: Path) -> list[Call]:
    skip_without_strace()
    assert trace(script, root, to) == 0
    return calls(to)


FIRST = """
import sys
from memdir_cli.domain.changes import Put
from memdir_cli.storage.lock import locked
from memdir_cli.storage.transaction import commit
from tests.storage.faulty import LINE, RECEIPTS, TXN
with locked(sys.argv[1], 10):
    commit(sys.argv[1], txn=TXN, puts=[Put("memories/a.md", b"text"), Put("local/tasks/a.md", b"text")],
           index=Put("MEMORY.md", b"text"), receipt_path=RECEIPTS, receipt=LINE, private=True)
"""
NO_INDEX = FIRST.replace("index=", "index=None and ")


@pytest.mark.parametrize(
    ("files", "script"),
    [(BEFORE, WRITE_ONCE), ({}, FIRST), ({}, NO_INDEX)],
    ids=["a memdir with files", "an empty memdir", "nothing in the root"],
)
def test_a_change_keeps_the_protocol(tmp_path: Path, files: dict[str, bytes], script: str) -> None:
    root = plant(tmp_path / ".memdir", files)
    assert violations(traced(script, root, tmp_path / "trace"), root) == []


ALONE = "import os, sys; from memdir_cli.storage import disk; root = sys.argv[1]\n"


@pytest.mark.parametrize(
    "operation",
    [
        "disk.write_file(root, 'memories/b.md', b'text', 'txn', private=False)",
        "disk.write_file(root, 'new/deep/b.md', b'text', 'txn', private=False)",
        "disk.append_line(root, 'receipts/2026-10.jsonl', b'line', private=False)",
        "disk.ensure_folder(root, 'new/deep', private=False); disk.remove_empty_folders(root, 'new/deep')",
        "disk.create_root(os.path.join(root, 'repository'), private=False)",
        "disk.create_root(os.path.join(root, 'share/deep/memdir'), private=True)",
    ],
)
def test_an_operation_of_its_own_is_durable_when_it_returns(tmp_path: Path, operation: str) -> None:
    root = plant(tmp_path / ".memdir", BEFORE)
    assert violations(traced(ALONE + operation, root, tmp_path / "trace"), root) == []


def test_additions_come_before_the_index_and_removals_after_it(tmp_path: Path) -> None:
    root = plant(tmp_path / ".memdir", BEFORE)
    steps = [
        (call.name[:6], os.path.relpath(call.paths[-1], root))
        for call in traced(WRITE_ONCE, root, tmp_path / "trace")
        if not call.failed and call.paths and call.paths[-1].startswith(root) and call.name != "openat"
    ]
    order = [steps.index(step) for step in [
        ("fsync", "memories"),
        ("rename", JOURNAL),
        ("rename", "memories/a.md"),
        ("rename", "history/a~a@1.md"),
        ("rename", "memories/b.md"),
        ("write", "receipts/2026-09.jsonl"),
        ("rename", INDEX),
        ("unlink", "inbox/b~b.md"),
        ("fsync", "inbox"),
        ("unlink", JOURNAL),
    ]]  # fmt: skip
    assert order == sorted(order)
    journal = steps.index(("rename", JOURNAL))
    assert steps[journal + 1] == ("fsync", LOCAL)
    assert steps[-1] == ("fsync", LOCAL)


def test_each_folder_is_synced_once_before_and_once_after_the_commit_point(tmp_path: Path) -> None:
    root = plant(tmp_path / ".memdir", {**BEFORE, "history/old.md": b"", LOCK: b"", HOLDER: b""})
    synced = [
        os.path.relpath(call.paths[0], root)
        for call in traced(WRITE_ONCE, root, tmp_path / "trace")
        if call.name == "fsync" and os.path.isdir(call.paths[0])
    ]
    commit_point = synced.index(LOCAL)
    before, after = synced[:commit_point], synced[commit_point + 1 :]
    assert before == [".", "history", "memories"]
    assert after == [".", "history", "inbox", "memories", LOCAL]


_TEMP = "temp = os.path.join(root, 'memories/.memdir-x-1.tmp'); folder = os.path.join(root, 'memories')\n"
_OPEN = "fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)\n"
_MOVE = "os.rename(temp, os.path.join(root, 'memories/a.md'))\n"
_SYNC = "os.fsync(os.open(folder, os.O_RDONLY))\n"


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        (_TEMP + _OPEN + "os.write(fd, b'x'); os.fsync(fd)\n" + _MOVE + _SYNC, None),
        (_TEMP + _OPEN + "os.write(fd, b'x')\n" + _MOVE + _SYNC, "renamed before it is synced"),
        (_TEMP + _OPEN + "os.fsync(fd); os.write(fd, b'x')\n" + _MOVE + _SYNC, "renamed before it is synced"),
        (_TEMP + _OPEN + "os.write(fd, b'x'); os.fsync(fd)\n" + _MOVE, "memories never synced"),
        (_TEMP + _OPEN + "os.write(fd, b'x'); os.fsync(fd)\n", "memories never synced"),
        (_TEMP.replace("memories/.", ".") + _OPEN + _MOVE + _SYNC, "renamed from another folder"),
        (_TEMP + _OPEN.replace(" | os.O_EXCL", "") + _MOVE + _SYNC, "somebody else's"),
        (_TEMP + _OPEN.replace(" | os.O_NOFOLLOW", "") + _MOVE + _SYNC, "through links"),
        ("open(os.path.join(root, 'memories/a.md'), 'w').write('x')", "truncated in place"),
        ("os.open(os.path.join(root, 'memories/a.md'), os.O_RDWR | os.O_NOFOLLOW)", "writing in place"),
        ("os.truncate(os.path.join(root, 'memories/a.md'), 0)", "truncate of memories/a.md"),
        ("os.unlink(os.path.join(root, 'memories/a.md'))", "memories never synced"),
        ("os.mkdir(os.path.join(root, 'archive'))", ". never synced"),
        ("os.link(os.path.join(root, 'memories/a.md'), os.path.join(root, 'b.md'))", "link of memories/a.md"),
    ],
)
def test_the_lint_sees_what_is_wrong(tmp_path: Path, script: str, complaint: str | None) -> None:
    root = plant(tmp_path / ".memdir", BEFORE)
    found = violations(traced(f"import os, sys; root = sys.argv[1]\n{script}", root, tmp_path / "trace"), root)
    assert (found == []) if complaint is None else any(complaint in one for one in found)
