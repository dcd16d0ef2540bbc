"""Evidence: what in the workspace a memory depends on, how it is named, hashed and judged.

The hash is over the parsed value in canonical form, so that the order of keys, indentation, line ends, a byte
order mark, escapes and whatever stands beside the value never change it.
"""

from __future__ import annotations

import hashlib
from typing import Literal

from memdir_cli.domain.effective import Verdict
from memdir_cli.domain.memory import Evidence
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.shapes import dataclass

Kind = Literal["script", "scripts", "major", "target", "pointer", "content", "exists"]
State = Literal["seen", "gone", "absent", "unreadable"]

#: Stands before every hash: the canonical form that it was made from.
VERSION = "v1:"

#: Longest text of a value that is kept and shown.
SHOWN_CHARACTERS = 200

FORMS = (
    "give `package.json#scripts.NAME`, `package.json#scripts`, `package.json#version:major`, "
    "`Makefile#targets.NAME`, `PATH#/pointer`, `PATH` or `exists:PATH`"
)


@dataclass(frozen=True, slots=True)
class Probe:
    """Where to look.

    :ivar path: POSIX path from the root of the workspace.
    :ivar name: the script's or target's name, the pointer; ``""`` for the other kinds.
    """

    kind: Kind
    path: str
    name: str = ""

    @property
    def text(self) -> str:
        """The probe as it is written in ``dependsOn``."""
        forms: dict[Kind, str] = {
            "script": f"{self.path}#scripts.{self.name}",
            "scripts": f"{self.path}#scripts",
            "major": f"{self.path}#version:major",
            "target": f"{self.path}#targets.{self.name}",
            "pointer": f"{self.path}#{self.name}",
            "content": self.path,
            "exists": f"exists:{self.path}",
        }
        return forms[self.kind]

    def at(self, path: str) -> Probe:
        """The same look at another file."""
        return Probe(self.kind, path, self.name)


@dataclass(frozen=True, slots=True)
class Observation:
    """What one look saw.

    :ivar state: ``seen``; ``gone`` (the file is there, what is looked for in it is not); ``absent`` (no such
        file); ``unreadable`` (the file is not what its name says, or may not be read).
    :ivar hash: of what was seen, ``""`` otherwise.
    :ivar shown: what was seen, for people: the command, the value; ``""`` for whole files.
    :ivar message: why nothing was seen, a clause.
    :ivar beside: name and hash of what stands where the thing is gone.
    """

    state: State
    hash: str = ""
    shown: str = ""
    message: str = ""
    beside: tuple[tuple[str, str], ...] = ()


def parse_probe(text: str) -> Probe:
    """``text`` as a probe.

    :raises UsageError: if it is none, or its path leads out of the workspace.
    """
    path, hash_sign, fragment = text.strip().partition("#")
    exists = path.removeprefix("exists:")
    inside = _inside(exists)
    if inside is None or not text.isprintable():
        raise UsageError(f"The probe `{printable(text)}` names no path inside the project.", hint=FORMS)
    if not hash_sign:
        return Probe("content" if exists == path else "exists", inside)
    for prefix, kind in _FRAGMENTS if exists == path else ():
        if fragment.startswith(prefix) and len(fragment) > len(prefix):
            return Probe(kind, inside, fragment if kind == "pointer" else fragment.removeprefix(prefix))
    whole: dict[str, Kind] = {"scripts": "scripts", "version:major": "major"}
    if fragment not in whole or exists != path:
        raise UsageError(f"The probe `{printable(text)}` asks for what cannot be looked at.", hint=FORMS)
    return Probe(whole[fragment], inside)


_FRAGMENTS: tuple[tuple[str, Kind], ...] = (("scripts.", "script"), ("targets.", "target"), ("/", "pointer"))


def _inside(path: str) -> str | None:
    """``path`` without empty and ``.`` segments, ``None`` where it is empty or leads outwards."""
    segments = [segment for segment in path.split("/") if segment not in {"", "."}]
    outwards = not segments or path[0] in "/~" or ".." in segments or "\\" in path or segments[0][1:2] == ":"
    return None if outwards else "/".join(segments)


