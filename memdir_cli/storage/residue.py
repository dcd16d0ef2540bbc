"""Residue: every file of one memdir that holds something of memories which are to be forgotten.

Memory files are found by what is in them; what cannot be read, and what lies beside them, by its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from memdir_cli.domain.changes import Remove
from memdir_cli.domain.forgetting import Aim
from memdir_cli.domain.identity import Identity, stem
from memdir_cli.domain.snapshot import Layer, Record, digest_of
from memdir_cli.errors import FaultError
from memdir_cli.shapes import dataclass
from memdir_cli.storage import layout, memories, prompts
from memdir_cli.storage.reading import list_folder, read_file

#: Larger files are not ours.
LIMIT = 64 << 20

#: The files of ours in the root.
_AT_THE_TOP = frozenset({layout.INDEX, layout.CONFIG, layout.TOMBSTONES, layout.GITIGNORE, layout.GITATTRIBUTES})

_ID = re.compile(rb"^id:[ \t]*[\"']?([\w-]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for.

    :ivar aim: with every id that goes.
    :ivar identities: the identities that go whole.
    :ivar paths: of the memory files that go.
    :ivar unreadable: of the files that are no readable memories.
    :ivar staying: ids of the memories that stay.
    :ivar texts: what those files say, as it would stand in another one.
    """

    root: str
    layer: Layer
    aim: Aim
    identities: tuple[Identity, ...]
    paths: frozenset[str]
    unreadable: tuple[str, ...]
    staying: frozenset[str]
    texts: tuple[bytes, ...]


def residue(search: Search) -> tuple[Remove, ...]:
    """What goes besides the memory files that could be read.

    :raises FaultError: if a folder or file cannot be looked at.
    """
    found = dict((*_beside(search), *_broken(search), *_copies(search)))
    for place, holds in layout.LOCAL_STORES.items():
        if holds in _FOUND:
            found |= dict(_FOUND[holds](search, place))
    return tuple(Remove(path, digest_of(content)) for path, content in sorted(found.items()))


def id_in(content: bytes) -> str:
    """The id in the header of a file that is no readable memory, ``""`` if none shows."""
    match = _ID.search(content)
    return match[1].decode("ascii") if match else ""


def holding(root: str, texts: Iterable[str]) -> tuple[str, ...]:
    """The files of a memdir in which one of ``texts`` stands, whatever they are."""
    wanted = [text.encode("utf-8", "surrogatepass") for text in texts]
    return tuple(path for path, content in _files(root, "") if any(text in content for text in wanted))


def _beside(search: Search) -> Iterator[tuple[str, bytes]]:
    """In the folders of memories: by name, what belongs to an id, and what lies at the place of an identity."""
    marks = [f"~{one}" for one in search.aim.ids]
    homes = {f"{stem(one, repository=search.layer == 'user')}.md" for one in search.identities}
    for folder in layout.memory_folders(search.layer):
        for entry in list_folder(search.root, folder):
            path = layout.join(folder, entry.name)
            named = any(_follows(entry.name, mark) for mark in marks)
            at_home = entry.name in homes and folder in {layout.MEMORIES, layout.TASKS}
            if entry.kind == "file" and path not in search.paths and (named or at_home):
                content = read_file(search.root, path, limit=LIMIT)
                if content is not None and _is_nobodys(search, path, content):
                    yield path, content


def _broken(search: Search) -> Iterator[tuple[str, bytes]]:
    """Files that cannot be read and still show an id."""
    for path in search.unreadable:
        content = read_file(search.root, path, limit=LIMIT)
        if content is not None and id_in(content) in search.aim.ids:
            yield path, content


