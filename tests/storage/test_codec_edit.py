"""An edit touches the lines of its keys and nothing else."""

from __future__ import annotations

import difflib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.storage.codec import Malformed, Value, block, edit, edit_mapping, quote, read_header, read_mapping
from memdir_cli.storage.codec.keys import ORDER
from memdir_cli.storage.codec.list_edit import Entries, list_lines
from tests.storage.codec_texts import TREACHEROUS, WHOLE, any_text, patient


def changed(before: bytes, after: bytes) -> tuple[list[bytes], list[bytes]]:
    """The lines that went away and the lines that came."""
    old, new = before.split(b"\n"), after.split(b"\n")
    removed: list[bytes] = []
    added: list[bytes] = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += old[i:j]
            added += new[k:m]
    return removed, added


FORMS = {
    "lf": lambda text: text.encode(),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "bom": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "no final newline": lambda text: text.removesuffix("\n").encode(),
    "no body": lambda text: (text[: text.rindex("---\n")] + "---").encode(),
    "blanks behind fences": lambda text: text.replace("---\n", "---  \n").encode(),
    "odd lines in the body": lambda text: (text + "\n\n---\na: b\n\x0b\x0c\u2028\u0085 x  \n\r\n\n").encode(),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("key", ["id", "status", "value", "revision", "verifiedAt", "owner"])
def test_one_key_is_one_line(form: str, key: str) -> None:
    before = FORMS[form](WHOLE)
    after = edit(before, {key: quote("new: text")})
    removed, added = changed(before, after)
    assert (len(removed), len(added)) == (1, 1)
    assert added[0].startswith(f'{key}: "new: text"'.encode())
    assert added[0].endswith(b"\r") == (form == "crlf")
    # a comment behind the value stays, with the blanks before it
    comment = re.search(rb" +#.*", removed[0])
    assert comment is None or added[0].endswith(b'"' + comment[0])
    assert read_header(after).values[key] == "new: text"


@pytest.mark.parametrize("form", FORMS)
def test_a_new_key_stands_at_its_place_and_goes_without_a_trace(form: str) -> None:
    before = FORMS[form](WHOLE)
    for key, above in (
        ("statusReason", b"status:"),
        ("expiresAt", b"reviewAfter:"),
        ("mine", b"owner:"),
        ("rival", b"supersedes:"),
    ):
        after = edit(before, {key: '"x"'})
        removed, added = changed(before, after)
        assert (removed, added) == ([], [f'{key}: "x"'.encode() + (b"\r" if form == "crlf" else b"")])
        lines = after.split(b"\n")
        assert lines[lines.index(added[0]) - 1].startswith(above)
        assert edit(after, {key: None}) == before


@pytest.mark.parametrize("form", FORMS)
def test_an_edit_that_changes_nothing_gives_the_same_bytes(form: str) -> None:
    data = FORMS[form](WHOLE)
    assert edit(data, {}) is data
    assert edit(data, {"status": "verified", "value": '"npm"', "container": None, "rival": None}) is data
    assert edit(data, {"environment": block({"os": "linux", "container": "true"})}) is data


def test_several_keys_change_at_once_and_new_ones_keep_their_order() -> None:
    changes = {key: f'"{key}"' for key in reversed(ORDER) if key not in {"environment", "source", "sides", "dependsOn"}}
    after = edit(b"---\nzz: 1\nstatus: verified\n---\nbody\n", {**changes, "aa": "x"})
    expected = [key for key in ORDER if key in changes]
    assert list(read_header(after).values) == ["zz", *expected, "aa"]
    assert after.endswith(b"---\nbody\n")


def test_a_new_key_comes_before_all_that_follow_it_where_none_precedes_it() -> None:
    data = b"---\nzz: 1\nvalue: x\nstatus: stale\n---\n"
    assert edit(data, {"id": "a"}) == b"---\nzz: 1\nid: a\nvalue: x\nstatus: stale\n---\n"


def test_new_keys_of_a_header_without_known_ones_come_last() -> None:
    assert edit(b"---\n---\n", {"status": "stale", "id": "x"}) == b"---\nid: x\nstatus: stale\n---\n"
    assert edit(b"---\n# only\n---", {"id": "x"}) == b"---\n# only\nid: x\n---"
    assert edit(b"---\nglobs: [a]\n---\n", {"status": "stale"}) == b"---\nglobs: [a]\nstatus: stale\n---\n"


@pytest.mark.parametrize(
    ("header", "changes", "expected"),
    [
        # a value of several lines becomes one line, and the other way round
        ("a: >-\n  x\n  y\n\nb: z\n", {"a": "n"}, "a: n\n\nb: z\n"),
        ("a: |\n  x\n# about b\nb: z\n", {"a": "n"}, "a: n\n# about b\nb: z\n"),
        ("a: |\n  x\n  # text\nb: z\n", {"a": None}, "b: z\n"),
        ('a: "x\n  y"  # c\nb: z\n', {"a": "n"}, "a: n\nb: z\n"),
        ("a: [x,\n  y] # c\nb: z\n", {"a": "n"}, "a: n\nb: z\n"),
        ("a: [x, y] # c\nb: z\n", {"a": "n"}, "a: n # c\nb: z\n"),
        ("b: z\na: [x, y] # c\n", {"a": "n"}, "b: z\na: n # c\n"),
        ("a: {x: y z} # c\nb: z\n", {"a": "n"}, "a: n # c\nb: z\n"),
        ("a:\n  - [x, y]\nb: z\n", {"a": "n"}, "a: n\nb: z\n"),
        ("a: x # c\nb: z\n", {"a": "\n  - n"}, "a: # c\n  - n\nb: z\n"),
        ("a: # c\n  - x\nb: z\n", {"a": "n"}, "a: n # c\nb: z\n"),
        ("a: # c\n  - [x]\nb: z\n", {"a": "n"}, "a: n # c\nb: z\n"),
        ("a:\n- x\n- y\nb: z\n", {"a": None}, "b: z\n"),
        ("a:\n- x\n- y\nb: z\n", {"b": None}, "a:\n- x\n- y\n"),
        # what stands between keys belongs to nobody
        ("a: x\n\n# about b\n\nb: z\n", {"a": None}, "\n# about b\n\nb: z\n"),
        ("a: x\n\n# the end\n", {"a": "y"}, "a: y\n\n# the end\n"),
        ("a: |+\n  x\n\n# about b\nb: z\n", {"a": "n"}, "a: n\n# about b\nb: z\n"),
        ("a:\n  - |+\n    x\n\n# about b\nb: z\n", {"a": "n"}, "a: n\n# about b\nb: z\n"),
        ("a: |\n\n# about b\n\nb: z\n", {"a": None}, "# about b\n\nb: z\n"),
        ("a:\n# about b\nb: [z]\n", {"a": "n"}, "a: n\n# about b\nb: [z]\n"),
        ("b: [z]\na: # c\n\n# the end\n", {"a": "n"}, "b: [z]\na: n # c\n\n# the end\n"),
        ("b: [z]\na:\n  - x\n  -\n# the end\n", {"a": None}, "b: [z]\n# the end\n"),
        ("\na: [x]\nb: z\n", {"a": None}, "\nb: z\n"),
        # a comment stays whole
        ("a: x # c # d\nb: z\n", {"a": "n"}, "a: n # c # d\nb: z\n"),
        # the key's own form stays
        ("a:   x\nb: z\n", {"a": "n"}, "a:   n\nb: z\n"),
        ("a : [x]\nb: z\n", {"a": "n"}, "a : n\nb: z\n"),
        ("'a': x\nb: z\n", {"a": "n"}, "'a': n\nb: z\n"),
        ('"a: b": x\nb: z\n', {"a: b": "n"}, '"a: b": n\nb: z\n'),
        ("a:\nb: z\n", {"a": "n"}, "a: n\nb: z\n"),
        ("a: x   \nb: z\n", {"a": "n"}, "a: n\nb: z\n"),
        ("  a: x\n  b: z\n", {"a": "\n  - n", "c": "d"}, "  a:\n    - n\n  b: z\n  c: d\n"),
        # the tail that a value had lost must not become the tail of the new one
        ("a: x #y\nb: z\n", {"a": "n"}, 'a: "n" #y\nb: z\n'),
        ("a: x #y\nb: z\n", {"a": '"n"'}, 'a: "n" #y\nb: z\n'),
        ("a: |+\n  x\n\nb: z\n", {"a": "n"}, "a: n\nb: z\n"),
        ("id: |+\n  x\n\nb: z\n", {"status": "n"}, "id: |+\n  x\n\nstatus: n\nb: z\n"),
        ("{}\n", {}, "{}\n"),
    ],
)
def test_every_form_of_value_can_be_changed(header: str, changes: dict[str, str | None], expected: str) -> None:
    for ending in ("\n", "\r\n"):
        data = f"---\n{header}---\nbody\n".replace("\n", ending).encode()
        after = edit(data, changes)
        assert after.decode() == f"---\n{expected}---\nbody\n".replace("\n", ending)
        assert not read_header(after).notices


LIST = """\
---
source:  # who said it
  # the first
  - kind: user
    mine: kept

  # the second
  - kind: file   # found
    ref: a
  - kind: tool
status: stale
---
"""


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ((0, 1, 2, {"kind": "url"}), LIST.replace("tool\n", "tool\n  - kind: url\n")),
        ((0, 2), LIST.replace("\n  # the second\n  - kind: file   # found\n    ref: a\n", "")),
        ((1, 2), LIST.replace("  # the first\n  - kind: user\n    mine: kept\n", "")),
        (
            (0, {"kind": "x"}, 2),
            LIST.replace("\n  # the second\n  - kind: file   # found\n    ref: a\n", "  - kind: x\n"),
        ),
        ((0, 1, 2), LIST),
    ],
)
def test_entries_of_a_list_that_stay_keep_their_lines(entries: tuple[int, ...], expected: str) -> None:
    for ending in ("\n", "\r\n"):
        data = LIST.replace("\n", ending).encode()
        assert edit(data, {"source": Entries(entries)}).decode() == expected.replace("\n", ending)


