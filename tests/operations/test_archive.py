"""archive and restore: put away, kept whole, taken back as it was; and what lies cold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir_cli.domain.archiving import ArchiveAnswer
from memdir_cli.domain.listing import Filter
from memdir_cli.errors import PersonNeededError, RefusedError, UsageError
from memdir_cli.operations.archive import archive, archive_cold
from memdir_cli.operations.check import check
from memdir_cli.operations.context import context
from memdir_cli.operations.explain import explain
from memdir_cli.operations.get import get
from memdir_cli.operations.history import history
from memdir_cli.operations.list_memories import list_memories
from memdir_cli.operations.log import log
from memdir_cli.operations.quarantine import quarantine
from memdir_cli.operations.restore import restore
from memdir_cli.operations.show import show
from tests.operations.writing_place import AGENT, CLAIM, PERSON, Scene, message, scene
from tests.sandbox import Sandbox

LATER = "2027-10-01T08:00:00Z"


@pytest.fixture
def place(sandbox: Sandbox) -> Scene:
    return scene(sandbox, claims=True)


def codes(place: Scene) -> list[str]:
    return [finding.code for finding in check(place.open(), strict=True).findings]


def cold(place: Scene, span: str = "365d", *, dry_run: bool = True) -> ArchiveAnswer:
    return archive_cold(place.open(), span, AGENT, dry_run=dry_run)


def test_an_archived_memory_is_kept_whole_and_served_to_nobody(place: Scene) -> None:
    memory = place.remember("linter", "ruff", description="what lints", body="Why: quick.\n").memory
    assert memory is not None
    before = (place.memdir / "memories/linter.md").read_text("utf-8")
    answer = archive(place.open(), "linter", AGENT)
    assert (answer.decision, answer.exit_status) == ("archived", 0)
    file = place.memdir / f"archive/linter~{memory.id}.md"
    assert answer.path == str(file)
    kept = file.read_text("utf-8")
    assert (
        kept.replace("status: archived", "status: verified").replace(
            'statusReason: "archived: put away by hand, by a source of kind agent"\n', ""
        )
        == before
    )
    workplace = place.open()
    assert get(workplace, "linter").exit_status == 1
    assert "ruff" not in str(context(workplace).document())
    assert list_memories(workplace).memories == ()
    assert [one.judged.memory.id for one in list_memories(workplace, Filter(everything=True)).memories] == [memory.id]
    assert show(workplace, "linter").listed is not None
    assert "ruff" not in (place.memdir / "MEMORY.md").read_text("utf-8")
    assert codes(place) == []


def test_reads_fall_through_to_the_next_level(place: Scene) -> None:
    place.remember("linter", "ruff")
    place.remember("linter", "flake8", "user")
    archive(place.open(), "linter", AGENT, scope="repository")
    assert get(place.open(), "linter").value == "flake8"
    outcomes = {one.judged.memory.value: one.outcome for one in explain(place.open(), "linter").contenders}
    assert outcomes["flake8"] == "winner"


def test_restore_gives_back_what_it_was_and_the_file_as_it_was(place: Scene) -> None:
    place.remember("linter", "ruff", body="Why: quick.\n")
    file = place.memdir / "memories/linter.md"
    file.write_text(file.read_text("utf-8").replace("type:", "ticket: A-1  # ours\ntype:"), "utf-8")
    before = file.read_text("utf-8")
    archive(place.open(), "linter", AGENT)
    answer = restore(place.open(), "linter", AGENT)
    assert (answer.decision, answer.memory and answer.memory.status) == ("restored", "verified")
    assert file.read_text("utf-8") == before
    assert get(place.open(), "linter").value == "ruff"
    assert codes(place) == []
    assert place.events()[-2:] == ["archived", "restored"]


def test_what_was_stale_comes_back_stale(place: Scene) -> None:
    place.remember("linter", "ruff", review_after="2026-10-01")
    later = place.at("2026-11-01T08:00:00Z")
    from memdir_cli.operations.refresh import refresh

    refresh(later.open())
    archive(later.open(), "linter", AGENT)
    answer = restore(later.open(), "linter", AGENT)
    assert answer.memory is not None
    assert (answer.memory.status, answer.reason) == ("stale", "restored")


@pytest.mark.parametrize(("old", "new"), [("status: archived", "status: archived"), ("value: ruff", "value: evil")])
def test_what_was_edited_in_the_archive_comes_back_to_be_verified_first(place: Scene, old: str, new: str) -> None:
    memory = place.remember("linter", "ruff").memory
    assert memory is not None
    archive(place.open(), "linter", AGENT)
    file = place.memdir / f"archive/linter~{memory.id}.md"
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    restore(place.open(), "linter", AGENT)
    warned = [one.code for one in get(place.open(), "linter").warnings]
    assert warned == ([] if old == new else ["unattributed"])


def test_an_edited_memory_is_not_vouched_for_by_being_archived_and_restored(place: Scene) -> None:
    place.remember("linter", "ruff")
    file = place.memdir / "memories/linter.md"
    file.write_text(file.read_text("utf-8").replace("value: ruff", "value: evil"), "utf-8")
    archive(place.open(), "linter", AGENT)
    restore(place.open(), "linter", AGENT)
    assert [one.code for one in get(place.open(), "linter").warnings] == ["unattributed"]


def test_restore_covers_no_other_memory(place: Scene) -> None:
    old = place.remember("linter", "flake8").memory
    assert old is not None
    archive(place.open(), "linter", AGENT)
    new = place.remember("linter", "ruff").memory
    assert new is not None
    before = place.files()
    answer = restore(place.open(), old.id, AGENT)
    assert (answer.decision, answer.reason, answer.exit_status) == ("needs_decision", "rival", 3)
    assert place.files() == before
    archive(place.open(), "linter", AGENT)
    with pytest.raises(PersonNeededError):
        restore(place.open(), "linter", AGENT)
    assert restore(place.open(), new.id, AGENT).decision == "restored"


def test_nothing_that_was_forgotten_is_restored(place: Scene) -> None:
    memory = place.remember("linter", "ruff").memory
    assert memory is not None
    archive(place.open(), "linter", AGENT)
    file = place.memdir / f"archive/linter~{memory.id}.md"
    content = file.read_bytes()
    place.forget("linter")
    assert not file.exists()
    file.write_bytes(content)
    for ref in ("linter", memory.id):
        with pytest.raises(RefusedError) as refused:
            restore(place.open(), ref, PERSON)
        assert refused.value.code == "forgotten"


def test_nothing_is_restored_beside_what_is_in_quarantine(place: Scene) -> None:
    old = place.remember("linter", "flake8").memory
    assert old is not None
    archive(place.open(), "linter", AGENT)
    place.remember("linter", "ruff")
    quarantine(place.open(), "linter", "it is wrong", AGENT, scope="repository")
    answer = restore(place.open(), old.id, AGENT)
    assert (answer.decision, answer.reason) == ("refused", "quarantined")


def test_policy_is_for_its_setters_to_put_away(place: Scene) -> None:
    config = place.memdir / "config.yaml"
    config.write_text(config.read_text("utf-8") + "policy:\n  setters: ['42']\n", "utf-8")
    place.remember("license", "MIT only", policy=True)
    assert archive(place.open(), "license", AGENT).reason == "policy-record"
    assert cold(place.at(LATER)).cold == ()
    assert archive(place.open(), "license", PERSON).decision == "archived"


def test_only_what_may_be_used_can_be_put_away(place: Scene) -> None:
    place.remember("linter", "ruff", by=AGENT)
    with pytest.raises(UsageError) as wrong:
        archive(place.open(), "linter", AGENT)
    assert wrong.value.code == "wrong-status"


@pytest.mark.parametrize("text", ["see [[builder]]", "as in {id}.", "it is in memories/builder.md"])
def test_who_still_refers_to_it_is_told_and_checked(place: Scene, text: str) -> None:
    memory = place.remember("builder", "make").memory
    assert memory is not None
    place.remember("runner", "just", body=text.format(id=memory.id) + "\n")
    place.remember("other", "value", body="the builders are many\n")
    answer = archive(place.open(), "builder", AGENT)
    assert [one.code for one in answer.warnings] == ["referred"]
    assert "`runner`" in answer.warnings[0].message
    assert codes(place) == ["M331"]
    restore(place.open(), "builder", AGENT)
    assert codes(place) == []


# -- cold


def test_cold_is_what_nobody_was_shown_or_said_for_so_long(place: Scene) -> None:
    place.remember("old", "value")
    place.remember("read", "value")
    place.remember("said_again", "value")
    place.remember("mine", "value", "user")
    get(place.at("2027-09-01T08:00:00Z").open(), "read")
    place.at("2027-09-02T08:00:00Z").remember("said_again", "value", by=replace(CLAIM, message="m2"))
    later = place.at(LATER)
    later.remember("fresh", "value")
    before = later.files()
    answer = cold(later)
    assert later.files() == before, "a list writes nothing"
    assert [(one.record.memory.predicate, one.cold) for one in answer.cold] == [("mine", "unused"), ("old", "unused")]
    done = cold(later, dry_run=False)
    assert [one.record.memory.predicate for one in done.cold] == ["mine", "old"]
    assert later.names() == [
        ".memdir/archive/old", ".memdir/memories/fresh", ".memdir/memories/read", ".memdir/memories/said_again",
        "user/archive/mine",
    ]  # fmt: skip
    assert cold(later).cold == ()
    assert codes(later) == []
    assert get(later.open(), "old").exit_status == 1
    assert restore(later.open(), "old", AGENT).decision == "restored"


def test_cold_is_what_has_lost_its_source_or_its_place_though_it_is_still_shown(place: Scene) -> None:
    (place.top / "Makefile").write_text("all:\n", "utf-8")
    (place.top / "packages/web").mkdir(parents=True)
    place.remember("build", "make all", depends_on=("exists:Makefile",))
    place.remember("web", "vite", path="packages/web/**")
    place.remember("api", "node", path="packages/**")
    later = place.at(LATER)
    for key in ("build", "web", "api"):
        get(later.open(env={"MEMDIR_NOW": LATER}), key)
    (place.top / "Makefile").unlink()
    (place.top / "packages/web").rmdir()
    context(later.open())
    found = {one.record.memory.predicate: one.cold for one in cold(later).cold}
    assert found == {"build": "source-gone", "web": "scope-gone"}


def test_a_span_is_asked_for(place: Scene) -> None:
    with pytest.raises(UsageError, match="takes a span"):
        cold(place, "long ago")


# -- history


def test_history_shows_the_chain_with_all_its_sources_and_no_other_read_shows_the_past(place: Scene) -> None:
    place.remember("linter", "first-value", by=message(1))
    for number in range(2, 26):
        place.remember("linter", "first-value", by=message(number))
    place.correct("linter", "second-value", by=message(30))
    first, second = history(place.open(), "linter").revisions
    assert (first.judged.memory.superseded_by, second.judged.memory.supersedes) == (
        second.judged.memory.ref, first.judged.memory.ref,
    )  # fmt: skip
    known = [one.ref for one in (*second.older, *first.judged.memory.source, *second.judged.memory.source)]
    assert sorted(known) == sorted({f"session:s1/message:m{number}" for number in (*range(1, 26), 30)})
    workplace = place.open()
    reads = (get(workplace, "linter"), explain(workplace, "linter"), context(workplace), list_memories(workplace))
    assert all("first-value" not in str(one.document()) for one in reads)
    told = show(workplace, first.judged.memory.ref).document()
    assert (told["value"], told["status"]) == ("first-value", "superseded")


def test_the_log_names_a_key_as_long_as_the_memory_exists(place: Scene) -> None:
    place.remember("linter", "ruff")
    place.remember("editor", "vim", "user", env={"MEMDIR_USER": "77"})
    assert {one.key for one in log(place.open()).events} == {"linter", ""}, "of another user nothing is told"
    assert {one.key for one in log(place.open(), ignored=True).events} == {""}
    archive(place.open(), "linter", AGENT)
    assert "linter" in {one.key for one in log(place.open()).events}
    place.forget("linter")
    assert {one.key for one in log(place.open()).events} == {""}
