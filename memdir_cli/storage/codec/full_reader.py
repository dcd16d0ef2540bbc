"""The full reader: all of YAML that can mean only one thing, every scalar as text.

Works on the events of ruamel.yaml's pure parser, so that nothing is resolved, constructed or expanded.
ruamel.yaml is imported on first use: a file that memdir wrote never needs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memdir_cli.domain.nesting import is_bottomless
from memdir_cli.shapes import dataclass, field
from memdir_cli.storage.codec.notices import Notice, lost_tail
from memdir_cli.storage.codec.scalars import Value
from memdir_cli.storage.codec.yaml_faults import explain, refuse
from memdir_cli.storage.problems import Malformed

DEPTH = 64

#: What looks like the rest of a value and is a comment, behind the value or behind its key's colon.
_TAIL = re.compile(r"[ \t]+(#[^\s][^\r\n]*)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_COLON = re.compile(r"[ \t]*:[ \t]+(#[^\s][^\r\n]*)")


@dataclass(frozen=True, slots=True)
class Extent:
    """Where a top-level key and its value stand, as character indexes into the text.

    :ivar key: of the key's first character.
    :ivar end: after the value's last character; where no value stands, the same as ``key``.
    :ivar open: the blank lines that follow belong to the value.
    """

    name: str
    key: int
    end: int
    open: bool


@dataclass(slots=True)
class Reading:
    """What stands in a YAML text.

    :ivar flow: the top level is written in braces.
    """

    values: dict[str, Value] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    extents: list[Extent] = field(default_factory=list)
    flow: bool = False


def read_full(text: str, *, first_line: int = 1) -> Reading:
    """Everything in ``text``, which is one YAML mapping or nothing.

    :param first_line: the line in the file on which ``text`` begins, for the places in errors.
    :raises Malformed: for what is not YAML, not a mapping, or means different things to different readers.
    """
    from ruamel.yaml.error import YAMLError

    if is_bottomless(text):
        raise Malformed("too-deep", line=first_line)
    try:
        return _Walk(text, first_line).read()
    except Malformed:
        raise
    except YAMLError as error:
        raise explain(error, text, first_line) from None
    except (RecursionError, ValueError, OverflowError, LookupError, AttributeError, TypeError, AssertionError):
        # the pure parser trips over some broken texts instead of refusing them
        raise Malformed("invalid-yaml", line=first_line) from None


class _Walk:
    """One pass over the events of a text."""

    def __init__(self, text: str, first_line: int) -> None:
        self.text = text
        self.first_line = first_line
        self.reading = Reading()
        self.tails: set[int] = set()
        self.end = 0
        self.open = False

    def read(self) -> Reading:
        from ruamel.yaml import YAML

        events: Iterator[Any] = YAML(typ="safe", pure=True).parse(self.text)
        for event in events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                if event.explicit:  # as every document behind the first one is
                    raise self._refused("several-documents", event)
            elif kind == "DocumentEndEvent" and event.explicit:
                raise self._refused("several-documents", event)
            elif kind == "MappingStartEvent":
                self._checked(event)
                self.reading.flow = bool(event.flow_style)
                self.reading.values = self._mapping(events, event, 1)
            elif kind == "AliasEvent":
                self._checked(event)
            elif kind in {"ScalarEvent", "SequenceStartEvent"}:
                self._checked(event)
                keys = kind == "ScalarEvent" and re.search(r"^[A-Za-z_][\w-]*:\s", self.text, re.MULTILINE)
                raise self._refused("missing-colon" if keys else "not-a-mapping", event)
        return self.reading

    def _mapping(self, events: Iterator[Any], start: Any, depth: int) -> dict[str, Value]:
        self._deep(start, depth)
        result: dict[str, Value] = {}
        places: dict[str, int] = {}
        while type(event := next(events)).__name__ != "MappingEndEvent":
            key = self._key(event)
            if key in result:
                raise self._twice(key, places[key], event)
            places[key] = event.start_mark.index
            value = next(events)
            if type(value).__name__ == "ScalarEvent" and value.start_mark.index == value.end_mark.index:
                # where an empty value stands is not always told; its comment follows the key
                self._tail(_COLON.match(self.text, event.end_mark.index))
            if depth == 1:
                result[key] = self._top(events, key, places[key], value)
            else:
                result[key] = self._node(events, value, depth)
        self._ended(event, start)
        return result

    def _top(self, events: Iterator[Any], key: str, index: int, value: Any) -> Value:
        self.end, self.open = index, False
        result = self._node(events, value, 1)
        self.reading.extents.append(Extent(key, index, self.end, self.open))
        return result

    def _node(self, events: Iterator[Any], event: Any, depth: int) -> Value:
        self._checked(event)
        kind = type(event).__name__
        if kind == "MappingStartEvent":
            return self._mapping(events, event, depth + 1)
        if kind == "SequenceStartEvent":
            self._deep(event, depth + 1)
            result = []
            while type(entry := next(events)).__name__ != "SequenceEndEvent":
                result.append(self._node(events, entry, depth + 1))
            self._ended(entry, event)
            return result
        return self._scalar(event)

    def _scalar(self, event: Any) -> str:
        text = self._text(event)
        if event.start_mark.index < event.end_mark.index:
            self._stands(event, text)
        if event.style in (None, ""):
            self._tail(_TAIL.match(self.text, event.end_mark.index))
        return text

    def _stands(self, event: Any, text: str) -> None:
        """Take note of where the scalar ends that was read last."""
        self.end, self.open = event.end_mark.index, False
        if event.style in ("|", ">"):
            # the parser ends a block at the next thing; its last line feeds are kept only where they are text
            self.open = text.endswith("\n\n") or not text.strip("\n")
            if not self.open:
                self.end = len(self.text[: self.end].rstrip(" \r\n"))

    def _tail(self, match: re.Match[str] | None) -> None:
        if match is not None and match.start(1) not in self.tails:
            self.tails.add(match.start(1))
            number = self.text.count("\n", 0, match.start(1))
            self.reading.notices.append(lost_tail(self.text, number, len(match[1])))

    def _key(self, event: Any) -> str:
        self._checked(event)
        if type(event).__name__ != "ScalarEvent":
            raise self._refused("complex-key", event)
        if event.value == "<<" and event.style in (None, ""):
            raise self._refused("merge-key", event)
        line = self.text.rfind("\n", 0, event.start_mark.index) + 1
        if re.compile(r" *\t").match(self.text, line, event.start_mark.index):
            raise self._refused("tab-indentation", event)
        return self._text(event)

    def _text(self, event: Any) -> str:
        text: str = event.value
        if _SURROGATE.search(text):
            # half of a character, or one in two halves as JSON has them, which YAML does not know
            raise self._refused("bad-escape", event)
        return text

    def _ended(self, event: Any, start: Any) -> None:
        """A list or mapping in brackets ends at its bracket, a block at its last scalar."""
        if start.flow_style:
            self.end, self.open = event.end_mark.index, False

    def _checked(self, event: Any) -> None:
        if type(event).__name__ == "AliasEvent":
            raise self._refused("alias", event)
        if event.anchor is not None:
            raise self._refused("anchor", event)
        if event.tag is not None:
            raise self._refused("tag", event)

    def _deep(self, event: Any, depth: int) -> None:
        if depth > DEPTH:
            raise self._refused("too-deep", event)

    def _refused(self, reason: str, event: Any) -> Malformed:
        return refuse(reason, self.text, event.start_mark.index, self.first_line)

    def _twice(self, key: str, first: int, event: Any) -> Malformed:
        lines = [self.first_line + self.text.count("\n", 0, index) for index in (first, event.start_mark.index)]
        message = f"The key `{key}` stands twice, on lines {lines[0]} and {lines[1]}."
        return refuse("duplicate-key", self.text, event.start_mark.index, self.first_line, message)
