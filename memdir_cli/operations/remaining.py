"""Remaining: where a forgotten text may still be, out of memdir's reach, and what a person can do about it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence

from memdir_cli.domain.access import given
from memdir_cli.domain.forgetting import Aim, Remain
from memdir_cli.domain.identity import stem
from memdir_cli.domain.rows import rows, text_of
from memdir_cli.domain.source import Source
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError
from memdir_cli.operations.forgetting import Part, legible, texts_of
from memdir_cli.operations.withdrawing import Withdrawn
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes.committed import NAMED, Committed, committed
from memdir_cli.probes.git import quoted
from memdir_cli.shapes import dataclass
from memdir_cli.storage import access, layout, residue
from memdir_cli.storage.reading import read_file

#: Where coding agents keep what was said; the first part of a session's file name is its id.
TRANSCRIPTS = ("~/.claude", "~/.codex", "~/.gemini", "~/.cursor", "~/.copilot")

#: Bytes of an original that are looked at.
ORIGINAL = 4 << 20

#: So many sessions are named.
SESSIONS = 20


@dataclass(frozen=True, slots=True)
class Trail:
    """What leads to the places where something of it may still be; kept for as long as the command runs.

    :ivar texts: what it said.
    :ivar ids: its ids, which every file of it names.
    :ivar names: globs for the names of its files.
    :ivar sessions: ids of the sessions that said it or were shown it.
    :ivar originals: absolute paths of the files from which it was imported.
    :ivar going: by root of a memdir, the paths that go.
    """

    texts: tuple[str, ...]
    ids: tuple[str, ...]
    names: tuple[str, ...]
    sessions: tuple[str, ...]
    originals: tuple[str, ...]
    going: dict[str, frozenset[str]]


def trail(parts: Sequence[Part], aim: Aim) -> Trail:
    """What must be noted before it is forgotten."""
    records = [record for one in parts for record in one.records]
    stems = {stem(record.memory.identity, repository=record.layer == "user") for record in records}
    names = [f"{_literal(one)}{rest}" for one in sorted(stems) for rest in (".md", "~*")]
    names += [f"*~{one}{rest}" for one in sorted(aim.ids) for rest in (".*", "@*")]
    sources = (source for record in legible(records) for source in record.memory.source)
    sessions = dict.fromkeys((*map(_session, sources), *_told(parts, aim)))
    return Trail(
        texts_of(parts),
        tuple(sorted(aim.ids)),
        tuple(names),
        tuple(filter(None, sessions)),
        tuple(dict.fromkeys(_originals(parts, aim))),
        {one.store.root: frozenset(one.paths) for one in parts},
    )


def remains(workplace: Workplace, left: Trail) -> tuple[Remain, ...]:
    """Everything that memdir cannot take away, what was seen of it first."""
    found: list[Remain] = []
    for root, going in left.going.items():
        found += _in_files(root, left, going)
        held = committed(root, workplace.environ, left.ids, left.names)
        if held is not None and (going or held.commits):
            found += (*_in_git(held), *_in_worktrees(held, left))
    return (*found, *_in_originals(left), _in_backups(left), _in_transcripts(left))


def exported(withdrawn: Withdrawn) -> Iterator[Remain]:
    """What was exported: what could not be taken out, and what others may have made of it."""
    if withdrawn.left:
        why = "; ".join(f"`{printable(path)}`: {reason}" for path, reason in withdrawn.left)
        where = tuple(path for path, _ in withdrawn.left)
        look = tuple(f"rm -i -- {shlex.quote(path)}" for path in where)
        yield Remain(
            "exports",
            "yes",
            f"Files to which it was exported still hold it, or could not be changed: {why}",
            where,
            look,
        )
    if withdrawn.gone:
        message = "It was exported to where nothing is any more; whatever became of that may hold it."
        yield Remain("exports", "unknown", message, withdrawn.gone)
    if withdrawn.done:
        message = "It was taken out of what was exported; commits and copies of those files may still hold it."
        yield Remain("exports", "unknown", message, withdrawn.done)


def _in_originals(left: Trail) -> Iterator[Remain]:
    """The files from which it was imported, where they are still there."""
    holding = tuple(path for path in left.originals if _holds(path, left.texts))
    if holding:
        yield Remain(
            "originals",
            "yes",
            "The files from which it was imported hold it; memdir never changes them.",
            holding,
            tuple(f"rm -i -- {shlex.quote(path)}" for path in holding),
        )


def _holds(path: str, texts: Iterable[str]) -> bool:
    folder, name = os.path.split(path)
    try:
        content = read_file(folder, name, limit=ORIGINAL) or b""
    except (FaultError, OSError):
        return False
    return any(text.encode("utf-8", "surrogatepass") in content for text in texts)


def _in_files(root: str, left: Trail, going: frozenset[str]) -> Iterator[Remain]:
    """Other files of the memdir that say the same: other memories, and what a person keeps there."""
    try:
        holding = tuple(path for path in residue.holding(root, left.texts) if path not in {*going, layout.INDEX})
    except FaultError as error:
        yield Remain("files", "unknown", f"Not all of `{root}` could be looked at: {error.message}")
        return
    memories = [f"{root}/{path}" for path in holding if path.endswith(".md")]
    if memories:
        yield Remain(
            "files",
            "yes",
            "Other files of the memdir hold some of the same words; they are memories of their own and stay.",
            tuple(memories),
            tuple(f"memdir forget {shlex.quote(path)}" for path in memories),
        )
    others = [f"{root}/{path}" for path in holding if not path.endswith(".md")]
    if others:
        yield Remain(
            "files",
            "yes",
            "Files that memdir did not write and does not read lie in the memdir and hold some of the same words.",
            tuple(others),
            tuple(f"rm -i -- {shlex.quote(path)}" for path in others),
        )


def _in_git(held: Committed) -> Iterator[Remain]:
    at = f"git -C {quoted(held.top)}"
    if held.staged:
        add = f"{at} add -A -- {quoted(held.folder)}"
        yield Remain(
            "index",
            "yes",
            "git still holds the files until their removal is committed.",
            held.staged,
            (add, f"{at} commit -m 'Forget a memory'"),
        )
    if held.commits:
        some = f"{len(held.commits)} commits hold" if len(held.commits) > 1 else "1 commit holds"
        message = (
            f"At least {some} it, for everybody who has the repository. To take it out of all commits (older stashes "
            "and the reflog go with it):"
        )
        where = held.commits[:NAMED]
        yield Remain("commits", "yes", message, where, tuple(_rewriting(held, at)))
    if held.doubt:
        look = f"{at} log --all --oneline -- {' '.join(quoted(path) for path in held.paths or (held.folder,))}"
        yield Remain("commits", "unknown", f"There may be more commits: {held.doubt}.", (), (look,))
    elif not held.commits:
        yield Remain("commits", "no", "No commit of this repository holds it.")
    if held.commits or held.doubt:
        yield _in_clones(held, at)


def _in_worktrees(held: Committed, left: Trail) -> Iterator[Remain]:
    """The other working trees of the repository: each has the files that are checked out there."""
    holding = [memdir for memdir in held.beside if _lies_in(memdir, left.ids)]
    if holding:
        yield Remain(
            "clones",
            "yes",
            "Other working trees of this repository hold it; nothing serves it there.",
            tuple(holding),
            tuple(f"memdir check --fix --dir {shlex.quote(memdir)}" for memdir in holding),
        )


def _lies_in(memdir: str, ids: Iterable[str]) -> bool:
    """Whether a file of a memory there names one of ``ids``; receipts and tombstones do so and hold nothing else."""
    try:
        return any(path.endswith(".md") for path in residue.holding(memdir, ids))
    except FaultError:
        return False


def _rewriting(held: Committed, at: str) -> Iterator[str]:
    """How the files are taken out of every commit; the index goes with them, and is written anew."""
    index = layout.INDEX if held.folder == "." else f"{held.folder}/{layout.INDEX}"
    names = " ".join(shlex.quote(path) for path in (*held.paths, index))
    remove = f"git rm -q --cached --ignore-unmatch -- {names}"
    yield f"{at} filter-branch --force --index-filter {shlex.quote(remove)} --tag-name-filter cat -- --all"
    yield f"{at} for-each-ref --format='delete %(refname)' refs/original | {at} update-ref --stdin"
    yield f"{at} reflog expire --expire=now --all && {at} gc --quiet --prune=now"
    yield "memdir repair"


def _in_clones(held: Committed, at: str) -> Remain:
    if not held.remotes:
        return Remain("clones", "unknown", "Nobody knows who has copied or cloned this repository.")
    names = ", ".join(f"{name} ({url})" for name, url in held.remotes)
    seen = f"as far as is known here {', '.join(held.pushed)} hold it" if held.pushed else "none is known to hold it"
    return Remain(
        "clones",
        "yes" if held.pushed else "unknown",
        f"The remote {names} and every clone of it: {seen}. Each clone must be rewritten or made anew.",
        tuple(url for _, url in held.remotes),
        tuple(f"{at} push --force --{what} {name}" for name, _ in held.remotes for what in ("all", "tags")),
    )


def _in_backups(left: Trail) -> Remain:
    look = tuple(f"grep -rlF {one} FOLDER-OF-THE-BACKUP" for one in left.ids[:3])
    return Remain("backups", "unknown", "Backups and copies of the disk cannot be seen from here.", (), look)


def _in_transcripts(left: Trail) -> Remain:
    sessions = left.sessions[:SESSIONS]
    places = " ".join(TRANSCRIPTS)
    look = tuple(f"find {places} -name {shlex.quote(f'*{one}*')} 2>/dev/null" for one in map(_findable, sessions))
    if not sessions:
        return Remain("transcripts", "unknown", "Transcripts of agents may hold the words; no session is known.")
    message = "Transcripts of the sessions that said it or were shown it may hold the words."
    return Remain("transcripts", "unknown", message, sessions, look)


def _told(parts: Iterable[Part], aim: Aim) -> Iterator[str]:
    """The sessions that this machine knows whole: of the full sources, and those that were shown it."""
    for entry in _sources(parts, aim):
        yield text_of(entry, "session")
    for one in parts:
        for read in access.read(one.store.root):
            if any(shown.get("id") in aim.ids for shown in given(read)):
                yield text_of(read, "session")


def _originals(parts: Iterable[Part], aim: Aim) -> Iterator[str]:
    return (path for entry in _sources(parts, aim) if os.path.isabs(path := text_of(entry, "original")))


def _sources(parts: Iterable[Part], aim: Aim) -> Iterator[dict[str, object]]:
    """What this machine keeps of where it came from."""
    for one in parts:
        for memory_id in sorted(aim.ids):
            yield from rows(one.store.content(layout.sources_path(memory_id)) or b"")


def _session(source: Source) -> str:
    parts = (part.partition(":") for part in source.ref.split("/"))
    return next((session for name, _, session in parts if name == "session"), "")


def _findable(session: str) -> str:
    """The part of an id that a file name shows; a label ends with a checksum."""
    return session.partition("~")[0]


def _literal(name: str) -> str:
    return "".join(f"\\{char}" if char in "*?[\\" else char for char in name)
