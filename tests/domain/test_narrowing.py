"""To where a scope can be narrowed: within what it has, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.narrowing import narrower
from memdir_cli.domain.precedence import specificity
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.statement import Qualification
from memdir_cli.errors import UsageError

LINUX, ALPINE = (("os", "linux"),), (("container", "true"), ("os", "linux"))


@pytest.mark.parametrize(
    ("standing", "wanted", "found"),
    [
        ({}, {"path": "packages/web/**"}, {"path": "packages/web/**"}),
        ({"path": "packages/**"}, {"path": "packages/web/**"}, {"path": "packages/web/**"}),
        ({"path": "packages/**"}, {"topic": "reviews"}, {"path": "packages/**", "topic": "reviews"}),
        ({"topic": "Reviews"}, {"topic": "reviews", "version": "2.x"}, {"topic": "Reviews", "version": "2.x"}),
        ({"environment": LINUX}, {"environment": (("container", "true"),)}, {"environment": ALPINE}),
        ({"environment": LINUX}, {"environment": ALPINE}, {"environment": ALPINE}),
        ({"version": ">=1"}, {"version": "^2.1"}, {"version": "^2.1"}),
        ({"version": "1.x"}, {"version": "^1", "topic": "api"}, {"version": "1.x", "topic": "api"}),
    ],
)
def test_constraints_are_added(standing: Any, wanted: Any, found: Any) -> None:
    assert narrower(Scope("user", **standing), Qualification(**wanted)) == Scope("user", **found)


@pytest.mark.parametrize(
    ("standing", "wanted"),
    [
        ({}, {}),
        ({"path": "packages/web"}, {}),
        ({"path": "packages/web"}, {"path": "packages/web"}),
        ({"path": "packages/web"}, {"path": "packages/web/**"}),  # the same, said otherwise
        ({"path": "packages/web/**"}, {"path": "packages/**"}),
        ({"path": "packages/web/**"}, {"path": "packages/api/**"}),
        ({"path": "packages/*"}, {"path": "packages/web"}),  # reaches below what matched
        ({"topic": "reviews"}, {"topic": "commits"}),
        ({"topic": "reviews"}, {"topic": "REVIEWS"}),
        ({"environment": LINUX}, {"environment": (("os", "windows"),)}),
        ({"environment": LINUX}, {"environment": (("os", "Linux"),)}),
        ({"version": "^2"}, {"version": ">=1"}),
        ({"version": "^2"}, {"version": "2.x"}),
        # one that is narrower does not excuse one that is wider
        ({"path": "a/**"}, {"path": "**", "topic": "reviews"}),
    ],
)
def test_what_is_no_narrower_is_refused(standing: Any, wanted: Any) -> None:
    with pytest.raises(UsageError) as error:
        narrower(Scope("user", **standing), Qualification(**wanted))
    assert error.value.code == "not-narrower"
    assert error.value.hint


_words = st.sampled_from(["", "a", "a/b", "a/*", "a/**", "**"])
_ranges = st.sampled_from(["", "1.x", "^1.2", ">=1 <3", "*"])
_pairs = st.dictionaries(st.sampled_from(["os", "shell"]), st.sampled_from(["x", "y"]), max_size=2)


@given(_words, _words, _ranges, _ranges, _pairs, _pairs)
def test_the_narrower_one_comes_first_when_reading(
    path: str, inner: str, wide: str, narrow: str, pairs: dict[str, str], more: dict[str, str]
) -> None:
    standing = Scope("user", path=path or None, version=wide or None, environment=tuple(sorted(pairs.items())))
    wanted = Qualification(inner or None, version=narrow or None, environment=tuple(sorted(more.items())))
    try:
        found = narrower(standing, wanted)
    except UsageError:
        return
    if found.version == standing.version:
        # of two ranges neither is known to be more specific when reading
        assert specificity(found, standing) in {"more", "equal"}
    assert dict(found.environment).items() >= pairs.items()
