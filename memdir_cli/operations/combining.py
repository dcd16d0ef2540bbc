"""Combining: what others have pushed and what is here, as one commit. The files change as in every other write.

git is asked for the versions and given the result; it merges nothing itself, so that what comes out does not depend
on which driver it knows and which file it takes for which. Interrupted anywhere, the next call does the rest.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping

from memdir_cli.domain.attribution import Claim, unsupported
from memdir_cli.domain.changes import ChangeSet, Remove, replacing
from memdir_cli.domain.event import Event
from memdir_cli.domain.forgetting import Aim
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.snapshot import digest_of
from memdir_cli.domain.status import CURRENT
from memdir_cli.domain.text import printable
from memdir_cli.domain.tombstone import Forgotten, forgotten
from memdir_cli.errors import PersonNeededError
from memdir_cli.operations import forgetting, isolating
from memdir_cli.operations.versioning import OWN, Repository, changed
from memdir_cli.probes.staging import GITLINK, LINK, blobs
from memdir_cli.shapes import dataclass
from memdir_cli.storage import disk, joining, layout, receipts, states, tombstones
from memdir_cli.storage.joining import Joined, Problem
from memdir_cli.storage.merging import Version, merge_lines
from memdir_cli.storage.states import Files
from memdir_cli.storage.writer import Writer

#: Mode of a plain file.
PLAIN = "100644"


@dataclass(frozen=True, slots=True)
class Tree:
    """A commit's files.

    :ivar entries: mode and blob by path.
    """

    entries: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Combined:
    """What came of it.

    :ivar paths: the files that changed here.
    """

    paths: tuple[str, ...] = ()
    conflicts: tuple[Memory, ...] = ()


def combine(found: Repository, writer: Writer, theirs: str, now: str) -> Combined:
    """Take in the commit ``theirs``. Only under the lock, with everything of ours committed.

    :raises PersonNeededError: if nobody but a person can join the two; nothing was changed.
    """
    ours = found.commit_of("HEAD")
    if ours and found.git("merge-base", "--is-ancestor", theirs, ours).status == 0:
        return Combined()
    base = found.ask("merge-base", ours, theirs) if ours else ""
    if ours and not base:
        raise PersonNeededError(
            "What lies here and what the remote has have no common past: they are two memdirs.",
            code="unrelated",
            hint=f"move this one aside and clone the other one into its place; the old one is kept:\n{_aside(found)}",
        )
    versions = _versions(found, base, ours, theirs)
    joined = _join(found, *versions)
    paths = _carry_out(found, writer, versions[1], versions[2], joined, now)
    _record(found, base, ours, theirs, paths)
    return Combined(tuple(paths), tuple(_conflicts(found, paths)))


def _aside(found: Repository) -> str:
    """What to type to put the remote's memdir in the place of this one."""
    here, old = shlex.quote(found.checkout.top), shlex.quote(f"{found.checkout.top}.old")
    return f'mv {here} {old} && git clone "$(git -C {old} remote get-url origin)" {here}'


def _versions(found: Repository, *commits: str) -> tuple[Files, Files, Files]:
    """The files of three commits; of those that are the memdir's own all, of others those that differ."""
    trees = [_tree(found, commit) for commit in commits]
    _refuse_foreign(found, trees)
    wanted = {
        path
        for path in {path for tree in trees for path in tree.entries}
        if _is_own(path) or len({tree.entries.get(path) for tree in trees}) > 1
    }
    names = sorted({tree.entries[path][1] for tree in trees for path in wanted if path in tree.entries})
    asked = "".join(f"{name}\n" for name in names).encode()
    contents = blobs(found.must("cat-file", "--batch", given=asked).output, names) if names else {}
    base, ours, theirs = (
        {path: contents[tree.entries[path][1]] for path in sorted(wanted) if path in tree.entries} for tree in trees
    )
    return base, ours, theirs


def _tree(found: Repository, commit: str) -> Tree:
    entries = {}
    for row in found.must("ls-tree", "-r", "-z", "--full-tree", commit).output.split(b"\0") if commit else ():
        about, _, name = row.partition(b"\t")
        if name:
            mode, _, blob = about.decode("ascii").split(" ")
            entries[os.fsdecode(name)] = (mode, blob)
    return Tree(entries)


