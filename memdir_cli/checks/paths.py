"""Identity and path: each memory in the file that its identity gives it, and each identity once (M2)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.files import BAD_PATH
from memdir_cli.checks.rule import Rule, Sighting
from memdir_cli.domain.identity import RESERVED
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import Record

#: Folders from which memories are served.
SERVED = frozenset({"memories", "local/tasks"})

#: Characters that some file system refuses in a name.
_UNSAFE = frozenset('\\:*?"<>|')


def folder_of(path: str) -> str:
    """The folder of a path from the memdir's root."""
    return path.rpartition("/")[0]


def homeless(memory: Memory, layer: str) -> bool:
    """Whether a memory belongs into the other memdir: a user's own never lies in a repository."""
    if layer == "user":
        return not memory.subject.startswith("user:")
    return not memory.subject.startswith("project:") or memory.scope.level != "repository"


def twins(examined: Examined) -> dict[str, Record]:
    """By the path of each file that repeats the identity of a current record: that record."""
    return {record.path: kept for record, kept in examined.repeated if _same(record, kept)}


def _same(one: Record, other: Record) -> bool:
    return one.memory.identity.key == other.memory.identity.key


def _strayed(examined: Examined) -> Iterator[tuple[Record, str]]:
    """Records that lie in the right folder under a wrong name, and their home."""
    repeated = twins(examined)
    for record in examined.records:
        home = examined.homes[record.path]
        if home == record.path or folder_of(home) != record.folder or record.path in repeated:
            continue
        if not homeless(record.memory, examined.layer):
            yield record, home


def _misplaced(examined: Examined) -> Iterator[Sighting]:
    for record, home in _strayed(examined):
        if home in examined.free:
            message = f"The file of `{record.memory.predicate}` belongs at `{home}`; type `memdir repair`"
            yield Sighting(record.path, message, key="predicate", target=home)


def _home_taken(examined: Examined) -> Iterator[Sighting]:
    taken = [(record, home) for record, home in _strayed(examined) if home not in examined.free]
    doubled = {sighting.path for sighting in _id_twice(examined)} if taken else set()
    for record, home in taken:
        if record.path not in doubled:
            message = (
                f"The file of `{record.memory.predicate}` belongs at `{home}`, which is taken or claimed twice; "
                "move or rename one of them by hand, then type `memdir repair`"
            )
            yield Sighting(record.path, message, key="predicate")


def _identity_twice(examined: Examined) -> Iterator[Sighting]:
    for path, kept in sorted(twins(examined).items()):
        message = (
            f"`{kept.memory.predicate}` stands in `{kept.path}` as well, with the same subject and scope; "
            f"{_one_of_both(examined, path)}keep one file, remove the other, then type `memdir repair`"
        )
        yield Sighting(path, message, key="predicate", fixable=path in examined.torn.files)


def _one_of_both(examined: Examined, path: str) -> str:
    """What to type where `repair` makes one file of two."""
    return "type `memdir repair`, which joins both, or " if path in examined.torn.files else ""


def _id_twice(examined: Examined) -> Iterator[Sighting]:
    if len({_name(record) for record in examined.records}) == len(examined.records):
        return
    repeated = twins(examined)
    first: dict[str, Record] = {}
    for record in sorted(examined.records, key=lambda record: _standing(record, examined)):
        if record.path in repeated:
            continue
        memory = record.memory
        kept = first.setdefault(_name(record), record)
        if kept is not record:
            message = (
                f"The id `{memory.id}` is that of `{kept.path}` as well; "
                f"{_one_of_both(examined, record.path)}"
                f"type `memdir show {kept.path}`, then give this file an id of its own or remove it"
            )
            yield Sighting(record.path, message, key="id", fixable=record.path in examined.torn.files)


def _name(record: Record) -> str:
    """What no two files have: revisions of one memory share its id, and each revision is there once."""
    return record.memory.ref if record.folder == "history" else record.memory.id


def _standing(record: Record, examined: Examined) -> tuple[bool, bool, bool, str]:
    """The order in which files have a right to an id: attributed, current, at home."""
    unsupported = bool(examined.unattributed.get(record.path))
    return (unsupported, not record.current, record.path != examined.homes[record.path], record.path)


