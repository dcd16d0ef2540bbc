"""Documents: JSON, TOML and YAML as plain values, read strictly and within bounds.

What comes out is built of ``dict`` (text keys), ``list``, ``str``, ``int``, ``float``, ``bool`` and ``None``,
the form over which evidence is hashed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memdir_cli.domain.nesting import is_bottomless

#: A larger YAML document is not followed: it would take seconds.
YAML_BYTES = 512 << 10
#: Nodes of a YAML document, counted with every alias followed; more is a bomb, not a configuration.
YAML_NODES = 200_000
#: Nesting that is followed.
DEPTH = 200


#: A key of more parts than any table has; each part is read once more for every one before it.
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_ENDLESS_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEPTH}}}")


class UnparsableError(Exception):
    """The text is not what its name says.

    :param message: a clause for people, such as ``not JSON (line 26, column 3)``.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def text_of(content: bytes) -> str:
    """UTF-8 text without byte order mark.

    :raises UnparsableError: if it is not UTF-8.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnparsableError(f"not UTF-8 (byte {error.start})") from None


def parse_json(content: bytes) -> object:
    """JSON as the standard has it: no comments, no NaN. Of equal keys the last counts, as npm reads it.

    :raises UnparsableError: with line and column.
    """
    import json

    try:
        return json.loads(text_of(content), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise UnparsableError(f"not JSON (line {error.lineno}, column {error.colno})") from None
    except (ValueError, RecursionError):
        raise UnparsableError("not JSON that can be read (a number or a nesting beyond all bounds)") from None


def parse_toml(content: bytes) -> object:
    """TOML; dates become their text.

    :raises UnparsableError: with the parser's place.
    """
    import tomllib

    text = text_of(content)
    if _ENDLESS_KEY.search(text):
        raise UnparsableError("not TOML that can be read (a key beyond all bounds)")
    try:
        return _plain(tomllib.loads(text), 0)
    except (ValueError, RecursionError) as error:
        place = str(error).rpartition("(at ")[2].rstrip(")")
        raise UnparsableError(f"not TOML ({place})" if "line" in place else "not TOML") from None


def parse_yaml(content: bytes) -> object:
    """YAML, every scalar as the text that stands there; several documents are a list of them.

    :raises UnparsableError: with the line; also for aliases that grow beyond bounds.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    text = text_of(content)
    if len(content) > YAML_BYTES or is_bottomless(text):
        raise UnparsableError("not YAML that can be read (it grows beyond all bounds)")
    try:
        roots = list(YAML(typ="safe", pure=True).compose_all(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark
        raise UnparsableError(f"not YAML (line {mark.line + 1})" if mark else "not YAML") from None
    except (YAMLError, ValueError, RecursionError):
        raise UnparsableError("not YAML") from None
    left = [YAML_NODES]
    values = [_of_node(root, left, 0) for root in roots]
    return values[0] if len(values) == 1 else values


#: How a file is read, by the end of its name.
PARSERS: dict[str, Callable[[bytes], object]] = {
    ".json": parse_json,
    ".toml": parse_toml,
    ".yaml": parse_yaml,
    ".yml": parse_yaml,
}


def parser_of(path: str) -> Callable[[bytes], object] | None:
    """The parser for a file of this name, ``None`` for plain text."""
    name = path.rpartition("/")[2].lower()
    return next((parse for end, parse in PARSERS.items() if name.endswith(end)), None)


def _no_constant(name: str) -> object:
    raise ValueError(name)


def _plain(value: object, depth: int) -> object:
    if depth > DEPTH:
        raise RecursionError
    if isinstance(value, dict):
        return {key: _plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, depth + 1) for inner in value]
    return value if isinstance(value, str | int | float | bool) else str(value)


def _of_node(node: object, left: list[int], depth: int) -> object:
    """A composed YAML node as a plain value; ``left`` counts the nodes that may still come."""
    left[0] -= 1
    if left[0] < 0 or depth > DEPTH:
        raise UnparsableError("not YAML that can be read (it grows beyond all bounds)")
    held = getattr(node, "value", None)
    value: object = held if isinstance(held, str) else None
    if getattr(node, "id", "") == "mapping" and isinstance(held, list):
        pairs = [(_of_node(key, left, depth + 1), _of_node(inner, left, depth + 1)) for key, inner in held]
        value = {key if isinstance(key, str) else repr(key): inner for key, inner in pairs}
    elif isinstance(held, list):
        value = [_of_node(inner, left, depth + 1) for inner in held]
    tag = str(getattr(node, "tag", ""))
    # `!Ref name` and `!Sub name` are not the same
    return {tag: value} if tag.startswith("!") else value
