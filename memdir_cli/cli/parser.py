"""Parser: what a verb takes, as :mod:`options` declares it, made into what typer understands."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Any, get_type_hints

import typer
from typer.models import OptionInfo

from memdir_cli.cli import completing
from memdir_cli.cli.options import declared
from memdir_cli.cli.request import REPEATED
from memdir_cli.errors import UsageError


def spread(verb: Callable[..., int]) -> Callable[..., int]:
    """``verb`` with every group of options taken apart into options that typer understands."""
    hints = get_type_hints(verb)
    parameters: list[inspect.Parameter] = []
    gather: dict[str, Callable[[dict[str, Any]], object]] = {}
    for parameter in inspect.signature(verb).parameters.values():
        name, kind = parameter.name, hints[parameter.name]
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            parameters += _of_group(kind)
            gather[name] = partial(_gathered, kind)
        else:
            parameters.append(_parameter(name, kind, parameter.default))
            gather[name] = partial(_one, name, kind)

    def call(**given: Any) -> int:
        _refuse_empty(parameters, given)
        return verb(**{name: value(given) for name, value in gather.items()})

    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {}
    return call


def _refuse_empty(parameters: list[inspect.Parameter], given: dict[str, Any]) -> None:
    """An empty option is mostly a variable that nobody has set: passed over, it would widen what was asked for."""
    for parameter in parameters:
        declaration = parameter.annotation.__metadata__[0]
        texts = given[parameter.name] if isinstance(given[parameter.name], list) else [given[parameter.name]]
        if isinstance(declaration, OptionInfo) and any(isinstance(text, str) and not text.strip() for text in texts):
            # typer takes the first spelling for a default until it sees where the declaration stands
            spelt = declaration.default or (declaration.param_decls or (parameter.name,))[0]
            raise UsageError(f"`{spelt}` is empty.", hint=f"give `{spelt}` a value, or leave it out")


def _gathered(kind: type[Any], given: dict[str, Any]) -> object:
    hints = get_type_hints(kind)
    return kind(**{field.name: _one(field.name, hints[field.name], given) for field in dataclasses.fields(kind)})


def _one(name: str, kind: Any, given: dict[str, Any]) -> object:
    return tuple(given[name] or ()) if kind == REPEATED else given[name]


def _of_group(kind: type[Any]) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(kind)
    for field in dataclasses.fields(kind):
        yield _parameter(field.name, hints[field.name], field.default, kind.__name__)


def _parameter(name: str, kind: Any, default: object, group: str = "") -> inspect.Parameter:
    spelt, takes, help_, panel = declared(name, group)
    told: dict[str, Any] = {"help": help_, "show_default": False, "autocompletion": completing.candidates(name)}
    if spelt:
        declaration: Any = typer.Option(*spelt, metavar=takes or None, rich_help_panel=panel or None, **told)
    else:
        declaration = typer.Argument(metavar=takes, **told)
    if kind == REPEATED:
        kind, default = list[str] | None, None
    annotation = Annotated[kind, declaration]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
