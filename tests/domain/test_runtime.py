"""What follows from the facts of a runtime: whose memories are read, and which repository a task belongs to."""

from __future__ import annotations

import pytest

from tests.records import runtime


@pytest.mark.parametrize(
    ("git", "config", "home"),
    [
        ("github.com/acme/app", "github.com/acme/other", "github.com/acme/app"),
        ("github.com/acme/app", None, "github.com/acme/app"),
        (None, "local:1", "local:1"),
        (None, None, None),
    ],
)
def test_a_task_belongs_to_the_repository_that_git_gives_before_that_of_the_config(
    git: str | None, config: str | None, home: str | None
) -> None:
    assert runtime(repository=git, project=config).home_repository == home


@pytest.mark.parametrize(
    ("user", "project", "subjects"),
    [
        ("42", "local:1", ("user:42", "project:local:1")),
        ("42", None, ("user:42",)),
        (None, "local:1", ("project:local:1",)),
        (None, None, ()),
    ],
)
def test_whose_memories_are_read_is_the_users_and_the_projects_as_far_as_known(
    user: str | None, project: str | None, subjects: tuple[str, ...]
) -> None:
    assert runtime(user=user, project=project).subjects == subjects
