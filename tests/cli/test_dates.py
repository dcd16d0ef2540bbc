"""Dates through the real command: one meaning in every time zone, nothing born expired, no freshness for nothing."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from memdir_cli.domain import times
from tests.cli.watched import SAID, Project, project
from tests.sandbox import NOW, Outcome, Sandbox

ZONES = ("UTC", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Chatham")

#: What is typed, and the first second at which it is over.
FORMS = [
    ("2026-12-14", "2026-12-15T00:00:00Z"),
    ("2026-12-14T09:30:00Z", "2026-12-14T09:30:00Z"),
    ("2026-12-14T11:30:00+02:00", "2026-12-14T09:30:00Z"),
    ("2026-12-13T23:30-10:00", "2026-12-14T09:30:00Z"),
    ("2026-12-15T00:15:00+14:45", "2026-12-14T09:30:00Z"),
    ("91d", "2026-12-14T09:30:00Z"),
]
NAIVE = ["2026-12-14T09:30:00", "2026-12-14 09:30"]

#: Plays commands in one process, each at its own time, and prints exit status and stdout of each.
DRIVER = """
import contextlib, io, json, os, sys, time
from memdir_cli.cli.entry import enter
time.tzset()
done = []
for now, argv in json.load(sys.stdin):
    os.environ["MEMDIR_NOW"] = now
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = enter(argv)
    done.append([status, out.getvalue(), err.getvalue()])
