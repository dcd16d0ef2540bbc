"""Rules about evidence: check says what refresh would write, and writes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from memdir_cli.domain.findings import CheckAnswer
from memdir_cli.domain.statement import Provenance
from memdir_cli.operations.check import check
from memdir_cli.operations.refresh import refresh
from tests.operations.writing_place import Scene, scene
from tests.sandbox import Sandbox

PACKAGE = {"version": "1.4.0", "scripts": {"build": "tsc", "test": "vitest"}}
RULES = "docs/rules.md"


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A repository with a memory for each kind of evidence."""
    found = scene(sandbox)
    (found.top / "package.json").write_text(json.dumps(PACKAGE), encoding="utf-8")
    (found.top / "docs").mkdir()
    (found.top / RULES).write_text("Use tabs.\n", encoding="utf-8")
    found.remember("build_command", "npm run build")
    found.remember("indentation", "tabs", by=Provenance("file"), depends_on=(RULES,))
    found.confirm("indentation")
    found.remember("port", "8080", type="fact")
    return found


def seen(here: Scene, answer: CheckAnswer) -> list[tuple[str, str, int]]:
    """Code, memory, and the line that is meant."""
    return [(one.code, one.path.rpartition("/")[2].removesuffix(".md"), one.line) for one in answer.findings]


def line_of(here: Scene, key: str, name: str) -> int:
    lines = (here.memdir / f"memories/{key}.md").read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, start=1) if line.startswith(f"{name}:"))


def change_script(here: Scene) -> None:
    (here.top / "package.json").write_text(json.dumps(PACKAGE).replace("tsc", "vite build"), encoding="utf-8")


def remove_script(here: Scene) -> None:
    (here.top / "package.json").write_text(json.dumps(PACKAGE).replace("build", "compile"), encoding="utf-8")


def move_package(here: Scene) -> None:
    (here.top / "web").mkdir()
    (here.top / "package.json").rename(here.top / "web/package.json")


def break_package(here: Scene) -> None:
    (here.top / "package.json").write_text('{"scripts": {},}', encoding="utf-8")


def change_source(here: Scene) -> None:
    (here.top / RULES).write_text("Use spaces.\n", encoding="utf-8")


def remove_source(here: Scene) -> None:
    (here.top / RULES).unlink()


def limit_age(here: Scene) -> None:
    config = here.memdir / "config.yaml"
    config.write_text(config.read_text("utf-8") + "ageLimits:\n  fact: 30d\n", encoding="utf-8")


#: What happens, code and key of the finding, and words of its message.
SITUATIONS: list[tuple[Callable[[Scene], None], str, str, str, str]] = [
    (change_script, "M321", "build_command", "dependsOn", "was `tsc`, is now `vite build`; look, then type"),
    (remove_script, "M322", "build_command", "dependsOn", "is gone; the nearest is `compile`; look, then"),
    (move_package, "M323", "build_command", "dependsOn", "is gone; the same is now in `web/package.json`; look"),
    (change_source, "M324", "indentation", "source", "`docs/rules.md` has changed, and it was taken from there"),
    (remove_source, "M324", "indentation", "source", "`docs/rules.md`, from which it was taken, is gone"),
    (break_package, "M326", "build_command", "dependsOn", "`package.json` cannot be read: not JSON (line 1, column"),
]  # fmt: skip


def test_what_is_as_it_was_gives_no_finding(here: Scene) -> None:
    answer = check(here.open(), strict=True)
    assert (answer.findings, answer.exit_status) == ((), 0)


@pytest.mark.parametrize(("happens", "code", "memory", "key", "words"), SITUATIONS)
def test_what_changed_is_a_finding_at_its_line(
    here: Scene, happens: Callable[[Scene], None], code: str, memory: str, key: str, words: str
) -> None:
    happens(here)
    before = here.files()
    answer = check(here.open())
    assert seen(here, answer) == [(code, memory, line_of(here, memory, key))]
    (finding,) = answer.findings
    assert words in finding.message
    assert not finding.message.startswith("``"), "its first letter stands there once"
    assert (finding.severity, finding.fixable) == ("warning", False)
    assert answer.exit_status == (2 if code == "M326" else 0)
    assert here.files() == before


def test_a_value_with_a_colon_is_told_whole(here: Scene) -> None:
    (here.top / "package.json").write_text(json.dumps(PACKAGE).replace("tsc", "echo a: b"), encoding="utf-8")
    (finding,) = check(here.open()).findings
    assert (finding.code, "is now `echo a: b`; look, then" in finding.message) == ("M321", True)


@pytest.mark.parametrize("happens", [one[0] for one in SITUATIONS if one[1] != "M326"])
def test_after_a_refresh_it_is_written_down_and_silent(here: Scene, happens: Callable[[Scene], None]) -> None:
    happens(here)
    assert len(check(here.open(), strict=True).findings) == len(refresh(here.open()).changed) == 1
    assert check(here.open(), strict=True).findings == ()


def test_an_age_limit(here: Scene) -> None:
    limit_age(here)
    assert check(here.open()).findings == ()
    later = here.at("2026-10-14T09:30:00Z")
    assert ("M325", "port", line_of(here, "port", "verifiedAt")) in seen(here, check(later.open()))


def test_in_another_project_nothing_is_said_of_it(here: Scene) -> None:
    change_script(here)
    other = here.sandbox.repository("other")
    (other / "package.json").write_text(json.dumps(PACKAGE).replace("tsc", "x"), encoding="utf-8")
    assert check(here.open(cwd=other, memdir=str(here.memdir))).findings == ()
