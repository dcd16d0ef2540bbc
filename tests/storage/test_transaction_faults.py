"""A fault at every call that a disk can refuse: afterwards a memdir is as before or as after."""

from __future__ import annotations

import errno
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memdir_cli.errors import FaultError
from memdir_cli.storage.transaction import pending, recover
from tests.storage.faulty import (
    AFTER,
    BEFORE,
    Plan,
    SimulatedCrash,
    change,
    crashing,
    failing,
    faulty,
    filling,
    plant,
    seen,
    sparing,
    temporaries,
    tree,
    without_receipts,
)

pytestmark = pytest.mark.slow

#: More calls than one change makes; a sweep that gets there did not end.
ENDLESS = 2000


def sweep(tmp_path: Path, plan: Callable[[int], Plan], judge: Callable[[str, bool], None]) -> int:
    """Repeat the change with a fault at call 1, 2, 3 … until a run meets none; the number of runs.

    :param judge: is given the root, and whether the commit returned.
    """
    for number in range(1, ENDLESS):
        root = plant(tmp_path / str(number), BEFORE)
        with faulty(plan(number)) as system:
            try:
                change(root)
                returned = True
            except (FaultError, SimulatedCrash):
                returned = False
        judge(root, returned)
        if system.calls < number:
            return number
    raise AssertionError("the sweep does not end")


def all_or_nothing(root: str, returned: bool) -> None:
    """A commit that returned has happened and one that failed has not, after recovery and for readers."""
    expected = AFTER if returned else BEFORE
    assert seen(root) == without_receipts(expected)
    recover(root)
    assert tree(root) == expected


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EDQUOT], ids=errno.errorcode.get)
def test_an_error_at_any_call_leaves_all_or_nothing(tmp_path: Path, error: int, lasting: bool) -> None:
    runs = sweep(tmp_path, lambda number: failing(number, error, lasting=lasting), all_or_nothing)
    assert runs > 60


def test_a_passing_error_leaves_no_work_for_anybody(tmp_path: Path) -> None:
    def judge(root: str, returned: bool) -> None:
        assert pending(root) is None
        all_or_nothing(root, returned)

    sweep(tmp_path, lambda number: failing(number, errno.EIO, lasting=False), judge)


def test_a_disk_that_fills_up_in_the_middle_of_a_write_leaves_all_or_nothing(tmp_path: Path) -> None:
    sweep(tmp_path, lambda number: filling(number, errno.ENOSPC), all_or_nothing)


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
def test_short_writes_are_continued(tmp_path: Path, lasting: bool) -> None:
    def judge(root: str, returned: bool) -> None:
        assert returned
        assert tree(root) == AFTER

    sweep(tmp_path, lambda number: sparing(number, lasting=lasting), judge)


@pytest.mark.parametrize("torn", [False, True], ids=["before the call", "in the middle of a write"])
def test_a_crash_at_any_call_is_healed_to_all_or_nothing(tmp_path: Path, torn: bool) -> None:
    outcomes = []

    def judge(root: str, returned: bool) -> None:
        done = seen(root) == without_receipts(AFTER)
        assert done or seen(root) == without_receipts(BEFORE)
        recover(root)
        assert tree(root) == (AFTER if done else BEFORE)
        assert done or not returned
        assert recover(root).transaction == ""
        outcomes.append(done)

    sweep(tmp_path, lambda number: crashing(number, torn=torn), judge)
    # there is one commit point: nothing before it counts, everything after it does
    assert outcomes == sorted(outcomes)
    assert {False, True} == set(outcomes)


def crashed(root: Path, number: int) -> str:
    """A memdir in which the change died at call ``number``."""
    planted = plant(root, BEFORE)
    with faulty(crashing(number)), suppress(SimulatedCrash):
        change(planted)
    return planted


@pytest.fixture
def commit_point(tmp_path: Path) -> int:
    """The number of the first call at which a crash leaves a journal behind."""
    return next(
        number
        for number in range(1, ENDLESS)
        if pending(crashed(tmp_path / "commit-point" / str(number), number)) is not None
    )


def test_recovery_itself_may_crash_at_any_call(tmp_path: Path, commit_point: int) -> None:
    number = commit_point
    while pending(root := crashed(tmp_path / str(number), number)) is not None:
        interruptions = 0
        while True:  # each recovery dies one call later than the one before it, until one gets through
            with faulty(crashing(interruptions + 1)), suppress(SimulatedCrash):
                recover(root)
                break
            interruptions += 1
        assert interruptions > 0
        assert tree(root) == AFTER
        number += 1
    assert number > commit_point + 20


def test_an_error_in_recovery_is_reported_and_repetition_heals(tmp_path: Path, commit_point: int) -> None:
    statuses = []
    for number in range(1, ENDLESS):
        root = crashed(tmp_path / str(number), commit_point)
        with faulty(failing(number, errno.EIO, lasting=True)) as system:
            try:
                recover(root)
            except FaultError as error:
                statuses.append(error.exit_status)
        recover(root)
        assert tree(root) == AFTER
        if system.calls < number:
            break
    assert set(statuses) == {6}
    assert len(statuses) == number - 1


def test_a_full_disk_leaves_no_temporary_file_even_before_the_next_recovery(tmp_path: Path) -> None:
    def judge(root: str, returned: bool) -> None:
        assert returned or temporaries(root) == ()
        assert returned or tree(root) == BEFORE

    sweep(tmp_path, lambda number: filling(number, errno.ENOSPC), judge)
