"""Corruptions, one each: what is done to a clean project memdir, what check says, and what repair leaves."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memdir_cli.domain.changes import ChangeSet
from memdir_cli.domain.memory import Side
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Record, digest_of
from memdir_cli.storage import disk, journal
from memdir_cli.storage.journal import Pending, Staged
from memdir_cli.storage.store import Store
from tests.checks.ground import NOW, REPOSITORY, Seen, memory, write

LINTER = "memories/linter.md"
OTHER = "github.com/other/app"


@dataclass(frozen=True)
class Plant:
    """One corruption.

    :ivar code: the rule that it is made for.
    :ivar seen: all that check finds.
    :ivar left: all that check finds after repair; ``None`` if that is the same.
    """

    code: str
    plant: Callable[[Path], None]
    seen: tuple[Seen, ...]
    left: tuple[Seen, ...] | None = None

    def __str__(self) -> str:
        return f"{self.code}-{self.plant.__name__}"


def store(root: Path) -> Store:
    return Store(str(root), "project")


def edit(root: Path, path: str, old: str, new: str) -> None:
    """Change a file as a person does, where ``old`` must stand once."""
    text = (root / path).read_text()
    assert text.count(old) == 1, f"{old!r} in {text}"
    (root / path).write_text(text.replace(old, new))


def reindex(root: Path) -> None:
    """Let the index fit the files again."""
    with store(root).writing(5) as writer:
        writer.commit(ChangeSet(), NOW)


def line(root: Path, key: str, path: str = LINTER) -> int:
    return next(at for at, text in enumerate((root / path).read_text().split("\n"), 1) if text.startswith(f"{key}:"))


# -- identity and path


def renamed(root: Path) -> None:
    (root / LINTER).rename(root / "memories/old.md")
    reindex(root)


def renamed_and_replaced(root: Path) -> None:
    renamed(root)
    (root / LINTER).write_text("---\nid: unfinished\n")


def renamed_twice(root: Path) -> None:
    """A file in the way of another whose identity differs."""
    renamed(root)
    (root / "memories/test_runner.md").rename(root / LINTER)
    reindex(root)


def copied(root: Path) -> None:
    shutil.copy(root / LINTER, root / "memories/linter copy.md")
    reindex(root)


def copied_for_another_key(root: Path) -> None:
    shutil.copy(root / LINTER, root / "memories/formatter.md")
    edit(root, "memories/formatter.md", "predicate: linter", "predicate: formatter")
    reindex(root)


def history_copied(root: Path) -> None:
    old = memory("linter", "flake8", status="superseded", status_reason="superseded: by another")
    write(store(root), old)
    path = f"history/linter~{old.id}@1.md"
    shutil.copy(root / path, root / path.replace("@1", "@7"))


def user_rule_in_repository(root: Path) -> None:
    write(store(root), memory("editor", "vim", subject="user:42", scope=Scope("user")))


def other_repository(root: Path) -> None:
    write(store(root), memory("editor", "vim", subject=f"project:{OTHER}", scope=Scope("repository", repository=OTHER)))


def other_scope(root: Path) -> None:
    write(store(root), memory("editor", "vim", scope=Scope("repository", repository=OTHER)))


def windows_name(root: Path) -> None:
    (root / "memories/a\\b.md").write_bytes((root / LINTER).read_bytes())


def device_name(root: Path) -> None:
    (root / "inbox").mkdir()
    (root / "inbox/aux.md").mkdir()


def text_file(root: Path) -> None:
    (root / "memories/notes.txt").write_text("npm\n")


def folder(root: Path) -> None:
    (root / "memories/old").mkdir()
    (root / "memories/old/linter.md").write_text("npm\n")


# -- index


def removed(root: Path) -> None:
    (root / LINTER).unlink()


def index_from_before(root: Path) -> None:
    before = (root / "MEMORY.md").read_bytes()
    write(store(root), memory("editor", "vim"))
    (root / "MEMORY.md").write_bytes(before)


def index_emptied(root: Path) -> None:
    (root / "MEMORY.md").write_bytes(b"")


def index_edited(root: Path) -> None:
    edit(root, "MEMORY.md", "`ruff`", "`flake8`")


def index_of_both_sides(root: Path) -> None:
    """What `merge=union` leaves."""
    edit(root, "MEMORY.md", "- [linter]", "- [linter](memories/linter.md) — old\n- [linter]")


def index_removed(root: Path) -> None:
    (root / "MEMORY.md").unlink()


def index_is_a_link(root: Path) -> None:
    (root / "MEMORY.md").rename(root / "index.md")
    (root / "MEMORY.md").symlink_to("index.md")


def gitignore_is_a_link(root: Path) -> None:
    (root / ".gitignore").rename(root / "ignored")
    (root / ".gitignore").symlink_to("ignored")


def receipts_are_a_link(root: Path) -> None:
    (root / "receipts").rename(root / "log")
    (root / "receipts").symlink_to("log")


def receipts_file_is_a_link(root: Path) -> None:
    (root / "receipts/2026-09.jsonl").rename(root / "log")
    (root / "receipts/2026-09.jsonl").symlink_to("../log")


def set_aside_is_a_file(root: Path) -> None:
    (root / "local/set-aside").write_text("")


def journal_is_a_folder(root: Path) -> None:
    (root / "local/journal.json").mkdir()


# -- lifecycle


def candidate_among_memories(root: Path) -> None:
    edit(root, LINTER, "status: verified", 'status: candidate\nstatusReason: "unsure: by hand"')
    reindex(root)


def candidate_twice(root: Path) -> None:
    """The candidate's place in the inbox is taken."""
    candidate_among_memories(root)
    (root / "inbox").mkdir()
    (root / f"inbox/linter~{memory('linter').id}.md").write_text("my notes\n")


