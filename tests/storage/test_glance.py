"""A glance at a file never hides what the rules find in it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain import glance, remarks, secrets
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.screen import traces
from memdir_cli.domain.secret_table import FORMATS, Format
from memdir_cli.domain.wording_table import INJECTION, PERMISSION, TEMPORARY, UNIVERSAL
from memdir_cli.storage import codec, inspection
from tests.storage.codec_texts import patient

#: Anchors that stand beside another one in every match.
BESIDE = {"your"}

ASCII = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=30)
PHRASES = (*INJECTION, *PERMISSION, *UNIVERSAL, *TEMPORARY)
WORDS = (
    "this", "week", "always", "npm", "run", "key", "monkey", "token:", "code", "your", "password", "is", "login",
    "a,b", "-u x:", "://", "@", "ignore", "instructions", "c" * 43, "github.com/acme/legacy-dashboard",
    "2026-01-01T00:00:00Z",
)  # fmt: skip


def made(pattern: str, chance: random.Random) -> str:
    """A text that a regular expression without loops over classes of words matches, short where it may be short."""

    def of(parts: Iterable[Any]) -> str:
        return "".join(one(*part) for part in parts)

    def one(kind: Any, told: Any) -> str:
        name = str(kind)
        if name == "LITERAL":
            return chr(told)
        if name == "NOT_LITERAL":
            return "x"
        if name == "IN":
            return member(told)
        if name == "BRANCH":
            return of(chance.choice(told[1]))
        if name == "SUBPATTERN":
            return of(told[3])
        if name in {"MAX_REPEAT", "MIN_REPEAT"}:
            least, most, inner = told
            return "".join(of(inner) for _ in range(min(least + chance.choice((0, 0, 1, 5)), most)))
        return ""  # a look around, or a place

    def member(told: Any) -> str:
        inside = re.compile(f"[{''.join(map(written, told))}]", re.ASCII)
        return chance.choice([chr(code) for code in range(32, 127) if inside.match(chr(code))] or ["中"])

    def written(part: Any) -> str:
        kind, told = str(part[0]), part[1]
        if kind == "RANGE":
            return f"\\U{told[0]:08x}-\\U{told[1]:08x}"
        if kind == "CATEGORY":
            return {"WORD": "\\w", "DIGIT": "\\d", "SPACE": "\\s", "NOT_SPACE": "\\S", "NOT_WORD": "\\W"}[
                str(told).removeprefix("CATEGORY_")
            ]
        return "^" if kind == "NEGATE" else f"\\U{told:08x}"

    return of(_parser.parse(pattern))


CHANCE = random.Random(7)
DRAWN = [made(form.pattern, CHANCE) for form in FORMATS for _ in range(3)]
DRAWN += [made(phrase.pattern, CHANCE) for phrase in PHRASES for _ in range(2)]
PIECES = st.one_of(st.sampled_from(WORDS), st.sampled_from(DRAWN), ASCII)
BREAKS = st.sampled_from((" ", " ", " ", "\n", "\n", "\n  ", "  \n> ", "\\\n", "\n\n", "", "\r\n", ". "))


@st.composite
def texts(draw: st.DrawFn, *, lines: bool) -> str:
    """A text of words, phrases and secrets, some of them broken in two."""
    pieces = []
    for piece in draw(st.lists(PIECES, max_size=4)):
        at = draw(st.integers(0, len(piece)))
        pieces += [piece[:at], draw(BREAKS) if draw(st.booleans()) else "", piece[at:], draw(BREAKS)]
    text = "".join(pieces)
    return text if lines else " ".join(text.split())


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """A memory that says anything, in any of its keys."""
    level = draw(st.sampled_from(("user", "repository")))
    line = texts(lines=False)
    return Memory(
        id="a0123456789bc",
        subject="user:1",
        predicate=draw(st.sampled_from(("package_manager", "api_key", "a.b.c.d.e", "x-u", "token"))),
        scope=Scope("user", topic=draw(line)) if level == "user" else Scope("repository", repository="github.com/a/b"),
        status="verified",
        name=draw(line),
        description=draw(line),
        value=draw(st.none() | line),
        type="fact",
        extra={"mine": draw(line)} if draw(st.booleans()) else {},
        body=draw(texts(lines=True)),
    )


def agrees(memory: Memory) -> bool:
    """Whether a glance at the file of ``memory`` said all that there is to find; also whether it was clear."""
    content = codec.render(memory)
    read = codec.parse_memory(content)
    shown = inspection.shown(read, content, plain=codec.read_header(content).plain)
    sight = None if shown is None else glance.glance(*shown)
    found = tuple(remarks.of_memory(read))
    assert tuple(remarks.of_memory(read, sight)) == found
    clear = sight is not None and sight.clear
    assert not clear or traces(content.decode(), read) == ()
    return clear


@patient
@given(memories())
def test_what_a_glance_calls_clear_holds_nothing(memory: Memory) -> None:
    agrees(memory)


@patient
@given(st.lists(memories(), min_size=2, max_size=6))
def test_what_is_seen_of_several_at_once_hides_nothing_of_any(several: list[Memory]) -> None:
    contents = [codec.render(memory) for memory in several]
    read = [codec.parse_memory(content) for content in contents]
    shown = [
        inspection.shown(memory, content, plain=codec.read_header(content).plain)
        for memory, content in zip(read, contents, strict=True)
    ]
    plain = [(memory, one) for memory, one in zip(read, shown, strict=True) if one is not None]
    sights = tuple(glance.glances([one for _, one in plain]))
    assert len(sights) == len(plain)
    for (memory, one), sight in zip(plain, sights, strict=True):
        assert tuple(remarks.of_memory(memory, sight)) == tuple(remarks.of_memory(memory))
        assert sight is None or not sight.clear or traces((one[0] + one[1]).decode(), memory) == ()


def test_files_that_say_the_same_are_seen_together_and_one_that_is_not_clear_alone() -> None:
    def at(number: int, said: str) -> glance.Seen:
        return f"---\nname: build.retry-{number}\nvalue: '3'\n---\n".encode(), said.encode(), f"build.retry-{number}"

    calm, secret = "The service answers where two writers race.\n", f"password: {'h7Kq' * 6}\n"
    several = [at(number, secret if number == 40 else calm) for number in range(80)]
    sights = list(glance.glances(several))
    assert [number for number, sight in enumerate(sights) if sight is None or not sight.clear] == [40]
    # alone is known what together may be seen in another one
    assert all(
        sight is None or alone is None or alone.seen <= sight.seen
        for sight, alone in zip(sights, [glance.glance(*one) for one in several], strict=True)
    )


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_no_format_of_secrets_is_clear(form: Format) -> None:
    chance = random.Random(form.pattern)
    drawn = [made(form.pattern, chance) for _ in range(60)]
    found = [text for text in drawn if text.isascii() and form.name in {one.rule for one in secrets.find(text)}]
    assert found or not form.pattern.isascii() or form.chance, "the samples must show something"
    for text in found:
        at = chance.randrange(len(text))
        for body in (text, f"A line.\n{text}\n", f"{text[:at]}\n  > {text[at:]}"):
            sight = glance.glance(b"---\n", body.encode(), "k")
            assert sight is None or not sight.clear or secrets.find(body) == ()


def test_every_anchor_of_several_words_holds_something_telling() -> None:
    anchors = {one for form in FORMATS if not form.least for one in form.anchors if one.isascii()} - BESIDE
    telling = (*glance.TELLING, "one-time", "-u", "://")
    assert [one for one in anchors if not any(part in one.lower() for part in telling)] == []


def test_most_memories_are_clear() -> None:
    body = "The service answers 409 where two writers race.\n- seen on the staging cluster: `tenant_id`\n"
    memory = Memory("a1", "user:1", "build.retry", Scope("user"), "verified", description="how", value="3", body=body)
    assert agrees(memory)
