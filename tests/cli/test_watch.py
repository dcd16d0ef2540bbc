"""``memdir watch`` in a process of its own, on real events: what it answers, and what it does not."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memdir_cli.domain.burst import LONGEST
from tests.cli.watched import PATIENCE, Project, package, project, until
from tests.sandbox import Sandbox

#: Seconds of idleness; a whole minute where ``MEMDIR_WATCH_IDLE=60`` asks for it. Read at import: the fixtures of
#: every test take memdir's own variables away.
IDLE = float(os.environ.get("MEMDIR_WATCH_IDLE", "5"))


@pytest.fixture
def here(sandbox: Sandbox) -> Project:
    """A project that remembers one command."""
    return project(sandbox)


def test_a_change_is_told_at_once_and_written_down(here: Project) -> None:
    with here.watched() as watch:
        here.write(build="vite build")
        until(lambda: watch.lines)
        (line,) = watch.lines
        assert line.startswith("build_command (")
        assert line.endswith(
            "): verified -> stale: evidence-changed: `package.json#scripts.build` was `tsc`, is now `vite build`"
        )
        assert here.status("build_command") == "stale"
        assert watch.process.poll() is None


def test_json_is_one_object_a_line(here: Project) -> None:
    here.remember("test_command", "npm run test")
    with here.watched("--json") as watch:
        here.write(build="vite build", test="node --test")
        until(lambda: len(watch.lines) == 2)
        assert {(one["key"], one["from"], one["to"], one["schema"]) for one in watch.documents} == {
            ("build_command", "verified", "stale", 1),
            ("test_command", "verified", "stale", 1),
        }


def test_it_says_what_it_watches(here: Project) -> None:
    with here.watched() as watch:
        (said,) = (line for line in watch.stderr.splitlines() if line.startswith("watching "))
        assert f"`{here.top}/.memdir`" in said
        assert f"`{here.sandbox.user_memdir}`" in said
        assert said.endswith(" and 1 file: package.json; Ctrl-C ends it")
    with here.watched("--quiet", ready="debug: refreshed \n" * 2) as watch:
        assert "watching" not in watch.stderr


def test_what_changed_before_is_found_at_the_beginning(here: Project) -> None:
    here.write(build="vite build")
    with here.watched() as watch:
        until(lambda: watch.lines)
        assert here.status("build_command") == "stale"


def test_a_thousand_writes_are_answered_by_a_handful_of_refreshes(here: Project) -> None:
    with here.watched() as watch:
        before = watch.refreshes
        for number in range(1000):
            here.write(build=f"vite build --number {number}")
        until(lambda: watch.lines)
        time.sleep(1)
        assert 1 <= watch.refreshes - before <= 5
        assert here.status("build_command") == "stale"


def test_writing_without_end_is_answered_meanwhile(here: Project) -> None:
    with here.watched() as watch:
        before, start, number = watch.refreshes, time.monotonic(), 0
        while not watch.lines and time.monotonic() < start + PATIENCE:
            number += 1
            here.write(build=f"vite build --number {number}")
            time.sleep(0.05)
        assert watch.lines, "it does not wait for a quiet that never comes"
        assert 1 <= watch.refreshes - before <= 1 + (time.monotonic() - start) / LONGEST


def test_reading_everything_for_a_while_causes_nothing(here: Project) -> None:
    with here.watched() as watch:
        before, used, end = watch.refreshes, watch.cpu, time.monotonic() + IDLE
        while time.monotonic() < end:
            for folder in (here.top, here.sandbox.user_memdir):
                subprocess.run(["grep", "-r", "npm", folder], capture_output=True, check=False)
            here.run("list")
        assert watch.refreshes == before
        assert watch.lines == []
        assert (watch.cpu - used) / IDLE < 0.05


def test_new_modes_and_times_cause_nothing(here: Project) -> None:
    file = here.top / "package.json"
    with here.watched() as watch:
        before = watch.refreshes
        file.chmod(0o600)
        os.utime(file, (0, 0))
        file.touch()
        (here.top / ".memdir/memories/build_command.md").chmod(0o600)
        time.sleep(1.5)
        assert watch.refreshes == before


def test_what_it_writes_itself_causes_nothing(here: Project) -> None:
    with here.watched() as watch:
        before = watch.refreshes
        here.write(build="vite build")
        until(lambda: watch.lines)
        time.sleep(2)
        assert watch.refreshes == before + 1


@pytest.mark.parametrize("beside", [True, False], ids=["from inside the folder", "from outside it"])
def test_three_atomic_saves_are_three_changes(here: Project, beside: bool) -> None:
    for key in ("test", "lint", "dev"):
        here.remember(f"{key}_command", f"npm run {key}")
    staging = here.top if beside else here.sandbox.root
    changed: dict[str, str] = {}
    with here.watched() as watch:
        for count, name in enumerate(("test", "lint", "dev"), start=1):
            changed[name] = f"another {name}"
            (staging / ".package.json.swp").write_text(package(**changed), encoding="utf-8")
            os.replace(staging / ".package.json.swp", here.top / "package.json")
            until(lambda count=count: len(watch.lines) == count)  # type: ignore[misc]
        assert [line.split(" ")[0] for line in watch.lines] == ["test_command", "lint_command", "dev_command"]
    assert here.status("build_command") == "verified"


def test_a_slow_writer_is_waited_for(here: Project) -> None:
    text = package(build="vite build").encode()
    with here.watched() as watch, (here.top / "package.json").open("wb", buffering=0) as stream:
        before = watch.refreshes
        size = len(text) // 10 + 1
        for start in range(0, len(text), size):
            stream.write(text[start : start + size])
            time.sleep(0.1)
        until(lambda: watch.lines)
        assert watch.refreshes - before == 1, "half a file is no change"


def test_what_is_cited_later_is_watched_from_then_on(here: Project) -> None:
    here.write("packages/web/package.json", e2e="playwright test")
    with here.watched() as watch:
        here.remember("e2e_command", "npm run e2e", "--path", "packages/web/**")
        until(lambda: "watching 1 more file: packages/web/package.json" in watch.stderr)
        here.write("packages/web/package.json", e2e="cypress run")
        until(lambda: watch.lines)
        (line,) = watch.lines
        assert "`packages/web/package.json#scripts.e2e` was `playwright test`, is now `cypress run`" in line


def test_a_folder_that_goes_and_comes_back_is_watched_again(here: Project) -> None:
    here.write("packages/web/package.json", e2e="playwright test")
    here.remember("e2e_command", "npm run e2e", "--path", "packages/web/**")
    with here.watched() as watch:
        shutil.rmtree(here.top / "packages")
        before = watch.refreshes
        until(lambda: watch.refreshes > before or "packages/web" in watch.stderr.rpartition("debug")[2])
        assert watch.lines == [], "a file that is not here is unknown, not changed"
        here.write("packages/web/package.json", e2e="playwright test")
        time.sleep(1.5)
        here.write("packages/web/package.json", e2e="cypress run")
        until(lambda: watch.lines)


def test_a_memory_edited_by_hand_is_looked_at(here: Project) -> None:
    file = here.top / ".memdir/memories/build_command.md"
    with here.watched() as watch:
        text = file.read_text(encoding="utf-8").replace("verifiedAt:", 'expiresAt: "2026-01-01"\nverifiedAt:')
        (file.parent / "build_command.md~").write_text(text, encoding="utf-8")
        os.replace(file.parent / "build_command.md~", file)
        until(lambda: watch.lines)
        assert "verified -> expired: expired: it ended 2026-01-01" in watch.lines[0]
        assert not file.exists()


def test_node_modules_and_git_are_not_watched(here: Project) -> None:
    with here.watched() as watch:
        before = watch.refreshes
        modules = here.top / "node_modules/left-pad"
        for number in range(300):
            target = modules / f"{number}/package.json"
            target.parent.mkdir(parents=True)
            target.write_text(package(), encoding="utf-8")
        here.sandbox.git("add", "package.json", cwd=here.top)
        here.sandbox.git("commit", "-qm", "More", cwd=here.top)
        time.sleep(1)
        assert watch.refreshes == before
        closed = {path.stat().st_ino for path in (here.top / "node_modules", modules, here.top / ".git")}
        assert not closed & watch.inodes()
        assert here.top.stat().st_ino in watch.inodes()
        assert len(watch.inodes()) <= 6


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_without_a_word(here: Project, number: int, status: int) -> None:
    with here.watched("--quiet", ready="debug: refreshed \n" * 2) as watch:
        said = watch.stderr
        assert watch.stop(number) == status
        assert watch.stderr == said
        assert watch.lines == []
    assert here.run("check").stdout == ""


def test_a_memdir_that_is_removed_ends_it(here: Project) -> None:
    with here.watched() as watch:
        shutil.rmtree(here.top / ".memdir")
        assert watch.process.wait(PATIENCE) == 6
        assert f"error: `{here.top}/.memdir` is gone" in watch.stderr
        assert watch.lines == []


def test_a_memdir_that_is_removed_ends_it_in_json(here: Project) -> None:
    with here.watched("--json") as watch:
        (here.top / ".memdir").rename(here.top / "elsewhere")
        assert watch.process.wait(PATIENCE) == 6
        (document,) = watch.documents
        assert document["error"]["code"] == "root-removed"  # type: ignore[index]
    assert not (here.top / ".memdir").exists(), "nothing is made anew"


def test_without_a_memdir_there_is_nothing_to_watch(sandbox: Sandbox) -> None:
    done = sandbox.run("watch", cwd=sandbox.repository())
    assert done.exit == 2
    assert "memdir init" in done.stderr


def test_a_fault_is_told_once_and_does_not_end_it(here: Project) -> None:
    config = here.top / ".memdir/config.yaml"
    good = config.read_text(encoding="utf-8")
    with here.watched() as watch:
        config.write_text(good + "ageLimits:\n  dreams: 1d\n", encoding="utf-8")
        until(lambda: "warning: " in watch.stderr)
        here.write(build="vite build")
        time.sleep(1)
        assert watch.stderr.count("`ageLimits` names `dreams`") == 1
        assert watch.lines == []
        config.write_text(good, encoding="utf-8")
        until(lambda: watch.lines)


def test_a_writer_in_the_way_is_waited_for(here: Project) -> None:
    lock = "import sys, time; from memdir_cli.storage.lock import locked\nwith locked(sys.argv[1]): time.sleep(3)"
    with here.watched("--lock-timeout", "0.2") as watch:
        memdir = str(here.top / ".memdir")
        with subprocess.Popen([sys.executable, "-c", lock, memdir]) as holder:
            until(lambda: Path(memdir, "local/lock.json").read_text("utf-8").count(str(holder.pid)))
            here.write(build="vite build")
            until(lambda: "warning: " in watch.stderr)
        until(lambda: watch.lines)
        assert here.status("build_command") == "stale"


#: Give no more watches than these, as a system does whose limits are used up.
LIMITS = {
    "no watch": "echo 1 > /proc/sys/user/max_inotify_watches",
    "no instance": "echo 0 > /proc/sys/user/max_inotify_instances",
}


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_of_the_system_makes_it_poll(here: Project, limit: str) -> None:
    here.write("packages/web/package.json", e2e="playwright test")
    here.remember("e2e_command", "npm run e2e", "--path", "packages/web/**")
    own = ["unshare", "--user", "--map-root-user", "sh", "-c"]
    probe = subprocess.run([*own, LIMITS[limit]], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip("no user namespaces here, in which the limits may be set")
    run = f'{LIMITS[limit]}; exec "$@"'
    with here.watched(command=[*own, run, "sh", sys.executable, "-m", "memdir_cli"]) as watch:
        assert "warning: the system has no more watches to give" in watch.stderr
        assert "; looking every 2 seconds instead" in watch.stderr
        assert watch.inodes() == set()
        before = watch.refreshes
        here.write("packages/web/package.json", e2e="cypress run")
        until(lambda: watch.lines)
        assert watch.refreshes == before + 1
        assert watch.stop() == 130
