"""Which memories one source wrote."""

from __future__ import annotations

import pytest

from memdir_cli.domain.isolation import wrote
from memdir_cli.domain.source import Source, label

PAGE = "https://docs.example/fast"
LONG = "0b6f3c52-7a41-4c0e-9d52-3f1f5f0c8a11"


@pytest.mark.parametrize(
    ("source", "wanted", "found"),
    [
        (Source("agent", "session:s1/message:m1"), "s1", True),
        (Source("agent", "session:s1/message:m1"), "session:s1", True),
        (Source("agent", "session:s1/message:m1"), "session:s1/message:m1", True),
        (Source("agent", "session:s1/message:m1"), "m1", True),
        (Source("agent", "session:s1/message:m1"), "s", False),
        (Source("agent", "session:s10"), "s1", False),
        (Source("agent", f"session:{label(LONG)}"), LONG, True),
        (Source("agent", f"session:{label(LONG)}"), f"session:{LONG}", True),
        (Source("file", "docs/setup.md"), "docs/setup.md", True),
        (Source("file", "docs/setup.md"), "docs", True),
        (Source("file", "docs/setup.md"), "setup", False),
        (Source("url", PAGE), PAGE, True),
        (Source("url", f"{PAGE}/more"), PAGE, True),
        (Source("url", f"{PAGE}#top"), PAGE, True),
        (Source("url", f"{PAGE}er"), PAGE, False),
        (Source("url", "https://docs.example.evil/"), "https://docs.example", False),
        (Source("url", f"message:{label(PAGE)}"), PAGE, True),
        (Source("url", said=f"see {PAGE}, it says so"), PAGE, True),
        (Source("agent", said=f"I read it at {PAGE}."), PAGE, True),
        (Source("agent", said=f"I read it at {PAGE}.html"), PAGE, False),
        (Source("agent", said=f"{PAGE}er and {PAGE}"), PAGE, True),
        (Source("user", said=f"look at {PAGE}"), PAGE, False),
        (Source("agent", said="setup"), "setup", False),
        (Source("agent"), "s1", False),
        (Source("agent", "session:s1"), "", False),
    ],
)
def test_a_source_is_named_whole(source: Source, wanted: str, found: bool) -> None:
    assert wrote((source,), wanted) is found


def test_a_later_source_counts_as_well() -> None:
    assert wrote((Source("user"), Source("agent", "session:s9")), "s9")
    assert not wrote((), "s9")
