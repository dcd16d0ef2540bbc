"""Looks at real files: what each kind sees, and what it does not mind."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memdir_cli.domain.effective import VerdictKind
from memdir_cli.domain.memory import Evidence
from memdir_cli.errors import UsageError
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.registry import take, verdict

PACKAGE = {"name": "app", "version": "1.4.0", "scripts": {"test": "mocha", "build": "tsc -b", "lint": "eslint ."}}


def write(root: Path, path: str, text: str | bytes) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text if isinstance(text, bytes) else text.encode())


def stored(root: Path, probe: str) -> Evidence:
    evidence, seen = take(probe, Ground(str(root)))
    assert seen.state == "seen", seen
    return evidence


def judged(root: Path, evidence: Evidence) -> VerdictKind:
    return verdict(evidence, Ground(str(root))).kind


SCRIPT, SCRIPTS, MAJOR = "package.json#scripts.test", "package.json#scripts", "package.json#version:major"
PLAIN = json.dumps(PACKAGE)

#: An edit, and the verdicts on one script, on all, and on the major version.
EDITS: list[tuple[str, str | bytes, tuple[VerdictKind, VerdictKind, VerdictKind]]] = [
    ("nothing", PLAIN, ("same", "same", "same")),
    ("indentation", json.dumps(PACKAGE, indent="\t"), ("same", "same", "same")),
    ("key order", json.dumps({k: PACKAGE[k] for k in reversed(PACKAGE)}), ("same", "same", "same")),
    (
        "script order",
        json.dumps(PACKAGE | {"scripts": {"lint": "eslint .", "build": "tsc -b", "test": "mocha"}}),
        ("same", "same", "same"),
    ),
    ("CRLF", json.dumps(PACKAGE, indent=2).replace("\n", "\r\n"), ("same", "same", "same")),
    ("a final newline", PLAIN + "\n", ("same", "same", "same")),
    ("a byte order mark", "\ufeff" + PLAIN, ("same", "same", "same")),
    ("escapes", PLAIN.replace("mocha", "m\\u006fcha"), ("same", "same", "same")),
    ("dependencies", json.dumps(PACKAGE | {"dependencies": {"a": "1"}}), ("same", "same", "same")),
    ("packageManager", json.dumps(PACKAGE | {"packageManager": "pnpm@9"}), ("same", "same", "same")),
    ("a minor version", PLAIN.replace("1.4.0", "1.5.0-rc.1"), ("same", "same", "same")),
    ("a major version", PLAIN.replace("1.4.0", "2.0.0"), ("same", "same", "changed")),
    ("another script", PLAIN.replace("tsc -b", "vite build"), ("same", "changed", "same")),
    ("a script more", PLAIN.replace('"lint"', '"dev": "vite", "lint"'), ("same", "changed", "same")),
    ("this script", PLAIN.replace("mocha", "vitest run"), ("changed", "changed", "same")),
    ("white space in it", PLAIN.replace("mocha", "mocha "), ("changed", "changed", "same")),
    ("this script renamed", PLAIN.replace('"test"', '"check"'), ("removed", "changed", "same")),
    (
        "the last of two keys",
        PLAIN.replace('"test": "mocha"', '"test": "x", "test": "mocha"'),
        ("same", "same", "same"),
    ),
    ("no scripts", json.dumps({"version": "1.0.0"}), ("removed", "changed", "same")),
    ("scripts null", json.dumps(PACKAGE | {"scripts": None}), ("removed", "changed", "same")),
    ("scripts a list", json.dumps(PACKAGE | {"scripts": ["test"]}), ("removed", "changed", "same")),
    ("a number for a script", json.dumps(PACKAGE | {"scripts": {"test": 1}}), ("removed", "changed", "same")),
    ("no version", json.dumps({"scripts": PACKAGE["scripts"]}), ("same", "same", "removed")),
    ("a comma too many", PLAIN[:-1] + ",}", ("unreadable",) * 3),
    ("a comment", PLAIN + "// x", ("unreadable",) * 3),
    ("conflict markers", "<<<<<<< HEAD\n" + PLAIN, ("unreadable",) * 3),
    ("nothing in it", "", ("unreadable",) * 3),
    ("a list", "[]", ("unreadable",) * 3),
    ("UTF-16", PLAIN.encode("utf-16"), ("unreadable",) * 3),
    ("not UTF-8", b'{"scripts": {"test": "\xff"}}', ("unreadable",) * 3),
    ("NaN", PLAIN.replace('"1.4.0"', "NaN"), ("unreadable",) * 3),
    ("a bomb of brackets", "[" * 100_000, ("unreadable",) * 3),
    ("a number of 5,000 digits", PLAIN.replace('"1.4.0"', "9" * 5000), ("unreadable",) * 3),
]


@pytest.mark.parametrize(("text", "expected"), [edit[1:] for edit in EDITS], ids=[edit[0] for edit in EDITS])
def test_edits_of_package_json(
    tmp_path: Path, text: str | bytes, expected: tuple[VerdictKind, VerdictKind, VerdictKind]
) -> None:
    write(tmp_path, "package.json", PLAIN)
    before = [stored(tmp_path, probe) for probe in (SCRIPT, SCRIPTS, MAJOR)]
    write(tmp_path, "package.json", text)
    assert tuple(judged(tmp_path, each) for each in before) == expected


def test_a_lone_surrogate_is_a_value_like_any_other(tmp_path: Path) -> None:
    write(tmp_path, "package.json", '{"scripts": {"test": "\\ud800"}}')
    evidence = stored(tmp_path, SCRIPT)
    assert evidence.was == "\\ud800"
    assert judged(tmp_path, evidence) == "same"


def test_what_is_stored_of_a_look(tmp_path: Path) -> None:
    write(tmp_path, "package.json", PLAIN)
    assert stored(tmp_path, SCRIPT).was == "mocha"
    assert stored(tmp_path, SCRIPTS).was == "3 scripts"
    assert stored(tmp_path, MAJOR).was == "1"
    assert stored(tmp_path, "package.json").was == ""
    evidence, seen = take("package.json#scripts.nope", Ground(str(tmp_path)))
    assert (evidence, seen.state) == (Evidence("package.json#scripts.nope"), "gone")


def test_packages_of_a_workspace_do_not_mix(tmp_path: Path) -> None:
    write(tmp_path, "package.json", PLAIN)
    write(tmp_path, "packages/a/package.json", '{"scripts": {"test": "jest"}}')
    root, inner = stored(tmp_path, SCRIPT), stored(tmp_path, f"packages/a/{SCRIPT}")
    write(tmp_path, "packages/a/package.json", '{"scripts": {"test": "vitest"}}')
    assert (judged(tmp_path, root), judged(tmp_path, inner)) == ("same", "changed")


def test_a_package_that_moved(tmp_path: Path) -> None:
    write(tmp_path, "package.json", PLAIN)
    write(tmp_path, "packages/a/package.json", '{"scripts": {"test": "jest"}}')
    evidence = stored(tmp_path, f"packages/a/{SCRIPT}")
    (tmp_path / "apps").mkdir()
    (tmp_path / "packages/a").rename(tmp_path / "apps/a")
    found = verdict(evidence, Ground(str(tmp_path)))
    assert (found.kind, found.near) == ("moved", "apps/a/package.json")


def test_a_package_that_moved_and_changed_or_has_a_double_is_unknown(tmp_path: Path) -> None:
    write(tmp_path, "a/package.json", '{"scripts": {"test": "jest"}}')
    evidence = stored(tmp_path, f"a/{SCRIPT}")
    (tmp_path / "a/package.json").unlink()
    write(tmp_path, "b/package.json", '{"scripts": {"test": "vitest"}}')
    assert judged(tmp_path, evidence) == "unknown"
    write(tmp_path, "b/package.json", '{"scripts": {"test": "jest"}}')
    write(tmp_path, "c/package.json", '{"scripts": {"test": "jest"}}')
    assert judged(tmp_path, evidence) == "unknown"


@pytest.mark.parametrize("place", ["node_modules/x", ".cache/x", "vendored/x"])
def test_nothing_moves_into_what_others_made(tmp_path: Path, place: str) -> None:
    write(tmp_path, "a/package.json", PLAIN)
    evidence = stored(tmp_path, f"a/{SCRIPT}")
    (tmp_path / "a/package.json").unlink()
    write(tmp_path, f"{place}/package.json", PLAIN)
    (tmp_path / "vendored/x/.git").mkdir(parents=True)
    assert judged(tmp_path, evidence) == "unknown"


@pytest.mark.parametrize("probe", [SCRIPT, "a.txt", "a.json#/x", "exists:a.txt", "Makefile#targets.x"])
def test_outside_any_project_everything_is_unknown(probe: str) -> None:
    evidence = Evidence(probe, "v1:" + "0" * 64)
    assert verdict(evidence, Ground("")).kind == "unknown"


CONTENTS = [
    ("a.txt", "one\r\ntwo\r\n", "\ufeffone\ntwo", "one\nthree"),
    ("a.md", "", "\n", "x"),
    ("a.json", '{"a": 1, "b": [2]}', '{\n "b": [2.0],\n "a": 1}\n', '{"a": 1, "b": [3]}'),
    ("tsconfig.json", '{"a": 1} // one', '{"a": 1} // one\r\n', '{"a": 1} // two'),
    ("a.toml", 'a = 1\n[b]\nc = "x"\nd = 2026-01-02\n', 'a=1\nb.c = "x"\nb.d = 2026-01-02', "a = 2"),
    ("a.yaml", "a: [1, 2]\nb: x # why\n", "b: 'x'\na:\n  - 1\n  - 2\n", "a: [1, 2]\nb: y"),
    ("a.yml", "a: 1\n---\nb: 2\n", "---\na: 1\n...\n---\nb: 2\n", "a: 1\n"),
    ("a.bin", b"\xff\x00\r\n", b"\xff\x00\r\n", b"\xff\x00\n"),
]


@pytest.mark.parametrize(("path", "before", "alike", "other"), CONTENTS, ids=[row[0] for row in CONTENTS])
def test_the_content_of_a_file(
    tmp_path: Path, path: str, before: str | bytes, alike: str | bytes, other: str | bytes
) -> None:
    write(tmp_path, path, before)
    evidence = stored(tmp_path, path)
    write(tmp_path, path, alike)
    assert judged(tmp_path, evidence) == "same"
    write(tmp_path, path, other)
    assert judged(tmp_path, evidence) == "changed"


POINTERS = [
    ("a.json#/compilerOptions/strict", '{"compilerOptions": {"strict": true, "x": 1}}', "true"),
    ("a.json#/a~1b/~0c/1", '{"a/b": {"~c": [0, "two"]}}', "two"),
    ("a.toml#/project/scripts/app", '[project.scripts]\napp = "pkg:main"\n', "pkg:main"),
    ("a.yaml#/jobs/test/steps/0/run", "jobs:\n  test:\n    steps:\n      - run: npm test\n", "npm test"),
    ("a.yaml#/on", "on: no\n", "no"),
    ("a.yaml#/1/kind", "kind: A\n---\nkind: B\n", "B"),
    ("a.yaml#/copy/0", "first: &x [one]\ncopy: *x\n", "one"),
    ("a.yaml#/name", "name: !Ref Table\n", '{"!Ref": "Table"}'),
]


@pytest.mark.parametrize(("probe", "text", "value"), POINTERS)
def test_a_pointer_leads_to_a_value(tmp_path: Path, probe: str, text: str, value: str) -> None:
    path = probe.partition("#")[0]
    write(tmp_path, path, text)
    evidence = stored(tmp_path, probe)
    assert evidence.was == value
    write(tmp_path, path, "# a comment\n" + text if not path.endswith("json") else f" {text} ")
    assert judged(tmp_path, evidence) == "same"


@pytest.mark.parametrize(
    "pointer", ["/b", "/a/2", "/a/-", "/a/01", "/a/-1", "/a/x", "/a/0/deeper", "/A", "/a/99999999999"]
)
def test_a_pointer_that_leads_nowhere(tmp_path: Path, pointer: str) -> None:
    write(tmp_path, "a.json", '{"a": [1, 2]}')
    assert take(f"a.json#{pointer}", Ground(str(tmp_path)))[1].state == "gone"


def test_a_key_that_was_removed_names_the_nearest(tmp_path: Path) -> None:
    write(tmp_path, "a.toml", '[alias]\nlint = "clippy"\n')
    evidence = stored(tmp_path, "a.toml#/alias/lint")
    write(tmp_path, "a.toml", '[alias]\nlints = "clippy --all"\nx = "run"\n')
    found = verdict(evidence, Ground(str(tmp_path)))
    assert (found.kind, found.near, found.old) == ("removed", "lints", "clippy")


UNPARSABLE = [
    ("a.json", "{", "not JSON (line 1, column 2)"),
    ("a.toml", "a = \n", "not TOML (line 1, column 5"),
    ("a.yaml", "a: [1\n", "not YAML (line"),
    ("a.yaml", "a: b: c\n", "not YAML (line 1)"),
    ("a.yaml", b"\xff", "not UTF-8 (byte 0)"),
    ("a.yaml", "a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n" + "".join(
        f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("bcdefgh", "cdefghi", strict=True)
    ), "not YAML that can be read"),
    ("a.yaml", "[" * 500 + "]" * 500, "not YAML"),
    ("a.yaml", "a: &a [*a]\n", "not YAML"),
    ("a.txt", "a", "not a JSON, TOML or YAML file by its name"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "why"), UNPARSABLE)
def test_a_pointer_into_what_does_not_parse_is_unreadable(
    tmp_path: Path, path: str, text: str | bytes, why: str
) -> None:
    write(tmp_path, path, text)
    seen = take(f"{path}#/a", Ground(str(tmp_path)))[1]
    assert seen.state == "unreadable"
    assert seen.message.startswith(why)


def test_existence(tmp_path: Path) -> None:
    write(tmp_path, "scripts/deploy.sh", "")
    evidence = stored(tmp_path, "exists:scripts/deploy.sh")
    folder = stored(tmp_path, "exists:scripts")
    write(tmp_path, "scripts/deploy.sh", "other content")
    assert judged(tmp_path, evidence) == judged(tmp_path, folder) == "same"
    (tmp_path / "scripts/deploy.sh").rename(tmp_path / "scripts/deploy.mjs")
    found = verdict(evidence, Ground(str(tmp_path)))
    assert (found.kind, found.near) == ("removed", "deploy.mjs")
    (tmp_path / "scripts/deploy.sh").mkdir()
    assert judged(tmp_path, evidence) == "changed"
    (tmp_path / "scripts/deploy.sh").rmdir()
    write(tmp_path, "tools/deploy.sh", "")
    assert judged(tmp_path, evidence) == "moved"


MAKEFILE = """\
# build: comments are none
CC := gcc
.PHONY: build test
build test: deps ; @echo first
\t$(CC) -o app \\
\t  main.c
deps::
\tnpm ci