def promoted_in_inbox(root: Path) -> None:
    waiting = memory("editor", "vim", status="candidate", status_reason="unconfirmed: an agent said so")
    write(store(root), waiting)
    path = f"inbox/editor~{waiting.id}.md"
    edit(root, path, "status: candidate", "status: verified")
    edit(root, path, 'statusReason: "unconfirmed: an agent said so"\n', "")


def released_from_quarantine(root: Path) -> None:
    bad = memory("editor", "vim", status="quarantined", status_reason="poison: told by a web page")
    write(store(root), bad)
    edit(root, f"quarantine/editor~{bad.id}.md", "status: quarantined", "status: superseded")


def stale_without_reason(root: Path) -> None:
    edit(root, LINTER, "status: verified", "status: stale")
    reindex(root)


def conflict_with_value(root: Path) -> None:
    sides = (Side("a", "vim", "vim", "user"), Side("b", "nano", "nano", "user"))
    reason = "sides-disagree: two values"
    write(store(root), memory("editor", "vim", status="conflicted", status_reason=reason, sides=sides))


def verified_in_future(root: Path) -> None:
    write(store(root), memory("editor", "vim", verified_at="2026-09-16T00:00:00Z"))


def expired(root: Path) -> None:
    write(store(root), memory("editor", "vim", expires_at="2026-09-13"))


def review_due(root: Path) -> None:
    write(store(root), memory("editor", "vim", review_after="2026-09-14T09:30:00Z"))


# -- provenance


def written_by_hand(root: Path) -> None:
    text = (root / LINTER).read_text().replace("linter", "editor").replace(memory("linter").id, "kbyhand000000")
    (root / "memories/editor.md").write_text(text)
    reindex(root)


def receipts_lost(root: Path) -> None:
    shutil.rmtree(root / "receipts")


def freshened(root: Path) -> None:
    write(store(root), memory("editor", "vim", status="stale", status_reason="review-due: long ago"))
    edit(root, "memories/editor.md", "status: stale\n", "status: verified\n")
    edit(root, "memories/editor.md", 'statusReason: "review-due: long ago"\n', "")
    reindex(root)


