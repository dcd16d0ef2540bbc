"""Two branches say something about the same memory, and git merges them: every ordered pair of two verbs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sharing.clones import VERBS, Clone, add, another, confirm_, correct_, edit, expire_, first, words

PAIRS = [(ours, theirs) for ours in VERBS for theirs in VERBS]

#: What stands after both verbs, whichever branch said which; ``*`` is the branch that said it.
STANDS: dict[frozenset[str], tuple[str, str] | None] = {
    frozenset({"leave"}): ("verified", "old"),
    frozenset({"leave", "edit"}): ("verified", "old"),
    frozenset({"leave", "correct"}): ("verified", "*-corrected"),
    frozenset({"leave", "confirm"}): ("verified", "old"),
    frozenset({"leave", "expire"}): None,
    frozenset({"edit"}): ("conflicted", "old|old"),
    frozenset({"edit", "correct"}): ("verified", "*-corrected"),
    frozenset({"edit", "confirm"}): ("verified", "old"),
    # whoever ended it had not seen what it says now
    frozenset({"edit", "expire"}): ("verified", "old"),
    frozenset({"correct"}): ("conflicted", "a-corrected|b-corrected"),
    frozenset({"correct", "confirm"}): ("verified", "*-corrected"),
    frozenset({"correct", "expire"}): ("verified", "*-corrected"),
    frozenset({"confirm"}): ("verified", "old"),
    frozenset({"confirm", "expire"}): None,
    frozenset({"expire"}): None,
}


def key(ours: str, theirs: str) -> str:
    return f"{ours}.{theirs}"


def stands(ours: str, theirs: str) -> tuple[str, str] | None:
    expected = STANDS[frozenset({ours, theirs})]
    if expected is None:
        return None
    status, value = expected
    return status, value.replace("*", "a" if ours == "correct" else "b")


def branched(root: Path, *, driver: bool) -> tuple[Clone, Clone]:
    """Two clones in which the verbs of every pair were said, and the second one has fetched what the first pushed."""
    one = first(root, attributes=driver)
    for pair in PAIRS:
        add(one, key(*pair), "old")
    one.commit()
    one.git("push", "-q")
    two = another(root, "two", driver=driver).at(4)
    one = one.at(3)
    for ours, theirs in PAIRS:
        VERBS[ours](one, key(ours, theirs), "a")
        VERBS[theirs](two, key(ours, theirs), "b")
    for clone in (one, two):
        clone.commit()
    one.git("push", "-q")
    two.git("fetch", "-q")
    return one, two


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> tuple[Clone, Clone]:
    """The two branches, in clones that know the driver."""
    return branched(tmp_path_factory.mktemp("driven"), driver=True)


def merged(two: Clone) -> set[str]:
    """Merge in the second clone, and settle what git could not settle by itself: the keys of that."""
    done = two.tried("merge", "-q", "-m", "Merge", "origin/main")
    assert "Traceback" not in done.stderr
    stopped = two.git("diff", "--name-only", "--diff-filter=U").splitlines()
    if done.exit:
        finding = next(one for one in two.check().findings if one.code == "M209")
        assert "type `memdir repair`" in finding.message
    two.repair()
    two.commit("Merge")
    return {path.rpartition("/")[2].partition("~")[0] for path in stopped}


def test_every_pair_of_verbs_merges(driven: tuple[Clone, Clone]) -> None:
    one, two = driven
    before = words(one) | words(two)
    stopped = merged(two)
    # of these alone git has to make two files where each side had one
    assert stopped <= {key(*pair) for pair in PAIRS if set(pair) in ({"correct", "expire"}, {"edit", "expire"})}
    two = two.at(5)
    assert two.codes() == []
    view = two.view()
    assert {pair: view.get(key(*pair)) for pair in PAIRS} == {pair: stands(*pair) for pair in PAIRS}
    assert words(two) >= before, "nothing that was said is lost"
    edited = two.memories()["memories/edit.correct.md"]
    assert (edited.description, edited.revision) == ("said in a", 3)
    two.git("push", "-q")
    one.git("pull", "-q", "--ff-only")
    assert one.view() == view
    assert one.at(5).codes() == []


def test_the_other_way_round_it_is_the_same(tmp_path: Path) -> None:
    one, two = branched(tmp_path, driver=True)
    two.git("push", "-q", "origin", "HEAD:other")
    one.git("fetch", "-q")
    done = one.tried("merge", "-q", "-m", "Merge", "origin/other")
    assert "Traceback" not in done.stderr
    one = one.at(5)
    one.repair()
    one.commit("Merge")
    assert one.codes() == []
    assert {pair: one.view().get(key(*pair)) for pair in PAIRS} == {pair: stands(*pair) for pair in PAIRS}


def test_a_clone_without_the_driver_is_told_what_to_type(tmp_path: Path) -> None:
    one, two = branched(tmp_path, driver=False)
    before = words(one) | words(two)
    done = two.tried("merge", "-q", "-m", "Merge", "origin/main")
    assert done.exit == 1
    findings = two.check().findings
    assert {finding.code for finding in findings} >= {"M209", "M110"}
    assert all("type `memdir repair`" in finding.message for finding in findings if finding.code in {"M209", "M110"})
    two = two.at(5)
    two.repair()
    assert {finding.code for finding in two.check().findings if finding.severity == "error"} == {"M209"}
    assert "git add -A :/.memdir" in next(one for one in two.check().findings if one.code == "M209").message
    two.commit("Merge")
    assert two.codes() == []
    assert words(two) >= before
    # where two branches changed lines that do not touch, git asks nobody: then an end reaches what it had not seen
    blind = {("edit", "expire"), ("expire", "edit")}
    view = two.view()
    assert {pair: view.get(key(*pair)) for pair in PAIRS if pair not in blind} == {
        pair: stands(*pair) for pair in PAIRS if pair not in blind
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
    assert "confirm again" in words(one)


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
