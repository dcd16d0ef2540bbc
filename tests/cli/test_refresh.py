"""``memdir refresh`` as it is typed: each verdict on evidence, what it prints, and all that it leaves alone."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from tests.cli.watched import SAID, Project, package, project
from tests.sandbox import Outcome, Sandbox


@pytest.fixture
def here(sandbox: Sandbox) -> Project:
    """A project that remembers the command `npm run build`."""
    return project(sandbox)


def changes(here: Project, *args: str) -> list[tuple[str, str, str, str]]:
    """Key, status before and after, and code of the reason, as `refresh --json` tells them."""
    changed = here.run("refresh", "--json", *args).json["changed"]
    assert all({"id", "from", "to", "reason"} <= one.keys() for one in changed)
    return [(one["key"], one["from"], one["to"], one["reason"].partition(":")[0]) for one in changed]


def tree(*roots: Path) -> dict[str, tuple[int, int, str]]:
    """Every file and folder below the roots: mode, time of its last change, content."""
    found = {}
    for root in roots:
        for path in [root, *root.rglob("*")]:
            status = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            found[str(path)] = (status.st_mode, status.st_mtime_ns, content)
    return found


def project_files(here: Project) -> dict[str, tuple[int, int, str]]:
    """The project's own files: all but the memdir and git's."""
    found = tree(here.top)
    return {
        path: state
        for path, state in found.items()
        if "/.memdir" not in path and "/.git/" not in path and path != str(here.top)
    }


SAME = {
    "nothing": package(),
    "key order": json.dumps(dict(reversed(json.loads(package()).items()))),
    "indentation": json.dumps(json.loads(package()), indent="\t"),
    "line ends": package().replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + package(),
    "escapes": package().replace("tsc", "\\u0074sc"),
    "another script": package(test="node --test"),
    "dependencies": package().replace("{", '{"dependencies": {"left-pad": "1"},', 1),
    "major version": package().replace("1.4.0", "2.0.0"),
    "a script twice, the last one counts": package().replace('"build"', '"build": "make", "build"'),
}


@pytest.mark.parametrize("edit", SAME)
def test_same(here: Project, edit: str) -> None:
    (here.top / "package.json").write_text(SAME[edit], encoding="utf-8")
    done = here.run("refresh")
    assert (done.stdout, done.stderr) == ("", "")
    assert here.status("build_command") == "verified"


def test_changed(here: Project) -> None:
    here.write(build="vite build")
    done = here.run("refresh")
    assert done.stdout.endswith(
        "verified -> stale: evidence-changed: `package.json#scripts.build` was `tsc`, is now `vite build`\n"
    )
    assert done.stdout.count("\n") == 1
    served = here.run("get", "build_command")
    assert served.stdout == "npm run build\n"
    assert "stale: verify first" in served.stderr
    assert "was `tsc`, is now `vite build`" in served.stderr


def test_removed_with_the_nearest_name(here: Project) -> None:
    document = json.loads(package())
    document["scripts"]["build:all"] = "tsc -b"
    del document["scripts"]["build"]
    (here.top / "package.json").write_text(json.dumps(document), encoding="utf-8")
    done = here.run("refresh")
    assert "evidence-removed: `package.json#scripts.build` is gone; the nearest is `build:all`" in done.stdout


def test_removed_under_another_name_with_the_same_command(here: Project) -> None:
    (here.top / "package.json").write_text(package().replace('"build"', '"compile"'), encoding="utf-8")
    assert "is gone; the nearest is `compile`" in here.run("refresh").stdout


def test_moved(here: Project) -> None:
    (here.top / "web").mkdir()
    (here.top / "package.json").rename(here.top / "web/package.json")
    done = here.run("refresh")
    assert "evidence-moved: `package.json` is gone; the same is now in `web/package.json`" in done.stdout


@pytest.mark.parametrize("content", ['{"scripts": {"build": "make",}}', "// no\n{}", "[]", "", "\xff\xfe"])
def test_unreadable(here: Project, content: str) -> None:
    (here.top / "package.json").write_text(content, encoding="utf-16" if content == "\xff\xfe" else "utf-8")
    done = here.run("refresh")
    assert done.stdout == ""
    assert "`package.json` cannot be read: not" in done.stderr
    document = here.run("refresh", "--json").json
    assert document["changed"] == []
    assert [one["code"] for one in document["warnings"]] == ["evidence-unreadable"]
    assert here.status("build_command") == "verified"


def test_unknown(here: Project) -> None:
    (here.top / "package.json").unlink()
    done = here.run("refresh")
    assert (done.stdout, done.stderr) == ("", "")
    assert here.run("get", "build_command").stderr == ""


def test_a_dry_run_tells_the_same_and_does_nothing(here: Project) -> None:
    here.write(build="vite build")
    before = tree(here.sandbox.root)
    assert changes(here, "--dry-run") == [("build_command", "verified", "stale", "evidence-changed")]
    assert here.run("refresh", "--dry-run").stdout == here.run("refresh", "--dry-run").stdout != ""
    assert tree(here.sandbox.root) == before


def test_the_second_run_writes_nothing(here: Project) -> None:
    here.write(build="vite build")
    assert len(changes(here)) == 1
    before = tree(here.sandbox.root)
    assert changes(here) == []
    assert here.run("refresh").stdout == ""
    assert tree(here.sandbox.root) == before


def test_where_nothing_moves_no_lock_is_taken(here: Project) -> None:
    (here.top / ".memdir/local/lock").unlink()
    before = tree(here.sandbox.root)
    assert changes(here) == []
    assert tree(here.sandbox.root) == before


def test_values_and_revisions_stay_and_the_project_is_not_touched(here: Project) -> None:
    here.remember("test_command", "npm test", "--body-file", str(here.sandbox.home / ".gitconfig"))
    memory = here.top / ".memdir/memories/test_command.md"
    before = memory.read_text("utf-8")
    here.write(test="node --test", build="vite build")
    own = project_files(here)
    assert len(changes(here)) == 2
    assert project_files(here) == own
    lines = [line for line in memory.read_text("utf-8").splitlines() if not line.startswith("status")]
    assert lines == [line for line in before.splitlines() if not line.startswith("status")]


def test_what_is_stale_comes_back_by_a_users_word_only(here: Project) -> None:
    here.write(build="vite build")
    assert len(changes(here)) == 1
    here.write(build="tsc")
    assert changes(here) == []
    assert here.status("build_command") == "stale", "a look at the project verifies nothing"
    here.run("confirm", "build_command", *SAID)
    assert here.status("build_command") == "verified"
    assert changes(here) == []


def test_it_needs_no_word(here: Project) -> None:
    here.write(build="vite build")
    done = here.sandbox.run("refresh", cwd=here.top, env={"CLAUDECODE": "1"})
    assert (done.exit, done.stdout.count("\n")) == (0, 1)


def test_a_major_version_that_is_crossed(here: Project) -> None:
    here.remember("layout", "src/ holds everything", "--depends-on", "package.json#version:major")
    (here.top / "package.json").write_text(package().replace("1.4.0", "1.99.0"), encoding="utf-8")
    assert changes(here) == []
    (here.top / "package.json").write_text(package().replace("1.4.0", "2.0.0-rc.1"), encoding="utf-8")
    assert changes(here) == [("layout", "verified", "stale", "evidence-changed")]
    assert "was `1`, is now `2`" in (here.top / ".memdir/memories/layout.md").read_text("utf-8")


@pytest.mark.parametrize(
    "probe", ["docs/rules.md", "exists:docs/rules.md", "rules.toml#/lint/level", "Makefile#targets.all"]
)
def test_other_evidence_that_changes(here: Project, probe: str) -> None:
    texts = {"docs/rules.md": "Use tabs.\n", "rules.toml": '[lint]\nlevel = "hard"\n', "Makefile": "all:\n\tcc x.c\n"}
    for path, text in texts.items():
        (here.top / path).parent.mkdir(exist_ok=True)
        (here.top / path).write_text(text, encoding="utf-8")
    here.remember("style", "as the rules say", "--depends-on", probe)
    assert changes(here) == []
    (here.top / "docs/rules.md").write_text("Use spaces.\n", encoding="utf-8")
    (here.top / "rules.toml").write_text('[lint]\nlevel = "soft"\n', encoding="utf-8")
    (here.top / "Makefile").write_text("all:\n\tcc y.c\n", encoding="utf-8")
    if probe.startswith("exists:"):
        assert changes(here) == []
        (here.top / "docs/rules.md").unlink()
        assert changes(here) == [("style", "verified", "stale", "evidence-removed")]
    else:
        assert changes(here) == [("style", "verified", "stale", "evidence-changed")]


def test_the_clock_moves_what_it_ends(here: Project) -> None:
    here.remember("a", "1", "--review-after", "2026-10-01")
    here.remember("b", "2", "--expires", "2026-10-01")
    config = here.top / ".memdir/config.yaml"
    config.write_text(config.read_text("utf-8") + "ageLimits:\n  project-rule: 60d\n", encoding="utf-8")
    assert changes(here) == []
    later = {"MEMDIR_NOW": "2026-10-02T00:00:00Z"}
    told = here.sandbox.run("refresh", "--json", cwd=here.top, env=later).json["changed"]
    assert [(one["key"], one["to"], one["reason"]) for one in told] == [
        ("a", "stale", "review-due: it was to be reviewed after 2026-10-01"),
        ("b", "expired", "expired: it ended 2026-10-01"),
    ]
    assert not (here.top / ".memdir/memories/b.md").exists()
    assert len(list((here.top / ".memdir/history").glob("b~*@1.md"))) == 1
    much_later = {"MEMDIR_NOW": "2027-01-01T00:00:00Z"}
    (told,) = here.sandbox.run("refresh", "--json", cwd=here.top, env=much_later).json["changed"]
    assert (told["key"], told["reason"].partition(":")[0]) == ("build_command", "age-limit")


def test_a_memory_that_cannot_be_edited_does_not_keep_the_others_from_moving(here: Project) -> None:
    here.remember("other", "npm run build -- --watch")
    memories = here.top / ".memdir/memories"
    (memories / "build_command.md").rename(memories / "wrong name.md")
    here.write(build="vite build")
    done = here.sandbox.run("refresh", "--json", cwd=here.top)
    assert done.exit == 0
    assert [(one["key"], one["to"]) for one in done.json["changed"]] == [("other", "stale")]
    (warning,) = done.json["warnings"]
    assert warning["code"] == "not-moved"
    assert "`memories/wrong name.md` stays as it is" in warning["message"]
    assert here.status("other") == "stale"


def test_reads_see_what_refresh_would_write(here: Project) -> None:
    before = tree(here.top / ".memdir/memories")
    here.write(build="vite build")
    document = here.run("get", "build_command", "--json").json
    assert (document["status"], document["value"]) == ("stale", "npm run build")
    assert [one["code"] for one in document["warnings"]] == ["stale"]
    assert "verify first" in here.run("context").stdout
    assert tree(here.top / ".memdir/memories") == before


def outside(here: Project) -> dict[str, str]:
    """The memdir of the project moved away from it."""
    elsewhere = here.sandbox.root / "memories-of-others/memdir"
    elsewhere.parent.mkdir()
    shutil.move(here.top / ".memdir", elsewhere)
    return {"MEMDIR_DIR": str(elsewhere)}


def test_a_memdir_outside_its_project_says_nothing_of_another_one(here: Project) -> None:
    env = outside(here)
    other = here.sandbox.repository("other-app")
    (other / "package.json").write_text(package(build="rollup -c"), encoding="utf-8")
    assert here.sandbox.run("refresh", "--json", cwd=other, env=env).json["changed"] == []
    assert here.sandbox.run("get", "build_command", cwd=other, env=env).stderr == ""
    bare = here.sandbox.root / "bare"
    bare.mkdir()
    assert here.sandbox.run("refresh", "--json", cwd=bare, env=env).json["changed"] == []
    done = here.sandbox.run("remember", "dev", "npm run dev", "--scope", "repo", *SAID, cwd=other, env=env)
    assert (done.exit, "verified" in done.stdout or "candidate" not in done.stdout) == (0, True)
    text = (Path(env["MEMDIR_DIR"]) / "memories/dev.md").read_text("utf-8")
    assert "dependsOn" not in text, "the scripts of another project are no evidence"


def test_a_memdir_outside_its_project_is_heard_in_its_project(here: Project) -> None:
    env = outside(here)
    here.write(build="vite build")
    (one,) = here.sandbox.run("refresh", "--json", cwd=here.top, env=env).json["changed"]
    assert one["reason"].startswith("evidence-changed")


def test_a_memory_that_no_receipt_names_gets_none_from_the_clock(here: Project) -> None:
    memories = here.top / ".memdir/memories"
    text = (memories / "build_command.md").read_text("utf-8")
    planted = (
        text.replace("id: ", "id: z")
        .replace("build_command", "planted")
        .replace("authority: user", "authority: policy")
    )
    (memories / "planted.md").write_text(planted, encoding="utf-8")
    here.write(build="vite build")
    assert len(changes(here)) == 2
    assert here.status("planted") == "stale"
    document = here.run("get", "planted", "--json").json
    assert "unattributed" in json.dumps(document["warnings"])


def test_not_here_at_all(sandbox: Sandbox) -> None:
    done: Outcome = sandbox.run("refresh", "--json", cwd=sandbox.repository())
    assert (done.exit, done.json["changed"]) == (0, [])