def canonical_hash(value: object) -> str:
    """``v1:`` and the SHA-256 of a parsed value in canonical form.

    :param value: of ``dict`` with text keys, ``list``, ``str``, ``int``, ``float``, ``bool``, ``None``.
    """
    import json

    # all in ASCII: a lone surrogate is legal in JSON, but not in UTF-8
    text = json.dumps(_simple(value), sort_keys=True, separators=(",", ":"))
    return VERSION + hashlib.sha256(text.encode("ascii")).hexdigest()


def _simple(value: object) -> object:
    """``value`` with one form for each number: ``1.0`` and ``1e0`` are ``1``."""
    if isinstance(value, dict):
        return {key: _simple(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_simple(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def shown(value: object) -> str:
    """``value`` in one short line for people, nothing in it that steers a terminal; ``""`` where it holds a secret.

    It is kept in memories, which others read.
    """
    if not isinstance(value, str):
        import json

        value = json.dumps(value, ensure_ascii=False)
    # read by those alone who look at evidence, and dear to import
    from memdir_cli.domain import secrets

    if secrets.find(value):
        return ""
    line = printable(" ".join(value.split()) if len(value) < 10 * SHOWN_CHARACTERS else value)
    return line if len(line) <= SHOWN_CHARACTERS else f"{line[: SHOWN_CHARACTERS - 1]}…"


def evidence(probe: Probe, seen: Observation) -> Evidence:
    """What is stored of a look; without hash where there was nothing to see."""
    return Evidence(probe.text, seen.hash, seen.shown)


def judge(stored: Evidence, seen: Observation, moved_to: str = "") -> Verdict:
    """What a look says of stored evidence.

    :param moved_to: the path of the only other file that holds the same, where the file itself is absent.
    """
    if not stored.hash.startswith(VERSION):
        why = "its hash is of a form that this memdir does not know" if stored.hash else "it was never seen"
        return Verdict("unknown", f"`{printable(stored.probe)}` cannot be compared: {why}")
    path, _, _ = stored.probe.removeprefix("exists:").partition("#")
    where = printable(path)
    if seen.state == "unreadable":
        return Verdict("unreadable", f"`{where}` cannot be read: {seen.message}")
    if moved_to:
        return Verdict("moved", f"`{where}` is gone; the same is now in `{printable(moved_to)}`", near=moved_to)
    if seen.state == "absent":
        return Verdict("unknown", f"`{where}` is not here: {seen.message}", absent=True)
    if seen.state == "gone":
        near = _nearest(stored, seen)
        now = f"; the nearest is `{printable(near)}`" if near else ""
        return Verdict("removed", f"`{printable(stored.probe)}` is gone{now}", old=stored.was, near=near)
    if seen.hash == stored.hash:
        return Verdict("same", old=stored.was, new=seen.shown)
    if not seen.shown:
        return Verdict("changed", f"`{printable(stored.probe)}` has changed")
    was = f"was `{printable(stored.was)}`, " if stored.was else "changed and "
    message = f"`{printable(stored.probe)}` {was}is now `{seen.shown}`"
    return Verdict("changed", message, old=stored.was, new=seen.shown)


def _nearest(stored: Evidence, seen: Observation) -> str:
    """The name that now has what was stored, else the one that is spelt most like it, else ``""``."""
    renamed = [name for name, held in seen.beside if held == stored.hash]
    if renamed:
        return renamed[0]
    import difflib

    name = parse_probe(stored.probe).name or stored.probe.rpartition("/")[2]
    name = name.rpartition("/")[2] if name.startswith("/") else name
    close = difflib.get_close_matches(name, [other for other, _ in seen.beside], cutoff=0.5)
    contained = [other for other, _ in seen.beside if name in other.split(":") or other in name.split(":")]
    return (contained or close or [""])[0]
