"""Hidden characters: each code point of the table is seen, and what scripts and emoji need is left alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from memdir_cli.domain import hidden
from memdir_cli.domain.lookalike import disguised, skeleton
from tests.domain.memory_texts import real_texts

TEXTS = Path(__file__).parents[2] / "fixtures/texts/many-scripts.txt"

#: What must be seen wherever it stands in Latin text.
PROMISED = (
    *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x2066, 0x206A),
    *range(0x206A, 0x2070), 0xFEFF, 0xAD, 0x34F, 0x180E, 0x115F, 0x1160, 0x3164, *range(0xE0000, 0xE0080),
    *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x180B, 0x180E),
    *(code for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n\r"),
)  # fmt: skip


@pytest.mark.parametrize("around", ["ignore{}previous", "{}x", "x{}", "npm {} ci", "a\n{}\nb"])
def test_every_code_point_is_seen_in_latin_text(around: str) -> None:
    for code in PROMISED:
        text = around.format(chr(code))
        assert list(hidden.places(text)) == [text.index(chr(code))], f"U+{code:04X}"
        assert hidden.stripped(text) == around.format("")


def test_the_table_is_in_order_and_holds_what_is_promised() -> None:
    rows = [(first, last) for first, last, _ in hidden.TABLE]
    assert all(first <= last for first, last in rows)
    assert all(last < first for (_, last), (first, _) in pairwise(rows))
    assert all(any(first <= code <= last for first, last in rows) for code in PROMISED)


def test_no_other_code_point_is_hidden() -> None:
    table = {code for first, last, _ in hidden.TABLE for code in range(first, last + 1)}
    others = "".join(chr(code) for code in range(0x20000) if code not in table and not 0xD800 <= code <= 0xDFFF)
    assert list(hidden.places(others)) == []
    assert hidden.stripped(others) == others


def test_a_thousand_lines_in_many_scripts_are_silent(record_property: Callable[[str, object], None]) -> None:
    lines = TEXTS.read_text("utf-8").split("\n")
    text = "\n".join(lines * (1000 // len(lines) + 1))
    assert [(at, line) for line in lines for at in hidden.places(line)] == []
    assert list(hidden.places(text)) == []
    record_property("table", f"hidden characters: 0 false alarms in {text.count(chr(10))} lines of many scripts")


def test_real_memory_files(record_property: Callable[[str, object], None]) -> None:
    texts = dict(real_texts())
    found = {name: {text[at] for at in hidden.places(text, file=True)} for name, text in texts.items()}
    found = {name: codes for name, codes in found.items() if codes}
    record_property("table", f"hidden characters: {len(found)} of {len(texts)} real files hold some")
    # the one that is there is real: nobody who reads the file can see it
    assert len(found) <= len(texts) // 100


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\ufeffvalue", 0),
        ("\ufeff\ufeffvalue", 1),
        ("va\ufefflue", 1),
        ("\n\ufeff", 1),
        ("\u200bvalue", 1),
    ],
)
def test_a_byte_order_mark_belongs_at_the_beginning_of_a_file(text: str, seen: int) -> None:
    assert len(list(hidden.places(text, file=True))) == seen
    assert len(list(hidden.places(text))) == text.count("\ufeff") + text.count("\u200b")


def test_what_is_no_utf8_hides_nothing() -> None:
    assert list(hidden.places("a\udcffb")) == []
    assert list(hidden.places("a\udcff\u200b")) == [2]


@pytest.mark.parametrize(
    "text",
    [
        # a joiner behind the first and the last letter of a block, and between the parts of an emoji
        "\u0900\u200c", "\ufefc\u200d", "👩\U0001f3fb\u200d💻", "👩\U0001f3ff\u200d💻", "❤\ufe0f\u200d🔥",
        # what has variants: symbols, ideographs, keys
        "∩\ufe00", "‼\ufe0e", "™\ufe0f", "中\ufe00", "中\U000e0100", "中\U000e01ef", "1\ufe0f\u20e3",
        *(f"{letter}{chr(code)}" for letter in "\u1820\u18aa" for code in (0x180B, 0x180C, 0x180D, 0x180F)),
    ],
)  # fmt: skip
def test_what_a_script_or_an_emoji_needs_is_left_alone(text: str) -> None:
    assert list(hidden.places(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "می\u200c\u200c\u200cخواهم",  # joiners in a row carry bits
        "👩\u200dx", "x\u200d👩", "a\u200db", "😀\U000e0101\U000e0135", "😀\ufe0f\ufe0f", "a\ufe0f", "1\ufe0f",
        "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in "ignore") + "\U000e007f", "中\ufe0f",
        "abc\u202edef\u202c", "العربية\u200f", "\u0661\u200c\u0661", "1\ufe0e\u20e3", "中\ufe0e", "=\ufe0f",
        "+\u200d👩", "\u1820\u180e", "\u1820\U000e0041", "\u181f\u180b", "\u18ab\u180b",
    ],
)  # fmt: skip
def test_what_borrows_the_clothes_of_a_script_is_seen(text: str) -> None:
    assert list(hidden.places(text))


def test_a_sentence_in_tags_is_seen_whole() -> None:
    smuggled = "".join(chr(0xE0000 + ord(char)) for char in "send it")
    assert len(list(hidden.places(f"npm{smuggled}"))) == len(smuggled)
    assert hidden.told(ord(smuggled[0])) == "U+E0073 tag character"


def test_what_is_squeezed_remembers_where_it_stood() -> None:
    text = "a\u200bb\u2060\u2060cd\ufeff"
    squeezed = hidden.squeeze(text)
    assert squeezed.text == "abcd"
    assert [text[squeezed.origin(at)] for at in range(4)] == list("abcd")
    assert [hidden.squeeze(text).text for text in ("abcd", "ab\u200bcd", "\u200babcd")] == ["abcd"] * 3


def test_time_is_linear() -> None:
    began = time.process_time()
    for unit in ("\u200b", "a\u200b", "👩\u200d", "\U0001f3f4"):
        list(hidden.places(unit * (200_000 // len(unit))))
    assert time.process_time() - began < 8


@pytest.mark.parametrize(
    ("key", "seems"),
    [
        ("d\u0435ploy", "deploy"),
        ("\u0440ackage_m\u0430nager", "package_manager"),
        ("\uff44\uff45ploy", "deploy"),
        ("\uff44\uff45\uff50\uff4c\uff4f\uff59", "deploy"),
        ("l\u03bfg", "log"),
        ("D\u0415PLOY", "deploy"),
        ("\uff12\uff14", "24"),
        ("deploy", ""),
        ("\u0440\u0430\u0441\u0430-1", ""),
        ("\u0440\u0430\u0441\u0430", ""),
        ("развёртывание", ""),
        ("ключ_api", ""),
        ("测试_vitest", ""),
        ("größe", ""),
        ("naïve", ""),
        ("λόγος", ""),
        ("über.api", ""),
    ],
)
def test_a_key_of_two_scripts_that_looks_like_one(key: str, seems: str) -> None:
    assert disguised(key) == seems
    if seems:
        assert skeleton(key) == skeleton(seems)
