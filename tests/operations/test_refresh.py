"""refresh: what is gone sends a memory back, and what the settings keep for a while only is let go of."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.refreshing import Change, RefreshAnswer
from memdir_cli.domain.statement import Provenance
from memdir_cli.errors import FaultError
from memdir_cli.operations.get import get
from memdir_cli.operations.refresh import refresh
from tests.operations.writing_place import AGENT, PERSON, Scene, message, scene
from tests.sandbox import NOW, Sandbox

FILE = Provenance("file")
RULES = "docs/rules.md"
LONG = "use tabs everywhere, " * 20


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository with a file of rules."""
    found = scene(sandbox, claims=True)
    (found.top / "docs").mkdir()
    (found.top / RULES).write_text("Use tabs.\n", encoding="utf-8")
    return found


def taken_from_rules(here: Scene, probe: str = RULES) -> Memory:
    """A memory that was taken from the rules and confirmed by a user."""
    here.remember("indentation", "tabs", by=FILE, depends_on=(probe,))
    answer = here.confirm("indentation")
    assert answer.memory is not None
    assert answer.memory.source[0].ref == RULES
    return answer.memory


def moves(answer: RefreshAnswer) -> list[tuple[str, str, str | None, str]]:
    def told(change: Change) -> tuple[str, str, str | None, str]:
        memory = change.record.memory
        return memory.predicate, memory.status, change.after, change.reason.partition(":")[0]

    return [told(change) for change in answer.changed]


def set_retention(here: Scene, **spans: str) -> None:
    config = here.memdir / "config.yaml"
    lines = "".join(f"  {name}: {span}\n" for name, span in spans.items())
    config.write_text(f"{config.read_text('utf-8')}retention:\n{lines}", encoding="utf-8")


def test_a_source_file_that_is_removed_sends_the_memory_back(here: Scene) -> None:
    memory = taken_from_rules(here)
    (here.top / RULES).unlink()
    assert get(here.open(), "indentation").document()["value"] is None, "it is not served any more"
    answer = refresh(here.open())
    assert moves(answer) == [("indentation", "verified", "candidate", "source-unavailable")]
    assert answer.changed[0].reason.endswith(f": `{RULES}`, from which it was taken, is gone")
    ((path, back),) = here.memories().items()
    assert path == f".memdir/inbox/indentation~{memory.id}.md"
    assert (back.id, back.value, back.source, back.verified_at) == (memory.id, "tabs", memory.source, NOW)
    assert here.events()[-1] == "withdrawn"
    assert refresh(here.open()).changed == ()


@pytest.mark.parametrize("probe", [f"exists:{RULES}", RULES])
def test_also_where_only_its_being_there_was_evidence(here: Scene, probe: str) -> None:
    taken_from_rules(here, probe)
    (here.top / RULES).unlink()
    assert moves(refresh(here.open())) == [("indentation", "verified", "candidate", "source-unavailable")]


def test_a_source_file_that_changed_makes_stale(here: Scene) -> None:
    taken_from_rules(here)
    (here.top / RULES).write_text("Use spaces.\n", encoding="utf-8")
    answer = refresh(here.open())
    assert moves(answer) == [("indentation", "verified", "stale", "source-unavailable")]
    assert answer.changed[0].reason.endswith(f": `{RULES}` has changed, and it was taken from there")


def test_a_source_file_that_moved_makes_stale(here: Scene) -> None:
    taken_from_rules(here)
    (here.top / "handbook").mkdir()
    (here.top / RULES).rename(here.top / "handbook/rules.md")
    assert moves(refresh(here.open())) == [("indentation", "verified", "stale", "evidence-moved")]


def test_a_rule_file_that_is_no_source_only_makes_stale_when_it_changes(here: Scene) -> None:
    here.remember("indentation", "tabs", depends_on=(RULES,))
    (here.top / RULES).unlink()
    assert moves(refresh(here.open())) == [], "no such file here is unknown"
    (here.top / RULES).write_text("Use spaces.\n", encoding="utf-8")
    assert moves(refresh(here.open())) == [("indentation", "verified", "stale", "evidence-changed")]