def authority_raised(root: Path) -> None:
    write(store(root), memory("editor", "vim", authority="inferred"))
    edit(root, "memories/editor.md", "authority: inferred", "authority: user")


def words_changed(root: Path) -> None:
    edit(root, LINTER, "said: use ruff", "said: never ruff")


def value_changed(root: Path) -> None:
    edit(root, LINTER, "value: ruff", "value: flake8")
    reindex(root)


# -- receipts, leftovers, settings


def receipt_torn(root: Path) -> None:
    with (root / "receipts/2026-09.jsonl").open("a") as file:
        file.write('\n{"txn": "hal\n<<<<<<< HEAD\n[1]\n')


def interrupted(root: Path) -> None:
    """A process that died right after the commit point: `linter` is about to become `editor`'s neighbour."""
    new = Record(memory("editor", "vim"), "memories/editor.md", "", "project")
    scratch = root.parent / "scratch"
    write(Store(str(shutil.copytree(root, scratch)), "project"), new.memory)
    temps = {"memories/editor.md": "memories/.memdir-t1-1.tmp", "MEMORY.md": ".memdir-t1-2.tmp"}
    staged = []
    for path, temp in temps.items():
        content = (scratch / path).read_bytes()
        expected = digest_of((root / path).read_bytes()) if (root / path).exists() else None
        disk.stage(str(root), path, content, temp, private=False)
        staged.append(Staged(path, temp, expected, digest_of(content)))
    told = (scratch / "receipts/2026-09.jsonl").read_text().splitlines()[-1]
    receipt = journal.Receipt("receipts/2026-09.jsonl", told)
    promise = Pending("t1", puts=(staged[0],), index=staged[1], receipt=receipt)
    (root / "local/journal.json").write_bytes(journal.encode(promise))
    shutil.rmtree(scratch)


