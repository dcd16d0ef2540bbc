"""Layout: where everything lies in a memdir. Pure functions of strings; touches no disk.

Every path is a POSIX path from the memdir's root. Imports next to nothing: it is on the way of commands that must be
quick.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` is dear to import
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from memdir_cli.domain.memory import Memory
    from memdir_cli.domain.snapshot import Layer

INDEX = "MEMORY.md"
CONFIG = "config.yaml"
GITIGNORE = ".gitignore"
GITATTRIBUTES = ".gitattributes"
TOMBSTONES = "tombstones.jsonl"

MEMORIES = "memories"
INBOX = "inbox"
QUARANTINE = "quarantine"
HISTORY = "history"
ARCHIVE = "archive"
RECEIPTS = "receipts"
LOCAL = "local"
TASKS = "local/tasks"
SOURCES = "local/sources"
ACCESS = "local/access"
REFUSALS = "local/refusals"
PROMPTS = "local/prompts"
SET_ASIDE = "local/set-aside"

LOCK = "local/lock"
HOLDER = "local/lock.json"
JOURNAL = "local/journal.json"
PREPARED = "local/prepared.json"
CACHE = "local/cache"
SEARCH = "local/search"
ROLL = "local/roll"
EXPORTS = "local/exports.json"

#: The user memdir's own tombstones once more, where git, which may take the other file back, does not reach.
KEPT_TOMBSTONES = "local/tombstones.jsonl"

#: Letters of the digest of qualifiers in a name.
QUALIFIED = 8

#: What is made from the memory files and holds their texts once more.
DERIVED: tuple[str, ...] = (CACHE, SEARCH, ROLL)

#: What lies on this machine only, by file or folder, and what it holds of memories: a new store has its line
#: here, so that forgetting knows it. ``ids`` are ids, keyed digests and paths at most; the words name how
#: :mod:`memdir_cli.storage.residue` empties a store.
LOCAL_STORES: Mapping[str, Literal["ids", "memories", "sources", "versions", "derived", "prompts"]] = {
    LOCK: "ids",
    HOLDER: "ids",
    JOURNAL: "ids",
    PREPARED: "ids",
    EXPORTS: "ids",
    KEPT_TOMBSTONES: "ids",
    ACCESS: "ids",
    REFUSALS: "ids",
    TASKS: "memories",
    SOURCES: "sources",
    PROMPTS: "prompts",
    SET_ASIDE: "versions",
    **dict.fromkeys(DERIVED, "derived"),
}

#: Every folder in which memdir writes, ``""`` being the root; parents stand before their children.
FOLDERS: tuple[str, ...] = (
    "", MEMORIES, INBOX, QUARANTINE, HISTORY, ARCHIVE, RECEIPTS, LOCAL, TASKS, SOURCES, ACCESS, REFUSALS, PROMPTS,
    SET_ASIDE,
)  # fmt: skip

#: Folders and files that no other account may read, in whichever memdir they lie.
PRIVATE: tuple[str, ...] = (TASKS, SOURCES, ACCESS, REFUSALS, PROMPTS, SET_ASIDE, EXPORTS, KEPT_TOMBSTONES, *DERIVED)

#: Bytes of a text that people write and read, of a quarantined memory, which holds its past too, of a log or a
#: table, and of what is derived from all memories; larger files are not read.
TEXT_LIMIT, SEALED_LIMIT, LOG_LIMIT, DERIVED_LIMIT = 1 << 20, 1 << 24, 64 << 20, 256 << 20

_TEMP_PREFIX, _TEMP_SUFFIX = ".memdir-", ".tmp"

_OLDER_SOURCES = ".sources.jsonl"


def memory_folders(layer: Layer) -> tuple[str, ...]:
    """The folders that hold memory files; task memories lie in the user memdir only."""
    folders = (MEMORIES, INBOX, QUARANTINE, HISTORY, ARCHIVE)
    return (*folders, TASKS) if layer == "user" else folders


def path_of(memory: Memory, layer: Layer) -> str:
    """Where a memory lies, by its identity, status, id and revision."""
    from memdir_cli.domain.identity import stem
    from memdir_cli.domain.status import CURRENT, FOLDER

    name = stem(memory.identity, repository=layer == "user")
    if memory.status in CURRENT:
        return f"{TASKS if memory.scope.level == 'task' else MEMORIES}/{name}.md"
    folder = FOLDER[memory.status]
    if folder == HISTORY:
        return f"{folder}/{name}~{memory.id}@{memory.revision}.md"
    return f"{folder}/{name}~{memory.id}.md"


def older_sources_path(memory: Memory, layer: Layer) -> str:
    """Where the sources go for which the header of a memory has no room any more: lines of JSON in history."""
    from memdir_cli.domain.identity import stem

    return f"{HISTORY}/{stem(memory.identity, repository=layer == 'user')}~{memory.id}{_OLDER_SOURCES}"


def is_older_sources(name: str) -> bool:
    """Whether a file name is that of :func:`older_sources_path`."""
    return "~" in name and name.endswith(_OLDER_SOURCES)


def receipts_path(at: str) -> str:
    """The month file of a receipt.

    :param at: RFC 3339 time, such as ``2026-09-14T09:30:00Z``.
    """
    return f"{RECEIPTS}/{at[:7]}.jsonl"


def access_path(at: str) -> str:
    """The month file of the access log."""
    return f"{ACCESS}/{at[:7]}.jsonl"


def refusals_path(at: str) -> str:
    """The month file of the log of refusals."""
    return f"{REFUSALS}/{at[:7]}.jsonl"


def sources_path(memory_id: str) -> str:
    """The full sources of one memory: on this machine only."""
    return f"{SOURCES}/{memory_id}.jsonl"


def temp_path(target: str, transaction: str, number: int) -> str:
    """The temporary file number ``number`` of a transaction, beside its target."""
    return join(folder_of(target), f"{_TEMP_PREFIX}{transaction}-{number}{_TEMP_SUFFIX}")


def set_aside_path(transaction: str, path: str) -> str:
    """Where a version goes that could not lie at ``path``: folders become ``+`` in its name."""
    return f"{SET_ASIDE}/{transaction}-{path.replace('/', '+').lstrip('.')}"


def is_temp_name(name: str) -> bool:
    """Whether a file name is that of a temporary file of ours."""
    return name.startswith(_TEMP_PREFIX) and name.endswith(_TEMP_SUFFIX)


def is_private(path: str) -> bool:
    """Whether no other account may read what lies at ``path``, also in a project memdir."""
    return any(path == folder or path.startswith(f"{folder}/") for folder in PRIVATE)


def id_of(path: str) -> str:
    """The id in the name of a memory file outside ``memories/``, ``""`` where there is none."""
    return name_of(path).removesuffix(".md").rpartition("~")[2].partition("@")[0] if "~" in path else ""


def key_of(path: str) -> str:
    """The key that a memory file has by its name, in comparable form; a long one is cut."""
    name = name_of(path).removesuffix(".md").partition("~")[0]
    key, dashes, qualifiers = name.rpartition("--")
    return key if dashes and len(qualifiers) == QUALIFIED else name


def limit_of(path: str) -> int:
    """How many bytes of the file at ``path`` are read at most."""
    if path.startswith(f"{QUARANTINE}/"):
        return SEALED_LIMIT
    if path in DERIVED:
        return DERIVED_LIMIT
    return TEXT_LIMIT if path.endswith((".md", ".yaml", GITIGNORE)) else LOG_LIMIT


def folder_of(path: str) -> str:
    """The folder of a path, ``""`` for the root."""
    return path.rpartition("/")[0]


def name_of(path: str) -> str:
    """The last component of a path."""
    return path.rpartition("/")[2]


def join(folder: str, name: str) -> str:
    """``folder/name``, or ``name`` in the root."""
    return f"{folder}/{name}" if folder else name
