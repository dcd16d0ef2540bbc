"""Where an account keeps what it could work out again."""

from __future__ import annotations

import pytest

from memdir_cli.storage import kept


@pytest.mark.parametrize(
    ("environ", "place"),
    [
        ({"XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/c/memdir"),
        ({"HOME": "/h"}, "/h/.cache/memdir"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/memdir"),
        ({"XDG_CACHE_HOME": "", "HOME": "h"}, ""),
        ({}, ""),
    ],
)
def test_a_cache_lies_where_other_programs_have_theirs_or_nowhere(environ: dict[str, str], place: str) -> None:
    assert kept.folder(environ) == place