def _wrong_memdir(examined: Examined) -> Iterator[Sighting]:
    for record in examined.records:
        memory = record.memory
        if homeless(memory, examined.layer):
            option = "--scope user" if examined.layer == "project" else "--scope repository"
            message = (
                f"A memory of `{memory.subject}` at `{memory.scope.text}` is never served from the {examined.layer} "
                f"memdir; type `memdir remember {memory.predicate} VALUE {option}`, then remove this file"
            )
            yield Sighting(record.path, message, key="subject")


def _foreign(examined: Examined) -> Iterator[Sighting]:
    own = examined.settings.repository
    if examined.layer != "project" or not own:
        return
    for record in examined.records:
        memory = record.memory
        if homeless(memory, "project"):
            continue
        about = memory.subject.removeprefix("project:")
        if about != own or memory.scope.repository != own:
            named = {about, memory.scope.repository or ""} - {own}
            other = sorted(named)[0]
            message = (
                f"This memory is about `{other}`, the memdir about `{own}`, so it is never served; if both are "
                f"one repository type `memdir init --id {other}`, else say it anew with `memdir remember`"
            )
            key = "subject" if memory.subject != f"project:{own}" else "scope"
            yield Sighting(record.path, message, key=key)


def _unsafe_name(examined: Examined) -> Iterator[Sighting]:
    records = {record.path for record in examined.records}
    barred = {one.path for one in examined.snapshot.unreadable if one.reason == BAD_PATH}
    for path in sorted((examined.names - records) | barred):
        if path in barred or not _safe(path.rpartition("/")[2]):
            message = "The name is not safe on every file system; rename the file, then type `memdir repair`"
            yield Sighting(path, message)


def _safe(name: str) -> bool:
    plain = not _UNSAFE.intersection(name) and all(char.isprintable() for char in name)
    device = name.casefold().split(".")[0].rstrip() in RESERVED
    return plain and not device and name[-1] not in ". " and len(name.encode("utf-8", "replace")) <= 255


def _stray(examined: Examined) -> Iterator[Sighting]:
    for stray in examined.strays:
        what = "A folder" if stray.kind == "folder" else "A file that is no `.md` file"
        message = f"{what} lies among the memories, where memdir does not look at it; move it out of the memdir"
        yield Sighting(stray.path, f"{message}, then type `memdir check`")


RULES: tuple[Rule, ...] = (
    Rule("M201", "misplaced", "error",
         "A memory does not lie at the path of its identity, so its key is not found.",
         "[`predicate: test_runner` in `memories/tests.md`]", "[the same in `memories/test_runner.md`]",
         _misplaced, fixable=True),
    Rule("M202", "home-taken", "error",
         "A memory does not lie at the path of its identity, and another file is there or wants to be.",
         "[`predicate: test_runner` in `memories/tests.md`, and an unreadable `memories/test_runner.md`]",
         "[the unreadable file mended or removed]", _home_taken),
    Rule("M203", "identity-twice", "error",
         "Two files are the same memory: equal in subject, key and scope.",
         "[a copy `memories/package_manager copy.md`]", "[one file a memory]", _identity_twice,
         fixable=True),
    Rule("M204", "id-twice", "error",
         "Two memories have the same id.",
         "[a copied file with another `predicate` and the old `id`]", "[an `id` of its own]", _id_twice,
         fixable=True),
    Rule("M205", "wrong-memdir", "error",
         "A memory lies in a memdir from which it is never served: a user's in a repository, or the reverse.",
         "subject: user:ada\nscope: user", "subject: project:github.com/acme/app", _wrong_memdir),
    Rule("M206", "foreign-repository", "error",
         "A memory is about another repository than its memdir, so it is never served.",
         "subject: project:github.com/other/app", "subject: project:github.com/acme/app", _foreign),
    Rule("M207", "unsafe-name", "warning",
         "A file has a name that some file system refuses.",
         "[`memories/aux.md`]", "[`memories/auxiliary.md`]", _unsafe_name),
    Rule("M208", "stray", "warning",
         "Something that is no memory file lies among the memories.",
         "[`memories/notes.txt`]", "[`docs/notes.txt`]", _stray),
)  # fmt: skip
