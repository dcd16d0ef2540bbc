"""Statuses: where each lies, which count, which is the more cautious."""

from __future__ import annotations

from itertools import product

from memdir_cli.domain.status import CAUTION, CURRENT, FOLDER, STATUSES, USABLE, worse


def test_every_status_has_a_folder_and_a_rank() -> None:
    assert set(FOLDER) == set(STATUSES) == set(CAUTION)
    assert len(CAUTION) == len(STATUSES)


def test_only_current_statuses_lie_where_an_agent_may_read() -> None:
    assert {status for status, folder in FOLDER.items() if folder == "memories"} == CURRENT
    assert USABLE < CURRENT
    assert "conflicted" not in USABLE


def test_the_order_of_caution_is_that_of_a_merge() -> None:
    order = [CAUTION.index(status) for status in ("quarantined", "conflicted", "stale", "verified")]
    assert order == sorted(order)
    assert CAUTION[-1] == "verified"


def test_the_worse_of_two_is_one_of_them_and_never_the_better() -> None:
    for one, other in product(STATUSES, STATUSES):
        found = worse(one, other)
        assert found in {one, other}
        assert worse(other, one) == found
        assert CAUTION.index(found) <= min(CAUTION.index(one), CAUTION.index(other))
