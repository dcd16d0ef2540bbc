"""confirm: a candidate becomes a memory by a user's word, a standing one is verified anew, a file is adopted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdir_cli.domain.snapshot import Record
from memdir_cli.domain.statement import Provenance
from memdir_cli.errors import PersonNeededError, UsageError
from tests.operations.writing_place import AGENT, CLAIM, PERSON, Scene, message, scene
from tests.sandbox import NOW, Sandbox

TOMORROW = "2026-09-15T09:30:00Z"


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository with a candidate of an agent."""
    found = scene(sandbox)
    found.remember("port", "8080", by=AGENT)
    return found


def test_a_candidate_moves_among_the_memories_with_the_users_source(here: Scene) -> None:
    (candidate,) = here.memories().values()
    answer = here.at(TOMORROW).confirm("port")
    assert (answer.decision, answer.exit_status) == ("confirmed", 0)
    ((path, memory),) = here.memories().items()
    assert path == ".memdir/memories/port.md"
    assert (memory.id, memory.status, memory.status_reason) == (candidate.id, "verified", "")
    assert (memory.authority, memory.verified_at, memory.updated_at) == ("user", TOMORROW, NOW)
    assert [source.kind for source in memory.source] == ["agent", "user"]
    assert b"(memories/port.md)" in here.files()[".memdir/MEMORY.md"]
    assert here.events() == ["created", "confirmed"]


def test_what_a_hand_wrote_into_a_candidate_moves_with_it(here: Scene) -> None:
    (file,) = (here.memdir / "inbox").glob("*.md")
    old = file.read_bytes().replace(b"value:", b"# seen twice\nticket: A-1\nvalue:") + b"Text by hand.\n"
    file.write_bytes(old)
    here.confirm("port")
    new = (here.memdir / "memories/port.md").read_bytes()
    assert b"# seen twice\nticket: A-1\n" in new
    assert new.endswith(b"---\nText by hand.\n")


@pytest.mark.parametrize(
    ("by", "reason"),
    [(AGENT, "user-word-needed"), (CLAIM, "unproven"), (Provenance("user"), "words-missing")],
)
def test_only_a_users_proven_word_confirms(here: Scene, by: Provenance, reason: str) -> None:
    before = here.files()
    answer = here.confirm("port", by)
    assert (answer.decision, answer.exit_status, answer.reason) == ("refused", 4, reason)
    assert answer.hint
    assert here.files() == before


def test_a_standing_memory_is_verified_anew_and_nothing_else_moves(here: Scene) -> None:
    here.remember("lint", "eslint")
    answer = here.at(TOMORROW).confirm("lint")
    assert answer.decision == "confirmed"
    memory = here.memories()[".memdir/memories/lint.md"]
    assert (memory.verified_at, memory.updated_at, memory.revision) == (TOMORROW, NOW, 1)


def test_a_memory_whose_review_was_due_is_not_due_any_more(here: Scene) -> None:
    here.remember("lint", "eslint", review_after="2026-09-20")
    later = here.at("2026-09-21T00:00:00Z")
    later.confirm("lint")
    memory = here.memories()[".memdir/memories/lint.md"]
    assert (memory.status, memory.review_after) == ("verified", "")


def test_a_candidate_with_a_rival_is_for_the_user_to_decide(here: Scene) -> None:
    here.remember("lint", "eslint")
    waiting = here.remember("lint", "biome", by=AGENT)
    assert waiting.memory is not None
    before = here.files()
    answer = here.confirm(waiting.memory.id)
    assert (answer.decision, answer.exit_status) == ("needs_decision", 3)
    assert answer.previous is not None
    assert answer.previous.value == "eslint"
    assert "memdir correct lint" in answer.hint
    assert here.files() == before


def test_a_key_that_names_the_memory_and_a_candidate_is_for_a_person_to_tell_apart(here: Scene) -> None:
    here.remember("lint", "eslint")
    here.remember("lint", "biome", by=AGENT)
    with pytest.raises(PersonNeededError) as error:
        here.confirm("lint")
    assert error.value.exit_status == 3
    assert all(memory.id in error.value.hint for memory in here.memories().values() if memory.predicate == "lint")


