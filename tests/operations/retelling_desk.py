"""A place from which check is run again and again in this process, and what may happen there in between."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from memdir_cli.cli import entry
from memdir_cli.operations import retelling
from tests.checks.plants import LINTER
from tests.operations.writing_place import scene
from tests.sandbox import Sandbox

#: Exit status, result, remarks.
Said = tuple[int, str, str]

#: Longer than two ticks of the clock of a file system.
SETTLED = 0.03


@dataclass
class Desk:
    """A place from which check is run in this process, as its command line is."""

    top: Path
    environ: dict[str, str]
    words: tuple[str, ...] = ("check", "--json")
    cwd: Path = field(init=False)

    def __post_init__(self) -> None:
        self.cwd = self.top

    @property
    def memdir(self) -> Path:
        return self.top / ".memdir"

    def git(self, *words: str, given: str = "", check: bool = True) -> str:
        """What git prints."""
        done = subprocess.run(
            ["git", *words], cwd=self.top, env=self.environ, input=given, stdout=subprocess.PIPE, text=True, check=check
        )
        return done.stdout

    def say(self, **environ: str) -> Said:
        """What check says, again or not."""
        out, err = io.StringIO(), io.StringIO()
        before = Path.cwd()
        os.chdir(self.cwd)
        try:
            variables = patch.dict(os.environ, {**self.environ, **environ}, clear=True)
            with variables, redirect_stdout(out), redirect_stderr(err):
                status = entry.enter(self.words)
        finally:
            os.chdir(before)
        return status, out.getvalue(), err.getvalue()

    def anew(self) -> Said:
        """What check says where nothing can be kept."""
        return self.say(XDG_CACHE_HOME="/dev/null/none")

    def again(self) -> retelling.Told | None:
        """What would be said again."""
        request = retelling.asked(self.words[1:])
        assert request is not None
        return retelling.retold(request, os.path.realpath(self.cwd), self.environ)

    @property
    def kept(self) -> list[Path]:
        """The files in which something is kept."""
        return sorted((Path(self.environ["XDG_CACHE_HOME"]) / "memdir").glob("*"))


def copies(origin: Desk, model: Path) -> Callable[[], Desk]:
    """What makes a desk as ``origin`` was, again and again at its place.

    :param model: a folder that does not exist yet, to copy it from.
    """
    root = origin.top.parent
    shutil.copytree(root, model, symlinks=True)

    def make() -> Desk:
        shutil.rmtree(root)
        shutil.copytree(model, root, symlinks=True)
        return Desk(origin.top, dict(origin.environ))

    return make


def desk_of(sandbox: Sandbox) -> Desk:
    """A repository with a memory that cites a script."""
    here = scene(sandbox)
    scripts = {"version": "1.4.0", "scripts": {"build": "tsc", "test": "vitest"}}
    (here.top / "package.json").write_text(json.dumps(scripts), encoding="utf-8")
    here.remember("build_command", "npm run build")
    here.remember("linter", "ruff")
    here.remember("port", "8080", "user")
    sandbox.git("add", ".", cwd=here.top)
    sandbox.git("commit", "-qm", "Remember", cwd=here.top)
    return Desk(here.top, dict(sandbox.environ))


def settle(desk: Desk) -> Said:
    """Let everything stand for a while, and have it checked."""
    time.sleep(SETTLED)
    return desk.say()


def replace_text(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def same_size(desk: Desk, number: int) -> None:
    """In place, the old times put back."""
    path = desk.memdir / LINTER
    if path.exists():
        stat = path.stat()
        plain, faulty = "ruff", "ru\x7ff"
        text = path.read_text("utf-8")
        path.write_text(text.replace(plain, faulty) if plain in text else text.replace(faulty, plain), "utf-8")
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def renamed_over(desk: Desk, number: int) -> None:
    other = desk.memdir / "memories/new.tmp"
    other.write_text(f"---\nid: x{number}\n")
    other.rename(desk.memdir / LINTER)


def removed(desk: Desk, number: int) -> None:
    (desk.memdir / LINTER).unlink(missing_ok=True)


def checked_out(desk: Desk, number: int) -> None:
    desk.git("checkout", "-q", "--", ".", check=False)


def script_changed(desk: Desk, number: int) -> None:
    if (desk.top / "package.json").exists():
        replace_text(desk.top / "package.json", "tsc", "tsd")


def script_back(desk: Desk, number: int) -> None:
    if (desk.top / "package.json").exists():
        replace_text(desk.top / "package.json", "tsd", "tsc")


def package_moved(desk: Desk, number: int) -> None:
    if not (desk.top / "package.json").exists():
        return
    (desk.top / "web").mkdir(exist_ok=True)
    (desk.top / "package.json").rename(desk.top / "web/package.json")
    shutil.copy(desk.top / "web/package.json", desk.top / "package.json") if number % 2 else None


def package_back(desk: Desk, number: int) -> None:
    if (desk.top / "web/package.json").exists():
        (desk.top / "web/package.json").rename(desk.top / "package.json")


def remote_changed(desk: Desk, number: int) -> None:
    url = f"https://github.com/acme/other-{number % 2}.git"
    desk.git("remote", "set-url", "origin", url)


def remote_rewritten(desk: Desk, number: int) -> None:
    """Outside the repository."""
    rule = '\n[url "https://github.com/acme/renamed"]\n\tinsteadOf = https://github.com/acme/legacy-dashboard\n'
    config = Path(desk.environ["GIT_CONFIG_GLOBAL"])
    text = config.read_text("utf-8")
    config.write_text(text.replace(rule, "") if rule in text else text + rule, "utf-8")


def settings_changed(desk: Desk, number: int) -> None:
    with (desk.memdir / "config.yaml").open("a", encoding="utf-8") as stream:
        stream.write(f"# {number}\n")
    if number % 2:
        replace_text(desk.memdir / "config.yaml", "# key of", "check: {severity: {M211: info}}\n# key of")


def user_forgets(desk: Desk, number: int) -> None:
    with (Path(desk.environ["XDG_DATA_HOME"]) / "memdir/tombstones.jsonl").open("a") as stream:
        stream.write('{"torn\n')


def memdir_copied(desk: Desk, number: int) -> None:
    """In the place of the old one, which is changed before."""
    copy = desk.top / "copy"
    shutil.copytree(desk.memdir, copy, copy_function=shutil.copy2)
    shutil.rmtree(desk.memdir)
    copy.rename(desk.memdir)
    same_size(desk, number)


def nearer_memdir(desk: Desk, number: int) -> None:
    """Another one between the working directory and the one that was judged."""
    desk.cwd = desk.top / "deep"
    (desk.cwd / ".memdir").mkdir(parents=True, exist_ok=True)


def nearer_gone(desk: Desk, number: int) -> None:
    shutil.rmtree(desk.top / "deep", ignore_errors=True)
    desk.cwd = desk.top


def task_named(desk: Desk, number: int) -> None:
    desk.environ["MEMDIR_TASK"] = f"t{number}"


def clock_moved(desk: Desk, number: int) -> None:
    """Ahead and back."""
    desk.environ["MEMDIR_NOW"] = f"20{number % 30 + 15}-09-14T09:30:00Z"


def review_due(desk: Desk, number: int) -> None:
    path = desk.memdir / LINTER
    if path.exists():
        replace_text(path, "\nauthority:", f'\nreviewAfter: "20{number % 30 + 15}-01-01"\nauthority:')


def kept_damaged(desk: Desk, number: int) -> None:
    for path in desk.kept:
        content = path.read_bytes()
        place = number * 7919 % max(1, len(content))
        path.write_bytes(content[:place] if number % 3 == 0 else content[:place] + b"\xff" + content[place + 1 :])


def kept_swapped(desk: Desk, number: int) -> None:
    """What was kept of another memdir, under the name of this one's."""
    for path in desk.kept:
        other = path.with_name(f"answer-0{path.name[8:]}")
        if other != path:
            shutil.copy(path, other)


