"""Files that were made from the memories: signed, and found by what they hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.domain.snapshot import digest_of
from memdir_cli.storage import derived, layout
from tests.storage.faulty import plant


@pytest.mark.parametrize("key", ["k", "k" * 64, "k" * 65, "ключ" * 40])
def test_what_was_derived_comes_back_for_the_same_version_and_key_alone(tmp_path: Path, key: str) -> None:
    root = plant(tmp_path, {})
    derived.save(root, layout.CACHE, key, "1", {"a": (1, "b")}, "txn", private=True)
    assert derived.load(root, layout.CACHE, key, "1") == {"a": (1, "b")}
    for other, version in ((key, "2"), ("another", "1"), ("", "1")):
        assert derived.load(root, layout.CACHE, other, version) is None


def test_nothing_is_derived_without_a_key(tmp_path: Path) -> None:
    root = plant(tmp_path, {})
    derived.save(root, layout.CACHE, "", "1", "content", "txn", private=True)
    assert list(tmp_path.iterdir()) == []


def test_the_files_that_hold_one_of_the_memories_are_named_and_one_that_cannot_be_read_hides_no_other(
    tmp_path: Path,
) -> None:
    first, second, third = layout.DERIVED
    root = plant(tmp_path, {second: b"one here and four", third: b"nothing", first: b""})
    (tmp_path / first).unlink()
    (tmp_path / first).symlink_to("elsewhere")
    assert derived.naming(root, {"one", "two"}) == {second: digest_of(b"one here and four")}
    assert derived.naming(root, {"three"}) == {}
    assert derived.naming(root, ()) == {}
