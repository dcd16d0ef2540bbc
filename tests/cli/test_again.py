"""The words that `check` may be answered to at once mean what the parser takes them for."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from memdir_cli.operations import retelling
from tests.cli.test_lane import parsed

WORDS = st.lists(
    st.sampled_from(
        [*retelling.FLAGS, *retelling.VALUES, "M2", "text", "", "-", "--", "-h", "--fix", "--staged", "--format=json"]
    ),
    max_size=5,
)


@given(words=WORDS)
@example(words=["--format", ""])
@example(words=["--dir", " "])
def test_where_it_is_answered_the_parser_reads_the_same(words: list[str]) -> None:
    request = retelling.asked(words)
    if request is None:
        return
    whole = parsed("check", words)
    assert whole is not None
    common = whole.pop("common")
    whole["format"] = whole.pop("check_format", None)
    given_ = {**whole, "json": common.json, "quiet": common.quiet, "dir": common.dir}
    told = {name: "yes" if value is True else value for name, value in given_.items()}
    assert dict(request) == {name: value for name, value in told.items() if isinstance(value, str)}
    assert common.lock_timeout is None
