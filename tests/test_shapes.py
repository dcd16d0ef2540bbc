"""Shapes behave as the standard library's dataclasses do, and cost no start."""

from __future__ import annotations

import copy
import dataclasses
import operator
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from memdir_cli import shapes


class Whole:
    """Every kind of field that memdir uses."""

    name: str
    size: int = 1
    notes: Mapping[str, str] = {}

    @property
    def twice(self) -> int:
        """A property stays."""
        return self.size * 2


class One:
    """A single field."""

    name: str


def made(kind: type, library: Any, **options: bool) -> Any:
    """``kind`` as the library at hand shapes it."""
    body = dict(vars(kind))
    body.pop("__dict__", None)
    body.pop("__weakref__", None)
    if "notes" in body:
        body["notes"] = library.field(default_factory=dict)
    return library.dataclass(**options)(type(kind.__name__, (), body))


FORMS: tuple[dict[str, bool], ...] = (
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "order": True},
    {"frozen": True},
    {"slots": True},
)


def outcome(act: Callable[[Any], object], kind: Any) -> object:
    """What comes of an act: a plain value, or which error."""
    try:
        return act(kind)
    except Exception as error:
        return next(one for one in (AttributeError, TypeError) if isinstance(error, one))


ACTS: dict[str, Callable[[Any], object]] = {
    "by place": lambda kind: repr(kind("a", 2, {"k": "v"})),
    "by name": lambda kind: repr(kind(size=2, name="a")),
    "left out": lambda kind: (kind("a").size, kind("a").notes),
    "made anew": lambda kind: kind("a").notes is kind("a").notes,
    "too few": lambda kind: kind(),
    "too many": lambda kind: kind("a", 1, {}, 4),
    "twice": lambda kind: kind("a", name="b"),
    "unknown": lambda kind: kind("a", colour=1),
    "equal": lambda kind: (kind("a") == kind("a"), kind("a") == kind("b"), kind("a") != kind("a")),
    "another class": lambda kind: (kind("a") == ("a", 1, {}), kind("a") is None),
    "before": lambda kind: (kind("a") < kind("b"), kind("a", 2) > kind("a", 1), kind("a") <= kind("a")),
    "before another": lambda kind: kind("a") < 1,
    "hashed": lambda kind: hash(kind("a", 1, ())) == hash(kind("a", 1, ())),
    "assigned": lambda kind: setattr(kind("a"), "size", 3),
    "deleted": lambda kind: delattr(kind("a"), "size"),
    "property": lambda kind: kind("a", 4).twice,
    "matched": lambda kind: kind.__match_args__,
    "documented": lambda kind: kind.__doc__,
    "slots": lambda kind: getattr(kind, "__slots__", None),
    "fields": lambda kind: [(one.name, one.type) for one in dataclasses.fields(kind)],
    "as a mapping": lambda kind: dataclasses.asdict(kind("a")),
    "is one": lambda kind: (dataclasses.is_dataclass(kind), dataclasses.is_dataclass(kind("a"))),
    "library's replace": lambda kind: repr(dataclasses.replace(kind("a"), size=7)),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
@pytest.mark.parametrize("before", [0, 1, shapes.FEW - 1, shapes.FEW])
@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_a_class_behaves_as_the_librarys(form: dict[str, bool], before: int, act: Callable[[Any], object]) -> None:
    """However many instances there were before."""
    ours = made(Whole, shapes, **form)
    for number in range(before):
        ours(f"n{number}")
    assert outcome(act, ours) == outcome(act, made(Whole, dataclasses, **form))


@pytest.mark.parametrize("right", ["a", "b"])
@pytest.mark.parametrize("compare", [operator.eq, operator.ne, operator.lt])
@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_so_does_one_of_a_single_field(
    form: dict[str, bool], compare: Callable[[object, object], object], right: str
) -> None:
    ours, theirs = (made(One, library, **form) for library in (shapes, dataclasses))
    assert outcome(lambda kind: compare(kind("a"), kind(right)), ours) == outcome(
        lambda kind: compare(kind("a"), kind(right)), theirs
    )


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_replace_gives_a_copy_with_other_values(form: dict[str, bool]) -> None:
    kind = made(Whole, shapes, **form)
    one = kind("a", 2, {"k": "v"})
    assert shapes.replace(one, size=3) == kind("a", 3, {"k": "v"})
    assert shapes.replace(one) == one == copy.copy(one) == copy.deepcopy(one)
    with pytest.raises(TypeError):
        shapes.replace(one, colour=1)


def test_the_first_instances_are_as_the_later_ones() -> None:
    kind = made(Whole, shapes, frozen=True, slots=True)
    instances = [kind("a") for _ in range(2 * shapes.FEW)]
    assert all(one == instances[0] for one in instances)
    assert len(set(map(repr, instances))) == 1


def test_reading_verbs_import_none_of_the_library() -> None:
    root = str(Path(shapes.__file__).parents[1])
    script = (
        f"import sys; sys.path.insert(0, {root!r})\n"
        "from memdir_cli.cli import lane\n"
        "from memdir_cli.cli.commands import context, get, hook, list, search\n"
        "from memdir_cli.operations import context, get, lasting, list_memories\n"
        "sys.exit(repr(sorted({'dataclasses', 'inspect'} & set(sys.modules))))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr == "[]\n"