def test_a_candidate_that_says_what_stands_is_merged_with_it(here: Scene) -> None:
    here.confirm("port")
    waiting = here.remember("port", "9090", by=AGENT)
    assert waiting.memory is not None
    here.correct("port", "7070")
    (file,) = (here.memdir / "inbox").glob("*.md")
    file.write_bytes(file.read_bytes().replace(b"9090", b"7070"))
    answer = here.confirm(waiting.memory.id)
    assert answer.decision == "confirmed"
    assert here.names() == [".memdir/history/port", ".memdir/memories/port"]


def test_a_conflict_is_not_confirmed_but_settled(sandbox: Sandbox) -> None:
    here = scene(sandbox, claims=True)
    here.remember("lint", "eslint", by=message(1))
    here.remember("lint", "biome", by=message(2))
    before = here.files()
    answer = here.confirm("lint", message(3))
    assert (answer.decision, answer.exit_status) == ("conflicted", 3)
    assert answer.hint.startswith("memdir settle ")
    assert here.files() == before


def test_what_has_expired_is_said_anew_instead(here: Scene) -> None:
    here.remember("freeze", "no deploys", expires="2026-09-20")
    with pytest.raises(UsageError) as error:
        here.at("2026-09-21T00:00:00Z").confirm("freeze")
    assert error.value.code == "expired"


def test_a_candidate_takes_the_place_of_what_has_expired(here: Scene) -> None:
    here.remember("freeze", "no deploys", expires="2026-09-20")
    later = here.at("2026-09-21T00:00:00Z")
    waiting = later.remember("freeze", "deploy again", by=AGENT)
    assert waiting.memory is not None
    answer = later.confirm(waiting.memory.id)
    assert (answer.decision, answer.memory and answer.memory.value) == ("confirmed", "deploy again")
    memory = here.memories()[".memdir/memories/freeze.md"]
    assert (memory.revision, memory.expires_at, memory.status) == (2, "", "verified")
    assert here.names().count(".memdir/history/freeze") == 1


def test_a_file_that_no_receipt_names_is_adopted(here: Scene) -> None:
    here.remember("lint", "eslint")
    file = here.memdir / "memories/lint.md"
    file.write_bytes(file.read_bytes().replace(b"eslint", b"biome"))
    store = here.open().project
    assert store is not None
    record = store.read("memories/lint.md")
    assert isinstance(record, Record)
    assert store.unattributed(record) == "content"
    here.at(TOMORROW).confirm("lint")
    record = store.read("memories/lint.md")
    assert isinstance(record, Record)
    assert store.unattributed(record) == ""


def test_nothing_that_exists_is_told_with_the_nearest_key(here: Scene) -> None:
    with pytest.raises(UsageError) as error:
        here.confirm("prot")
    assert (error.value.code, error.value.exit_status) == ("unknown-ref", 2)
    assert "`port`" in error.value.hint


#: As a person with a Windows editor and habits of their own writes it.
BY_HAND = (
    b"\xef\xbb\xbf---\r\n"
    b"# reviewed in spring\r\n"
    b"id:   khand00000001   # mine\r\n"
    b"ticket: [A-1, A-2]\r\n"
    b"status: 'stale'\r\n"
    b'statusReason: "review-due: old"\r\n'
    b"subject: project:github.com/acme/legacy-dashboard\r\n"
    b"predicate: lint\r\n"
    b"\r\n"
    b"scope: repository:github.com/acme/legacy-dashboard\r\n"
    b"value: 'eslint  '  # two blanks\r\n"
    b"owner:\r\n"
    b"  name: team\r\n"
    b"authority: user\r\n"
    b"verifiedAt: 2026-01-01\r\n"
    b"source:\r\n"
    b"  # the first time\r\n"
    b"  - kind: user\r\n"
    b"    ref: 'session:s0/message:m0'\r\n"
    b"    attested: tty\r\n"
    b"---\r\n"
    b"Text with two blanks at its end  \r\n"
    b"and \xe2\x80\xa8 a strange line end, without a last one"
)


