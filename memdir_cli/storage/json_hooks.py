"""Hook entries in the JSON of an agent's settings: put in and taken out; every other character stays.

No mark can stand in JSON, so that whitespace tells what is whose: an object or array that was empty gets its first
child right behind its bracket, one that was made for it has whitespace there and goes with its last child. All is put
in first, so that no line of somebody else's changes, and none is shown in a diff.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from memdir_cli.shapes import dataclass, field
from memdir_cli.storage.json_spans import Node, NoJsonError, parse

#: The key of the object that has a list of hooks for every event.
KEY = "hooks"

#: Keys under which agents take a command line.
_COMMANDS = ("command", "bash", "powershell")
_OURS = re.compile(r"\bmemdir(?:_cli)? hook (?:session-start|prompt|post-tool|stop)\b")
_BLANK = re.compile(r"[ \t\r\n]*\Z")
_JOINT = re.compile(r"[ \t\r\n]*,[ \t\r\n]*\Z")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to stand in a file of settings.

    :ivar events: by the agent's name of an event, the element of its list.
    :ivar beside: members that the file must have beside the hooks.
    :ivar comments: whether the agent reads a file with comments.
    """

    events: Mapping[str, object]
    beside: Mapping[str, object] = field(default_factory=dict)
    comments: bool = False


@dataclass(frozen=True, slots=True)
class Fitted:
    """A file of settings as it is to become.

    :ivar text: ``None`` if nothing is left that somebody else has written.
    :ivar edited: events whose hook somebody has changed since it was put in.
    """

    text: str | None
    edited: tuple[str, ...] = ()


def with_hooks(text: str | None, wanted: Wanted) -> Fitted:
    """``text`` with every hook; one that somebody has changed and that calls memdir all the same stays so.

    :param text: ``None`` if there is no such file.
    :raises NoJsonError: if it cannot be read, or has something else where hooks belong.
    """
    if text is None:
        events = {event: [element] for event, element in wanted.events.items()}
        return Fitted(f"{json.dumps({**wanted.beside, KEY: events}, indent=2)}\n")
    made = _hooks(parse(text, comments=wanted.comments)) is None
    edited = []
    for event, element in reversed(list(wanted.events.items())):
        text, changed = _with_event(text, event, element, comments=wanted.comments)
        edited += [event] if changed else []
    for key, value in wanted.beside.items() if made else ():
        root = parse(text, comments=wanted.comments)
        if root.member(key) is None:
            text = _with_child(text, root, value, key)
    return Fitted(text, tuple(reversed(edited)))


def without_hooks(text: str, wanted: Wanted) -> Fitted:
    """``text`` without any hook that calls memdir, and without what was made for them.

    :raises NoJsonError: if it cannot be read.
    """
    edited = []
    left: str | None = _without_beside(text, wanted)
    while left is not None:
        root = parse(left, comments=wanted.comments)
        found = next(_ours(root), None)
        if found is None:
            break
        event, chain, whole = found
        edited += [] if whole.value == wanted.events.get(event) else [event]
        left = _without(left, chain)
    return Fitted(left, tuple(dict.fromkeys(edited)))


def missing(text: str, wanted: Wanted) -> tuple[str, ...]:
    """The keys that a file must have beside the hooks and has not."""
    root = parse(text, comments=wanted.comments)
    return tuple(key for key in wanted.beside if root.member(key) is None)


def _hooks(root: Node) -> Node | None:
    """The object of the hooks.

    :raises NoJsonError: if there is something else.
    """
    if not isinstance(root.value, dict):
        raise NoJsonError("it holds no object", 1)
    hooks = root.member(KEY)
    if hooks is not None and not isinstance(hooks.value, dict):
        raise NoJsonError(f"its `{KEY}` is no object", 1)
    for node in (root, *([hooks] if hooks is not None else [])):
        keys = [child.key for child in node.children]
        if len(keys) > len(set(keys)):
            raise NoJsonError("a key stands there twice", 1)
    return hooks


def _with_event(text: str, event: str, element: object, *, comments: bool) -> tuple[str, bool]:
    """``text`` with the element in the list of an event, and whether somebody has changed it."""
    root = parse(text, comments=comments)
    hooks = _hooks(root)
    if hooks is None:
        return _with_child(text, root, {event: [element]}, KEY, made=True), False
    array = hooks.member(event)
    if array is None:
        return _with_child(text, hooks, [element], event, made=True), False
    if not isinstance(array.value, list):
        raise NoJsonError(f"its `{event}` is no list", 1)
    if any(child.value == element for child in array.children):
        return text, False
    ours = next((child for child in array.children if any(map(_calls, _handlers(child)))), None)
    if ours is None:
        return _with_child(text, array, element), False
    (canonical,) = _values(element)
    if any(_commands(handler.value) == _commands(canonical) for handler in _handlers(ours)):
        return text, True
    handlers = _handlers(ours)
    alone = all(map(_calls, handlers))
    node = ours if alone else next(filter(_calls, handlers))
    piece = _laid_out(text, node.start, element if alone else canonical)
    return text[: node.start] + piece + text[node.end :], False


def _without_beside(text: str, wanted: Wanted) -> str:
    """``text`` without the members that were put in together with the hooks: they stand right before them."""
    root = parse(text, comments=wanted.comments)
    hooks = _hooks(root)
    if hooks is None or not hooks.children or not _is_made(text, hooks) or not _all_ours(text, hooks):
        return text
    for key, value in wanted.beside.items():
        root = parse(text, comments=wanted.comments)
        keys = [child.key for child in root.children]
        before = root.children[: keys.index(KEY)][-1:]
        if before and (before[0].key, before[0].value) == (key, value):
            text = _without(text, (root, before[0])) or text
    return text