def _refuse_foreign(found: Repository, trees: list[Tree]) -> None:
    """What the other side may not bring: this machine's own files, and what is no plain file."""
    base, ours, theirs = (tree.entries for tree in trees)
    for path, entry in theirs.items():
        if path.split("/")[0] == layout.LOCAL:
            raise PersonNeededError(
                f"The remote holds `{printable(path)}`, which is for one machine alone.",
                code="local-tracked",
                hint=f"on the machine that pushed it: git rm -r --cached {layout.LOCAL}",
            )
        changed = entry not in (base.get(path), ours.get(path))
        if changed and entry[0] != PLAIN and (entry[0] in {LINK, GITLINK} or _is_own(path)):
            raise _left_to_git(found, [Problem(path, "it is no plain file")])


def _join(found: Repository, base: Files, ours: Files, theirs: Files) -> Joined:
    store = found.store
    known = _forgotten(found, ours, theirs)
    key = store.config.key

    def gone(version: Version) -> bool:
        memory = version.memory
        return known.named(memory) is not None or tombstones.of_identity(key, memory, store.layer) in known.identities

    joined = joining.join(base, ours, theirs, store.layer, gone if known else lambda _: False)
    if joined.problems:
        raise _left_to_git(found, joined.problems)
    return joined


def _forgotten(found: Repository, ours: Files, theirs: Files) -> Forgotten:
    """What is forgotten once the tombstones and receipts of both sides stand together."""
    both = merge_lines(ours.get(layout.TOMBSTONES, b""), theirs.get(layout.TOMBSTONES, b""))
    guard = found.store.guard.tombstones() if found.store.guard is not None else b""
    stones, lifts = tombstones.entries(both + guard)
    logs = [content for side in (ours, theirs) for path, content in side.items() if path.startswith(layout.RECEIPTS)]
    told = {
        (str(receipt.get("txn")), *event)
        for content in logs
        for line in content.split(b"\n")
        if b'"lifted"' in line and (receipt := receipts.parse(line)) is not None
        for event in receipts.happened(receipt)
    }
    held = (lift for lift in lifts if (lift.transaction, "lifted", lift.id) in told)
    return forgotten(stones, (*held, *found.store.lifted(lifts)))


def _carry_out(found: Repository, writer: Writer, ours: Files, theirs: Files, joined: Joined, now: str) -> list[str]:
    """Write what came out, and then what it means for what is in quarantine; the paths that changed."""
    store = found.store
    due = [path for path in joining.changed(ours, joined.files) if path != layout.INDEX]
    _refuse_uncommitted(found, due)
    standing = {path: store.content(path) for path in due}
    puts = [replacing(path, joined.files[path], standing[path]) for path in due if path in joined.files]
    discards = [
        Remove(path, digest_of(content))
        for path, content in standing.items()
        if content is not None and path not in joined.files
    ]
    discards += _residue(found, ours, joined, due)
    if layout.INDEX in joined.files:
        puts.append(replacing(layout.INDEX, joined.files[layout.INDEX], None))
    events = tuple(Event("merged", memory) for memory in _vouched(found, ours, theirs, joined, due))
    writer.commit(ChangeSet(files=tuple(puts), discards=tuple(discards), events=events), now)
    # what one side knew of what the other one took out lies in the clear until now
    writer.commit(isolating.swept(store), now)
    return sorted({*due, *changed(found)})


def _vouched(found: Repository, ours: Files, theirs: Files, joined: Joined, due: Iterable[str]) -> Iterator[Memory]:
    """The memories that neither side has as they are now, and that the receipts of each side support as it had them.

    Without a receipt of their own nobody could tell them from what somebody wrote by hand.
    """
    key, layer = found.store.config.key, found.store.layer
    sides = [(states.latest(files, layer), _claims(files)) for files in (ours, theirs)]
    for path in due:
        content = joined.files.get(path)
        if content is None or content in (ours.get(path), theirs.get(path)) or not states.is_served(path):
            continue
        memory = states.memory_of(content)
        if memory is None:
            continue
        parts = [
            (one, claims)
            for versions, claims in sides
            for one in versions
            if memory.id == one.id or (one.status in CURRENT and memory.identity.key == one.identity.key)
        ]
        if all(not unsupported(receipts.claim(key, one), claims.get(one.id, [])) for one, claims in parts):
            yield memory