def test_a_user_may_keep_what_has_lost_its_source(here: Scene) -> None:
    taken_from_rules(here)
    (here.top / RULES).unlink()
    refresh(here.open())
    refused = here.confirm("indentation")
    assert (refused.exit_status, refused.reason) == (4, "evidence-missing")
    assert here.confirm("indentation", without_evidence=True).decision == "confirmed"
    assert moves(refresh(here.open())) == [], "it is not asked again and again"


def test_what_has_lost_its_source_waits_for_as_long_as_it_must(here: Scene) -> None:
    taken_from_rules(here)
    here.remember("port", "8080", by=AGENT)
    (here.top / RULES).unlink()
    refresh(here.open())
    later = here.at("2027-09-14T09:30:00Z")
    assert moves(refresh(later.open())) == [("port", "candidate", None, "retention")]
    assert here.names() == [".memdir/inbox/indentation"]


def test_in_a_sparse_checkout_a_missing_file_proves_nothing(here: Scene) -> None:
    taken_from_rules(here)
    here.remember("style", "as the rules say", depends_on=(f"exists:{RULES}",))
    here.sandbox.git("add", "docs", cwd=here.top)
    here.sandbox.git("commit", "-qm", "Rules", cwd=here.top)
    here.sandbox.git("sparse-checkout", "set", "--no-cone", "/README.md", "/.memdir/", cwd=here.top)
    assert not (here.top / RULES).exists()
    assert moves(refresh(here.open())) == []


def test_a_session_that_this_machine_never_held_is_unknown(here: Scene) -> None:
    set_retention(here, sources="30d")
    here.remember("indentation", "tabs", by=message(1, LONG))
    (file,) = (here.memdir / "local/sources").iterdir()
    file.unlink()
    later = here.at("2027-09-14T09:30:00Z")
    assert moves(refresh(later.open())) == [], "as after a clone, which brings no full sources"


def test_originals_that_the_settings_let_go_of_send_the_memory_back(here: Scene) -> None:
    set_retention(here, sources="30d")
    here.remember("indentation", "tabs", by=message(1, LONG))
    here.remember("quotes", "double", by=replace(message(2), session="a-session-with-a-long-id-1234567890"))
    assert len(list((here.memdir / "local/sources").iterdir())) == 2
    assert refresh(here.at("2026-10-14T09:29:59Z").open()).removed == ()
    answer = refresh(here.at("2026-10-14T09:30:00Z").open())
    assert moves(answer) == [("indentation", "verified", "candidate", "source-unavailable")]
    assert "its original words were kept for 30d" in answer.changed[0].reason
    assert len(answer.removed) == 2
    assert list((here.memdir / "local/sources").iterdir()) == []
    assert here.names() == [".memdir/inbox/indentation", ".memdir/memories/quotes"]
    again = refresh(here.at("2026-10-14T09:30:00Z").open())
    assert (again.changed, again.removed) == ((), ())


def test_of_full_sources_only_the_old_ones_go(here: Scene) -> None:
    set_retention(here, sources="30d")
    here.remember("indentation", "tabs", by=message(1, LONG))
    here.at("2026-10-01T00:00:00Z").remember("indentation", "tabs", by=message(2, LONG))
    (file,) = (here.memdir / "local/sources").iterdir()
    assert len(file.read_text("utf-8").splitlines()) == 2
    answer = refresh(here.at("2026-10-20T00:00:00Z").open())
    assert [json.loads(line)["message"] for line in file.read_text("utf-8").splitlines()] == ["m2"]
    assert moves(answer) == [("indentation", "verified", "candidate", "source-unavailable")]


