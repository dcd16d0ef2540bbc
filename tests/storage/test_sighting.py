"""What was just looked at is looked at again as soon as the moment is another one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir_cli.storage import sighting
from memdir_cli.storage.cache import NOTHING, WORTH_SAVING
from memdir_cli.storage.filed import Filing, opened, packed
from memdir_cli.storage.memories import Found
from memdir_cli.storage.sighting import Names, Sighting
from tests.records import project

SEEN = Names((1, 2), "lint", {"memories": ["lint.md", "lint~a.md"], "inbox": []})
READ = project(predicate="lint")
FILED = replace(READ, memory=Filing().filed(lambda: packed(READ.memory), *opened(READ.memory)))


@pytest.mark.parametrize(
    ("seen", "moment", "stem", "folder", "names"),
    [
        (SEEN, (1, 2), "lint", "memories", ["lint.md", "lint~a.md"]),
        (SEEN, (1, 2), "lint", "inbox", []),
        (SEEN, (1, 2), "lint", "history", None),
        (SEEN, (1, 3), "lint", "memories", None),
        (SEEN, (1, 2), "test", "memories", None),
        (None, (1, 2), "lint", "memories", None),
    ],
)
def test_names_hold_for_their_moment_and_key(
    seen: Names | None, moment: object, stem: str, folder: str, names: list[str] | None
) -> None:
    assert sighting.names(seen, moment, stem, folder) == names


@pytest.mark.parametrize(
    ("read", "filed", "worth"),
    [(WORTH_SAVING, 0, True), (WORTH_SAVING - 1, WORTH_SAVING, False), (WORTH_SAVING, 1, True), (0, 0, False)],
)
def test_a_cache_is_written_for_what_was_read_anew_alone(read: int, filed: int, *, worth: bool) -> None:
    found: list[Found] = [*[READ] * read, *[FILED] * filed]
    filing = sighting.filing("", "", "", found, NOTHING, Sighting(0, 0, dict))
    assert (filing is not None) is worth
