"""Three versions of one file to one, as the driver makes it."""

from __future__ import annotations

from memdir_cli.storage.merging import merged, read_base, read_version


def merge_files(base: bytes | None, ours: bytes, theirs: bytes) -> bytes:
    """The bytes that come of three files; a base of which nothing can be learnt is none."""
    return merged(read_base(base), read_version(ours), read_version(theirs)).data