def journal_cut(root: Path) -> None:
    interrupted(root)
    whole = (root / "local/journal.json").read_bytes()
    (root / "local/journal.json").write_bytes(whole[: len(whole) // 2])


def temporary_files(root: Path) -> None:
    (root / "memories/.memdir-k7-1.tmp").write_text("half a mem")
    (root / ".memdir-k7-2.tmp").write_text("")


def aside(root: Path) -> None:
    (root / "local/set-aside").mkdir()
    (root / "local/set-aside/k7-memories+linter.md").write_text("another version")


def repository_lost(root: Path) -> None:
    edit(root, "config.yaml", f"repository: {REPOSITORY}\n", "")


def config_lost(root: Path) -> None:
    (root / "config.yaml").unlink()


def gitignore_lost(root: Path) -> None:
    (root / ".gitignore").unlink()


def local_not_ignored(root: Path) -> None:
    edit(root, ".gitignore", "/local/\n", "*.bak")


PLANTS: tuple[Plant, ...] = (
    Plant("M201", renamed, (("M201", "memories/old.md", 7),), ()),
    Plant("M202", renamed_and_replaced, (("M112", LINTER, 1), ("M202", "memories/old.md", 7))),
    Plant("M202", renamed_twice, (("M201", LINTER, 7), ("M202", "memories/old.md", 7)), ()),
    Plant("M203", copied, (("M203", "memories/linter copy.md", 7),), ()),
    Plant(
        "M204", copied_for_another_key, (("M204", "memories/formatter.md", 2), ("M405", "memories/formatter.md", 10))
    ),
    Plant("M204", history_copied, (("M204", "history/linter~klinter00000@7.md", 2),)),
    Plant("M205", user_rule_in_repository, (("M205", "memories/editor.md", 6),)),
    Plant("M206", other_repository, (("M206", "memories/editor.md", 6),)),
    Plant("M206", other_scope, (("M206", "memories/editor.md", 8),)),
    Plant("M207", windows_name, (("M207", "memories/a\\b.md", 1),)),
    Plant("M207", device_name, (("M102", "inbox/aux.md", 1), ("M207", "inbox/aux.md", 1))),
    Plant("M208", text_file, (("M208", "memories/notes.txt", 1),)),
    Plant("M208", folder, (("M208", "memories/old", 1),)),
    Plant("M211", removed, (("M211", "MEMORY.md", 4),), ()),
    Plant("M212", index_from_before, (("M212", "memories/editor.md", 1),), ()),
    Plant(
        "M212",
        index_emptied,
        tuple(("M212", f"memories/{name}.md", 1) for name in ("linter", "package_manager", "test_runner")),
        (),
    ),
    Plant("M213", index_edited, (("M213", "MEMORY.md", 4),), ()),
    Plant("M213", index_of_both_sides, (("M213", "MEMORY.md", 4),), ()),
    Plant("M214", index_removed, (("M214", "MEMORY.md", 1),), ()),
    Plant("M101", index_is_a_link, (("M101", "MEMORY.md", 1),)),
    Plant("M101", gitignore_is_a_link, (("M101", ".gitignore", 1),)),
    Plant("M101", receipts_file_is_a_link, (("M101", "receipts/2026-09.jsonl", 1),)),
    Plant("M104", receipts_are_a_link, (("M104", "receipts", 1),)),
    Plant("M104", set_aside_is_a_file, (("M104", "local/set-aside", 1),)),
    Plant("M301", candidate_among_memories, (("M301", LINTER, 9),), ()),
    Plant("M301", candidate_twice, (("M115", "inbox/linter~klinter00000.md", 1), ("M301", LINTER, 9))),
    Plant("M301", promoted_in_inbox, (("M301", "inbox/editor~keditor00000.md", 9),)),
    Plant("M301", released_from_quarantine, (("M301", "quarantine/editor~keditor00000.md", 9),)),
    Plant("M302", stale_without_reason, (("M302", LINTER, 9),)),
    Plant("M303", conflict_with_value, (("M303", "memories/editor.md", 11),)),
    Plant("M311", verified_in_future, (("M311", "memories/editor.md", 21),)),
    Plant("M312", expired, (("M312", "memories/editor.md", 22),)),
    Plant("M313", review_due, (("M313", "memories/editor.md", 22),)),
    Plant("M401", written_by_hand, (("M401", "memories/editor.md", 2),)),
    Plant(
        "M401",
        receipts_lost,
        tuple(("M401", f"memories/{name}.md", 2) for name in ("linter", "package_manager", "test_runner")),
    ),
    Plant("M402", freshened, (("M402", "memories/editor.md", 9),)),
    Plant("M403", authority_raised, (("M403", "memories/editor.md", 12),)),
    Plant("M404", words_changed, (("M404", LINTER, 13),)),
    Plant("M405", value_changed, (("M405", LINTER, 10),)),
    Plant("M701", receipt_torn, tuple(("M701", "receipts/2026-09.jsonl", at) for at in (3, 4, 5))),
    Plant("M711", interrupted, (("M711", "local/journal.json", 1),), ()),
    Plant(
        "M712",
        journal_cut,
        (("M712", "local/journal.json", 1),),
        tuple(("M714", path, 1) for path in ("+1.tmp", "+2.tmp", "journal")),
    ),
    Plant("M712", journal_is_a_folder, (("M712", "local/journal.json", 1),), ()),
    Plant("M713", temporary_files, (("M713", ".memdir-k7-2.tmp", 1), ("M713", "memories/.memdir-k7-1.tmp", 1)), ()),
    Plant("M714", aside, (("M714", "local/set-aside/k7-memories+linter.md", 1),)),
    Plant("M721", repository_lost, (("M721", "config.yaml", 1),), ()),
    Plant("M721", config_lost, (("M721", "config.yaml", 1),)),
    Plant("M723", gitignore_lost, (("M723", ".gitignore", 1),), ()),
    Plant("M723", local_not_ignored, (("M723", ".gitignore", 1),), ()),
)