@pytest.mark.parametrize(
    ("kept", "lines"),
    [
        ((0, 1), "  - kind: a\n  # about b\n\n  - kind: b\n    ref: x\n  # the end\n"),
        ((0,), "  - kind: a\n"),
        ((1,), "  # about b\n\n  - kind: b\n    ref: x\n  # the end\n"),
        ((1, 0), "  # about b\n\n  - kind: b\n    ref: x\n  # the end\n  - kind: a\n"),
    ],
)
def test_a_remark_stays_with_the_entry_below_it_and_the_last_with_the_last(kept: tuple[int, ...], lines: str) -> None:
    whole = "source:\n  - kind: a\n  # about b\n\n  - kind: b\n    ref: x\n  # the end\n"
    assert list_lines(whole, Entries(kept), 2, "\n") == f"source:\n{lines}"


@pytest.mark.parametrize(
    ("old", "new", "entries"),
    [
        (["a", "b"], ["a", "b"], (0, 1)),
        (["a", "b", "c"], ["a", "c"], (0, 2)),
        (["a", "b"], ["x", "b"], ("x", 1)),
        (["a", "b"], ["b", "a"], (1, "a")),
        (["a"], ["a", "a"], (0, "a")),
        (["a", "b", "a"], ["a", "a"], (0, 2)),
    ],
)
def test_an_entry_stays_once_and_in_its_order(old: list[Value], new: list[Value], entries: tuple[int | Value]) -> None:
    found = Entries.between(old, new)
    assert (found.entries, found.values(old)) == (entries, new)