def _claims(files: Files) -> dict[str, list[Claim]]:
    """What the receipts among some files recorded, by id."""
    logs = (files[path] for path in sorted(files) if path.startswith(f"{layout.RECEIPTS}/"))
    lines = (line for log in logs for line in log.split(b"\n"))
    return receipts.claims(receipt for line in lines if (receipt := receipts.parse(line)) is not None)


def _residue(found: Repository, ours: Files, joined: Joined, due: Iterable[str]) -> list[Remove]:
    """What lies here of memories that were forgotten elsewhere, beside the files that go anyhow."""
    gone = states.ids(ours, found.store.layer) - states.ids(joined.files, found.store.layer)
    known = _forgotten(found, ours, joined.files)
    aim = Aim(frozenset(memory_id for memory_id in gone if memory_id in known.ids))
    if not aim.ids:
        return []
    one = forgetting.part(found.store, aim)
    removes = [*one.discards, *(Remove(record.path, record.digest) for record in one.records)]
    return [remove for remove in removes if remove.path not in set(due)]


def _refuse_uncommitted(found: Repository, paths: Iterable[str]) -> None:
    """A file that somebody has changed and not committed is never covered."""
    foreign = [path for path in paths if not _is_own(path)]
    if not foreign:
        return
    options = ("--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignored")
    rows = found.must("status", *options, "--", *foreign).output.split(b"\0")
    problems = [Problem(os.fsdecode(row[3:]), "it has changes that are not committed") for row in rows if row]
    if problems:
        raise _left_to_git(found, problems)


def _record(found: Repository, base: str, ours: str, theirs: str, paths: list[str]) -> None:
    """Commit what came out as the child of both, and let the branch point at it."""
    with disk.unpacked({}, {}) as folder:
        index = os.path.join(folder, "index")
        found.must("read-tree", ours or theirs, index=index)
        _add(found, paths, index)
        tree = found.must("write-tree", index=index).text
    commit = theirs
    if base != ours or tree != found.ask("rev-parse", f"{theirs}^{{tree}}"):
        parents = [theirs] if base == ours else [ours, theirs]
        signed = ["-S"] if found.ask("config", "--type=bool", "--get", "commit.gpgSign") == "true" else []
        options = [word for parent in parents for word in ("-p", parent)]
        commit = found.must("commit-tree", *signed, tree, *options, given=b"Merge what other machines remember\n").text
    _add(found, paths)
    zero = "0" * len(commit)
    found.must("update-ref", "-m", "memdir sync", "HEAD", commit, ours or zero)


def _add(found: Repository, paths: Iterable[str], index: str = "") -> None:
    """Put files into an index as they lie there; where none is named git would take all."""
    listed = "".join(f"{path}\0" for path in _existing(found, paths)).encode("utf-8", "surrogateescape")
    if listed:
        found.must("add", "-A", "-f", "--pathspec-from-file=-", "--pathspec-file-nul", given=listed, index=index)


def _existing(found: Repository, paths: Iterable[str]) -> list[str]:
    """The paths of which git has heard or that are there: it takes no other names."""
    tracked = found.must("ls-files", "-z").output.split(b"\0")
    known = {os.fsdecode(name) for name in tracked}
    return [path for path in paths if path in known or found.store.content(path) is not None]


def _conflicts(found: Repository, paths: Iterable[str]) -> Iterable[Memory]:
    for record in found.store.snapshot((layout.MEMORIES,)).records:
        if record.path in set(paths) and record.memory.status == "conflicted":
            yield record.memory


def _left_to_git(found: Repository, problems: list[Problem]) -> PersonNeededError:
    first = problems[0]
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return PersonNeededError(
        f"`{printable(first.path)}`{more} cannot be joined by memdir: {first.reason}; nothing was changed.",
        code="both-changed",
        hint=f"merge it with git, then sync again: {found.here} merge refs/memdir/theirs",
    )


def _is_own(path: str) -> bool:
    return path.split("/")[0] in OWN
