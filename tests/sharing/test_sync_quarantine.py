"""`memdir sync` and what is in quarantine: taken out on one machine, it is out of reach on all, whatever they said."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.operations.quarantine import quarantine
from memdir_cli.operations.release import release
from tests.operations.writing_place import AGENT, PERSON
from tests.sharing.clones import said
from tests.sharing.machines import Machine, pair


@pytest.fixture
def two(tmp_path: Path) -> tuple[Machine, Machine]:
    """Two machines that hold the same."""
    return pair(tmp_path)


def clear(who: Machine, word: str) -> list[str]:
    """The files in which a word stands."""
    found = (path for path in sorted(who.memdir.rglob("*")) if path.is_file() and ".git" not in path.parts)
    return [str(path.relative_to(who.memdir)) for path in found if word.encode() in path.read_bytes()]


def test_taken_out_here_it_is_out_there(two: tuple[Machine, Machine]) -> None:
    one, other = two
    quarantine(one.scene.open(), "editor", "poison", AGENT)
    one.sync()
    other.sync()
    assert other.view() == one.view()
    assert clear(other, "vim") == clear(one, "vim") == []
    assert one.codes() == other.codes() == []


def test_what_was_corrected_there_meanwhile_is_out_too(two: tuple[Machine, Machine]) -> None:
    one, other = two
    quarantine(one.scene.open(), "editor", "poison", AGENT)
    one.sync()
    other.correct("editor", "emacs")
    done = other.sync()
    one.sync()
    assert done.conflicts == ()
    for who in two:
        assert who.view() == {}
        assert who.codes() == []
        assert clear(who, "vim") == clear(who, "emacs") == []
        assert who.git("status", "--porcelain") == ""
    assert one.memories().keys() == other.memories().keys()
    (memory,) = one.memories().values()
    answer = release(one.scene.open(), memory.id, PERSON)
    assert answer.memory is not None
    assert answer.memory.value == "emacs"
    one.sync()
    other.sync()
    assert other.view() == one.view()
    assert other.view()["editor"] == ("verified", "emacs")
    assert (one.codes(), other.codes()) == (["M714"], []), "the version before lies aside where it was released"


def test_both_took_it_out_and_one_released_it(two: tuple[Machine, Machine]) -> None:
    one, other = two
    for who in two:
        quarantine(who.scene.open(), "editor", f"poison, says {who.scene.now}", AGENT)
    one.sync()
    other.sync()
    one.sync()
    (memory,) = one.memories().values()
    assert one.memories() == other.memories()
    assert release(other.scene.open(), memory.id, PERSON).decision == "released"
    other.sync()
    one.sync()
    assert one.view() == other.view() == {"editor": ("verified", "vim")}
    assert one.codes() == other.codes() == []


def test_words_that_only_this_machine_holds_are_sealed_when_another_takes_it_out(two: tuple[Machine, Machine]) -> None:
    one, other = two
    other.scene.remember("rule", "x", "user", said("memdir remember rule x # " + "words " * 400 + "zebra"))
    other.sync()
    one.sync()
    quarantine(one.scene.open(), "rule", "poison", AGENT)
    one.sync()
    assert any(path.startswith("local/sources/") for path in clear(other, "zebra"))
    other.sync()
    assert clear(other, "zebra") == clear(one, "zebra") == []
    assert one.codes() == other.codes() == []