def test_lists_of_other_forms_are_written_anew() -> None:
    assert (
        edit(b'---\na: ["x\n  y\n  - z"]\n---\n', {"a": Entries((0, "n"))}) == b'---\na:\n  - x y - z\n  - "n"\n---\n'
    )
    assert edit(b"---\na: [x, y]\n---\n", {"a": Entries((0, 1, "z"))}) == b'---\na:\n  - x\n  - "y"\n  - z\n---\n'
    assert (
        edit(b"---\na:\n- x\n---\n", {"a": Entries((0, {"k": "v", "l": "w"}))})
        == b"---\na:\n- x\n- k: v\n  l: w\n---\n"
    )
    assert edit(b"---\nid: x\n---\n", {"a": Entries(("z",))}) == b"---\nid: x\na:\n  - z\n---\n"


def test_a_list_with_another_number_of_entries_is_not_touched_by_the_line() -> None:
    assert list_lines("a:\n- x\n", Entries((0,)), 2, "\n") is None
    assert list_lines("a:\n- x\n- y\n", Entries((1,)), 2, "\n") == "a:\n- y\n"


def test_the_body_changes_only_when_it_is_given() -> None:
    assert edit(b"---\nid: x\n---\nold\n", {}, body="new") == b"---\nid: x\n---\nnew"
    assert edit(b"---\r\nid: x\r\n---", {}, body="new") == b"---\r\nid: x\r\n---\r\nnew"
    assert edit(b"---\nid: x\n---\nold\n", {"id": "y"}, body="") == b"---\nid: y\n---\n"
    data = b"---\nid: x\n---\nold\n"
    assert edit(data, {}, body="old\n") is data


@pytest.mark.parametrize(
    ("data", "changes"),
    [
        (b"---\n{a: b}\n---\n", {"a": "c"}),
        (b"---\n? a\n: b\n---\n", {"a": "c"}),
        (b"---\nid: x\n---\n", {"id": "a: b"}),
        (b"---\nid: x\n---\n", {"id": "a\nstatus: verified"}),
        (b"---\nid: *x\n---\n", {"status": "stale"}),
        (b"no header\n", {"status": "stale"}),
    ],
)
def test_what_cannot_be_edited_for_certain_is_refused(data: bytes, changes: dict[str, str]) -> None:
    with pytest.raises(Malformed):
        edit(data, changes)