def test_without_settings_only_candidates_have_an_end(here: Scene) -> None:
    here.remember("indentation", "tabs", by=message(1, LONG))
    here.correct("indentation", "spaces")
    get(here.open(), "indentation")
    here.remember("port", "8080", by=AGENT)
    before = {path for path in here.files() if "inbox" not in path and "receipts" not in path}
    answer = refresh(here.at("2036-01-01T00:00:00Z").open())
    assert moves(answer) == [("port", "candidate", None, "retention")]
    after = {path for path in here.files() if "inbox" not in path and "receipts" not in path}
    assert after == before


def test_history_goes_when_it_has_been_history_for_long_enough(here: Scene) -> None:
    set_retention(here, history="90d")
    here.remember("indentation", "tabs")
    here.at("2027-03-01T00:00:00Z").correct("indentation", "spaces")
    here.remember("old", "1", expires="2026-10-01")
    refresh(here.at("2026-10-02T00:00:00Z").open())
    assert [name for name in here.names() if "history" in name] == [
        ".memdir/history/indentation",
        ".memdir/history/old",
    ]
    # superseded on the first of March, however old it was then; ended on the second of October
    answer = refresh(here.at("2027-05-29T23:59:59Z").open())
    assert moves(answer) == [("old", "expired", None, "retention")]
    answer = refresh(here.at("2027-05-30T00:00:00Z").open())
    assert moves(answer) == [("indentation", "superseded", None, "retention")]
    assert [name for name in here.names() if "history" in name] == []
    assert here.names() == [".memdir/memories/indentation"]


def test_history_that_no_receipt_dates_counts_from_its_own_last_date(here: Scene) -> None:
    set_retention(here, history="90d")
    here.remember("indentation", "tabs")
    here.correct("indentation", "spaces")
    for file in (here.memdir / "receipts").iterdir():
        file.unlink()
    assert moves(refresh(here.at("2026-12-13T09:29:59Z").open())) == []
    assert moves(refresh(here.at("2026-12-13T09:30:00Z").open())) == [("indentation", "superseded", None, "retention")]


def test_access_logs_go_by_whole_months(here: Scene) -> None:
    set_retention(here, accessLog="60d")
    here.remember("indentation", "tabs")
    folder = here.memdir / "local/access"
    for now in ("2026-09-14T09:30:00Z", "2026-10-14T09:30:00Z"):
        get(here.at(now).open(), "indentation")
    (folder / "notes.jsonl").write_text("{}\n", encoding="utf-8")
    # September ends on the thirtieth: the first of December is the 61st day after it
    assert refresh(here.at("2026-11-29T23:59:59Z").open()).removed == ()
    answer = refresh(here.at("2026-11-30T00:00:00Z").open(), dry_run=True)
    assert (len(answer.removed), sorted(os.listdir(folder))[0]) == (1, "2026-09.jsonl")
    answer = refresh(here.at("2026-12-01T00:00:00Z").open())
    assert [Path(path).name for path in answer.removed] == ["2026-09.jsonl"]
    assert sorted(os.listdir(folder)) == ["2026-10.jsonl", "notes.jsonl"]
    assert moves(answer) == []


def test_the_log_of_refusals_goes_with_that_of_reads(here: Scene) -> None:
    set_retention(here, accessLog="60d")
    assert here.remember("indentation", "tabs", "user", AGENT).decision == "refused"
    (log,) = (here.memdir / "local/refusals").iterdir()
    assert refresh(here.at("2026-11-28T23:59:59Z").open()).removed == ()
    assert refresh(here.at("2026-12-01T00:00:00Z").open()).removed == (str(log),)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("  histroy: 90d", "`retention` names `histroy`; it may name candidates, history, accessLog, sources"),
        ("  history: ninety days", "`retention.history` is `ninety days`; give a span such as `30d`"),
        ("  candidates: soon", "`retention.candidates` is `soon`"),
    ],
)
def test_settings_that_mean_nothing_are_refused(here: Scene, line: str, sentence: str) -> None:
    config = here.memdir / "config.yaml"
    config.write_text(f"{config.read_text('utf-8')}retention:\n{line}\n", encoding="utf-8")
    with pytest.raises(FaultError) as caught:
        here.open()
    assert sentence in caught.value.message