def _ours(root: Node) -> Iterator[tuple[str, tuple[Node, ...], Node]]:
    """Every hook that calls memdir: its event, the way down to what goes, and the whole element."""
    hooks = _hooks(root)
    if hooks is None:
        return
    for array in hooks.children:
        for element in array.children:
            handlers = _handlers(element)
            calling = [handler for handler in handlers if _calls(handler)]
            if calling and len(calling) == len(handlers):
                yield array.key or "", (root, hooks, array, element), element
            elif calling:
                inner = (element.member(KEY) or element, calling[0])
                yield array.key or "", (root, hooks, array, element, *inner), element


def _all_ours(text: str, hooks: Node) -> bool:
    """Whether nothing but hooks that call memdir stands there; a list that is or was empty is somebody's."""
    for array in hooks.children:
        lists = [_handlers(element) for element in array.children]
        if not lists or not _is_made(text, array) or not all(own and all(map(_calls, own)) for own in lists):
            return False
    return True


def _handlers(element: Node) -> tuple[Node, ...]:
    """What an element of an event's list runs: itself, or the handlers that it holds."""
    inner = element.member(KEY)
    return inner.children if inner is not None and isinstance(inner.value, list) else (element,)


def _values(element: object) -> list[object]:
    inner = element.get(KEY) if isinstance(element, dict) else None
    return inner if isinstance(inner, list) else [element]


def _calls(handler: Node) -> bool:
    """Whether a handler calls memdir."""
    return any(_OURS.search(command) for command in _commands(handler.value))


def _commands(handler: object) -> list[str]:
    told = [handler.get(key) for key in _COMMANDS] if isinstance(handler, dict) else []
    return [command for command in told if isinstance(command, str)]


def _is_made(text: str, container: Node) -> bool:
    """Whether an object or array was made for its first child."""
    return text[container.at + 1 : container.children[0].start] != ""


def _with_child(text: str, container: Node, value: object, key: str | None = None, *, made: bool = False) -> str:
    """``text`` with one more child at the beginning of an object or array.

    :param made: whether the lists of ``value``, and what holds them, are made here.
    """
    at = container.at + 1
    if not container.children:
        return text[:at] + _laid_out(text, container.at, value, key, deeper=True) + text[at:]
    first = container.children[0].start
    gap = text[at:first]
    # on the line of the bracket that stands in it
    lead = text[text.rfind("\n", at, first) + 1 : first]
    if lead.strip(" \t"):
        gap = gap if not gap.strip() else ""
        return f"{text[:at]}{gap}{_named(key)}{_on_one_line(value, made=made)},{'' if gap else ' '}{text[at:]}"
    return f"{text[:at]}{_newline(text)}{lead}{_laid_out(text, first, value, key)},{text[at:]}"


def _laid_out(text: str, at: int, value: object, key: str | None = None, *, deeper: bool = False) -> str:
    """A value as text over several lines, indented as the line on which it begins."""
    unit = _unit(text)
    line = text[text.rfind("\n", 0, at) + 1 : at]
    indent = line[: len(line) - len(line.lstrip(" \t"))] + (unit if deeper else "")
    body = json.dumps(value, indent=unit).replace("\n", _newline(text) + indent)
    return _named(key) + body


def _on_one_line(value: object, *, made: bool) -> str:
    if not made:
        return json.dumps(value)
    if isinstance(value, dict):
        inner = ", ".join(f"{_named(key)}{_on_one_line(one, made=True)}" for key, one in value.items())
        return f"{{ {inner} }}"
    (element,) = value if isinstance(value, list) else (value,)
    return f"[ {json.dumps(element)} ]"


def _named(key: str | None) -> str:
    return "" if key is None else f"{json.dumps(key)}: "


def _without(text: str, chain: tuple[Node, ...]) -> str | None:
    """``text`` without the last node of ``chain``, and without the containers that were made for it.

    :returns: ``None`` if nothing is left.
    """
    *above, container, child = chain
    left = text
    for start, end in reversed(_cuts(text, container, child)):
        left = left[:start] + left[end:]
    if not _is_made(text, container):
        return left
    around = text[container.at + 1 : child.start] + text[child.end : container.end - 1]
    if not _BLANK.match(around.replace(",", "")):
        return left  # another child, or somebody's comment
    if above:
        return _without(text, (*above, container))
    return left if (text[: container.start] + text[container.end :]).strip() else None


def _cuts(text: str, container: Node, child: Node) -> list[tuple[int, int]]:
    """From where to where a child is to be taken out; of comments nothing goes, of commas one."""
    at = container.children.index(child)
    commas = [(comma, comma + 1) for comma in container.commas]
    lead = text[container.at + 1 : child.start]
    if commas[:1] == [(child.end, child.end + 1)] and _BLANK.match(lead):
        alone = len(container.children) == 1
        spaced = not lead and text[child.end + 1 : child.end + 2] == " "
        return [(child.start if alone else container.at + 1, child.end + (2 if spaced else 1))]
    before = container.children[:at][-1:]
    if before and _JOINT.match(text[before[0].end : child.start]):
        return [(before[0].end, child.end)]
    # a comment stands between: the comma behind goes, where there is none the one before
    return sorted([(child.start, child.end), *(commas[at : at + 1] or commas[-1:])])


def _unit(text: str) -> str:
    """One step of indentation, as the first indented line has it."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
