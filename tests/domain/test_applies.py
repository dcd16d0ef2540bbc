"""Which demands of a scope are not met in a runtime, and how each is told."""

from __future__ import annotations

import pytest

from memdir_cli.domain.applies import demands, unmet
from memdir_cli.domain.runtime import Runtime
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Record
from tests.records import ELSEWHERE, HERE, PROJECT, USER, private, project, record, runtime, task, user

NOWHERE = runtime(project=None, repository=None)

UNMET: list[tuple[Record, Runtime, tuple[str, ...]]] = [
    (user(), runtime(), ()),
    (user(), runtime(user="7"), ("subject: it asks for subject `user:42`, and this is another",)),
    (user(layer="project"), runtime(),
     ("memdir: it asks for the user memdir, and this is the project memdir",)),
    (project(layer="user"), runtime(),
     ("memdir: it asks for the project memdir, and this is the user memdir",)),
    (record(PROJECT, Scope("user")), runtime(),
     ("memdir: it asks for the project memdir, and this is the project memdir",)),
    (project(), runtime(project=ELSEWHERE, repository=HERE), (
        f"subject: it asks for subject `project:{HERE}`, and this is another",
        f"repository: it asks for repository `{HERE}`, and this is `{ELSEWHERE}`",
    )),
    (private(), runtime(project=HERE, repository=ELSEWHERE),
     (f"repository: it asks for repository `{HERE}`, and this is `{ELSEWHERE}`",)),
    (private(), runtime(project=ELSEWHERE, repository=HERE), ()),
    (private(), NOWHERE, (f"repository: it asks for repository `{HERE}`, which is not known here",)),
    (private(repository=HERE.upper()), runtime(),
     (f"repository: it asks for repository `{HERE.upper()}`, and this is `{HERE}`",)),
    (record(USER, Scope("repository")), runtime(),
     ("repository: it asks for a repository that it does not name, which is not known here",)),
    (task("T1"), runtime(task="T1"), ()),
    (task("T1"), runtime(task="t1"), ("task: it asks for task `T1`, and this is `t1`",)),
    (task("T1"), runtime(), ("task: it asks for task `T1`, which is not known here",)),
    (task("T1", repository=ELSEWHERE), runtime(task="T1"),
     (f"repository: it asks for repository `{ELSEWHERE}`, and this is `{HERE}`",)),
    (task("T1", repository=None), runtime(task="T1"),
     (f"repository: it asks for a place outside any repository, and this is `{HERE}`",)),
    (task("T1"), runtime(task="T1", project=None, repository=None),
     (f"repository: it asks for repository `{HERE}`, and this is none",)),
    (task("T1", repository=None), runtime(task="T1", project=None, repository=None), ()),
    (user(path="src/**"), runtime(path=None), ("path: it asks for path `src/**`, which is not known here",)),
    (user(path="src/**"), runtime(path=""),
     ("path: it asks for path `src/**`, and this is the repository's root",)),
    (user(path="src/**"), runtime(path="lib/a"), ("path: it asks for path `src/**`, and this is `lib/a`",)),
    (user(topic="Release"), runtime(topic="RELEASE"), ()),
    (user(topic="Release"), runtime(topic="build"),
     ("topic: it asks for topic `Release`, and this is `build`",)),
    (user(topic="Release"), runtime(), ("topic: it asks for topic `Release`, which is not known here",)),
    (user(environment={"os": "Linux", "gpu": "yes"}), runtime(environment={"os": "linux"}),
     ("environment: it asks for gpu `yes`, which is not known here",)),
    (user(environment={"os": "macos"}), runtime(environment={"os": "linux"}),
     ("environment: it asks for os `macos`, and this is `linux`",)),
    (user(version="^2"), runtime(version="2.1.0"), ()),
    (user(version="^2"), runtime(version="3.0.0"),
     ("version: it asks for project version `^2`, and this is `3.0.0`",)),
    (user(version="^2"), runtime(), ("version: it asks for project version `^2`, which is not known here",)),
    (user(version="wat"), runtime(version="3.0.0"),
     ("version: it asks for project version `wat`, which is not known here",)),
]  # fmt: skip


@pytest.mark.parametrize(("one", "where", "told"), UNMET)
def test_what_is_not_met_is_told_demand_by_demand(one: Record, where: Runtime, told: tuple[str, ...]) -> None:
    assert tuple(f"{gap.name}: {gap.sentence}" for gap in unmet(one, where)) == told


def test_a_demand_is_satisfied_contradicted_or_unknown() -> None:
    here = runtime(path="lib/a", topic="t", task="T1")
    answers = {each.name: each.answer for each in demands(task("T1", path="src/**", topic="t", version="^2"), here)}
    assert (answers["task"], answers["topic"]) == ("satisfied", "satisfied")
    assert (answers["path"], answers["version"]) == ("contradicted", "unknown")


def test_the_widest_demand_comes_first() -> None:
    one = task("T1", path="src/**", topic="t", environment={"os": "linux"}, version="^2")
    names = [demand.name for demand in demands(one, runtime())]
    assert names == ["memdir", "subject", "task", "repository", "path", "topic", "environment", "version"]
    assert [demand.name for demand in demands(project(), runtime())] == ["memdir", "subject", "repository"]
