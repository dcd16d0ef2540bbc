"""Visibility: whose memories a runtime may see, whether or not they win."""

from __future__ import annotations

import pytest

from memdir_cli.domain.resolve import judge
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.visibility import another_users, here, in_run, in_view
from tests.records import ELSEWHERE, private, project, record, runtime, task, user

WHERE = runtime(path="docs", topic="tests", environment={"os": "linux"}, task="T1")
OTHERS = record("user:7", Scope("user"))


@pytest.mark.parametrize(
    ("one", "others"),
    [
        (OTHERS, True),
        (record("user:7", Scope("user", path="src/**")), True),
        (record("user:7", Scope("repository", repository=ELSEWHERE)), True),
        (user(), False),
        (user(path="src/**"), False),
        (private(repository=ELSEWHERE), False),
        (task("T2"), False),
        (project(), False),
        # of another project something may be told
        (project(repository=ELSEWHERE), False),
    ],
)
def test_of_another_users_memories_nothing_is_told(one: Record, others: bool) -> None:
    assert another_users(judge(one, WHERE)) is others


@pytest.mark.parametrize(
    ("one", "place", "view", "run"),
    [
        (project(), True, True, True),
        (project(status="conflicted"), True, True, True),
        (project(status="stale"), True, True, True),
        (project(path="docs/**", topic="tests", environment={"os": "linux"}), True, True, True),
        # another file or question of the same run
        (project(path="src/**"), True, True, True),
        (project(path="src/**", topic="release"), True, True, True),
        # another machine or version of the project
        (project(environment={"os": "macos"}), True, True, False),
        (project(version="^1"), True, True, False),
        (project(path="src/**", environment={"os": "macos"}), True, True, False),
        # another place
        (project(repository=ELSEWHERE), False, False, False),
        (private(repository=ELSEWHERE, path="src/**"), False, False, False),
        (task("T1"), True, True, True),
        (task("T2"), False, False, False),
        (user(layer="project"), False, False, False),
        (OTHERS, False, False, False),
        # not to be used, or not yet
        (project(status="candidate"), True, False, False),
        (project(status="expired"), True, False, False),
        (project(folder="inbox"), True, False, False),
        (project(status="quarantined", path="src/**"), True, False, False),
    ],
)
def test_what_is_of_this_place_in_view_and_in_this_run(one: Record, place: bool, view: bool, run: bool) -> None:
    judged = judge(one, WHERE)
    assert (here(judged), in_view(judged), in_run(judged)) == (place, view, run)
