"""Kill -9 at every system call that changes the disk, in a real process."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.storage.lock import locked
from memdir_cli.storage.transaction import pending, recover
from tests.storage.faulty import AFTER, BEFORE, plant, seen, temporaries, tree, without_receipts
from tests.storage.traced import WRITE_ONCE, Call, calls, skip_without_strace, trace

pytestmark = pytest.mark.slow


def changing(call: Call, root: str) -> bool:
    """Whether a call may change something in the memdir."""
    if not any(path.startswith(root) for path in call.paths):
        return False
    return call.name != "openat" or "O_CREAT" in call.arguments


#: Every call that a change makes, and what comes of a kill at one of them: nothing but the receipt is
#: opened or written after the commit point, and nothing is removed before it.
OUTCOMES = {
    "openat": {"before"},
    "write": {"before", "after"},
    "fsync": {"before", "after"},
    "renameat": {"before", "after"},
    "unlinkat": {"after"},
    "mkdirat": {"before"},
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_a_kill_at_any_call_is_healed_to_all_or_nothing(tmp_path: Path, name: str) -> None:
    skip_without_strace()
    root = plant(tmp_path / "whole/.memdir", BEFORE)
    assert trace(WRITE_ONCE, root, tmp_path / "whole/trace") == 0
    assert tree(root) == AFTER
    every = [call for call in calls(tmp_path / "whole/trace") if changing(call, root)]
    assert {call.name for call in every} - {"mkdir"} == set(OUTCOMES)
    outcomes = set()
    for ordinal in [call.ordinal for call in every if call.name == name]:
        root = plant(tmp_path / str(ordinal) / ".memdir", BEFORE)
        inject = ("-e", f"inject={name}:signal=KILL:when={ordinal}")
        assert trace(WRITE_ONCE, root, tmp_path / str(ordinal) / "trace", *inject) == -9
        outcomes.add(healed(root))
    assert outcomes == OUTCOMES[name]


def healed(root: str) -> str:
    """Recover as the next writer would; which of the two states came of it."""
    visible = seen(root)
    with locked(root, 1):
        recover(root)
    assert pending(root) is None
    assert temporaries(root) == ()
    states = {"before": BEFORE, "after": AFTER}
    state = next((name for name, files in states.items() if tree(root) == files), "torn")
    assert visible == without_receipts(states[state])
    return state
