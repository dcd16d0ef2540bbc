"""What is in quarantine and comes back by hand, by a merge, by `git revert`; and what a hand does to a seal."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdir_cli.domain import seal
from memdir_cli.domain.memory import Memory
from memdir_cli.errors import FaultError
from memdir_cli.operations.check import check
from memdir_cli.operations.context import context
from memdir_cli.operations.get import get
from memdir_cli.operations.repair import repair
from memdir_cli.operations.search import search
from memdir_cli.operations.show import show
from memdir_cli.operations.trace import trace
from memdir_cli.storage import codec
from tests.operations.quarantine_place import back, codes, poisoned, standing, take
from tests.operations.writing_place import PERSON, Scene, scene
from tests.sandbox import Sandbox
from tests.storage.merged_files import merge_files


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    return poisoned(sandbox)


class TestCopies:
    """What is in quarantine and comes back by hand, by a merge, by `git revert`."""

    @pytest.fixture
    def here(self, sandbox: Sandbox) -> Scene:
        found = scene(sandbox)
        found.remember("rule", "zebra", by=PERSON)
        found.remember("linter", "biome", by=PERSON)
        path = found.memdir / "memories/rule.md"
        text = path.read_bytes()
        take(found)
        path.write_bytes(text)
        return found

    def test_nothing_serves_it(self, here: Scene) -> None:
        place = here.open()
        answer = get(place, "rule")
        assert (answer.value, [one.code for one in answer.warnings]) == (None, ["quarantined"])
        assert "zebra" not in context(place).text
        assert search(place, "zebra").results == ()
        assert "zebra" not in here.sandbox.run("list", "--all", cwd=here.top).stdout
        assert here.remember("rule", "zebra", by=PERSON).reason == "quarantined"

    def test_check_names_it_and_repair_seals_it(self, here: Scene) -> None:
        (finding,) = (one for one in check(here.open()).findings if one.code == "M306")
        assert (finding.path, finding.severity, finding.fixable) == (".memdir/memories/rule.md", "error", True)
        diff = repair(here.open(), dry_run=True)
        assert "zebra" not in diff.diff
        repair(here.open())
        assert codes(here) == []
        assert [path for path, text in here.files().items() if b"zebra" in text] == []
        (memory_id,) = (one.id for path, one in here.memories().items() if "/quarantine/" in path)
        back(here, memory_id)
        assert get(here.open(), "rule").value == "zebra"

    def test_quarantine_again_takes_it_under_the_seal(self, here: Scene) -> None:
        assert take(here).decision == "quarantined"
        assert codes(here) == []

    def test_another_version_of_it_is_kept_aside(self, here: Scene) -> None:
        path = here.memdir / "memories/rule.md"
        path.write_bytes(path.read_bytes().replace(b"zebra", b"zebra changed"))
        memory_id = take(here).memory
        assert memory_id is not None
        back(here, memory_id.id)
        assert get(here.open(), "rule").value == "zebra"
        (aside,) = (here.memdir / "local/set-aside").iterdir()
        assert b"zebra changed" in aside.read_bytes()


class TestByHand:
    """What a hand has put into quarantine, or taken out of it."""

    def test_a_file_in_the_clear_is_a_finding_and_is_sealed(self, here: Scene) -> None:
        memory = standing(here)
        (here.memdir / "quarantine").mkdir()
        text = (here.memdir / "memories/rule.md").read_text("utf-8")
        path = here.memdir / f"quarantine/rule~{memory.id}.md"
        path.write_text(text.replace("status: verified", "status: quarantined\nstatusReason: poison"), "utf-8")
        (here.memdir / "memories/rule.md").unlink()
        assert get(here.open(), "rule").value is None
        assert "M304" in codes(here)
        repair(here.open())
        assert "M304" not in codes(here)
        assert b"zebra" not in path.read_bytes()
        # nobody knows what it was, so that it waits for a user
        answer = back(here, memory.id)
        assert (answer.memory and answer.memory.status, answer.memory and answer.memory.value) == (
            "candidate",
            "zebra two",
        )

    def test_a_status_alone_is_a_finding_with_the_command(self, here: Scene) -> None:
        path = here.memdir / "memories/rule.md"
        path.write_text(path.read_text("utf-8").replace("status: verified", "status: quarantined"), "utf-8")
        (finding,) = (one for one in check(here.open()).findings if one.code == "M301")
        assert (finding.fixable, f"memdir quarantine {standing(here).id} --reason WHY" in finding.message) == (
            False,
            True,
        )
        assert take(here, standing(here).id).decision == "quarantined"
        assert "M301" not in codes(here)

    def test_a_damaged_seal_is_a_finding_and_is_not_opened(self, here: Scene) -> None:
        memory = standing(here)
        take(here, memory.id)
        path = here.memdir / f"quarantine/rule~{memory.id}.md"
        lines = path.read_text("utf-8").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if line != lines[-3]), "utf-8")
        assert "M305" in codes(here)
        before = here.files()
        for act in (lambda: back(here, memory.id), lambda: show(here.open(), memory.id, quarantined=True)):
            with pytest.raises(FaultError) as error:
                act()
            assert error.value.code == "unsealable"
        assert here.files() == before
        assert trace(here.open(), memory.id).status == "quarantined"

    def test_words_that_nobody_vouched_for_come_back_as_a_candidate(self, here: Scene) -> None:
        path = here.memdir / "memories/rule.md"
        path.write_text(path.read_text("utf-8").replace("value: zebra two", "value: zebra forged"), "utf-8")
        memory = standing(here)
        take(here, memory.id)
        answer = back(here, memory.id)
        assert (answer.memory and answer.memory.status, answer.reason) == ("candidate", "unconfirmed")
        assert f"memdir confirm {memory.id}" in answer.hint
        assert get(here.open(), "rule").value is None

    def test_a_path_under_the_seal_leads_nowhere_else(self, here: Scene) -> None:
        memory = standing(here)
        take(here, memory.id)
        path = here.memdir / f"quarantine/rule~{memory.id}.md"
        text = path.read_text("utf-8")
        files = seal.opened(text.partition("---\n")[2].partition("---\n")[2])
        wicked = {"../../out.md": b"x", "config.yaml": b"x", "/etc/x": b"x", **files}
        path.write_text(text.partition("Sealed.")[0] + seal.seal(memory.id, wicked), "utf-8")
        config = (here.memdir / "config.yaml").read_bytes()
        back(here, memory.id)
        assert (here.memdir / "config.yaml").read_bytes() == config
        assert not (here.top.parent / "out.md").exists()
        assert len(os.listdir(here.memdir / "local/set-aside")) == 3


class TestMerged:
    """What a merge brought under one seal comes back as one memory."""

    def merged(self, here: Scene, **changes: Any) -> Memory:
        memory, path = standing(here), here.memdir / "memories/rule.md"
        plain = path.read_bytes()
        answer = take(here)
        assert answer.path is not None
        file = Path(answer.path)
        file.write_bytes(merge_files(plain, file.read_bytes(), codec.render(replace(memory, **changes))))
        assert codes(here) == []
        return memory

    def test_the_later_version_stands_and_the_other_one_is_set_aside(self, here: Scene) -> None:
        memory = self.merged(here, value="yak", revision=7)
        assert get(here.open(), "rule").value is None
        answer = back(here, memory.id)
        assert (answer.decision, answer.memory and answer.memory.value) == ("released", "yak")
        aside = [text for path, text in here.files().items() if "set-aside" in path]
        assert len(aside) == 1
        assert b"zebra two" in aside[0]
        assert answer.memory is not None
        assert answer.memory.status == "candidate", "no receipt knows what the merge brought"

    def test_what_stood_and_lay_in_the_archive_stands_once(self, here: Scene) -> None:
        memory = self.merged(here, status="archived", status_reason="archived: cold")
        answer = back(here, memory.id)
        assert answer.decision == "released"
        found = [path.split("/")[1] for path, one in here.memories().items() if one.id == memory.id]
        assert [folder for folder in found if folder not in {"history", "local"}] == ["archive"]
        assert len([path for path in here.files() if "set-aside" in path]) == 1
