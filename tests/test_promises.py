"""Every promise is shown by tests that exist and always run."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.promises import PROMISES

TESTS = Path(__file__).parent


def test_the_promises_are_numbered() -> None:
    assert [name.split()[0] for name in PROMISES] == [f"P{number}" for number in range(1, 25)]


@pytest.mark.parametrize("name", PROMISES)
def test_a_promise_is_shown_by_tests_that_look_at_something(name: str) -> None:
    for test in PROMISES[name][1]:
        path, function = test.split("::")
        tree = ast.parse((TESTS / path).read_text("utf-8"))
        (found,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function]
        assert not any("skip" in ast.unparse(mark) for mark in found.decorator_list), test
        assert any(isinstance(node, ast.Assert | ast.Call | ast.With) for node in ast.walk(found)), test
