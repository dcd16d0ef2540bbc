"""forget: nothing of it is left in any file of both memdirs, and nothing else is touched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memdir_cli.domain.statement import Provenance
from memdir_cli.errors import PersonNeededError, RefusedError, UsageError
from memdir_cli.operations.check import check
from memdir_cli.operations.context import context
from memdir_cli.operations.get import get
from memdir_cli.operations.history import history
from memdir_cli.operations.log import log
from memdir_cli.operations.quarantine import quarantine
from memdir_cli.operations.reject import reject
from memdir_cli.storage import layout
from tests.operations.writing_place import AGENT, CLAIM, PERSON, Scene, message, scene
from tests.sandbox import Sandbox

CANARY = "kestrel7canary"


@pytest.fixture
def place(sandbox: Sandbox) -> Scene:
    return scene(sandbox, claims=True)


def holding(place: Scene, text: str = CANARY) -> list[str]:
    """Every file of both memdirs that holds ``text``, the caches and the lock too."""
    roots = (place.memdir, place.user_memdir)
    return sorted(
        str(path) for root in roots for path in root.rglob("*") if path.is_file() and text.encode() in path.read_bytes()
    )


def said(number: int, length: int = 0) -> Provenance:
    return message(number, f"the staging host is {CANARY} {'very ' * length}indeed")


def full_of_it(place: Scene, key: str = "staging_host") -> str:
    """One memory in every place that a memory can lie in, with the canary in every field; gives its id."""
    first = place.remember(
        key, f"{CANARY}-1", by=said(1, 80), description=f"where {CANARY} is", body=f"Ask {CANARY}.\n",
    )  # fmt: skip
    for number in range(2, 25):
        place.remember(key, f"{CANARY}-1", by=said(number))
    place.correct(key, f"{CANARY}-2", by=said(30))
    index = (place.memdir / "MEMORY.md").read_bytes()
    place.remember(key, f"{CANARY}-3", by=said(31))
    place.remember(key, f"{CANARY}-4", by=replace(AGENT, said=f"I read {CANARY}"))
    (place.memdir / "local/set-aside").mkdir(exist_ok=True)
    (place.memdir / "local/set-aside/k7-MEMORY.md").write_bytes(index)
    (file,) = (place.memdir / "memories").iterdir()
    (place.memdir / "local/set-aside/k7-memories+staging_host.md").write_bytes(file.read_bytes())
    (place.memdir / f"history/{key}~{first.memory.id}@9.md").write_text(f"torn {CANARY}")  # type: ignore[union-attr]
    get(place.open(), key)
    return first.memory.id  # type: ignore[union-attr]


def test_nothing_of_it_is_left_anywhere(place: Scene) -> None:
    memory_id = full_of_it(place)
    lying = {Path(path).parent.name for path in holding(place)}
    assert lying == {"memories", "inbox", "history", "sources", "set-aside"}
    assert (place.memdir / f"history/staging_host~{memory_id}.sources.jsonl").exists()
    answer = place.forget("staging_host")
    assert holding(place) == []
    assert CANARY not in str(answer.document())
    assert CANARY not in str(log(place.open()).document())
    assert [one.code for one in check(place.open(), strict=True).findings] == []
    assert {path for path in answer.removed if Path(path).exists()} == set()


def test_copies_that_an_editor_left_go_too_and_what_a_person_wrote_there_is_named(place: Scene) -> None:
    place.remember("linter", "ruff")
    place.remember("staging_host", f"{CANARY}-1", body=f"Ask {CANARY}.\n")
    file = place.memdir / "memories/staging_host.md"
    for name in ("staging_host.md~", "staging_host.md.orig", "#staging_host.md#", ".staging_host.md.swp", "old.bak"):
        (file.parent / name).write_bytes(b"\0b0VIM 8.2\0" * name.endswith("swp") + file.read_bytes())
    for name in ("MEMORY.md~", ".MEMORY.md.swp"):
        (place.memdir / name).write_bytes((place.memdir / "MEMORY.md").read_bytes())
    own = [file.parent / "notes.txt", file.parent / "linter.md~", place.memdir / ".todo"]
    for path in own:
        path.write_text(f"ask whether {CANARY}-1 is still there", "utf-8")
    planned = place.forget("staging_host", dry_run=True)
    answer = place.forget("staging_host")
    assert planned.removed == answer.removed
    assert sorted(holding(place)) == sorted(map(str, own))
    (told,) = (remain for remain in answer.remains if "did not write" in remain.message)
    assert sorted(told.where) == sorted(map(str, own))
    assert {command.split()[0] for command in told.commands} == {"rm"}


def test_the_index_does_not_name_it_any_more(place: Scene) -> None:
    place.remember("linter", "ruff")
    place.remember("staging_host", f"{CANARY}-1")
    assert any(path.endswith("MEMORY.md") for path in holding(place))
    place.forget("staging_host")
    assert holding(place) == []
    assert "linter" in (place.memdir / "MEMORY.md").read_text("utf-8")


def test_a_dry_run_names_every_file_and_touches_none(place: Scene) -> None:
    full_of_it(place)
    before = place.files()
    planned = place.forget("staging_host", dry_run=True)
    assert place.files() == before
    assert planned.receipt is None
    done = place.forget("staging_host")
    assert planned.removed == done.removed
    assert planned.memories == done.memories


def test_what_is_forgotten_is_in_no_answer(place: Scene) -> None:
    full_of_it(place)
    place.forget("staging_host")
    workplace = place.open()
    answers = (
        get(workplace, "staging_host").document(),
        history(workplace, "staging_host").document(),
        context(workplace).document(),
    )
    assert CANARY not in str(answers)
    assert get(workplace, "staging_host").exit_status == 1


def test_the_receipt_says_who_and_what_and_holds_no_content(place: Scene) -> None:
    memory_id = full_of_it(place)
    answer = place.forget("staging_host")
    assert answer.receipt is not None
    assert (answer.receipt["actor"], answer.receipt["memdirs"]) == ("agent", ["user", "project"])
    assert memory_id in answer.receipt["ids"]  # type: ignore[operator]
    events = [one for one in log(place.open()).events if one.kind == "forgotten"]
    assert {one.memdir for one in events} == {"project"}, "the log tells it once, the receipts of both memdirs"
    assert place.events().count("forgotten") == 2 * len(events)
    assert {one.actor for one in events} == {"agent"}
    assert {(one.status, one.authority, one.key) for one in events} == {("", "", "")}


def test_a_person_is_named_as_a_user_and_an_unproven_claim_as_the_agent_that_makes_it(sandbox: Sandbox) -> None:
    place = scene(sandbox)
    for key, by, actor in (("one", PERSON, "user"), ("two", CLAIM, "agent"), ("three", AGENT, "agent")):
        place.remember(key, "a value")
        answer = place.forget(key, by)
        assert answer.receipt is not None
        assert answer.receipt["actor"] == actor


def test_a_tombstone_stands_in_the_project_and_its_copy_with_the_user(place: Scene) -> None:
    place.remember("staging_host", f"{CANARY} and so on")
    place.forget("staging_host")
    own = (place.memdir / layout.TOMBSTONES).read_text("utf-8")
    copy = (place.user_memdir / layout.TOMBSTONES).read_text("utf-8")
    assert '"texts"' not in own, "digests of values are kept in the user memdir only"
    assert '"texts"' in copy
    assert "staging_host" not in own + copy
    place.remember("short", "npm", "user")
    place.forget("short")
    last = (place.user_memdir / layout.TOMBSTONES).read_text("utf-8").splitlines()[-1]
    assert '"texts"' not in last, "shorter texts get no digest"


def test_why_a_candidate_was_rejected_goes_with_what_it_was_about(place: Scene) -> None:
    place.remember("staging_host", f"{CANARY}-1")
    candidate = place.remember("staging_host", "another host", by=AGENT).memory
    assert candidate is not None
    reject(place.open(), candidate.id, PERSON, reason=f"it is {CANARY}-1 and nothing else")
    assert any("/local/sources/" in path for path in holding(place))
    place.forget("staging_host")
    assert holding(place) == []


def test_what_is_only_alike_stays(place: Scene) -> None:
    for key in ("api.port", "api.port.admin", "api_port", "api"):
        place.remember(key, f"value of {key}")
    place.remember("api.port", "another place", "user")
    place.forget("api.port", level="repository")
    assert place.names() == [".memdir/memories/api", ".memdir/memories/api.port.admin", ".memdir/memories/api_port",
                             "user/memories/api.port"]  # fmt: skip
    assert get(place.open(), "api.port").value == "another place"


def test_a_key_of_several_scopes_is_for_a_person_to_say(place: Scene) -> None:
    place.remember("linter", "ruff")
    place.remember("linter", "flake8", "user")
    before = place.files()
    with pytest.raises(PersonNeededError) as asked:
        place.forget("linter")
    assert place.files() == before
    assert len(asked.value.facts["ids"]) == 2  # type: ignore[arg-type]
    assert all(str(one) in asked.value.hint for one in asked.value.facts["ids"])  # type: ignore[attr-defined]
    answer = place.forget("linter", all_scopes=True)
    assert [one.scope for one in answer.memories] == ["repository:github.com/acme/legacy-dashboard", "user"]
    assert place.names() == []
    assert check(place.open(), strict=True).findings == ()


def test_a_pattern_takes_a_collection(place: Scene) -> None:
    for key in ("gotcha.vite", "gotcha.HMR", "gotchas", "other.gotcha.x"):
        place.remember(key, "a value")
    answer = place.forget("gotcha.*")
    assert [one.key for one in answer.memories] == ["gotcha.HMR", "gotcha.vite"]
    assert place.names() == [".memdir/memories/gotchas", ".memdir/memories/other.gotcha.x"]
    with pytest.raises(UsageError, match="No key is like"):
        place.forget("gotcha.*")


def test_a_source_takes_everything_that_stands_on_it(place: Scene) -> None:
    place.remember("one", "of session one", by=replace(CLAIM, session="a-very-long-session-id-0001"))
    place.remember("two", "of session one too", "user", by=replace(CLAIM, session="a-very-long-session-id-0001"))
    place.remember("three", "of another", by=replace(CLAIM, session="s2"))
    answer = place.forget(source="session:a-very-long-session-id-0001")
    assert sorted(one.key for one in answer.memories) == ["one", "two"]
    assert place.names() == [".memdir/memories/three"]


def test_what_was_corrected_since_keeps_its_value_when_its_first_source_goes(place: Scene) -> None:
    place.remember("linter", "flake8", by=replace(CLAIM, session="s1"))
    place.correct("linter", "ruff", by=replace(CLAIM, session="s2"))
    with pytest.raises(UsageError, match="No memory stands"):
        place.forget(source="session:s1")
    assert get(place.open(), "linter").value == "ruff"


def test_a_subject_takes_all_that_is_about_it(place: Scene) -> None:
    place.remember("editor", "vim", "user")
    place.remember("pager", "most", "user", env={"MEMDIR_USER": "77"})
    place.remember("linter", "ruff")
    place.forget(subject="user:42")
    assert place.names() == [".memdir/memories/linter", "user/memories/pager"]


def test_an_id_alone_takes_a_candidate_and_leaves_what_stands(place: Scene) -> None:
    place.remember("linter", "ruff")
    candidate = place.remember("linter", "flake8", by=AGENT).memory
    assert candidate is not None
    place.forget(candidate.id)
    assert place.names() == [".memdir/memories/linter"]
    assert get(place.open(), "linter").value == "ruff"
    assert check(place.open(), strict=True).findings == ()


def test_a_candidate_whose_rival_is_forgotten_keeps_no_link_to_it(place: Scene) -> None:
    stands = place.remember("formatter", "black").memory
    other = place.remember("linter", "ruff").memory
    assert stands is not None
    assert other is not None
    file = place.memdir / "memories/linter.md"
    file.write_text(file.read_text("utf-8").replace("revision: 1", f"revision: 1\nsupersedes: {stands.id}@1"), "utf-8")
    place.forget("formatter")
    assert stands.id not in file.read_text("utf-8")


def test_a_narrowed_rule_goes_with_the_wide_one_that_it_was(place: Scene) -> None:
    place.remember("linter", f"{CANARY} is the linter")
    place.narrow("linter", path="packages/web/**")
    assert len(holding(place)) == 3
    place.forget("linter")
    assert holding(place) == []


def test_what_is_in_quarantine_is_forgotten_with_its_text_under_the_seal(place: Scene) -> None:
    place.remember("staging_host", f"{CANARY}-1", by=said(1, 80))
    place.correct("staging_host", f"{CANARY}-22", by=said(2))
    quarantine(place.open(), "staging_host", "it is wrong", AGENT)
    assert not holding(place), "the seal hides it"
    assert len(list((place.memdir / "quarantine").iterdir())) == 1
    place.forget("staging_host")
    assert list((place.memdir / "quarantine").iterdir()) == []
    assert not list((place.memdir / "local/sources").iterdir())
    for text in (f"{CANARY}-1", f"{CANARY}-22"):
        assert place.remember("elsewhere", text, by=AGENT).reason == "forgotten", "the text is known by its digest"
    assert [one.code for one in check(place.open(), strict=True).findings] == []


def test_a_revision_alone_cannot_be_forgotten(place: Scene) -> None:
    memory = place.remember("linter", "ruff").memory
    assert memory is not None
    with pytest.raises(UsageError, match="whole"):
        place.forget(f"{memory.id}@1")


def test_a_file_that_cannot_be_read_is_not_passed_over(place: Scene) -> None:
    memory = place.remember("linter", f"{CANARY} linter").memory
    assert memory is not None
    file = place.memdir / "memories/linter.md"
    file.write_text(file.read_text("utf-8").replace("status: verified", "status: &a verified"), "utf-8")
    with pytest.raises(PersonNeededError, match="cannot be read"):
        place.forget("linter")
    place.forget(str(file))
    assert holding(place) == []
    assert memory.id in (place.memdir / layout.TOMBSTONES).read_text("utf-8")


def test_a_file_is_named_by_its_path(place: Scene) -> None:
    place.remember("linter", "ruff")
    place.remember("formatter", "black")
    place.forget(".memdir/memories/linter.md", cwd=place.top)
    assert place.names() == [".memdir/memories/formatter"]


def test_policy_is_for_its_setters_to_forget(place: Scene) -> None:
    config = place.memdir / "config.yaml"
    config.write_text(config.read_text("utf-8") + "policy:\n  setters: ['42']\n", "utf-8")
    place.remember("license", "MIT only", policy=True)
    with pytest.raises(RefusedError) as refused:
        place.forget("license")
    assert refused.value.code == "policy-record"
    place.forget("license", PERSON)
    assert place.names() == []


def test_the_project_alone_is_forgotten_where_there_is_no_place_for_a_user(place: Scene) -> None:
    place.remember("linter", f"{CANARY} linter")
    nowhere = {"HOME": "", "XDG_DATA_HOME": "", "MEMDIR_USER_DIR": ""}
    answer = place.forget("linter", env=nowhere)
    assert answer.receipt is not None
    assert answer.receipt["memdirs"] == ["project"]
    assert not list((place.memdir / "memories").iterdir())


def test_every_store_of_this_machine_is_known_to_forgetting(place: Scene) -> None:
    full_of_it(place)
    place.remember("rule", f"{CANARY} for the task", "task", env={"MEMDIR_TASK": "t1"})
    context(place.open())
    for root in (place.memdir, place.user_memdir):
        for path in (root / "local").rglob("*"):
            name = path.relative_to(root).as_posix()
            listed = any(name == store or name.startswith(f"{store}/") for store in layout.LOCAL_STORES)
            assert listed or any(store.startswith(f"{name}/") for store in layout.LOCAL_STORES), f"list {name}"
            if path.is_file() and CANARY.encode() in path.read_bytes():
                holds = next(holds for store, holds in layout.LOCAL_STORES.items() if name.startswith(store))
                assert holds != "ids", f"{name} holds more than ids"
