"""What was forgotten stays away: from agents, from old files, from git; a user's new word brings it back anew."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

from memdir_cli.domain.listing import Filter
from memdir_cli.errors import RefusedError, UsageError
from memdir_cli.operations.check import check
from memdir_cli.operations.context import context
from memdir_cli.operations.get import get
from memdir_cli.operations.list_memories import list_memories
from memdir_cli.operations.refresh import refresh
from memdir_cli.operations.repair import repair
from memdir_cli.operations.show import show
from memdir_cli.storage import layout
from tests.operations.writing_place import AGENT, PERSON, Scene, message, scene
from tests.sandbox import Sandbox

HOST = "kestrel-7.internal.example"
KEY = "staging_host"


@pytest.fixture
def place(sandbox: Sandbox) -> Scene:
    return scene(sandbox, claims=True)


@pytest.fixture
def forgotten(place: Scene) -> Scene:
    """A place in which one memory was committed and forgotten."""
    place.remember(KEY, HOST, by=message(1))
    commit(place, "Remember")
    place.forget(KEY)
    commit(place, "Forget")
    return place


def commit(place: Scene, words: str) -> None:
    place.sandbox.git("add", "-A", cwd=place.top)
    place.sandbox.git("commit", "-qm", words, cwd=place.top)


def codes(place: Scene) -> list[str]:
    return [finding.code for finding in check(place.open(), strict=True).findings]


def is_not_served(place: Scene) -> None:
    workplace = place.open()
    answers = (
        get(workplace, KEY).document(),
        context(workplace).document(),
        list_memories(workplace, Filter(everything=True)).document(),
    )
    assert HOST not in str(answers)
    assert get(workplace, KEY).exit_status == 1
    with pytest.raises(UsageError):
        show(workplace, KEY)
    refresh(workplace)


# -- those who may not


@pytest.mark.parametrize("value", [HOST, "kestrel-8.internal.example", "x"])
def test_an_agent_may_say_nothing_for_the_key(forgotten: Scene, value: str) -> None:
    before = forgotten.files()
    answer = forgotten.remember(KEY, value, by=AGENT)
    assert (answer.decision, answer.reason, answer.exit_status) == ("refused", "forgotten", 4)
    assert "--after-forget" in answer.hint
    assert forgotten.files() == before


@pytest.mark.parametrize("by", [AGENT, replace(AGENT, kind="tool"), replace(AGENT, kind="import")])
def test_the_same_text_is_refused_under_any_other_key_and_in_other_case(forgotten: Scene, by: object) -> None:
    for value in (HOST, HOST.upper(), f"  {HOST}  "):
        answer = forgotten.remember("other_key", value, by=by)  # type: ignore[arg-type]
        assert (answer.decision, answer.reason) == ("refused", "forgotten")
    assert forgotten.remember("other_key", body=f"{HOST}\n", by=AGENT).reason == "forgotten"
    assert forgotten.remember("other_key", f"not {HOST}", by=AGENT).decision == "created", "only the very text"


def test_the_same_text_that_stands_elsewhere_in_its_own_right_stays_and_may_be_confirmed(place: Scene) -> None:
    place.remember(KEY, HOST, by=message(1))
    place.remember("other_key", HOST, by=message(2))
    place.forget(KEY)
    assert get(place.open(), "other_key").value == HOST
    assert codes(place) == []
    assert place.remember("other_key", HOST, by=AGENT).decision == "confirmed"


def test_an_unproven_claim_brings_nothing_back(sandbox: Sandbox) -> None:
    place = scene(sandbox)
    place.remember(KEY, HOST)
    place.forget(KEY)
    assert place.remember(KEY, "osprey-1", by=message(3)).reason == "forgotten"
    answer = place.remember(KEY, "osprey-1", by=message(3), after_forget=True)
    assert (answer.decision, answer.reason) == ("refused", "unproven")
    answer = place.remember(KEY, "osprey-1", by=AGENT, after_forget=True)
    assert (answer.decision, answer.reason) == ("refused", "user-word-needed")
    assert place.names() == []


def test_an_old_word_of_the_user_is_no_new_one(forgotten: Scene) -> None:
    """An agent that finds the user's words in old notes repeats them as they were said."""
    for value in (HOST, "another value for the old words"):
        answer = forgotten.remember(KEY, value, by=message(1))
        assert (answer.decision, answer.reason) == ("refused", "forgotten")
        assert "`--after-forget`" in answer.hint


