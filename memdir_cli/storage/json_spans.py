"""JSON with the place of everything in it, so that a text can be changed without writing it anew.

What stands in comments is kept by never being touched. Positions count characters of the text.
"""

from __future__ import annotations

import json
import re

from memdir_cli.shapes import dataclass, field

#: Deeper than anybody's settings.
DEPTH = 100

_BLANK = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*"')
_BARE = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)

#: A number of more characters is not counted with.
_DIGITS = 300


class NoJsonError(Exception):
    """The text is no JSON, or not of the form that is wanted.

    :ivar line: where, 1-based.
    """

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.why = why
        self.line = line


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands.

    :ivar value: what it means; a very long number as its text.
    :ivar start: of the value, or of the key of a member.
    :ivar end: behind the last character of the value.
    :ivar at: where the value begins.
    :ivar key: of a member of an object, else ``None``.
    :ivar children: members or elements, in order.
    :ivar commas: where the commas stand; one behind the last child counts.
    """

    value: object
    start: int
    end: int
    at: int
    key: str | None = None
    children: tuple[Node, ...] = ()
    commas: tuple[int, ...] = ()

    def member(self, key: str) -> Node | None:
        """The last member with this key, which counts; ``None`` if there is none, or if this is no object."""
        return next((child for child in reversed(self.children) if child.key == key), None)


@dataclass(slots=True)
class _Reader:
    text: str
    comments: bool
    at: int = 0
    commas: list[int] = field(default_factory=list)

    def fail(self, why: str) -> NoJsonError:
        return NoJsonError(why, self.text.count("\n", 0, self.at) + 1)

    def skip(self) -> None:
        while True:
            self.at = _end(_BLANK.match(self.text, self.at), self.at)
            comment = _COMMENT.match(self.text, self.at) if self.comments else None
            if comment is None:
                return
            self.at = comment.end()

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]


def parse(text: str, *, comments: bool = False) -> Node:
    """The one value of ``text``.

    :param comments: ``//`` and ``/* */`` and a comma behind the last child may stand there.
    :raises NoJsonError: if it is none.
    """
    reader = _Reader(text, comments)
    reader.skip()
    node = _value(reader, 0)
    reader.skip()
    if reader.at != len(text):
        raise reader.fail("something follows after its end")
    return node


def _value(reader: _Reader, depth: int, start: int | None = None, key: str | None = None) -> Node:
    at = reader.at
    start = at if start is None else start
    mark = reader.peek()
    if mark in {"{", "["}:
        if depth > DEPTH:
            raise reader.fail("it is nested too deeply")
        return _container(reader, depth, start, key)
    if mark == '"':
        return Node(_string(reader), start, reader.at, at, key)
    bare = _BARE.match(reader.text, at)
    if bare is None:
        raise reader.fail("a value is missing" if mark in "}],:" else "that is no value")
    reader.at = bare.end()
    value = json.loads(bare[0]) if len(bare[0]) < _DIGITS else bare[0]
    return Node(value, start, reader.at, at, key)


def _container(reader: _Reader, depth: int, start: int, key: str | None) -> Node:
    at = reader.at
    is_object = reader.peek() == "{"
    closing = "}" if is_object else "]"
    reader.at += 1
    children: list[Node] = []
    commas: list[int] = []
    reader.skip()
    while reader.peek() != closing:
        if len(commas) < len(children):
            raise reader.fail("a comma is missing")
        children.append(_member(reader, depth) if is_object else _value(reader, depth + 1))
        reader.skip()
        if reader.peek() == ",":
            commas.append(reader.at)
            reader.at += 1
            reader.skip()
            if reader.peek() == closing and not reader.comments:
                raise reader.fail("a comma stands before the end")
    reader.at += 1
    if not is_object:
        return Node([child.value for child in children], start, reader.at, at, key, tuple(children), tuple(commas))
    value = {child.key: child.value for child in children}
    return Node(value, start, reader.at, at, key, tuple(children), tuple(commas))


def _member(reader: _Reader, depth: int) -> Node:
    start = reader.at
    if reader.peek() != '"':
        raise reader.fail("a key is missing")
    key = _string(reader)
    reader.skip()
    if reader.peek() != ":":
        raise reader.fail("a colon is missing")
    reader.at += 1
    reader.skip()
    return _value(reader, depth + 1, start, key)


def _string(reader: _Reader) -> str:
    found = _STRING.match(reader.text, reader.at)
    if found is None:
        raise reader.fail("a string is not closed")
    try:
        text = json.loads(found[0])
    except ValueError:
        raise reader.fail("a string cannot be read") from None
    reader.at = found.end()
    return str(text)


def _end(match: re.Match[str] | None, otherwise: int) -> int:
    return match.end() if match is not None else otherwise
