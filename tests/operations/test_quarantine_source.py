"""quarantine --source: everything that one poisoned page or session wrote, in both memdirs."""

from __future__ import annotations

import json

import pytest

from memdir_cli.domain.isolation import QuarantineAnswer
from memdir_cli.domain.statement import Provenance
from memdir_cli.errors import FaultError, UsageError
from memdir_cli.operations.quarantine import quarantine_source
from tests.operations.quarantine_place import FROM_PAGE, PAGE, WHY, back, codes, standing
from tests.operations.writing_place import AGENT, PERSON, Scene, message, scene
from tests.sandbox import Sandbox


class TestSource:
    """Everything that one poisoned page or session wrote."""

    @pytest.fixture
    def here(self, sandbox: Sandbox) -> Scene:
        found = scene(sandbox, claims=True)
        found.remember("one", "zebra one", by=FROM_PAGE)
        found.remember("two", "zebra two", "user", by=FROM_PAGE, type="fact")
        found.remember("three", "yak", by=message(1))
        found.remember("three", "yak", by=FROM_PAGE)
        found.remember("four", "ox", by=PERSON)
        return found

    def taken(self, here: Scene, source: str) -> QuarantineAnswer:
        answer = quarantine_source(here.open(), source, WHY, AGENT)
        assert isinstance(answer, QuarantineAnswer)
        return answer

    @pytest.mark.parametrize("source", [PAGE, "s7", "session:s7", "session:s7/message:m7", "m7"])
    def test_first_and_later_sources_in_both_memdirs(self, here: Scene, source: str) -> None:
        answer = self.taken(here, source)
        found = {one.key: (one.first, one.memdir) for one in answer.memories}
        assert found == {"one": (True, "project"), "two": (True, "user"), "three": (False, "project")}
        assert [path for path, text in here.files().items() if b"zebra" in text or b"yak" in text] == []
        assert [name for name in here.names() if "quarantine" not in name] == [".memdir/memories/four"]
        assert here.events().count("quarantined") == 3
        assert codes(here) == []

    def test_one_transaction_a_memdir(self, here: Scene) -> None:
        self.taken(here, PAGE)
        lines = [line for path, text in here.files().items() if "/receipts/" in path for line in text.splitlines()]
        told = [[event["kind"] for event in json.loads(line)["events"]] for line in lines if b"quarantined" in line]
        assert sorted(told) == [["quarantined"], ["quarantined", "quarantined"]]

    def test_sources_for_which_the_header_has_no_room(self, here: Scene) -> None:
        for number in range(30):
            here.remember("three", "yak", by=message(100 + number))
        assert "s7" not in str(standing(here, "three").source)
        assert "three" in {one.key for one in self.taken(here, "s7").memories}

    def test_whole_ids_that_only_this_machine_knows(self, here: Scene) -> None:
        long = "0b6f3c52-7a41-4c0e-9d52-3f1f5f0c8a11"
        here.remember("five", "zebra five", by=Provenance("agent", session=long, said="zebra"))
        assert [one.key for one in self.taken(here, long).memories] == ["five"]

    def test_what_nothing_names_changes_nothing(self, here: Scene) -> None:
        before = here.files()
        with pytest.raises(UsageError) as error:
            quarantine_source(here.open(), "https://other.example", WHY, AGENT)
        assert error.value.code == "unknown-ref"
        assert here.files() == before

    @pytest.mark.parametrize("source", [PAGE, "s7"])
    def test_repeated_it_says_that_all_is_in_quarantine_already(self, here: Scene, source: str) -> None:
        ids = [one.id for one in self.taken(here, source).memories]
        with pytest.raises(UsageError) as error:
            self.taken(here, source)
        assert (error.value.code, error.value.exit_status) == ("wrong-status", 2)
        assert all(f"`{memory_id}`" in error.value.message for memory_id in ids)
        assert "zebra" not in error.value.message

    def test_whole_ids_are_known_in_quarantine_too(self, here: Scene) -> None:
        long = "0b6f3c52-7a41-4c0e-9d52-3f1f5f0c8a11"
        here.remember("five", "zebra five", by=Provenance("agent", session=long, said="zebra"))
        self.taken(here, long)
        with pytest.raises(UsageError) as error:
            self.taken(here, long)
        assert error.value.code == "wrong-status"

    def test_each_is_released_by_itself(self, here: Scene) -> None:
        before = here.memories()
        answer = self.taken(here, PAGE)
        for one in answer.memories:
            assert back(here, one.id).decision == "released"
        assert here.memories() == before

    def test_the_half_that_failed_is_named(self, here: Scene) -> None:
        (here.memdir / "quarantine").write_text("in the way", "utf-8")
        with pytest.raises(FaultError) as error:
            self.taken(here, PAGE)
        assert "The project memdir was left as it was" in error.value.message
        assert error.value.exit_status == 6
        (here.memdir / "quarantine").unlink()
        assert {one.key for one in self.taken(here, PAGE).memories} == {"one", "three"}