def test_candidates_may_wait_longer_or_for_ever(here: Scene) -> None:
    here.remember("port", "8080", by=AGENT)
    set_retention(here, candidates="90d")
    assert moves(refresh(here.at("2026-12-13T09:29:59Z").open())) == []
    config = here.memdir / "config.yaml"
    config.write_text(config.read_text("utf-8").replace("90d", '""'), encoding="utf-8")
    assert moves(refresh(here.at("2036-12-13T09:29:59Z").open())) == []


def test_confirming_keeps_the_whole_history_of_sources_and_moves_the_date(here: Scene) -> None:
    (here.top / "package.json").write_text('{"scripts": {"dev": "vite"}}', encoding="utf-8")
    first = here.remember("dev", "npm run dev", by=message(1)).memory
    assert first is not None
    (here.top / "package.json").write_text('{"scripts": {"dev": "vite --host"}}', encoding="utf-8")
    later = here.at("2026-10-01T00:00:00Z")
    assert moves(refresh(later.open())) == [("dev", "verified", "stale", "evidence-changed")]
    heard = later.remember("dev", "npm run dev", by=message(2))
    assert heard.memory is not None
    assert heard.memory.status == "stale", "to say it again is not to look"
    memory = later.confirm("dev", message(3, "yes, still npm run dev")).memory
    assert memory is not None
    assert (memory.status, memory.status_reason, memory.verified_at) == ("verified", "", "2026-10-01T00:00:00Z")
    assert [source.ref for source in memory.source] == [f"session:s1/message:m{number}" for number in (1, 2, 3)]
    assert memory.source[-1].said == "yes, still npm run dev"
    assert (memory.revision, memory.updated_at) == (1, NOW), "the evidence is the same probe"
    assert (memory.depends_on[0].was, first.depends_on[0].was) == ("vite --host", "vite")
    assert memory.depends_on[0].hash != first.depends_on[0].hash
    assert moves(refresh(later.open())) == []


def test_confirming_follows_what_has_moved(here: Scene) -> None:
    (here.top / "package.json").write_text('{"scripts": {"dev": "vite"}}', encoding="utf-8")
    here.remember("dev", "npm run dev")
    (here.top / "web").mkdir()
    (here.top / "package.json").rename(here.top / "web/package.json")
    assert moves(refresh(here.open())) == [("dev", "verified", "stale", "evidence-moved")]
    memory = here.confirm("dev").memory
    assert memory is not None
    assert [one.probe for one in memory.depends_on] == ["web/package.json#scripts.dev"]
    assert (memory.status, memory.revision) == ("verified", 2), "other evidence is another revision"
    assert moves(refresh(here.open())) == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('{"scripts": {"start": "vite"}}', "(no script `dev`)"),
        ('{"scripts": ', "(not JSON (line 1, column"),
        (None, "(no such file here)"),
    ],
)
def test_confirming_refuses_what_cannot_be_seen_and_says_why(here: Scene, content: str | None, why: str) -> None:
    file = here.top / "package.json"
    file.write_text('{"scripts": {"dev": "vite"}}', encoding="utf-8")
    here.remember("dev", "npm run dev")
    file.unlink() if content is None else file.write_text(content, encoding="utf-8")
    before = here.files()
    answer = here.confirm("dev")
    assert (answer.exit_status, answer.reason) == (4, "evidence-missing")
    assert f"depends on cannot be seen: `package.json#scripts.dev` {why}" in answer.message
    assert all(way in answer.hint for way in ("memdir correct dev", "memdir expire", "--without-evidence"))
    assert here.files() == before
    memory = here.confirm("dev", without_evidence=True).memory
    assert memory is not None
    assert (memory.status, memory.depends_on) == ("verified", ())