json.dump([time.strftime("%z"), done], sys.stdout)
"""

Step = tuple[str, Sequence[str]]


def played(here: Project, zone: str, steps: Sequence[Step]) -> list[Outcome]:
    """The outcomes of commands, each with the time at which it runs, in a time zone."""
    text = json.dumps([[now, list(argv)] for now, argv in steps])
    done = here.sandbox.process(sys.executable, "-c", DRIVER, cwd=here.top, env={"TZ": zone}, input=text)
    assert done.exit == 0, done.stderr
    offset, outcomes = json.loads(done.stdout)
    assert (offset == "+0000") == (zone == "UTC"), "the zone is known here"
    return [Outcome(*one) for one in outcomes]


def around(boundary: str) -> tuple[str, str, str]:
    """The second before a moment, the moment, the second after."""
    before, at, after = (times.from_clock(times.start(boundary) + delta) for delta in (-1, 0, 1))
    return before, at, after


def remember(key: str, *more: str) -> Sequence[str]:
    return ["remember", key, "1", "--scope", "repository", *SAID, *more]


@pytest.fixture
def here(sandbox: Sandbox) -> Project:
    return project(sandbox)


@pytest.mark.parametrize("zone", ZONES)
def test_each_form_of_a_date_has_one_meaning_everywhere(here: Project, zone: str) -> None:
    steps: list[Step] = []
    for number, (form, boundary) in enumerate(FORMS):
        steps.append((NOW, remember(f"expires-{number}", "--expires", form)))
        steps += [(now, ["get", f"expires-{number}", "--json"]) for now in around(boundary)]
        steps.append((NOW, remember(f"review-{number}", "--review-after", form)))
        steps += [(now, ["get", f"review-{number}", "--json"]) for now in around(boundary)]
    outcomes = iter(played(here, zone, steps))
    for form, _ in FORMS:
        assert next(outcomes).exit == 0, form
        told = [next(outcomes).json for _ in range(3)]
        assert [one["value"] for one in told] == ["1", None, None], f"--expires {form}"
        assert next(outcomes).exit == 0, form
        told = [next(outcomes).json for _ in range(3)]
        assert [one["value"] for one in told] == ["1", "1", "1"]
        assert [one["status"] for one in told] == ["verified", "stale", "stale"], f"--review-after {form}"


@pytest.mark.parametrize("zone", ZONES)
def test_an_age_limit_has_one_meaning_everywhere(here: Project, zone: str) -> None:
    config = here.top / ".memdir/config.yaml"
    config.write_text(config.read_text("utf-8") + "ageLimits:\n  project-rule: 30d\n", encoding="utf-8")
    forms = {
        "z": ("2026-09-14T09:30:00Z", "2026-10-14T09:30:00Z"),
        "offset": ("2026-09-14T18:30:00+09:00", "2026-10-14T09:30:00Z"),
        "day": ("2026-09-14", "2026-10-14T00:00:00Z"),
    }
    played(here, zone, [(NOW, remember(key)) for key in forms])
    for key, (form, _) in forms.items():
        file = here.top / f".memdir/memories/{key}.md"
        old = file.read_text("utf-8")
        file.write_text(old.replace(f'verifiedAt: "{NOW}"', f'verifiedAt: "{form}"'), encoding="utf-8")
        assert file.read_text("utf-8") != old or form == NOW
    steps = [(now, ["get", key, "--json"]) for key, (_, end) in forms.items() for now in around(end)]
    told = [outcome.json["status"] for outcome in played(here, zone, steps)]
    assert told == ["verified", "stale", "stale"] * len(forms)


@pytest.mark.parametrize("zone", ZONES)
def test_refresh_writes_at_the_same_moment_everywhere(here: Project, zone: str) -> None:
    played(here, zone, [(NOW, remember("a", "--expires", "2026-12-14")), (NOW, remember("b", "--review-after", "30d"))])
    refresh = ["refresh", "--json"]
    moments = (*around("2026-10-14T09:30:00Z")[:2], *around("2026-12-15T00:00:00Z")[:2])
    told = [outcome.json["changed"] for outcome in played(here, zone, [(now, refresh) for now in moments])]
    assert [[(one["key"], one["to"]) for one in changed] for changed in told] == [
        [], [("b", "stale")], [], [("a", "expired")],
    ]  # fmt: skip


@pytest.mark.parametrize("zone", ZONES)
def test_nothing_is_born_expired(here: Project, zone: str) -> None:
    last_second = "2026-09-14T23:59:59Z"
    refused = ["2026-09-13", NOW, "2026-09-14T18:29:59+09:00", "0d", *NAIVE, "2026-02-30", "soon"]
    steps: list[Step] = [(NOW, remember(f"no-{number}", "--expires", when)) for number, when in enumerate(refused)]
    steps += [(NOW, remember(f"no-{number}", "--review-after", when)) for number, when in enumerate(refused)]
    outcomes = played(here, zone, steps)
    assert [outcome.exit for outcome in outcomes] == [2] * len(steps)
    assert all("add `Z` for UTC" in outcome.stderr for outcome in outcomes[4:6]), "a time without offset means nothing"
    assert len(list((here.top / ".memdir/memories").iterdir())) == 1
    born = [(last_second, remember("today", "--expires", "2026-09-14")), (NOW, remember("next", "--expires", "1min"))]
    born += [(last_second, ["get", "today"]), (NOW, ["get", "next"])]
    assert [outcome.exit for outcome in played(here, zone, born)] == [0, 0, 0, 0]


@pytest.mark.parametrize("key", ["verifiedAt", "updatedAt", "createdAt"])
def test_a_date_to_come_is_a_finding(here: Project, key: str) -> None:
    file = here.top / ".memdir/memories/build_command.md"
    file.write_text(file.read_text("utf-8").replace(f'{key}: "{NOW}"', f'{key}: "2099-01-01"'), encoding="utf-8")
    done = here.sandbox.run("check", "--json", cwd=here.top)
    (finding,) = (one for one in done.json["findings"] if one["code"] == "M311")
    assert f"`{key}` lies in the future: 2099-01-01" in finding["message"]


@pytest.mark.parametrize(
    ("verified", "status"),
    [
        ("2099-01-01T00:00:00Z", "stale"),
        ("2026-09-15T09:30:01Z", "stale"),
        # clocks differ, and somewhere it is tomorrow already
        ("2026-09-15T09:30:00Z", "verified"),
        ("2026-09-14T09:30:05Z", "verified"),
    ],
)
def test_a_date_to_come_is_no_eternal_freshness(here: Project, verified: str, status: str) -> None:
    config = here.top / ".memdir/config.yaml"
    config.write_text(config.read_text("utf-8") + "ageLimits:\n  project-rule: 30d\n", encoding="utf-8")
    file = here.top / ".memdir/memories/build_command.md"
    text = file.read_text("utf-8").replace(f'verifiedAt: "{NOW}"', f'verifiedAt: "{verified}"')
    file.write_text(text, encoding="utf-8")
    document = here.run("get", "build_command", "--json").json
    assert document["status"] == status
    if status == "stale":
        assert "lies in the future" in json.dumps(document["warnings"])
        assert here.run("refresh", "--json").json["changed"][0]["reason"].startswith("date-ahead: ")


def test_reading_touching_and_cloning_make_nothing_fresher(here: Project) -> None:
    here.remember("rule", "as ever", "--review-after", "2026-10-01")
    later = {"MEMDIR_NOW": "2026-10-02T00:00:00Z"}

    def told(top: Path) -> tuple[str, str, str, str]:
        documents = [
            here.sandbox.run("get", key, "--json", cwd=top, env=later).json for key in ("rule", "build_command")
        ]
        stale, fresh = documents
        return stale["status"], stale["age"], fresh["status"], fresh["age"]

    before = told(here.top)
    assert before == ("stale", "2 weeks", "verified", "2 weeks")
    memories = {path: path.read_bytes() for path in (here.top / ".memdir/memories").iterdir()}
    for _ in range(3):
        for args in (["context"], ["list"], ["show", "rule"], ["explain", "rule"], ["check"], ["log"], ["whoami"]):
            here.sandbox.run(*args, cwd=here.top, env=later)
    assert told(here.top) == before
    for path in [*memories, here.top / "package.json"]:
        os.utime(path)
        path.touch()
    assert told(here.top) == before
    assert {path: path.read_bytes() for path in memories} == memories
    here.sandbox.git("add", "-A", cwd=here.top)
    here.sandbox.git("commit", "-qm", "All", cwd=here.top)
    clone = here.sandbox.root / "clone"
    here.sandbox.git("clone", "-q", str(here.top), str(clone), cwd=here.sandbox.root)
    assert told(clone) == before


def test_a_refresh_renews_nothing(here: Project) -> None:
    file = here.top / ".memdir/memories/build_command.md"
    before = file.read_text("utf-8")
    later = {"MEMDIR_NOW": "2027-10-02T00:00:00Z"}
    assert here.sandbox.run("refresh", cwd=here.top, env=later).exit == 0
    assert file.read_text("utf-8") == before


def test_a_clock_that_is_set_back_loses_no_update(here: Project) -> None:
    later = {"MEMDIR_NOW": "2026-10-02T00:00:00Z"}
    done = here.sandbox.run("correct", "build_command", "npm run build -- -v", *SAID, cwd=here.top, env=later)
    assert done.exit == 0, done.stderr
    here.run("correct", "build_command", "npm run build -- -w", *SAID)
    document = here.run("get", "build_command", "--json").json
    assert (document["value"], document["revision"], document["status"]) == ("npm run build -- -w", 3, "verified")