def _copies(search: Search) -> Iterator[tuple[str, bytes]]:
    """What editors and merges left of those files, and of the index, under a name of their own: `host.md~`."""
    names = {layout.name_of(path) for path in search.paths}
    shown = re.compile(rb"\bid:[ \t]*[\"']?(%b)\b" % b"|".join(one.encode() for one in sorted(search.aim.ids)))
    for folder in ("", *layout.memory_folders(search.layer)):
        of = names if folder else {layout.INDEX}
        for path, content in _strays(search.root, folder):
            name = layout.name_of(path)
            copied = any(one in name for one in of) and any(mark in content for mark in _marks(search))
            if copied or (folder and search.aim.ids and shown.search(content)):
                yield path, content


def _strays(root: str, folder: str) -> Iterator[tuple[str, bytes]]:
    """The files of a folder that memdir neither wrote nor takes for memories, as far as they can be read."""
    for entry in list_folder(root, folder, hidden=True):
        own = layout.is_temp_name(entry.name) or layout.is_older_sources(entry.name) or entry.name in _AT_THE_TOP
        memory = folder and entry.name.endswith(".md") and not entry.name.startswith(".")
        if entry.kind == "file" and not own and not memory:
            path = layout.join(folder, entry.name)
            try:
                content = read_file(root, path, limit=LIMIT)
            except FaultError:
                continue
            if content is not None:
                yield path, content


def _follows(name: str, mark: str) -> bool:
    """Whether ``mark`` stands in a name as a whole id: ``~ID.md``, ``~ID@2.md``, ``~ID.sources.jsonl``."""
    return name.partition(mark)[2][:1] in {".", "@"}


def _is_nobodys(search: Search, path: str, content: bytes) -> bool:
    """Whether a file is no memory that can be read: that one is meant or not by what is in it."""
    return not isinstance(memories.parse_record(path, content, search.layer), Record)


def _sources(search: Search, place: str) -> Iterator[tuple[str, bytes]]:
    """Those of the ids; and of memories that are gone, as a candidate that was rejected, those that say the same."""
    for path, content in _files(search.root, place):
        memory_id = layout.name_of(path).removesuffix(".jsonl")
        gone = memory_id not in search.staying and any(text in content for text in search.texts)
        if gone or memory_id in search.aim.ids:
            yield path, content


def _derived(search: Search, place: str) -> Iterator[tuple[str, bytes]]:
    """Whatever it holds, and however large it is: the next writer makes it anew."""
    content = read_file(search.root, place)
    if content is not None:
        yield place, content


def _versions(search: Search, place: str) -> Iterator[tuple[str, bytes]]:
    for path, content in _files(search.root, place):
        found = memories.parse_record(path, content, search.layer)
        covered = isinstance(found, Record) and search.aim.covers(found.memory)
        if covered or id_in(content) in search.aim.ids or any(mark in content for mark in _marks(search)):
            yield path, content


def _marks(search: Search) -> Iterator[bytes]:
    """What shows in an index or a broken file that it tells of the forgotten."""
    yield from (f"]({path})".encode("utf-8", "surrogateescape") for path in search.paths)
    yield from search.texts


def _prompts(search: Search, place: str) -> Iterator[tuple[str, bytes]]:
    """Those in which a user named something of it, in whichever memdir it lay; and what is no prompt."""
    # dear to import, and only needed here
    from memdir_cli.domain.utterance import plain

    words = [plain(word).casefold() for word in search.aim.words]
    for path, content in _files(search.root, place):
        text = prompts.text_in(content)
        if text is None or any(word in plain(text).casefold() for word in words):
            yield path, content


def _files(root: str, folder: str) -> Iterator[tuple[str, bytes]]:
    for entry in list_folder(root, folder, hidden=True):
        path = layout.join(folder, entry.name)
        if entry.kind == "folder" and entry.name != ".git":
            yield from _files(root, path)
        elif entry.kind == "file":
            content = read_file(root, path)
            if content is not None:
                yield path, content


_FOUND: Mapping[str, Callable[[Search, str], Iterator[tuple[str, bytes]]]] = {
    "sources": _sources,
    "versions": _versions,
    "derived": _derived,
    "prompts": _prompts,
}
