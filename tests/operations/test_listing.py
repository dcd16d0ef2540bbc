"""list, show, history and log over real memdirs."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from memdir_cli.domain.listing import Filter
from memdir_cli.domain.statement import Provenance
from memdir_cli.errors import PersonNeededError, UsageError
from memdir_cli.operations.history import history
from memdir_cli.operations.list_memories import list_memories
from memdir_cli.operations.log import log
from memdir_cli.operations.settle import settle
from memdir_cli.operations.show import show
from tests.operations.reading_place import Place, founded
from tests.sandbox import Sandbox


@pytest.fixture
def place(sandbox: Sandbox) -> Place:
    """A repository with a memdir."""
    return founded(sandbox)


def listed(place: Place, wanted: Filter | None = None, **options: Any) -> list[tuple[str, str]]:
    """Key and status of everything listed."""
    answer = list_memories(place.open(**options), wanted or Filter())
    return [(one.judged.memory.predicate, one.judged.effective.status) for one in answer.memories]


def filled(place: Place) -> dict[str, str]:
    """One memory of each kind; ids by key."""
    made = {
        "plain": place.say("plain", "v1", "repository"),
        "narrow": place.say("narrow", "v2", "repository", path="src/**"),
        "own": place.say("own", "v3", "user"),
        "waits": place.say("waits", "v4", "repository", kind="agent"),
        "poison": place.say("poison", "poisoned words", "repository"),
        "cold": place.say("cold", "v6", "repository"),
        "ended": place.say("ended", "v7", "repository", expires="2026-09-20"),
        "job": place.say("job", "v8", "task", task="T1"),
    }
    ids = {key: answer.memory.id for key, answer in made.items() if answer.memory is not None}
    place.change(ids["poison"], status="quarantined", status_reason="injected: by a page")
    place.change(ids["cold"], status="archived", status_reason="cold: unused")
    return ids


LATER = "2026-10-01T00:00:00Z"


def test_list_is_the_current_view_with_any_qualifiers(place: Place) -> None:
    filled(place)
    assert listed(place, now=LATER) == [("narrow", "verified"), ("plain", "verified"), ("own", "verified")]
    assert listed(place, now=LATER, env={"MEMDIR_TASK": "T1"})[0] == ("job", "verified")


def qualified(place: Place) -> None:
    """Memories for here, for a path and a topic, and for where this is not."""
    (place.top / "package.json").write_text('{"version": "2.1.0"}')
    place.say("here", "needle", "repository", environment=(("os", "linux"),), version=">=2")
    place.say("file", "needle", "repository", path="src/**", topic="css")
    place.say("system", "needle", "user", environment=(("os", "windows"),))
    place.say("site", "needle", "user", environment=(("site", "basement"),))
    place.say("past", "needle", "repository", version="<2")


def test_the_view_is_that_of_this_run(place: Place) -> None:
    qualified(place)
    assert [key for key, _ in listed(place)] == ["file", "here"]
    everything = listed(place, Filter(everything=True))
    assert sorted(key for key, _ in everything) == ["file", "here", "past", "site", "system"]


def test_all_adds_what_waits_is_quarantined_past_or_cold(place: Place) -> None:
    filled(place)
    place.say("plain", "v9", "repository", explicit=True)
    everything = listed(place, Filter(everything=True), now=LATER)
    assert sorted(everything) == [
        ("cold", "archived"),
        ("ended", "expired"),
        ("narrow", "verified"),
        ("own", "verified"),
        ("plain", "superseded"),
        ("plain", "verified"),
        ("poison", "quarantined"),
        ("waits", "candidate"),
    ]
    told = json.dumps(list_memories(place.open(), Filter(everything=True)).document())
    assert "poisoned words" not in told
    assert "by a page" in told


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        (Filter(status="candidate"), ["waits"]),
        (Filter(status="quarantined"), ["poison"]),
        (Filter(status="expired"), ["ended"]),
        (Filter(status="verified", level="user"), ["own"]),
        (Filter(type="preference"), ["own"]),
        (Filter(type="temporary"), []),
    ],
)
def test_a_status_alone_widens_the_view(place: Place, wanted: Filter, keys: list[str]) -> None:
    filled(place)
    assert [key for key, _ in listed(place, wanted, now=LATER)] == keys


def test_list_tells_the_keys_of_the_frontmatter(place: Place) -> None:
    place.say("plain", "v1", "repository", path="src/**")
    (memory,) = json.loads(json.dumps(list_memories(place.open()).document()))["memories"]
    assert memory.keys() >= {"id", "predicate", "subject", "scope", "status", "revision", "value", "source", "path"}
    assert memory["path"] == "src/**"
    assert memory["file"].startswith("memories/plain--")
    assert memory["memdir"] == "project"


def test_list_is_nobody_elses(place: Place, sandbox: Sandbox) -> None:
    place.say("own", "v", "user")
    place.say("mine_here", "v", "repository", private=True)
    place.say("ours", "v", "repository")
    other = founded(sandbox, "other")
    everything = Filter(everything=True)
    assert listed(other, everything) == [("own", "verified")]
    assert listed(place, everything, env={"MEMDIR_USER": "someone-else"}) == [("ours", "verified")]


def test_list_marks_what_no_receipt_supports(place: Place) -> None:
    made = place.say("plain", "v1", "repository")
    assert made.memory is not None
    place.change(made.memory.id, value="v2")
    (memory,) = list_memories(place.open()).memories
    assert memory.unsupported == memory.document()["unattributed"] == "content"


def test_show_finds_by_key_id_prefix_revision_and_path(place: Place) -> None:
    made = place.say("node", "20", "repository", body="Why: LTS.\n")
    place.say("node", "22", "repository", explicit=True)
    assert made.memory is not None
    memory_id = made.memory.id
    path = str(place.top / ".memdir/memories/node.md")
    for ref in ("node", "NODE", memory_id, memory_id[:9], f"{memory_id}@2", "memories/node.md", path,
                os.path.relpath(path, place.top)):  # fmt: skip
        assert show(place.open(), ref).document()["value"] == "22", ref
    old = show(place.open(), f"{memory_id}@1").document()
    assert (old["value"], old["status"], old["body"]) == ("20", "superseded", "Why: LTS.\n")


def test_show_of_what_is_not_there_names_the_nearest(place: Place) -> None:
    place.say("package_manager", "npm", "repository")
    with pytest.raises(UsageError) as caught:
        show(place.open(), "package_manger")
    assert (caught.value.code, caught.value.exit_status) == ("unknown-ref", 2)
    assert "package_manager" in caught.value.hint
    for nothing in ("@1", "@", "x/y.md"):
        with pytest.raises(UsageError):
            show(place.open(), nothing)


def test_show_of_what_is_there_twice_asks_which(place: Place) -> None:
    place.say("node", "20", "user")
    place.say("node", "22", "repository")
    with pytest.raises(PersonNeededError) as caught:
        show(place.open(), "node")
    ids = caught.value.facts["ids"]
    assert isinstance(ids, list)
    assert len(ids) == 2
    assert all(memory_id in caught.value.hint for memory_id in ids)
    assert show(place.open(), "node", "user").document()["value"] == "20"


def test_show_prefers_what_stands_to_what_waits(place: Place) -> None:
    place.say("node", "22", "repository")
    place.say("node", "24", "repository", kind="agent")
    assert show(place.open(), "node").document()["value"] == "22"


def test_quarantined_text_is_shown_on_request_only(place: Place) -> None:
    memory_id = filled(place)["poison"]
    answer = show(place.open(), memory_id)
    assert answer.withheld
    assert "poisoned words" not in json.dumps(answer.document())
    assert not [line for line in place.accesses() if memory_id in line], "nothing of it was given to anybody"
    whole = show(place.open(), memory_id, quarantined=True)
    assert whole.document()["value"] == "poisoned words"
    assert memory_id in place.accesses()[-1]


def test_show_tells_nobody_elses(place: Place) -> None:
    made = place.say("own", "v", "user")
    assert made.memory is not None
    with pytest.raises(UsageError):
        show(place.open(env={"MEMDIR_USER": "someone-else"}), made.memory.id)


def test_history_is_everything_a_key_was_oldest_first(place: Place) -> None:
    place.say("base", "main", "repository", now="2026-09-01T00:00:00Z")
    place.say("base", "develop", "repository", explicit=True, now="2026-09-02T00:00:00Z")
    place.say("base", "main", "repository", explicit=True, message="third", now="2026-09-03T00:00:00Z")
    place.say("base", "waits", "repository", kind="agent")
    answer = history(place.open(), "base")
    told = [(one.judged.memory.revision, one.judged.memory.value) for one in answer.revisions]
    assert told == [(1, "main"), (2, "develop"), (3, "main")]
    document = answer.document()
    revisions = document["revisions"]
    assert isinstance(revisions, list)
    assert all(one["source"] for one in revisions)
    assert revisions[0]["supersededBy"].endswith("@2")


def test_history_keeps_the_losers_of_conflicts(place: Place) -> None:
    place.say("quotes", "single", "repository")
    made = place.say("quotes", "double", "repository")
    assert made.memory is not None
    keep = next(side.id for side in made.memory.sides if side.value == "double")
    word = Provenance("user", "quotes: double it is", "s1", "m9")
    settle(place.open(), "quotes", keep, word)
    values = [one.judged.memory.value for one in history(place.open(), "quotes").revisions]
    assert values[-1] == "double"
    assert "single" in values


def test_history_of_nothing_is_1_and_names_the_nearest(place: Place) -> None:
    place.say("branch_base", "main", "repository")
    answer = history(place.open(), "branch_bas")
    assert (answer.exit_status, answer.nearest) == (1, "branch_base")
    assert history(place.open(), "branch_base", "user").exit_status == 1


def test_ignored_memory_is_told_by_nobody(place: Place) -> None:
    place.say("node", "22", "repository")
    assert list_memories(place.open(), ignored=True).document() == {"memories": [], "ignored": True}
    assert show(place.open(), "node", ignored=True).document() == {"ignored": True}
    told = history(place.open(), "node", ignored=True)
    assert (told.exit_status, told.document()) == (0, {"key": "node", "revisions": [], "ignored": True})


def test_log_tells_both_memdirs_newest_first_without_content(place: Place) -> None:
    place.say("first", "onevalue", "user", now="2026-09-01T00:00:00Z")
    place.say("second", "twovalue", "repository", now="2026-09-02T00:00:00Z")
    place.say("second", "threevalue", "repository", explicit=True, now="2026-09-03T00:00:00Z")
    events = log(place.open()).events
    assert [(one.kind, one.memdir, one.revision) for one in events] == [
        ("superseded", "project", 2),
        ("created", "project", 1),
        ("created", "user", 1),
    ]
    assert events[0].previous == f"{events[1].id}@1"
    assert "value" not in json.dumps(log(place.open()).document())


def test_log_passes_over_lines_that_are_no_receipts(place: Place) -> None:
    place.say("first", "v", "repository")
    file = next((place.top / ".memdir/receipts").glob("*.jsonl"))
    with file.open("a", encoding="utf-8") as lines:
        lines.write('nonsense\n{"events": [1, {"id": 5}]}\n[]\n')
    assert [one.kind for one in log(place.open()).events if one.id] == ["created"]
