"""Receipts: enough to tell what happened and to recognise what memdir wrote, and no content."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.attribution import Claim
from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Memory, Side
from memdir_cli.domain.source import Source
from memdir_cli.errors import FaultError
from memdir_cli.storage import receipts
from tests.records import project
from tests.storage.faulty import faulty

KEY = "6b65792d6f662d7468652d746573747321"
NOW = "2026-09-14T09:30:00Z"
SECRET = "canary-value-4711"
MEMORY = project(
    id="k7h3m9x2aqm01",
    value=SECRET,
    description=f"about {SECRET}",
    body=f"text {SECRET}\n",
    topic=f"topic-{SECRET}",
    path=f"src/{SECRET}/**",
    extra={"note": SECRET},
    source=(Source("user", f"session:{SECRET}", f"said {SECRET}", NOW, "transcript"),),
).memory


def written(*events: Event, files: dict[str, bytes] | None = None) -> dict[str, Any]:
    line = receipts.line(KEY, "txn01", NOW, events, files or {})
    assert line.count(b"\n") == 0
    found = receipts.parse(line)
    assert found is not None
    return found


@given(st.text(min_size=1, max_size=90), st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_a_digest_is_hmac_sha256_over_texts_and_their_lengths(key: str, parts: list[str]) -> None:
    message = "".join(f"{len(part)}:{part}" for part in parts).encode()
    whole = hmac.new(key.encode(), message, hashlib.sha256).hexdigest()
    assert receipts.digest(key, *parts) == (whole[:32] if any(parts) else "")


def test_a_receipt_tells_who_did_what_when_to_which_revision() -> None:
    event = Event("superseded", replace(MEMORY, revision=3), previous="k7h3m9x2aqm01@2", actor="user", message="m-9")
    found = written(event, files={"k7h3m9x2aqm01@3": b"bytes"})
    assert (found["txn"], found["at"], found["actor"]) == ("txn01", NOW, "user")
    assert len(str(found["message"])) == 32
    (told,) = found["events"]
    assert {key: told[key] for key in ("kind", "id", "revision", "previous", "level", "status", "authority")} == {
        "kind": "superseded", "id": "k7h3m9x2aqm01", "revision": 3, "previous": "k7h3m9x2aqm01@2",
        "level": "repository", "status": "verified", "authority": "user",
    }  # fmt: skip
    assert all(len(digest) == 32 for digest in (told["content"], told["file"], *told["sources"]))


def test_nothing_that_was_said_stands_in_a_receipt() -> None:
    side = Side("side-a", SECRET, SECRET, "user", MEMORY.source)
    for memory in (MEMORY, replace(MEMORY, value=None, status="conflicted", sides=(side, replace(side, id="b")))):
        line = receipts.line(KEY, "txn01", NOW, [Event("created", memory, "", "user", SECRET)], {memory.ref: b"x"})
        assert SECRET.encode() not in line
        assert b"src/" not in line
        assert b"github.com" not in line


def test_digests_depend_on_the_key_and_on_where_one_text_ends() -> None:
    assert receipts.digest(KEY, "a") != receipts.digest("another", "a")
    assert receipts.digest(KEY, "ab", "c") != receipts.digest(KEY, "a", "bc")
    assert receipts.digest(KEY, "", "") == ""


@pytest.mark.parametrize(
    "change",
    [
        {"value": "other"}, {"value": None}, {"none": True}, {"description": "other"}, {"body": "other"},
        {"type": "decision"}, {"subject": "user:42"}, {"predicate": "other"},
        {"scope": replace(MEMORY.scope, topic="other")}, {"scope": replace(MEMORY.scope, repository="other")},
        {"sides": (Side("a", "x", "", "user"), Side("b", "y", "", "user"))},
    ],
)  # fmt: skip
def test_another_content_is_another_digest(change: dict[str, Any]) -> None:
    assert receipts.claim(KEY, replace(MEMORY, **change)).content != receipts.claim(KEY, MEMORY).content


@pytest.mark.parametrize("change", [{"id": "c"}, {"value": "z"}, {"value": None}, {"authority": "inferred"}])
def test_a_conflict_with_other_sides_says_something_else(change: dict[str, Any]) -> None:
    sides = (Side("a", "x", "", "user"), Side("b", "y", "", "user"))
    one, other = (
        replace(MEMORY, value=None, sides=(side, sides[1])) for side in (sides[0], replace(sides[0], **change))
    )
    assert receipts.claim(KEY, one).content != receipts.claim(KEY, other).content


@pytest.mark.parametrize(
    "change",
    [
        {"status": "stale", "status_reason": "x"}, {"verified_at": NOW}, {"revision": 9}, {"extra": {}}, {"name": "n"},
        {"review_after": "2027-01-01"}, {"source": ()},
    ],
)  # fmt: skip
def test_what_a_confirmation_or_a_status_moves_is_no_content(change: dict[str, Any]) -> None:
    assert receipts.claim(KEY, replace(MEMORY, **change)).content == receipts.claim(KEY, MEMORY).content


@pytest.mark.parametrize(
    "change", [{"kind": "agent"}, {"ref": "other"}, {"said": "other"}, {"attested": "claimed"}]
)  # fmt: skip
def test_another_source_is_another_digest(change: dict[str, Any]) -> None:
    altered = replace(MEMORY, source=(replace(MEMORY.source[0], **change),))
    assert receipts.claim(KEY, altered).sources.isdisjoint(receipts.claim(KEY, MEMORY).sources)


def planted(root: Path, **months: bytes) -> str:
    (root / "receipts").mkdir(parents=True)
    for month, content in months.items():
        (root / "receipts" / f"{month.replace('_', '-').removeprefix('m')}.jsonl").write_bytes(content)
    return str(root)


def line(number: int, memory: Memory = MEMORY) -> bytes:
    return receipts.line(KEY, f"txn{number}", NOW, [Event("created", memory)], {}) + b"\n"


def test_receipts_are_read_month_by_month_and_broken_lines_are_passed_over(tmp_path: Path) -> None:
    torn = line(9)[:40] + b"\n"
    junk = b'\n[1]\n{}\n{"events": 3}\nnull\n\xff\xfe\n' + b"[" * 100_000 + b"\n"
    root = planted(tmp_path, m2026_10=line(3), m2026_09=line(1) + torn + junk + line(2)[:-1])
    assert [receipt["txn"] for receipt in receipts.read(root)] == ["txn1", "txn2", "txn3"]


def test_only_lines_that_name_an_id_are_parsed_for_it(tmp_path: Path) -> None:
    other = replace(MEMORY, id="another000000")
    root = planted(tmp_path, m2026_09=line(1) + line(2, other))
    assert [receipt["txn"] for receipt in receipts.read(root, "another000000")] == ["txn2"]
    assert list(receipts.read(root, "nobody")) == []


def test_lines_that_a_merge_doubled_count_once(tmp_path: Path) -> None:
    lines = [receipts.line(KEY, txn, NOW, [Event("created", MEMORY)], {}) for txn in ("a", "b")]
    (tmp_path / "receipts").mkdir()
    (tmp_path / "receipts/2026-09.jsonl").write_bytes(b"\n".join([*lines, lines[0], b"", lines[1], b""]))
    assert [receipt["txn"] for receipt in receipts.read(str(tmp_path))] == ["a", "b"]


def test_a_memdir_without_receipts_has_none(tmp_path: Path) -> None:
    assert list(receipts.read(str(tmp_path))) == []


def test_what_was_written_supports_what_is_read() -> None:
    (recorded,) = receipts.claims([written(Event("created", MEMORY))])[MEMORY.id]
    assert replace(recorded, at="") == receipts.claim(KEY, MEMORY)


@pytest.mark.parametrize(
    "event",
    [
        3, None, [], {}, {"id": 3}, {"id": "a"}, {"id": "a", "status": "verified"},
        {"id": 3, "status": "verified", "sources": []}, {"id": "a", "status": "made-up", "sources": []},
        {"id": "a", "status": "verified", "sources": "s1"},
    ],
)  # fmt: skip
def test_an_event_that_says_too_little_claims_nothing(event: object) -> None:
    assert receipts.claims([{"events": [event]}]) == {}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "status", "sources", "at"]), inner)
    ),
    max_leaves=8,
)  # fmt: skip


@given(st.lists(json_values, max_size=4), json_values)
def test_no_line_of_json_breaks_the_reader(events: list[Any], at: Any) -> None:
    found = receipts.parse(json.dumps({"at": at, "events": events}).encode())
    assert found is not None
    for memory_id, recorded in receipts.claims([found]).items():
        assert isinstance(memory_id, str)
        assert recorded


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader(content: bytes) -> None:
    found = receipts.parse(content)
    assert found is None or isinstance(found["events"], list)


@pytest.mark.parametrize(
    ("lines", "after"),
    [
        ([], ""),
        (['{"at":"2027-01-01T00:00:00Z","events":[{"id":"k1"}]}'], "2027-01-01T00:00:00Z"),
        (['{"at":"2027-01-01T00:00:00Z","events":[{"id":"other"}]}'], ""),
        (['{"at":"2026-09-01T00:00:00Z","events":[{"id":"k1"}]}'], ""),
        (
            ['{"at":"2026-09-01T00:00:00Z","after":"2027-02-01T00:00:00Z","events":[{"id":"k1"}]}'],
            "2027-02-01T00:00:00Z",
        ),
        (['{"at":"9999","events":[{"id":"k1"}]}', '{"at":["9999-01-01T00:00:00Z"],"events":[{"id":"k1"}]}'], ""),
        (['{"at":"9999-99-99T99:99:99Z","events":[["k1"],{"id":["k1"]},null]}', "half of a li", "[]"], ""),
    ],
)
def test_a_time_that_lies_ahead_is_found_of_the_same_memory(tmp_path: Path, lines: list[str], after: str) -> None:
    (tmp_path / "receipts").mkdir()
    (tmp_path / "receipts/2027-03.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "receipts/2025-01.jsonl").write_text('{"at":"2028-01-01T00:00:00Z","events":[{"id":"k1"}]}\n')
    assert receipts.ahead(str(tmp_path), {"k1"}, NOW) == after


@pytest.mark.parametrize("size", [1, 63, 64, 65, 200])
def test_a_digest_is_what_every_other_program_makes_of_key_and_text(size: int) -> None:
    key = "k" * size
    message = b"3:abc1:d"
    assert receipts.digest(key, "abc", "d") == hmac.new(key.encode(), message, "sha256").hexdigest()[:32]
    assert receipts.digest(key, "", "") == ""


AT, LATER = "2026-09-01T08:00:00Z", "2026-09-02T08:00:00Z"


@pytest.mark.parametrize(
    ("receipt", "when"),
    [
        ({"at": AT}, AT),
        ({"at": "yesterday"}, ""),
        ({"at": 7}, ""),
        ({}, ""),
        ({"at": AT, "after": LATER}, LATER),
        ({"at": LATER, "after": AT}, LATER),
        ({"at": AT, "after": 7}, AT),
        ({"at": 7, "after": LATER}, LATER),
        ({"at": None, "after": "tomorrow"}, ""),
    ],
)
def test_a_receipt_counts_from_its_time_or_from_the_one_it_comes_after(receipt: dict[str, object], when: str) -> None:
    assert receipts.moment(receipt) == when


def test_what_is_no_receipt_is_taken_down_with_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "receipts"
    folder.mkdir()
    good = receipts.line(KEY, "txn01", NOW, [Event("created", MEMORY)], {})
    (folder / "2026-08.jsonl").write_bytes(b"\n".join((good, b"", b"nonsense", good, b"[]")))
    (folder / "notes.txt").write_bytes(b"nonsense")
    torn: list[tuple[str, int]] = []
    assert [receipt["txn"] for receipt in receipts.read(str(tmp_path), torn=torn)] == ["txn01"], "a doubled line is one"
    assert torn == [("receipts/2026-08.jsonl", 3), ("receipts/2026-08.jsonl", 5)]
    assert [receipt["txn"] for receipt in receipts.read(str(tmp_path), MEMORY.id)] == ["txn01"]
    assert list(receipts.read(str(tmp_path), "nobody")) == []


def test_an_event_holds_the_revision_and_a_digest_of_the_file_that_was_written() -> None:
    event = Event("created", replace(MEMORY, revision=7))
    (bare,) = written(event)["events"]
    (filed,) = written(event, files={f"{MEMORY.id}@7": b"bytes \xff"})["events"]
    assert (bare["revision"], bare.get("file", "")) == (7, "")
    assert filed["file"] == receipts.digest(KEY, "bytes \ufffd")


@pytest.mark.parametrize("body", ["text", "text\n", "\ntext\n", "\n\ntext\r\n\n"])
def test_a_text_is_known_again_whatever_line_ends_stood_around_it(body: str) -> None:
    then = replace(MEMORY, body=body)
    found = receipts.contents(KEY, then)
    for one in (body, "text", "text\n", "\ntext\n"):
        assert receipts.claim(KEY, replace(then, body=one)).content in found
    assert receipts.claim(KEY, replace(then, body="te xt\n")).content not in found


def test_a_receipt_that_comes_after_a_later_one_says_so_and_no_other_does() -> None:
    event = Event("created", MEMORY)
    told = receipts.parse(receipts.line(KEY, "t", NOW, [event], {}, after="2027-01-01T00:00:00Z"))
    assert told is not None
    assert (told["at"], receipts.moment(told)) == (NOW, "2027-01-01T00:00:00Z")
    assert "after" not in written(event)


def test_what_lies_ahead_within_the_month_is_found_and_what_is_no_file_is_passed_over(tmp_path: Path) -> None:
    later = NOW.replace("-14T", "-20T")
    root = planted(tmp_path, m2026_09=receipts.line(KEY, "t", later, [Event("created", MEMORY)], {}))
    for folder in ("notes", "2026-08.jsonl", "2027-01.jsonl"):
        (tmp_path / "receipts" / folder).mkdir()
    (tmp_path / "receipts/2027-02.jsonl").symlink_to("2026-09.jsonl")
    assert receipts.ahead(root, {MEMORY.id}, NOW) == later
    assert receipts.ahead(root, {MEMORY.id}, later) == ""
    assert [receipt["txn"] for receipt in receipts.read(root)] == ["t"]


@pytest.mark.parametrize("naming", ["", MEMORY.id])
def test_what_stands_in_place_of_a_month_is_a_fault_for_who_asks_what_is_torn(tmp_path: Path, naming: str) -> None:
    root = planted(tmp_path, m2026_09=line(1))
    (tmp_path / "receipts/2026-01.txt").write_bytes(b"no receipts")
    (tmp_path / "receipts/2026-10.jsonl").symlink_to("2026-09.jsonl")
    with pytest.raises(FaultError):
        list(receipts.read(root, naming, []))


def test_all_lines_that_name_an_id_are_found_and_each_once(tmp_path: Path) -> None:
    other = line(9, replace(MEMORY, id="another000000"))
    torn = line(8)[:-3] + b"\n"
    root = planted(tmp_path, m2026_09=line(1) + other + line(2) + torn + line(1) + line(3)[:-1])
    assert [receipt["txn"] for receipt in receipts.read(root, MEMORY.id)] == ["txn1", "txn2", "txn3"]


@pytest.mark.parametrize("above", [b"", b"\n", MEMORY.id.encode() + b" is no receipt\n"])
@pytest.mark.parametrize("naming", ["", MEMORY.id])
def test_whatever_stands_above_the_first_receipt_hides_and_doubles_none(
    tmp_path: Path, naming: str, above: bytes
) -> None:
    root = planted(tmp_path, m2026_09=above + line(1) + line(2) + line(1))
    assert [receipt["txn"] for receipt in receipts.read(root, naming)] == ["txn1", "txn2"]


@pytest.mark.parametrize("naming", ["", MEMORY.id])
def test_a_month_that_goes_while_they_are_read_has_no_receipts(tmp_path: Path, naming: str) -> None:
    root = planted(tmp_path, m2026_09=line(1), m2026_10=line(2))

    def plan(call: int, name: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if name == "open" and args[0] == "2026-09.jsonl":
            (tmp_path / "receipts/2026-09.jsonl").unlink()

    with faulty(plan):
        assert [receipt["txn"] for receipt in receipts.read(root, naming)] == ["txn2"]


def test_what_happened_and_which_sources_are_told_of_is_read_past_junk() -> None:
    junk: list[Any] = [
        3,
        None,
        {"kind": "k", "id": "x", "sources": "s0"},
        {"kind": "c", "id": "y", "sources": ["s1", 2]},
    ]
    told: list[receipts.Receipt] = [{"events": junk}, {"events": [{"kind": "d", "id": "z", "sources": ["s2", "s1"]}]}]
    assert [pair for receipt in told for pair in receipts.happened(receipt)] == [("k", "x"), ("c", "y"), ("d", "z")]
    assert receipts.sources(told) == {"s1", "s2"}


@pytest.mark.parametrize(("revision", "number"), [(7, 7), ("7", 1), (None, 1)])
def test_a_claim_has_the_words_of_its_event(revision: object, number: int) -> None:
    event = {
        "id": "a", "status": "stale", "sources": ["s", 3], "authority": "user", "content": "c", "revision": revision
    }  # fmt: skip
    found = receipts.claims([{"at": AT, "events": [3, event]}, {"at": LATER, "events": [event]}])
    claim = Claim(AT, "stale", "user", "c", frozenset({"s"}), number)
    assert found == {"a": [claim, replace(claim, at=LATER)]}


def test_what_nobody_vouches_for_is_told_without_digests() -> None:
    (told,) = written(Event("created", MEMORY, vouched=False), files={MEMORY.ref: b"x"})["events"]
    assert told == {"kind": "created", "id": MEMORY.id, "revision": MEMORY.revision, "level": "repository"}


def test_the_file_that_was_written_has_its_digest_even_where_it_is_no_text() -> None:
    (told,) = written(Event("created", MEMORY), files={MEMORY.ref: b"a\xff"})["events"]
    assert told["file"] == receipts.digest(KEY, "a\ufffd")
    (told,) = written(Event("created", MEMORY), files={})["events"]
    assert told["file"] == ""
