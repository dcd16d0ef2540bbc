"""The reports of the year: byte for byte, without content, made from commands, and wherever they are asked for."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.storage import codec
from tests.sandbox import Sandbox
from tests.test_docs import memdir_words, wrong
from tests.year.making import lived, pack
from tests.year.place import FIXTURE, NOW, REPORTS, Place, laid, report
from tests.year.story import TOKEN

FORMS = ("text", "markdown", "json", "html")


@pytest.fixture
def year(tmp_path: Path) -> Place:
    """The year, as it lies in the fixture."""
    return laid(tmp_path)


@pytest.mark.parametrize("name", REPORTS)
def test_the_report_is_the_one_that_lies_beside_the_year(year: Place, name: str) -> None:
    beside = (FIXTURE.parent / name).read_text("utf-8")
    assert report(year, REPORTS[name]) == beside, "`python -m tests.year.making` writes it anew"


def test_it_is_the_same_bytes_again_and_at_another_time_as_of_then(year: Place) -> None:
    """What was read between two reports counts in the second one only as far as its time goes."""
    first = year.health("--format", "json").stdout
    assert year.health("--format", "json").stdout == first
    year.sandbox.run("context", cwd=year.top, env={"MEMDIR_NOW": "2026-10-05T09:00:00Z"})
    assert year.health("--format", "json").stdout == first


def test_the_numbers_are_those_of_the_story(year: Place) -> None:
    told = year.health("--format", "json").json
    numbers = {section: told[section]["numbers"] for section in ("stale", "conflicts", "candidates", "corrections")}
    assert numbers["stale"]["stale"] == 4
    assert (numbers["stale"]["changed"], numbers["stale"]["removed"], numbers["stale"]["dates"]) == (2, 1, 1)
    assert (numbers["conflicts"]["open"], numbers["conflicts"]["longest"]) == (1, 41)
    assert (numbers["candidates"]["waiting"], numbers["candidates"]["leaving"]) == (3, 1)
    assert (numbers["corrections"]["month"], numbers["corrections"]["repeated"]) == (3, 2)
    assert told["refusals"]["numbers"]["secrets"] == 2
    assert told["index"]["numbers"]["drift"] == 1
    probes = {item["key"]: item["note"] for item in _figure(told, "stale", "stale")["items"]}
    assert probes["legacy_check"] == "removed: package.json#scripts.test:legacy"


def test_the_trend_is_that_of_the_story_and_says_where_it_knows_nothing(year: Place) -> None:
    trend = {month["month"]: month for month in year.health("--format", "json").json["trend"]}
    assert (len(trend), min(trend), max(trend)) == (12, "2025-10", "2026-09")
    assert [month["month"] for month in trend.values() if not month["logged"]] == ["2026-02"], "nobody read that month"
    assert all(month["recorded"] for month in trend.values())
    assert [trend[month]["secrets"] for month in ("2026-01", "2026-02", "2026-09")] == [0, 1, 2]
    assert sum(month["corrections"] for month in trend.values()) == 10
    assert "no data" in year.health().stdout
    early = year.health("--month", "2025-12", "--format", "json").json["trend"]
    assert [month["recorded"] for month in early] == [False] * 8 + [True] * 4
    assert all(month["verified"] is None for month in early[:8])


def test_a_month_that_is_over_is_told_as_of_its_end(year: Place) -> None:
    told = year.health("--month", "2026-06", "--format", "json").json
    assert (told["asOf"], told["past"]) == ("2026-06-30T23:59:59Z", True)
    assert told["counts"]["status"]["stale"] == 1, "the script was gone by then, the others were not"
    assert _figure(told, "stale", "stale")["items"][0]["key"] == "legacy_check"
    assert told["index"]["numbers"]["drift"] is None, "what nobody looked at is not known"
    row = told["trend"][-1]
    assert {row["month"]: (row["verified"], row["stale"])} == {"2026-06": (23, 1)}
    assert (
        year.health("--as-of", "2026-06-30", "--format", "json").stdout
        == year.health("--month", "2026-06", "--format", "json").stdout
    )


def test_on_the_first_of_a_month_the_one_before_is_told_with_what_is_seen_now(year: Place) -> None:
    """As a schedule runs it; that an agent was faster in the new month changes nothing."""
    evening = year.health("--format", "json").json
    line = ("remember", "new_month", "42", "--scope", "repository")
    assert year.sandbox.run(*line, cwd=year.top, env={"MEMDIR_NOW": "2026-10-01T00:05:00Z"}).exit == 0
    told = year.health("--month", "last", "--format", "json", MEMDIR_NOW="2026-10-01T06:17:00Z").json
    assert (told["asOf"], told["past"]) == ("2026-09-30T23:59:59Z", True)
    for section in ("conflicts", "candidates", "corrections", "refusals", "selection"):
        assert told[section]["numbers"] == evening[section]["numbers"], section
    assert told["stale"]["numbers"] == evening["stale"]["numbers"]
    assert {item["note"] for item in _figure(told, "stale", "stale")["items"]} == {
        item["note"] for item in _figure(evening, "stale", "stale")["items"]
    }
    much_later = year.health("--month", "2026-09", "--format", "json", MEMDIR_NOW="2026-12-01T06:17:00Z").json
    assert much_later["stale"]["numbers"]["unseen"] is None


def test_driving_the_commands_anew_gives_the_same_report(year: Place, tmp_path: Path) -> None:
    """Ids are chance; everything else is as in the fixture."""
    again = tmp_path / "again"
    again.mkdir()
    sandbox, top = lived(again)
    told = sandbox.run("health", "--json", cwd=top, env=NOW)
    assert told.exit == 0
    assert _without_ids(told.json) == _without_ids(year.health("--json").json)


def test_packing_leaves_out_what_belongs_to_a_machine(tmp_path: Path) -> None:
    place = laid(tmp_path)
    (place.memdir / "local/lock").write_text("", "utf-8")
    pack(place.sandbox, place.top, tmp_path / "packed")
    names = {path.relative_to(tmp_path / "packed").as_posix() for path in (tmp_path / "packed").rglob("*.*")}
    assert names == {path.relative_to(FIXTURE).as_posix() for path in FIXTURE.rglob("*.*")}


# --- content ------------------------------------------------------------------------------------


def test_no_form_tells_a_word_of_the_memories(year: Place) -> None:
    """Every value, text, source and path of the year, and the home; keys, ids and probes are not among them."""
    canaries = _content(year) | {str(year.sandbox.root), str(year.sandbox.home), TOKEN, TOKEN[:12]}
    assert len(canaries) > 80
    for form in FORMS:
        shown = year.health("--format", form).stdout
        told = {canary for canary in canaries if re.search(rf"(?<![\w.-]){re.escape(canary)}(?![\w.-])", shown)}
        assert told == set(), form


@pytest.mark.parametrize("form", FORMS)
def test_what_a_hand_wrote_into_a_file_is_not_told_either(year: Place, form: str) -> None:
    canary = "QuetzalCanary"
    for path in sorted((year.memdir / "memories").glob("*.md")):
        text = path.read_text("utf-8").replace(
            "status: verified", f'status: stale\nstatusReason: "{canary}-code: {canary}"'
        )
        text = re.sub(r"^(name|description|value): .*$", rf'\1: "{canary} <b>{canary}</b>"', text, flags=re.MULTILINE)
        text = re.sub(r"^(type: .*)$", rf'\1\ntopic: "{canary}"\nnote: "{canary}"', text, flags=re.MULTILINE)
        path.write_text(f"{text}\n{canary}\n", "utf-8")
    for log in (year.memdir / "local/access", year.memdir / "local/refusals", year.memdir / "receipts"):
        line = {"at": "2026-09-20T10:00:00Z", "verb": canary, "session": canary, "reason": canary, "query": canary}
        events = [{"kind": canary, "id": f"<{canary}>", "revision": 1, "status": canary, "level": canary}]
        with (log / "2026-09.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({**line, "shown": [{"id": canary}], "events": events, "actor": canary}) + "\n")
    done = year.health("--format", form)
    assert done.exit == 0, done.stderr
    assert canary not in done.stdout + done.stderr


def test_an_id_of_the_repository_that_is_a_path_is_not_told(year: Place) -> None:
    config = year.memdir / "config.yaml"
    text = config.read_text("utf-8")
    config.write_text(
        re.sub(r"^repository: .*$", f'repository: "{year.sandbox.home}/dashboard"', text, flags=re.M), "utf-8"
    )
    assert str(year.sandbox.home) not in year.health("--format", "markdown").stdout


# --- commands -----------------------------------------------------------------------------------


def test_every_command_that_a_report_names_can_be_typed(year: Place) -> None:
    told = year.health("--format", "json").json
    commands = set(_commands(told))
    assert len(commands) > 20
    faults = {line: fault for line in commands for words in memdir_words(line) if (fault := wrong(words))}
    assert faults == {}


def test_the_first_thing_to_do_can_be_done(year: Place) -> None:
    told = year.health("--format", "json").json
    command = _figure(told, "conflicts", "open")["command"].split()
    side = next(
        line for line in year.sandbox.run("show", command[2], cwd=year.top).stdout.splitlines() if "- id: " in line
    )
    said = ("--from", "user", "--said", "warn it is", "--session", "s", "--message", "m")
    line = (*command[1:-1], side.split()[-1], *said)
    assert year.sandbox.run(*line, cwd=year.top, env=NOW).exit == 0
    assert year.health("--format", "json").json["conflicts"]["numbers"]["open"] == 0


# --- places -------------------------------------------------------------------------------------


def test_no_terminal_no_home_a_minimal_path_and_any_directory(year: Place) -> None:
    bare = {"PATH": "/nonexistent", "LC_ALL": "C", **NOW}
    command = (sys.executable, "-m", "memdir_cli", "health", "--dir", str(year.memdir), "--format", "json")
    done = Sandbox(year.sandbox.root, bare).process(*command, cwd=Path("/"))
    assert (done.exit, done.stderr) == (0, "")
    assert done.json["memdirs"] == ["project"]
    assert any("no user memdir" in sentence for sentence in done.json["unknown"])
    assert done.json["conflicts"] == year.health("--format", "json").json["conflicts"]


def test_a_memdir_that_nobody_may_write_is_read_and_stays_as_it_is(year: Place) -> None:
    before = _tree(year.sandbox.root)
    for path in year.sandbox.root.rglob("*"):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)
    first = year.health("--format", "json")
    assert (first.exit, first.stderr) == (0, "")
    assert _tree(year.sandbox.root) == before
    assert first.stdout == (FIXTURE.parent / "report.json").read_text("utf-8")
    for path in year.sandbox.root.rglob("*"):
        path.chmod(stat.S_IMODE(path.stat().st_mode) | 0o200)


def test_a_shallow_clone_knows_less_and_calls_nothing_fresh(year: Place, tmp_path: Path) -> None:
    git = year.sandbox.git
    git("add", "-A", cwd=year.top)
    git("commit", "-qm", "Keep", cwd=year.top)
    git("clone", "-q", "--depth", "1", f"file://{year.top}", str(tmp_path / "clone"), cwd=tmp_path)
    env = {"MEMDIR_USER_DIR": str(tmp_path / "nowhere")}
    told = year.health("--format", "json", cwd=tmp_path / "clone", **env).json
    assert any("shallow clone" in sentence for sentence in told["unknown"])
    assert any("no log of reads" in sentence for sentence in told["unknown"])
    numbers = {section: told[section]["numbers"] for section in ("selection", "archive", "refusals", "budget")}
    assert numbers["selection"] == {"never": None, "crowdedOut": None, "most": None, "reads": None}
    assert (numbers["archive"]["candidates"], numbers["refusals"]["secrets"]) == (None, None)
    assert (numbers["budget"]["characters"], numbers["budget"]["crowded"]) == (None, None)
    assert told["stale"]["numbers"]["stale"] == 4, "what lies in the clone is looked at"
    assert told["trend"][-1]["recorded"]
    assert not told["trend"][-1]["logged"]


def test_evidence_that_is_not_here_is_unknown_and_not_fresh(year: Place) -> None:
    (year.top / "package.json").unlink()
    told = year.health("--format", "json").json
    unseen = _figure(told, "stale", "unseen")
    assert unseen["value"] == len(unseen["items"]) > 0
    assert "nobody knows" in unseen["sentence"]


def test_outside_a_project_the_users_own_memories_are_told(year: Place) -> None:
    told = year.health("--format", "json", cwd=year.sandbox.home).json
    assert (told["memdirs"], told["subject"]) == (["user"], "the user memdir")


def test_broken_files_and_logs_are_counted_and_break_nothing(year: Place) -> None:
    (year.memdir / "memories/broken.md").write_bytes(b"---\nid: [\xff\n")
    (year.memdir / "memories/link.md").symlink_to("/dev/zero")
    os.mkfifo(year.memdir / "local/access/2026-10.jsonl")
    (year.memdir / "local/access/2026-08.jsonl").write_bytes(b"\xff\n[]\n{}\n" + b"[" * 100_000)
    with (year.memdir / "receipts/2026-09.jsonl").open("ab") as stream:
        stream.write(b'{"txn":1,"events":[7,{"id":{}}]}\nnonsense\n')
    done = year.health("--format", "json")
    assert (done.exit, done.stderr) == (0, "")
    assert done.json["findings"]["numbers"]["errors"] >= 2
    assert done.json["conflicts"]["numbers"]["open"] == 1


def test_settings_that_cannot_be_read_are_a_finding(year: Place) -> None:
    (year.memdir / "config.yaml").write_text("format: [\n", "utf-8")
    done = year.health("--format", "json")
    assert done.exit == 0
    assert _figure(done.json, "findings", "errors")["value"] >= 1


def _figure(told: Any, section: str, name: str) -> Any:
    return next(one for one in told[section]["figures"] if one["name"] == name)


def _without_ids(told: Any) -> str:
    """A document in which every id is the key that it belongs to."""
    text = json.dumps(told)
    keys = {item["id"]: item.get("key", "withheld") for item in _items(told) if item.get("id")}
    return re.sub("|".join(map(re.escape, keys)), lambda match: keys[match[0]], text)


def _items(told: Any) -> list[Any]:
    sections = [section for section in told.values() if isinstance(section, dict) and "figures" in section]
    return [item for section in sections for figure in section["figures"] for item in figure["items"]]


def _commands(told: Any) -> list[str]:
    sections = [section for section in told.values() if isinstance(section, dict) and "figures" in section]
    figures = [figure for section in sections for figure in section["figures"]]
    return [one["command"] for one in (*sections, *figures, *_items(told)) if one.get("command")]


def _content(year: Place) -> set[str]:
    """Everything that a memory of the year says: values, descriptions, words, labels of sources, qualifiers."""
    found: set[str] = set()
    for path in (*year.memdir.rglob("*.md"), *year.sandbox.user_memdir.rglob("*.md")):
        if path.name == "MEMORY.md":
            continue
        memory = codec.parse_memory(path.read_bytes())
        sides = [text for side in memory.sides for text in (side.value or "", side.description)]
        told = [memory.value or "", memory.description, memory.body.strip(), *sides]
        told += [text for source in memory.source for text in (source.said, source.ref)]
        told += [memory.scope.path or "", memory.scope.topic or ""]
        found |= {text for text in told if len(text) > 3}
    # a value that is also a key, a status or the probe of a script says nothing by itself
    return found - {"info", "warn"}


def _tree(root: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()
    }


def test_the_fixture_lies_where_nothing_ignores_it() -> None:
    if shutil.which("git") is None or not (FIXTURE.parent.parent.parent / ".git").exists():
        pytest.skip("there is no repository to ask")
    files = [str(path) for path in FIXTURE.rglob("*") if path.is_file()]
    done = Sandbox(FIXTURE, dict(os.environ)).process("git", "check-ignore", *files, cwd=FIXTURE)
    assert done.stdout == ""
