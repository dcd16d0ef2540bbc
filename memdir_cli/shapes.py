"""Shapes: ``dataclass``, ``field`` and ``replace`` as the standard library has them, without what they cost a start.

The library's module imports :mod:`inspect`, and compiles half a dozen methods for every class there is: before a
command has done anything, that takes three times as long as a bare interpreter. Here a method is told the names of the
fields; only ``__init__``, which has to be quick, is compiled: for a class of which there are many instances.

To type checkers these are the library's own, and its functions (``fields``, ``asdict``, ``is_dataclass``) take these
classes for theirs. What memdir's classes do not need is left out: fields that are inherited or not given to
``__init__``, and ``__post_init__``.
"""

from __future__ import annotations

import operator

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from dataclasses import dataclass, field, replace
    from typing import Any
else:

    def dataclass(*, frozen=False, slots=False, order=False):
        """As :func:`dataclasses.dataclass`: the annotations of a class are its fields."""
        return lambda kind: _shaped(kind, frozen=frozen, slots=slots, order=order)

    def field(*, default_factory):
        """As :func:`dataclasses.field`: where no value is given, one is made."""
        return _Made(default_factory)

    def replace(one, /, **changes):
        """As :func:`dataclasses.replace`: a copy of ``one`` with other values in some fields."""
        kind = type(one)
        values = [changes.pop(name) if name in changes else getattr(one, name) for name in kind.__match_args__]
        return kind(*values, **changes)


__all__ = ["dataclass", "field", "replace"]

#: So many instances of a class are made before anything is compiled for it: of most there are no more.
FEW = 8

#: What a class has room for by itself, where its fields are no slots.
_ROOM = frozenset({"__dict__", "__weakref__"})

_COMPARED = {"__lt__": operator.lt, "__le__": operator.le, "__gt__": operator.gt, "__ge__": operator.ge}


class _Made:
    """The default of a field that is made anew for each instance."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


class _Told:
    """The fields as the library describes them, made when somebody asks."""

    __slots__ = ("_annotations", "_defaults")

    def __init__(self, annotations: Mapping[str, str], defaults: Mapping[str, object]) -> None:
        self._annotations = annotations
        self._defaults = defaults

    def __get__(self, instance: object, owner: type) -> Any:
        import dataclasses

        told = {
            name: dataclasses.field(default_factory=value.make) if isinstance(value, _Made) else value
            for name, value in self._defaults.items()
        }
        twin: Any = type(owner.__name__, (), {"__annotations__": self._annotations, **told})
        return dataclasses.dataclass(twin).__dataclass_fields__


def _shaped(kind: Any, *, frozen: bool, slots: bool, order: bool) -> Any:
    """``kind`` with the methods of a class of values; a new class where its fields are slots."""
    annotations = vars(kind).get("__annotations__", {})
    names = tuple(annotations)
    defaults = {name: vars(kind)[name] for name in names if name in vars(kind)}
    if slots:
        kept = {name: value for name, value in vars(kind).items() if name not in defaults and name not in _ROOM}
        kind = type(kind)(kind.__name__, kind.__bases__, {**kept, "__slots__": names})
    for name, method in _methods(names, frozen=frozen, order=order).items():
        setattr(kind, name, method)
    told = {"__init__": _first_init(kind, names, defaults), "__match_args__": names}
    for name, value in {**told, "__dataclass_fields__": _Told(annotations, defaults)}.items():
        setattr(kind, name, value)
    return kind


def _methods(names: Sequence[str], *, frozen: bool, order: bool) -> dict[str, Any]:
    """All that instances are compared, printed, copied and protected by."""
    values = operator.attrgetter(*names)

    def told(self: object) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    compared = {"__eq__": operator.eq, **(_COMPARED if order else {})}
    methods: dict[str, Any] = {name: _comparing(values, compare) for name, compare in compared.items()}
    # so it is copied, also where nothing may be assigned
    methods["__reduce__"] = lambda self: (type(self), tuple([getattr(self, name) for name in names]))
    methods |= {"__repr__": told, "__hash__": None}
    if frozen:
        methods |= {"__hash__": lambda self: hash(values(self)), "__setattr__": _refuse, "__delattr__": _refuse}
    return methods


def _comparing(values: Callable[[object], object], compare: Callable[[Any, Any], bool]) -> Any:
    def compared(self: object, other: object) -> bool:
        return compare(values(self), values(other)) if type(other) is type(self) else NotImplemented

    return compared


def _refuse(_: object, name: str, *__: object) -> None:
    raise AttributeError(f"cannot assign to field {name!r}")


def _first_init(kind: Any, names: Sequence[str], defaults: Mapping[str, object]) -> Any:
    """The ``__init__`` of the first instances, which makes that of all others, and leaves every mistake to it."""
    left = FEW

    def __init__(self: object, *given: object, **named: object) -> None:  # noqa: N807 (it becomes a method)
        nonlocal left
        left -= 1
        values = {**dict(zip(names, given, strict=False)), **named}
        as_declared = len(values) == len(given) + len(named) and values.keys() <= set(names)
        if left >= 0 and as_declared and all(name in values or name in defaults for name in names):
            for name in names:
                default = defaults.get(name)
                value = values[name] if name in values else default.make() if isinstance(default, _Made) else default
                object.__setattr__(self, name, value)
            return
        kind.__init__ = _compiled(kind, names, defaults)
        kind.__init__(self, *given, **named)

    return __init__


def _compiled(kind: Any, names: Sequence[str], defaults: Mapping[str, object]) -> Any:
    """An ``__init__`` that takes the fields by their names and puts each into its place."""
    known: dict[str, object] = {"_put": object.__setattr__, "_nothing": _Made}
    heads, lines = ["self"], []
    for name in names:
        default, value = defaults.get(name), name
        if isinstance(default, _Made):
            known[f"_make_{name}"] = default.make
            value = f"_make_{name}() if {name} is _nothing else {name}"
            default = _Made
        known[f"_default_{name}"] = default
        heads.append(f"{name}=_default_{name}" if name in defaults else name)
        if "__slots__" in vars(kind):
            # the slot's own, which need not be looked for
            known[f"_put_{name}"] = vars(kind)[name].__set__
            lines.append(f"  _put_{name}(self, {value})")
        else:
            lines.append(f"  _put(self, {name!r}, {value})")
    exec("\n".join((f"def __init__({', '.join(heads)}):", *lines)), known)  # noqa: S102 (names of our own fields)
    init: Any = known["__init__"]
    init.__qualname__ = f"{kind.__qualname__}.__init__"
    return init