def test_the_same_value_in_new_words_needs_to_be_meant(place: Scene) -> None:
    place.remember(KEY, "npm", by=message(1))
    place.forget(KEY)
    answer = place.remember(KEY, "npm", by=message(2, "npm again, please"))
    assert (answer.decision, answer.reason) == ("refused", "forgotten"), "short values are recognised by the receipts"


# -- those who may


def test_a_user_may_say_something_new_for_the_key(forgotten: Scene) -> None:
    answer = forgotten.remember(KEY, "osprey-1", by=message(9, "remember staging again: osprey-1"))
    assert answer.decision == "created"
    assert [one.code for one in answer.warnings] == ["after-forget"]
    assert get(forgotten.open(), KEY).value == "osprey-1"
    assert codes(forgotten) == []


def test_a_new_word_for_the_key_does_not_bring_back_the_old_text(forgotten: Scene) -> None:
    forgotten.remember(KEY, "osprey-1", by=message(9, "remember staging again: osprey-1"), after_forget=True)
    assert forgotten.remember("other_key", HOST, by=AGENT).reason == "forgotten"
    assert forgotten.remember(KEY, HOST, by=AGENT).reason == "forgotten"
    assert forgotten.remember(KEY, "another", by=AGENT).decision == "needs_decision", "the key is in use again"
    forgotten.correct(KEY, HOST, by=message(10, "no, the old one after all"), after_forget=True)
    assert forgotten.remember("other_key", HOST, by=AGENT).decision == "created"


def test_after_forget_brings_back_the_very_same_under_a_new_id(forgotten: Scene) -> None:
    old = ids_of_tombstones(forgotten)
    answer = forgotten.remember(KEY, HOST, by=message(1), after_forget=True)
    assert answer.decision == "created"
    assert answer.memory is not None
    assert answer.memory.id not in old
    assert answer.memory.revision == 1
    assert get(forgotten.open(), KEY).value == HOST
    assert codes(forgotten) == []
    assert forgotten.events()[-2:] == ["lifted", "created"] or "lifted" in forgotten.events()
    assert forgotten.remember(KEY, HOST, by=AGENT).decision == "confirmed"


def test_it_can_be_forgotten_again_and_lifted_again(forgotten: Scene) -> None:
    seen = set(ids_of_tombstones(forgotten))
    for number in range(2, 5):
        answer = forgotten.remember(KEY, HOST, by=message(number), after_forget=True)
        assert answer.decision == "created"
        assert answer.memory is not None
        assert answer.memory.id not in seen
        seen.add(answer.memory.id)
        forgotten.forget(KEY)
        assert forgotten.remember(KEY, HOST, by=AGENT).reason == "forgotten"


def test_a_correction_lifts_as_well(forgotten: Scene) -> None:
    answer = forgotten.correct(KEY, HOST, by=message(5), after_forget=True)
    assert answer.decision == "created"
    assert get(forgotten.open(), KEY).value == HOST


def test_a_user_level_memory_is_lifted_in_the_user_memdir(place: Scene) -> None:
    place.remember(KEY, HOST, "user", by=message(1))
    place.forget(KEY)
    assert place.remember(KEY, HOST, "repository", by=AGENT).reason == "forgotten", "the text"
    assert place.remember(KEY, HOST, "user", by=message(2), after_forget=True).decision == "created"
    assert place.remember("another", HOST, "repository", by=AGENT).decision == "created", "the text is lifted too"


def test_a_line_that_somebody_writes_by_hand_lifts_nothing(forgotten: Scene) -> None:
    file = forgotten.memdir / layout.TOMBSTONES
    stone = json.loads(file.read_text("utf-8"))
    lift = {"lifted": "new", "identities": [f"{stone['txn']}/{stone['forgotten']}"], "at": stone["at"], "txn": "t"}
    file.write_text(file.read_text("utf-8") + json.dumps(lift) + "\n", "utf-8")
    assert forgotten.remember(KEY, HOST, by=AGENT).reason == "forgotten"
    assert codes(forgotten) == ["M734"]


# -- files that come back