def numstat(here: Scene, path: str) -> tuple[int, int]:
    """Lines added and removed since the last commit."""
    added, removed, _ = here.sandbox.git("diff", "--numstat", "--", path, cwd=here.top).split("\t")
    return int(added), int(removed)


def by_hand(here: Scene) -> Path:
    """The hand-written file, committed as it is."""
    (here.top / ".gitattributes").write_text("* -text\n")
    file = here.memdir / "memories/lint.md"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(BY_HAND)
    file.chmod(0o640)
    here.sandbox.git("add", "-f", ".", cwd=here.top)
    here.sandbox.git("commit", "-qm", "By hand", cwd=here.top)
    return file


def test_confirming_a_file_of_a_person_touches_the_lines_that_change_and_no_other(here: Scene) -> None:
    file = by_hand(here)
    here.confirm("lint", PERSON)
    # status and date change, the reason goes, one entry of four lines comes
    assert numstat(here, ".memdir/memories/lint.md") == (6, 3)
    new = file.read_bytes()
    for kept in (
        b"\xef\xbb\xbf---\r\n# reviewed in spring\r\nid:   khand00000001   # mine\r\nticket: [A-1, A-2]\r\n",
        b"value: 'eslint  '  # two blanks\r\nowner:\r\n  name: team\r\n",
        b"  # the first time\r\n  - kind: user\r\n    ref: 'session:s0/message:m0'\r\n    attested: tty\r\n",
        BY_HAND[BY_HAND.index(b"---\r\nText") :],
    ):
        assert kept in new
    assert new.count(b"\n") == new.count(b"\r\n"), "new lines end like the others"
    assert file.stat().st_mode & 0o777 == 0o640


def test_correcting_a_file_of_a_person_keeps_everything_that_is_not_corrected(here: Scene) -> None:
    file = by_hand(here)
    here.correct("lint", "biome")
    new = file.read_bytes()
    assert b"# reviewed in spring\r\nid:   khand00000001   # mine\r\n" in new
    assert b"\r\nticket: [A-1, A-2]\r\n" in new
    assert b"  # two blanks\r\n" in new
    assert b"\r\nowner:\r\n  name: team\r\n" in new
    assert new.endswith(BY_HAND[BY_HAND.index(b"---\r\nText") :])
    assert new.count(b"\n") == new.count(b"\r\n")
    (old,) = (here.memdir / "history").glob("*.md")
    history = old.read_bytes()
    assert b"value: 'eslint  '  # two blanks\r\n" in history
    assert b"# the first time\r\n" in history
    assert history.endswith(BY_HAND[BY_HAND.index(b"---\r\nText") :])


def test_what_a_clock_that_was_ahead_has_written_is_adopted_for_good(here: Scene) -> None:
    ahead = here.at("2027-01-01T00:00:00Z")
    ahead.remember("k", "v", by=AGENT)
    here.confirm("k")
    earlier = here.at("2026-09-01T00:00:00Z")
    earlier.correct("k", "w")
    earlier.confirm("port")
    for when in (earlier, here, ahead, here.at("2027-02-01T00:00:00Z")):
        place = when.open()
        assert place.project is not None
        (record,) = place.project.find("k")
        assert (record.memory.value, place.project.unattributed(record)) == ("w", "")
    # the months that are over hold nothing that comes after a time that lies ahead
    told = {path.name: path.read_text("utf-8").count("\n") for path in (here.memdir / "receipts").iterdir()}
    assert told == {"2026-09.jsonl": 2, "2027-01.jsonl": 3}
    # and the log tells when it was done, by the clock of then
    at = [
        json.loads(one)["at"]
        for path in sorted((here.memdir / "receipts").iterdir())
        for one in path.read_text("utf-8").splitlines()
    ]
    assert at == [NOW, "2026-09-01T00:00:00Z", "2027-01-01T00:00:00Z", NOW, "2026-09-01T00:00:00Z"]
