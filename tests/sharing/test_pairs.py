"""Two branches say something about the same memory, and git merges them: every ordered pair of two verbs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sharing.clones import VERBS, Clone, add, another, confirm_, correct_, edit, expire_, first, words

PAIRS = [(ours, theirs) for ours in VERBS for theirs in VERBS]

#: Verbs after which a memory still lies where it lay.
STAYING = ("leave", "edit", "correct", "confirm")

#: Pairs that git merges line by line without asking, where it does not know the driver: the end wins, unseen.
BLIND = [pair for end in ("expire", "narrow", "archive") for pair in (("edit", end), (end, "edit"))]

OLD, NEW = ("verified", "old"), ("verified", "*-corrected")

#: What stands after both verbs, whichever branch said which; ``*`` is the branch that said it.
STANDS: dict[tuple[str, str], list[tuple[str, str]]] = {
    ("leave", "leave"): [OLD],
    ("leave", "edit"): [OLD],
    ("leave", "correct"): [NEW],
    ("leave", "confirm"): [OLD],
    ("leave", "expire"): [],
    ("leave", "narrow"): [OLD],
    ("leave", "archive"): [],
    ("leave", "forget"): [],
    ("edit", "edit"): [("conflicted", "old|old")],
    ("edit", "correct"): [NEW],
    ("edit", "confirm"): [OLD],
    # whoever ended it, narrowed it or put it away had not seen what it says now
    ("edit", "expire"): [OLD],
    ("edit", "narrow"): [OLD, OLD],
    ("edit", "archive"): [OLD],
    ("edit", "forget"): [],
    ("correct", "correct"): [("conflicted", "a-corrected|b-corrected")],
    ("correct", "confirm"): [NEW],
    ("correct", "expire"): [NEW],
    ("correct", "narrow"): [NEW, OLD],
    ("correct", "archive"): [NEW],
    ("correct", "forget"): [],
    ("confirm", "confirm"): [OLD],
    ("confirm", "expire"): [],
    ("confirm", "narrow"): [OLD],
    ("confirm", "archive"): [],
    ("confirm", "forget"): [],
    ("expire", "expire"): [],
    ("expire", "narrow"): [OLD],
    ("expire", "archive"): [],
    ("expire", "forget"): [],
    ("narrow", "narrow"): [OLD],
    ("narrow", "archive"): [OLD],
    ("narrow", "forget"): [],
    ("archive", "archive"): [],
    ("archive", "forget"): [],
    **{(verb, "quarantine"): [] for verb in ("leave", "edit", "correct", "confirm", "expire", "archive")},
    # the narrower memory is one of its own, which `memdir trace` finds
    ("narrow", "quarantine"): [OLD],
    ("quarantine", "quarantine"): [],
    ("quarantine", "forget"): [],
    ("forget", "forget"): [],
}


def key(ours: str, theirs: str) -> str:
    return f"{ours}.{theirs}"


def stands(ours: str, theirs: str) -> list[tuple[str, str]]:
    expected = STANDS.get((ours, theirs)) or STANDS.get((theirs, ours)) or []
    mark = "a" if ours == "correct" else "b"
    return sorted((status, value.replace("*", mark)) for status, value in expected)


def found(clone: Clone) -> dict[tuple[str, str], list[tuple[str, str]]]:
    return {pair: clone.standing(key(*pair)) for pair in PAIRS}


def branched(root: Path, pairs: list[tuple[str, str]] = PAIRS, *, driver: bool) -> tuple[Clone, Clone]:
    """Two clones in which the verbs of every pair were said, and the second one has fetched what the first pushed."""
    one = first(root, attributes=driver)
    for pair in pairs:
        add(one, key(*pair), "old")
    one.commit()
    one.git("push", "-q")
    two = another(root, "two", driver=driver).at(4)
    one = one.at(3)
    for ours, theirs in pairs:
        VERBS[ours](one, key(ours, theirs), "a")
        VERBS[theirs](two, key(ours, theirs), "b")
    for clone in (one, two):
        clone.commit()
    one.git("push", "-q")
    two.git("fetch", "-q")
    return one, two


def remembered(*clones: Clone) -> set[str]:
    """Everything that was said in the clones, but for what was forgotten in one of them."""
    gone = {key(*pair) for pair in PAIRS if {"forget", "quarantine"} & set(pair)}
    return {text for clone in clones for text in words(clone) if not gone & set(text.split())}


def settled(clone: Clone, branch: str) -> None:
    """Merge, and settle what git could not settle by itself, as `check` says it."""
    done = clone.tried("merge", "-q", "-m", "Merge", branch)
    assert "Traceback" not in done.stderr
    if done.exit:
        torn = [one.message for one in clone.check().findings if one.code in {"M209", "M110"}]
        assert torn
        assert [message for message in torn if "type `memdir repair`" not in message] == []
    clone.repair()
    if done.exit:
        told = [one.message for one in clone.check().findings if one.severity == "error"]
        assert [message for message in told if "tell git: `git add -A :/.memdir`" not in message] == []
    clone.commit("Merge")


def test_every_pair_of_verbs_merges(tmp_path: Path) -> None:
    one, two = branched(tmp_path, driver=True)
    before = remembered(one, two)
    settled(two, "origin/main")
    two = two.at(5)
    assert two.codes() == []
    assert found(two) == {pair: stands(*pair) for pair in PAIRS}
    assert words(two) >= before, "nothing that was said is lost"
    edited = two.memories()["memories/edit.correct.md"]
    assert (edited.description, edited.revision) == ("said in a", 3)
    two.git("push", "-q")
    one.git("pull", "-q", "--ff-only")
    assert found(one) == found(two)
    assert one.at(5).codes() == []


def test_the_other_way_round_it_is_the_same(tmp_path: Path) -> None:
    one, two = branched(tmp_path, driver=True)
    two.git("push", "-q", "origin", "HEAD:other")
    one.git("fetch", "-q")
    settled(one, "origin/other")
    assert one.at(5).codes() == []
    assert found(one) == {pair: stands(*pair) for pair in PAIRS}


def test_where_no_file_moves_git_stops_at_nothing(tmp_path: Path) -> None:
    pairs = [(ours, theirs) for ours in STAYING for theirs in STAYING]
    _, two = branched(tmp_path, pairs, driver=True)
    two.git("merge", "-q", "-m", "Merge", "origin/main")
    assert {pair: two.standing(key(*pair)) for pair in pairs} == {pair: stands(*pair) for pair in pairs}
    assert two.at(5).codes() in ([], ["M213"])
    add(two.at(5), "another", "value")
    assert two.at(5).codes() == [], "the next write puts the index right"


def test_a_clone_without_the_driver_is_told_what_to_type(tmp_path: Path) -> None:
    one, two = branched(tmp_path, driver=False)
    before = remembered(one, two)
    settled(two, "origin/main")
    two = two.at(5)
    assert two.codes() == []
    assert words(two) >= before
    stood = found(two)
    assert {pair: stood[pair] for pair in PAIRS if pair not in BLIND} == {
        pair: stands(*pair) for pair in PAIRS if pair not in BLIND
    }


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Clone, Clone]:
    """Two clones that know the driver and hold one memory."""
    one = first(tmp_path)
    add(one, "linter", "old")
    one.commit()
    one.git("push", "-q")
    return one.at(3), another(tmp_path, "two").at(4)


def test_two_new_memories_of_one_key(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    for clone, mark in ((one, "vim"), (two, "nano")):
        add(clone, "editor", mark)
        add(clone, "shell", "fish")
        clone.commit()
    one.git("push", "-q")
    two.git("fetch", "-q")
    two.git("merge", "-q", "-m", "Merge", "origin/main")
    two.repair()
    assert two.view() == {
        "editor": ("conflicted", "nano|vim"), "linter": ("verified", "old"), "shell": ("verified", "fish"),
    }  # fmt: skip
    assert two.at(5).codes() == []


@pytest.mark.parametrize("how", ["rebase", "cherry-pick", "stash"])
def test_the_driver_works_wherever_git_merges(pair: tuple[Clone, Clone], how: str) -> None:
    one, two = pair
    correct_(one, "linter", "a")
    one.commit()
    one.git("push", "-q")
    two.git("fetch", "-q")
    if how == "stash":
        confirm_(two, "linter", "b")
        two.git("stash", "-q")
        two.git("merge", "-q", "--ff-only", "origin/main")
        two.git("stash", "pop", "-q")
    else:
        edit(two, "linter", "b")
        two.commit()
        if how == "rebase":
            two.git("rebase", "-q", "origin/main")
        else:
            picked = two.git("rev-parse", "HEAD").strip()
            two.git("reset", "-q", "--hard", "origin/main")
            two.git("cherry-pick", picked)
    two.repair()
    two = two.at(5)
    assert two.view() == {"linter": ("verified", "a-corrected")}
    assert any("b" in said.split() for said in words(two))
    assert (two.memories()["memories/linter.md"].description == "said in b") == (how != "stash")
    assert two.codes() == []


def test_a_revert_brings_back_what_stood_before(pair: tuple[Clone, Clone]) -> None:
    one, _ = pair
    correct_(one, "linter", "a")
    one.commit()
    correction = one.git("rev-parse", "HEAD").strip()
    confirm_(one.at(4), "linter", "again")
    one.commit()
    done = one.tried("revert", "--no-edit", correction)
    assert "Traceback" not in done.stderr
    one.repair()
    one.commit("Revert")
    assert one.view() == {"linter": ("verified", "old")}
    assert "confirm linter again" in words(one)


def test_a_rebase_that_needs_two_files_stops_and_goes_on(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    expire_(one, "linter", "a")
    one.commit()
    one.git("push", "-q")
    correct_(two, "linter", "b")
    two.commit()
    two.git("fetch", "-q")
    done = two.tried("rebase", "origin/main")
    assert done.exit == 1
    assert "type `memdir repair`" in done.stderr
    two = two.at(5)
    two.repair()
    two.git("add", "-A")
    two.git("-c", "core.editor=true", "rebase", "--continue")
    assert two.view() == {"linter": ("verified", "b-corrected")}
    assert two.codes() == []


def test_a_file_that_one_branch_removed_by_hand_stays_where_the_other_changed_it(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    (one.memdir / "memories/linter.md").unlink()
    one.repair()
    one.commit()
    one.git("push", "-q")
    confirm_(two, "linter", "b")
    two.commit()
    two.git("fetch", "-q")
    assert two.tried("merge", "-m", "Merge", "origin/main").exit == 1
    (finding,) = two.check().findings[:1]
    assert (finding.code, finding.fixable) == ("M209", False)
    assert "git add -A :/.memdir" in finding.message, "what lies there is right already"
    two.repair()
    two.commit("Merge")
    assert two.view() == {"linter": ("verified", "old")}
    assert two.at(5).codes() == []