def come_back(place: Scene, how: str) -> None:
    memories = place.memdir / "memories"
    memories.mkdir(exist_ok=True)
    git = place.sandbox.git
    if how == "git revert":
        git("revert", "--no-edit", "HEAD", cwd=place.top)
    elif how == "git checkout":
        git("checkout", "-q", "HEAD~1", "--", ".memdir", cwd=place.top)
    elif how == "merge of a branch that edits it":
        git("checkout", "-q", "-b", "side", "HEAD~1", cwd=place.top)
        file = memories / f"{KEY}.md"
        file.write_text(file.read_text("utf-8").replace("name: staging_host", "name: edited"), "utf-8")
        commit(place, "Edit")
        git("checkout", "-q", "-", cwd=place.top)
        place.sandbox.process("git", "merge", "-q", "side", cwd=place.top)
        git("checkout", "-q", "side", "--", f".memdir/memories/{KEY}.md", cwd=place.top)
    else:
        old = git("show", f"HEAD~1:.memdir/memories/{KEY}.md", cwd=place.top)
        edits = {
            "a file put back by hand": (KEY, old),
            "a renamed copy": ("copy", old.replace(f"predicate: {KEY}", "predicate: copy")),
            "another id": (KEY, replaced_id(old)),
            "a copy with everything renamed": ("copy", replaced_id(old.replace(KEY, "copy"))),
            "an old candidate": (f"../inbox/{KEY}~old", old.replace("status: verified", "status: candidate")),
            "an archived copy": (f"../archive/{KEY}~old", old.replace("status: verified", "status: archived")),
        }
        name, text = edits[how]
        (memories / f"{name}.md").parent.joinpath(f"{name}.md").resolve().parent.mkdir(exist_ok=True)
        (memories / f"{name}.md").write_text(text, "utf-8")


def replaced_id(text: str) -> str:
    return "\n".join("id: anotherid0001" if line.startswith("id: ") else line for line in text.split("\n"))


RETURNS = (
    "git revert", "git checkout", "merge of a branch that edits it", "a file put back by hand", "a renamed copy",
    "another id", "an old candidate", "an archived copy",
)  # fmt: skip


@pytest.mark.parametrize("how", RETURNS)
def test_a_file_that_comes_back_is_not_served_is_found_and_taken_out(forgotten: Scene, how: str) -> None:
    come_back(forgotten, how)
    is_not_served(forgotten)
    assert "M732" in codes(forgotten)
    answer = check(forgotten.open())
    assert answer.exit_status == 1
    assert HOST not in str(answer.document())
    planned = repair(forgotten.open(), dry_run=True)
    assert HOST not in str(planned.document()), "a diff does not show it"
    repair(forgotten.open())
    assert HOST not in (forgotten.memdir / "MEMORY.md").read_text("utf-8")
    lying = [path for path in forgotten.memdir.rglob("*.md") if HOST in path.read_text("utf-8")]
    assert lying == []
    assert codes(forgotten) == []


def test_a_copy_with_everything_renamed_is_not_served_but_is_for_a_person_to_remove(forgotten: Scene) -> None:
    come_back(forgotten, "a copy with everything renamed")
    assert get(forgotten.open(), "copy").exit_status == 1
    (finding,) = (one for one in check(forgotten.open()).findings if one.code == "M732")
    assert not finding.fixable
    forgotten.forget("copy")
    assert codes(forgotten) == []


def test_a_reverted_forgetting_lifts_nothing_for_who_forgot(forgotten: Scene) -> None:
    forgotten.sandbox.git("revert", "--no-edit", "HEAD", cwd=forgotten.top)
    assert not (forgotten.memdir / layout.TOMBSTONES).exists()
    assert codes(forgotten).count("M733") == 1
    assert forgotten.remember(KEY, HOST, by=AGENT).reason == "forgotten"
    repair(forgotten.open())
    assert (forgotten.memdir / layout.TOMBSTONES).exists()
    shutil.rmtree(forgotten.user_memdir)
    assert forgotten.remember(KEY, HOST, by=AGENT).reason == "forgotten", "the project knows it again by itself"
    assert codes(forgotten) == []


def test_confirm_of_an_old_candidate_is_refused(forgotten: Scene) -> None:
    come_back(forgotten, "an old candidate")
    before = forgotten.files()
    with pytest.raises(RefusedError) as refused:
        forgotten.confirm(KEY, PERSON)
    assert (refused.value.code, refused.value.exit_status) == ("forgotten", 4)
    assert forgotten.files() == before