@pytest.mark.parametrize("header", ["{a: b}", "{\n  a: b\n}", "{\na: b\n}"])
def test_the_place_of_keys_in_braces_is_the_first_line_of_the_yaml(header: str) -> None:
    with pytest.raises(Malformed, match="lines of their own") as of_memory:
        edit(f"---\n{header}\n---\n".encode(), {"a": "c"})
    with pytest.raises(Malformed, match="lines of their own") as of_settings:
        edit_mapping(f"{header}\n".encode(), {"a": "c"})
    assert (of_memory.value.reason, of_memory.value.line, of_memory.value.column) == ("uneditable", 2, 1)
    assert (of_settings.value.reason, of_settings.value.line, of_settings.value.column) == ("uneditable", 1, 1)


@pytest.mark.parametrize("header", ["? a\n: [b]", "?\n  a\n: b", "?\n  a", "?\n  a\nb: [c]"])
def test_a_key_without_its_colon_on_its_line_is_read_but_not_edited(header: str) -> None:
    data = f"---\n{header}\n---\n".encode()
    assert "a" in read_header(data).values
    with pytest.raises(Malformed, match="lines of their own"):
        edit(data, {"a": "c"})


def test_a_body_that_would_be_a_second_header_is_refused() -> None:
    with pytest.raises(Malformed) as caught:
        edit(b"---\nid: x\n---\n", {}, body="---\nid: y\n---\n")
    assert caught.value.reason == "second-header"


keys = st.sampled_from((*read_header(WHOLE.encode()).values, "statusReason", "mine", "expiresAt", "name"))


@patient
@given(st.dictionaries(keys, st.none() | any_text, max_size=4), st.sampled_from(sorted(FORMS)))
def test_any_edit_leaves_every_other_line_alone(changes: dict[str, str | None], form: str) -> None:
    before = FORMS[form](WHOLE)
    texts = {key: None if text is None else quote(text) for key, text in changes.items()}
    after = edit(before, texts)
    values = read_header(before).values
    read = read_header(after)
    assert {key: read.values.get(key) for key in changes} == dict(changes)
    assert {key: read.values[key] for key in values if key not in changes} == {
        key: value for key, value in values.items() if key not in changes
    }
    assert [key for key in read.values if key in values] == [key for key in values if changes.get(key, "") is not None]
    assert read.body == read_header(before).body
    kept = [line for line in before.split(b"\n") if not line.startswith(tuple(f"{key}:".encode() for key in changes))]
    if not {"environment", "source", "dependsOn"} & changes.keys():
        assert [line for line in after.split(b"\n") if line in kept] == kept
    assert edit(after, texts) is after


def test_a_new_setting_ends_as_the_first_line_does() -> None:
    assert edit_mapping(b"a: 1\r\nb: 2\n", {"c": "x"}) == b"a: 1\r\nb: 2\nc: x\r\n"
    assert edit_mapping(b"a: 1\nb: 2\r\n", {"c": "x"}) == b"a: 1\nb: 2\r\nc: x\n"


def test_settings_are_edited_by_the_line_too() -> None:
    before = b"\xef\xbb\xbf# mine\r\nformat: 1\r\n\r\ngate:  # strict\r\n  attestation: proven\r\n# end"
    after = edit_mapping(before, {"format": '"2"', "user": "u1"})
    assert after == before.replace(b"format: 1", b'format: "2"') + b"\r\nuser: u1\r\n"
    assert read_mapping(after) == {"format": "2", "gate": {"attestation": "proven"}, "user": "u1"}
    assert edit_mapping(before, {"format": "1"}) is before
    assert edit_mapping(b"", {"user": "u1"}) == b"user: u1\n"
    assert edit_mapping(b"a: 1", {"user": "u1"}) == b"a: 1\nuser: u1\n"
    for data, text in ((b"{a: b}\n", "c"), (b"a: b\n", "c: d"), (b"a: b\n", "c\nd: e")):
        with pytest.raises(Malformed):
            edit_mapping(data, {"a": text})


def test_settings_that_cannot_be_edited_are_refused_with_their_place() -> None:
    with pytest.raises(Malformed) as caught:
        edit_mapping(b"{a: b}\n", {"a": "c"})
    assert (caught.value.reason, caught.value.line, caught.value.column) == ("uneditable", 1, 1)


@pytest.mark.parametrize("text", TREACHEROUS)
def test_settings_hold_any_text(text: str) -> None:
    assert read_mapping(edit_mapping(b"a: 1\n", {"user": quote(text)})) == {"a": "1", "user": text}
