"""Targets of a Makefile and recipes of a justfile: what each needs and does.

Read as text, without running anything: variables stay as they are written, included files are not followed.
"""

from __future__ import annotations

import re

from memdir_cli.domain.evidence import Observation, Probe, canonical_hash, shown
from memdir_cli.probes import documents
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.seeing import not_seen, of_unseen
from memdir_cli.probes.workspace import Unseen

#: ``name other: needs ; command``; the colon may be doubled and is no assignment.
_RULE = re.compile(r"(?P<names>[^\s#:=][^:#=]*?)\s*::?(?![:=])(?P<rest>.*)")
#: ``@name parameters: needs``, or ``alias name := recipe`` of a justfile.
_RECIPE = re.compile(r"@?(?P<names>[A-Za-z_][\w-]*)(?P<parameters>(?:\s[^:]*)?):(?!=)(?P<rest>.*)", re.ASCII)
_ALIAS = re.compile(r"alias\s+(?P<names>[A-Za-z_][\w-]*)\s*:=\s*(?P<rest>.+)", re.ASCII)

Targets = dict[str, list[str]]


def look_at_target(probe: Probe, ground: Ground) -> Observation:
    """One target: its line and its commands."""
    content = ground.content(probe.path)
    if isinstance(content, Unseen):
        return of_unseen(content)
    try:
        targets = targets_of(probe.path, documents.text_of(content))
    except documents.UnparsableError as error:
        return not_seen("unreadable", error.message)
    if probe.name in targets:
        lines = targets[probe.name]
        return Observation("seen", canonical_hash(lines), shown("; ".join(line for line in lines if line)))
    beside = tuple((name, canonical_hash(lines)) for name, lines in targets.items())
    return Observation("gone", message=f"no target `{probe.name}`", beside=beside)


def targets_of(path: str, text: str) -> Targets:
    """Targets by name: first what it needs, then its commands, white space at their ends removed."""
    just = "justfile" in path.rpartition("/")[2].lower()
    targets: Targets = {}
    current: tuple[str, ...] = ()
    for line in _joined(text, shell_comments=not just):
        indented = line[:1] == "\t" or (just and line[:1] == " ")
        if indented and current:
            for name in current:
                targets[name].append(line.strip())
        elif line.strip() and not indented:
            current = _begun(line, targets, just=just)
    return {name: [line for line in lines if line] or [""] for name, lines in targets.items()}


def _begun(line: str, targets: Targets, *, just: bool) -> tuple[str, ...]:
    """The names of the targets that ``line`` begins, entered into ``targets``; none for any other line."""
    match = (_ALIAS.fullmatch(line) or _RECIPE.fullmatch(line)) if just else _RULE.fullmatch(line)
    if match is None:
        return ()
    parameters = match.groupdict().get("parameters") or ""
    needs, _, command = match["rest"].partition(";")
    names = tuple(name for name in match["names"].split() if just or not name.startswith("."))
    for name in names:
        own = targets.setdefault(name, [])
        own += [" ".join(part.split()) for part in (parameters, needs.partition(" #")[0], command)]
    return names


def _joined(text: str, *, shell_comments: bool) -> list[str]:
    """Lines with continuations joined and, at the left edge, comments left out."""
    lines: list[str] = []
    pending = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        if shell_comments and line.endswith("\\"):
            pending += line[:-1].rstrip() + " "
            continue
        whole = pending + (line.strip() if pending else line)
        pending = ""
        if not whole.startswith("#"):
            lines.append(whole)
    return lines