def test_a_probe_that_is_none_moves_nothing_and_can_be_dropped(here: Scene) -> None:
    here.remember("indentation", "tabs", depends_on=(RULES,))
    file = here.memdir / "memories/indentation.md"
    file.write_text(file.read_text("utf-8").replace(RULES, "../../etc/passwd"), encoding="utf-8")
    answer = refresh(here.open())
    assert (answer.changed, answer.looked_at) == ((), frozenset())
    (warning,) = answer.unreadable
    assert "`../../etc/passwd` names no path inside the project" in warning
    assert here.confirm("indentation").reason == "evidence-missing"
    memory = here.confirm("indentation", without_evidence=True).memory
    assert memory is not None
    assert (memory.status, memory.depends_on) == ("verified", ())


def test_a_correction_answers_too_and_links_both_ways(here: Scene) -> None:
    (here.top / "package.json").write_text('{"scripts": {"dev": "vite"}}', encoding="utf-8")
    here.remember("dev", "npm run dev")
    (here.top / "package.json").write_text('{"scripts": {"start": "vite"}}', encoding="utf-8")
    assert moves(refresh(here.open())) == [("dev", "verified", "stale", "evidence-removed")]
    new = here.correct("dev", "npm run start").memory
    assert new is not None
    assert (new.status, new.revision, new.supersedes) == ("verified", 2, f"{new.id}@1")
    assert [one.probe for one in new.depends_on] == ["package.json#scripts.start"]
    (old,) = (memory for path, memory in here.memories().items() if "history" in path)
    assert (old.status, old.superseded_by) == ("superseded", new.ref)
    assert moves(refresh(here.open())) == []


def test_nothing_of_a_forgotten_workspace_is_written(here: Scene) -> None:
    """A user's memdir alone, outside every project."""
    here.remember("editor", "vim", "user")
    place = here.open(cwd=here.sandbox.home)
    assert place.project is None
    assert refresh(place).changed == ()


def test_person_and_clock_are_told_apart_in_the_receipts(here: Scene) -> None:
    here.remember("a", "1", by=PERSON, review_after="2026-10-01")
    refresh(here.at("2026-10-02T00:00:00Z").open())
    lines = [
        json.loads(line) for path, text in here.files().items() if "/receipts/" in path for line in text.splitlines()
    ]
    assert [(line["actor"], line["events"][0]["kind"]) for line in lines] == [("user", "created"), ("clock", "stale")]


def test_what_cannot_be_moved_is_named_and_the_others_move(here: Scene) -> None:
    set_retention(here, accessLog="30d")
    for number in range(7):
        here.remember(f"rule-{number}", str(number), review_after="2026-10-01")
    get(here.open(), "rule-0")
    memories = here.memdir / "memories"
    (memories / "rule-2.md").rename(memories / "other name.md")
    (memories / "rule-5.md").chmod(0o444)
    answer = refresh(here.at("2026-12-01T00:00:00Z").open())
    assert {change.record.memory.predicate for change in answer.changed} == {f"rule-{n}" for n in (0, 1, 3, 4, 6)}
    wrong, kept = sorted(answer.troubles)
    assert wrong.startswith("`memories/other name.md` stays as it is: ")
    assert kept.startswith("`memories/rule-5.md` stays as it is: ")
    assert [Path(path).name for path in answer.removed] == ["2026-09.jsonl"]
    assert {memory.status for memory in here.memories().values()} == {"verified", "stale"}
    (memories / "rule-5.md").chmod(0o644)
    (memories / "other name.md").rename(memories / "rule-2.md")
    answer = refresh(here.at("2026-12-01T00:00:00Z").open())
    assert {change.record.memory.predicate for change in answer.changed} == {"rule-2", "rule-5"}
    assert answer.troubles == ()


def test_a_disk_that_fails_is_no_matter_of_one_memory(here: Scene) -> None:
    here.remember("rule", "1", review_after="2026-10-01")
    (here.memdir / "receipts").rename(here.memdir / "kept")
    (here.memdir / "receipts").write_text("", encoding="utf-8")
    before = here.files()
    with pytest.raises(FaultError):
        refresh(here.at("2026-12-01T00:00:00Z").open())
    assert here.files() == before