clean:
\trm -rf out # gone
"""


def test_targets_of_a_makefile(tmp_path: Path) -> None:
    write(tmp_path, "Makefile", MAKEFILE)
    build, clean = stored(tmp_path, "Makefile#targets.build"), stored(tmp_path, "Makefile#targets.clean")
    assert build.was == "deps; @echo first; $(CC) -o app main.c"
    write(tmp_path, "Makefile", MAKEFILE.replace("\n", "\r\n").replace("CC := gcc", "CC := clang\nX = y"))
    assert judged(tmp_path, build) == "same"
    write(tmp_path, "Makefile", MAKEFILE.replace("rm -rf out", "rm -rf dist"))
    assert (judged(tmp_path, build), judged(tmp_path, clean)) == ("same", "changed")
    write(tmp_path, "Makefile", MAKEFILE.replace("clean:", "cleanup:"))
    found = verdict(clean, Ground(str(tmp_path)))
    assert (found.kind, found.near) == ("removed", "cleanup")
    for name in ("CC", ".PHONY", "# build"):
        assert take(f"Makefile#targets.{name}", Ground(str(tmp_path)))[1].state == "gone"


JUSTFILE = """\
set shell := ["bash", "-c"]
version := "1"
alias b := build

# builds it
@build target='all': deps
  cargo build {{target}}

