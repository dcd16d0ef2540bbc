"""Hostile names for everything that every verb takes: nothing outside of a memdir is read, made or changed.

The verbs and what they take are read from the table of commands, so that a new one is tried by itself.
``MEMDIR_SWEEP=full`` tries every name for everything; otherwise each verb meets each name once in three runs.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator

import pytest

from memdir_cli.cli.app import COMMANDS
from tests.attacks.boundary import CANARY, OF_THE_SYSTEM, outside, planted
from tests.attacks.hostile_names import names
from tests.fuzz.declared import ENDLESS, Parameter, line, parameters, stays_below
from tests.fuzz.entering import entered
from tests.fuzz.places import Place, lived
from tests.fuzz.playing import broken_promise
from tests.quick_folder import quick_folder

FULL = os.environ.get("MEMDIR_SWEEP") == "full"
VERBS = [entry.verb for entry in COMMANDS if entry.verb not in ENDLESS]

#: What no file of a memdir may be called, so that every file system can hold it.
UNSAFE = re.compile(r'[\x00-\x1f<>:"\\|?*\x7f]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)', re.IGNORECASE)


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with quick_folder(tmp_path_factory.mktemp("boundary")) as folder:
        place = lived(folder / "seed")
        planted(place)
        yield place


@pytest.fixture
def place(seed: Place) -> Iterator[Place]:
    with quick_folder(seed.root.parent / "copy") as folder:
        yield seed.copy(folder / "here")


def tried(verb: str, place: Place) -> Iterator[tuple[Parameter, str]]:
    """What ``verb`` is tried with here: all, or a third of the names, each for one of the things that it takes."""
    hostile = list(names(place.root / "outside/secret.md", place.top))
    assert len(set(hostile)) > 200
    taken = parameters(verb)
    start = VERBS.index(verb)
    for at, name in enumerate(hostile):
        if FULL:
            yield from ((parameter, name) for parameter in taken)
        elif at % 3 == start % 3:
            yield taken[(at // 3 + start) % len(taken)], name


@pytest.mark.parametrize("verb", VERBS)
def test_no_name_leads_out_of_a_memdir(place: Place, verb: str) -> None:
    original = before = outside(place)
    for parameter, name in tried(verb, place):
        if parameter.makes and not stays_below(place.root, place.top, name):
            continue  # whoever names a file of the machine's own means it
        words = line(verb, parameter.name, name)
        done = entered(words, cwd=place.top, environ=place.sandbox.environ, stdin=b"")
        case = (parameter.id, name, done)
        assert broken_promise(done) == "", case
        secrets = () if parameter.reads else (CANARY, OF_THE_SYSTEM)
        assert not any(secret in done.stdout + done.stderr for secret in secrets), case
        after = outside(place)
        if parameter.makes:
            # nothing that was there is another one now, but for the file that was named, or what was made in it
            named = os.path.normpath(os.path.join(place.top, name))
            free = {named} | {path for path in before.keys() - original if path.startswith(f"{named}/")}
            changed = [path for path in before.keys() - free if after.get(path) != before[path]]
            assert changed == [], case
            before = after
        assert after == before, case
    assert [name for name in made(place) if not is_safe(name)] == []


def made(place: Place) -> Iterator[str]:
    """The names of all files in both memdirs."""
    for root in (place.top / ".memdir", place.sandbox.user_memdir):
        yield from (path.name for path in root.rglob("*"))


def is_safe(name: str) -> bool:
    """Whether every file system takes a name, and gives it back as it was."""
    return len(name.encode()) <= 255 and not UNSAFE.search(name) and unicodedata.is_normalized("NFC", name)


def test_of_everything_that_a_verb_takes_it_is_said_what_it_names() -> None:
    """A new parameter is put into one of the tables of ``tests/fuzz/declared.py`` before anything is tried for it."""
    taken = [one for entry in COMMANDS for one in parameters(entry.verb)]
    assert [one.id for one in taken if not one.known] == []
    assert set(ENDLESS) == {"watch", "mcp"}
    assert line("get", "key", "../x") == ["get", "--", "../x"]
    assert line("settle", "keep", "../x")[:3] == ["settle", "--keep", "../x"]
