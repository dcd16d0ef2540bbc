"""Small files that grow when they are read: a finding or a refusal, in a second, in little memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.entering import spent
from tests.fuzz.places import HERE, WORDS, Place, lived
from tests.fuzz.playing import broken_promise
from tests.quick_folder import quick_folder

SECONDS, BYTES = 1.0, 200 << 20

ALIASES = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))

#: What a header holds besides what it should.
HEADERS = {
    "aliases": f"a0: &a0 [x]\n{ALIASES}",
    "merge keys": "a: &a {x: y}\nb: {<<: [*a, *a]}\n",
    "tags": "a: !!python/object/apply:os.system [id]\n",
    "large": f"a: {'x' * 70_000}\n",
    "deep flow": f"a: {'[' * 100_000}\n",
    "deep and closed": f"a: {'[' * 30_000}{']' * 30_000}\n",
    "deep mapping": f"a: {'{a: ' * 10_000}\n",
    "deep block": "".join(f"{' ' * n}a:\n" for n in range(350)),
    "deep list": f"a:\n  {'- ' * 30_000}x\n",
    "many keys": "".join(f"k{n}: v\n" for n in range(6_000)),
    "one key": "a: b\n" * 12_000,
    "many sources": "source:\n" + "  - kind: user\n" * 2_000,
    "quotes": f'a: "{chr(92)}" {"x" * 60_000}\n',
    "folded": "a: >9\n" + "\n" * 60_000,
    "comments": "# x\n" * 15_000,
    "dashes": "--- \n" * 12_000,
    "times": f"expiresAt: {'9' * 60_000}\n",
    "revision": f"revision: {'9' * 60_000}\n",
    "glob": f"path: '{'{a,' * 5_000}'\n",
    "glob of stars": f"path: '{'**/' * 5_000}x'\n",
    "range": f"version: '{'>=1 <2 || ' * 5_000}'\n",
}  # fmt: skip

#: Headers that are only long.
HARMLESS = {list(HEADERS).index(name) for name in ("many keys", "folded", "comments")}

NESTED = "[" * 100_000
FILES = {
    "deep": {"app/package.json": NESTED, "app/tsconfig.json": '{"a":' * 100_000, "app/compose.yaml": NESTED},
    "deep toml": {"app/pyproject.toml": f"a = {NESTED}"},
    "dotted toml": {"app/pyproject.toml": f"{'a.' * 50_000}a = 1\n"},
    "toml of many tables": {"app/pyproject.toml": "".join(f"[t{n}.a]\n" for n in range(20_000))},
    "yaml of aliases": {"app/compose.yaml": f"a0: &a0 [x]\n{ALIASES}services: {{web: {{image: *a11}}}}\n"},
    "numbers": {"app/package.json": f'{{"version": {"9" * 100_000}, "scripts": {{"build": {"9" * 100_000}}}}}'},
    "names": {"app/package.json": '{"scripts":{' + ",".join(f'"s{n}":"x"' for n in range(50_000)) + "}}"},
    "settings": {"app/.memdir/config.yaml": f"a0: &a0 [x]\n{ALIASES}"},
    "deep settings": {"app/.memdir/config.yaml": f"gate: {NESTED}"},
    "many settings": {"app/.memdir/config.yaml": "retention: {" + ", ".join(f"k{n}: 1d" for n in range(60_000)) + "}"},
    "own settings": {"home/.local/share/memdir/config.yaml": f"gate: {NESTED}"},
    "deep receipts": {"app/.memdir/receipts/2026-09.jsonl": f"{NESTED}\n" * 10},
    "many receipts": {"app/.memdir/receipts/2026-09.jsonl": '{"events":[]}\n' * 50_000},
    "journal": {"app/.memdir/local/journal.json": NESTED},
    "holder": {"app/.memdir/local/lock.json": NESTED},
    "baseline": {"app/baseline.json": '{"schema":1,"findings":' + NESTED},
    "cache": {"app/.memdir/local/cache": "x" * 1_000_000},
}  # fmt: skip

LINES = (
    ["check", "--baseline", "baseline.json"],
    ["get", "build"],
    ["show", "build", "--json"],
    ["list", "--all"],
    ["context"],
    ["refresh"],
    ["repair", "--dry-run"],
    ["confirm", "build", *WORDS],
    ["remember", "new", "v", *HERE, *WORDS],
)


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with quick_folder(tmp_path_factory.mktemp("bombs")) as folder:
        yield lived(folder / "seed")


@pytest.fixture
def place(seed: Place) -> Iterator[Place]:
    with quick_folder(seed.root.parent / "copy") as folder:
        yield seed.copy(folder / "here")


def met(place: Place, number: int) -> None:
    """Run ``check`` and two of the others, which keep every promise."""
    for words in (LINES[0], LINES[1 + number % 8], LINES[1 + (number + 3) % 8]):
        done = spent(words, place.top, dict(place.sandbox.environ), b"")
        assert broken_promise(done) == "", done
        assert (done.seconds < SECONDS, done.peak < BYTES) == (True, True), (words, done.seconds, done.peak >> 20)
        if words is LINES[0] and number not in HARMLESS:
            assert done.exit != 0 or done.stdout, "nothing was found"


@pytest.mark.parametrize("bomb", HEADERS)
def test_a_header_that_grows_is_found(place: Place, bomb: str) -> None:
    path = place.top / ".memdir/memories/build.md"
    path.write_text(path.read_text("utf-8").replace("---\n", f"---\n{HEADERS[bomb]}", 1), "utf-8")
    met(place, list(HEADERS).index(bomb))


@pytest.mark.parametrize("bomb", FILES)
def test_a_file_that_grows_does_no_harm(place: Place, bomb: str) -> None:
    for name, text in FILES[bomb].items():
        (place.root / name).write_text(text, "utf-8")
    for words in (LINES[0], *LINES[1::3]):
        done = spent(words, place.top, dict(place.sandbox.environ), b"")
        assert broken_promise(done) == "", done
        assert (done.seconds < SECONDS, done.peak < BYTES) == (True, True), (words, done.seconds, done.peak >> 20)