deps:
    cargo fetch
"""


def test_recipes_of_a_justfile(tmp_path: Path) -> None:
    write(tmp_path, "justfile", JUSTFILE)
    build = stored(tmp_path, "justfile#targets.build")
    assert build.was == "target='all'; deps; cargo build {{target}}"
    assert stored(tmp_path, "justfile#targets.b").was == "build"
    write(tmp_path, "justfile", JUSTFILE.replace("cargo fetch", "cargo vendor").replace("# builds it", "# makes it"))
    assert judged(tmp_path, build) == "same"
    write(tmp_path, "justfile", JUSTFILE.replace("  cargo build", "  cargo build --release"))
    assert judged(tmp_path, build) == "changed"
    for name in ("version", "set", "shell"):
        assert take(f"justfile#targets.{name}", Ground(str(tmp_path)))[1].state == "gone"


def test_a_makefile_that_is_no_text(tmp_path: Path) -> None:
    write(tmp_path, "Makefile", b"\xff\xfe")
    assert take("Makefile#targets.x", Ground(str(tmp_path)))[1].state == "unreadable"


def test_composer_has_lists_of_commands(tmp_path: Path) -> None:
    write(tmp_path, "composer.json", '{"scripts": {"test": ["phpunit", "phpcs"]}}')
    evidence = stored(tmp_path, "composer.json#scripts.test")
    assert evidence.was == '["phpunit", "phpcs"]'
    write(tmp_path, "composer.json", '{"scripts": {"test": ["phpcs", "phpunit"]}}')
    assert judged(tmp_path, evidence) == "changed"


@pytest.mark.parametrize("path", ["secret", "link/secret", "dangling"])
@pytest.mark.parametrize("form", ["{}", "{}#/a", "exists:{}", "{}#scripts.x"])
def test_no_look_leaves_the_workspace(tmp_path: Path, path: str, form: str) -> None:
    write(tmp_path, "outside.json", '{"a": 1, "scripts": {"x": "y"}}')
    root = tmp_path / "project"
    root.mkdir()
    (root / "secret").symlink_to("../outside.json")
    (root / "link").symlink_to("..")
    (root / "dangling").symlink_to("../nowhere")
    evidence, seen = take(form.format(path), Ground(str(root)))
    assert evidence.hash == seen.hash == seen.shown == ""
    assert "outside.json" not in str(seen)


def test_a_name_in_a_stored_memory_that_leads_out_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        take("../x", Ground(str(tmp_path)))
    assert judged(tmp_path, Evidence("../x", "v1:" + "0" * 64)) == "unreadable"


@pytest.mark.parametrize("probe", ["fifo", "fifo.json#/a", "fifo#targets.a"])
def test_a_fifo_holds_nobody(tmp_path: Path, probe: str) -> None:
    os.mkfifo(tmp_path / "fifo")
    os.mkfifo(tmp_path / "fifo.json")
    assert take(probe, Ground(str(tmp_path)))[1].state == "unreadable"


def test_each_file_is_read_once_in_a_run(tmp_path: Path) -> None:
    write(tmp_path, "package.json", PLAIN)
    ground = Ground(str(tmp_path))
    evidence = [take(f"package.json#scripts.{name}", ground)[0] for name in ("test", "build", "lint")]
    (tmp_path / "package.json").unlink()
    assert {verdict(each, ground).kind for each in evidence} == {"same"}
    gone = Ground(str(tmp_path))
    assert {verdict(each, gone).kind for each in evidence} == {"unknown"}


def test_a_search_for_what_moved_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a/package.json", PLAIN)
    evidence = stored(tmp_path, f"a/{SCRIPT}")
    (tmp_path / "a").rename(tmp_path / "b")
    assert judged(tmp_path, evidence) == "moved"
    monkeypatch.setattr("memdir_cli.probes.ground.ENTRIES", 1)
    assert judged(tmp_path, evidence) == "unknown"


def test_a_search_follows_no_links(tmp_path: Path) -> None:
    write(tmp_path, "outside/package.json", PLAIN)
    root = tmp_path / "project"
    write(root, "a/package.json", PLAIN)
    evidence = stored(root, f"a/{SCRIPT}")
    (root / "a/package.json").unlink()
    (root / "linked").symlink_to("../outside")
    (root / "loop").symlink_to(".")
    (root / "package.json").symlink_to("../outside/package.json")
    assert judged(root, evidence) == "unknown"


def test_a_root_that_is_gone_holds_nothing(tmp_path: Path) -> None:
    ground = Ground(str(tmp_path / "gone"))
    assert verdict(Evidence(SCRIPT, "v1:0"), ground).kind == "unknown"
    assert verdict(Evidence("exists:x", "v1:0"), ground).kind == "unknown"
