"""What is said of tombstones and of what was forgotten and is there again, and who may take it out."""

from __future__ import annotations

import pytest

from memdir_cli.checks.examined import Examined, Returned, Tombstones
from memdir_cli.checks.forgotten import RULES
from memdir_cli.checks.rule import Sighting
from memdir_cli.domain.snapshot import Snapshot
from tests.records import NOW

PERSON = (
    "no receipt tells of that, so it is for a person to say: `memdir forget` this file, or remove the line "
    "from `tombstones.jsonl`"
)
LOOK = {rule.code: rule.look for rule in RULES}


def found(code: str, tombstones: Tombstones) -> list[Sighting]:
    return list(LOOK[code](Examined(Snapshot("project"), NOW, tombstones=tombstones)))


@pytest.mark.parametrize(
    ("certain", "readable", "advice"),
    [
        (True, True, "type `memdir check --fix`, or `memdir remember KEY VALUE --after-forget` if the user wants it"),
        (True, False, "type `memdir check --fix`, or `memdir remember KEY VALUE --after-forget` if the user wants it"),
        (
            False,
            True,
            PERSON,
        ),
        (False, False, "it cannot be read otherwise; type `memdir forget` with its path"),
    ],
)
def test_only_what_a_receipt_tells_of_is_taken_out_without_asking(certain: bool, readable: bool, advice: str) -> None:
    (sighting,) = found("M732", Tombstones(returned=(Returned("memories/a.md", NOW, certain, readable),)))
    assert sighting.message == f"This was forgotten on 2026-09-14 and is here again; nothing serves it; {advice}"
    assert (sighting.path, sighting.key, sighting.fixable) == ("memories/a.md", "id", certain)


@pytest.mark.parametrize(("lost", "told"), [(("a",), "A line is gone"), (("a", "b"), "2 lines are gone")])
def test_lost_tombstones_are_counted(lost: tuple[str, ...], told: str) -> None:
    (sighting,) = found("M733", Tombstones(lost=lost))
    assert sighting.message.startswith(f"{told} from here, ")
    assert found("M733", Tombstones()) == []


@pytest.mark.parametrize("code", ["M731", "M734"])
def test_a_line_that_is_no_tombstone_or_of_which_no_receipt_tells_is_shown_where_it_stands(code: str) -> None:
    sightings = found(code, Tombstones(torn=(2, 5), unsupported=(2, 5)))
    assert [(one.path, one.line, one.column) for one in sightings] == [
        ("tombstones.jsonl", 2, 1),
        ("tombstones.jsonl", 5, 1),
    ]