def test_after_forget_takes_the_place_of_a_file_that_came_back(forgotten: Scene) -> None:
    come_back(forgotten, "a file put back by hand")
    old = forgotten.sandbox.git("show", f"HEAD~1:.memdir/memories/{KEY}.md", cwd=forgotten.top)
    (forgotten.memdir / "inbox").mkdir(exist_ok=True)
    (forgotten.memdir / f"inbox/{KEY}~x.md").write_text(old.replace("status: verified", "status: candidate"), "utf-8")
    answer = forgotten.remember(KEY, "osprey-1", by=message(9, "staging is osprey-1 now"))
    assert answer.decision == "created"
    assert get(forgotten.open(), KEY).value == "osprey-1"
    assert [path.name for path in forgotten.memdir.rglob("*.md") if HOST in path.read_text("utf-8")] == []
    assert codes(forgotten) == []


def test_a_file_in_the_way_of_a_narrower_memory_is_no_reason_to_bring_it_back(place: Scene) -> None:
    place.remember(KEY, "osprey-1", path="web/**", by=message(1))
    place.forget(KEY)
    place.remember(KEY, "osprey-2", by=message(2))
    with pytest.raises(RefusedError) as refused:
        place.narrow(KEY, path="web/**")
    assert refused.value.code == "forgotten"
    assert get(place.open(), KEY).value == "osprey-2"


# -- hostile lines


LINES = (
    b"\xff\xfe\x00", b"{", b"[]", b"null", b"<<<<<<< HEAD", b'{"forgotten":1,"at":"x","txn":"y"}',
    b'{"forgotten":"a","at":"x"}',
    b'{"lifted":"a","texts":{},"at":"x","txn":"y"}', b'{"lifted":"a","id":"b","at":"x","txn":"y"}', b"[" * 100_000,
    b'{"forgotten":"\\ud800","identity":{},"at":"x","txn":"y"}',
)  # fmt: skip


@pytest.mark.parametrize("line", LINES, ids=[str(line[:20]) for line in LINES])
def test_a_line_that_is_none_is_a_finding_and_hides_no_other(forgotten: Scene, line: bytes) -> None:
    file = forgotten.memdir / layout.TOMBSTONES
    file.write_bytes(line + b"\n" + file.read_bytes() + line)
    assert forgotten.remember(KEY, HOST, by=AGENT).reason == "forgotten"
    found = check(forgotten.open()).findings
    assert [(one.code, one.line) for one in found] == [("M731", 1), ("M731", 3)]
    forgotten.remember("linter", "ruff")
    forgotten.forget("linter")
    assert forgotten.remember("linter", "ruff", by=AGENT).reason == "forgotten", "a torn end takes nothing with it"


def test_a_tombstone_of_which_no_receipt_tells_keeps_a_memory_back_but_deletes_nothing(place: Scene) -> None:
    memory = place.remember("linter", "ruff").memory
    assert memory is not None
    line = {"forgotten": memory.id, "at": "2026-09-14T09:30:00Z", "txn": "t"}
    (place.memdir / layout.TOMBSTONES).write_text(json.dumps(line) + "\n", "utf-8")
    assert get(place.open(), "linter").exit_status == 1
    assert sorted(codes(place)) == ["M213", "M732", "M734"]
    repair(place.open())
    assert sorted(codes(place)) == ["M732", "M734"]
    assert (place.memdir / "memories/linter.md").exists()


def test_tombstones_that_cannot_be_read_let_nothing_be_served(forgotten: Scene) -> None:
    file = forgotten.memdir / layout.TOMBSTONES
    file.rename(forgotten.top / "elsewhere")
    file.symlink_to(forgotten.top / "elsewhere")
    done = forgotten.sandbox.run("get", KEY, cwd=forgotten.top)
    assert (done.exit, "Traceback" in done.stderr) == (6, False)
    assert "M101" in codes(forgotten)


def ids_of_tombstones(place: Scene) -> list[str]:
    lines = (place.memdir / layout.TOMBSTONES).read_text("utf-8").splitlines()
    return [json.loads(line)["forgotten"] for line in lines]