def merge_torn(desk: Desk, number: int) -> None:
    """Only in git's index: as if a merge had left a file in conflict."""
    path = f".memdir/{LINTER}"
    blob = desk.git("hash-object", "-w", "--stdin", given=f"other {number}").strip()
    lines = "".join(f"100644 {blob} {stage}\t{path}\n" for stage in (1, 2, 3))
    desk.git("update-index", "--index-info", given=f"0 {'0' * 40}\t{path}\n{lines}")


def merge_settled(desk: Desk, number: int) -> None:
    desk.git("add", "-A", ".memdir")


def driver_known(desk: Desk, number: int) -> None:
    desk.git("config", "--global", "merge.memdir.driver", f"memdir merge-driver {number}")


def driver_unknown(desk: Desk, number: int) -> None:
    if desk.git("config", "--global", "--get", "merge.memdir.driver", check=False):
        desk.git("config", "--global", "--unset-all", "merge.memdir.driver")


def linked(desk: Desk, number: int) -> None:
    outside = desk.top / "outside"
    if not outside.exists():
        (desk.memdir / "inbox").mkdir(exist_ok=True)
        (desk.memdir / "inbox").rename(outside)
        (desk.memdir / "inbox").symlink_to(outside)


def nothing(desk: Desk, number: int) -> None:
    pass


ACTIONS: tuple[Callable[[Desk, int], None], ...] = (
    same_size, renamed_over, removed, checked_out, script_changed, script_back, package_moved, package_back,
    remote_changed, remote_rewritten, settings_changed, user_forgets, memdir_copied, nearer_memdir, nearer_gone,
    task_named, clock_moved, review_due, merge_torn, merge_settled, driver_known, driver_unknown,
    kept_damaged, kept_swapped, linked, nothing,
)  # fmt: skip
