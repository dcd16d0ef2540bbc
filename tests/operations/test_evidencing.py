"""Evidence that a statement brings along: cited commands, probes that are named, and what is not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.statement import Provenance
from memdir_cli.errors import UsageError
from memdir_cli.operations.refresh import refresh
from tests.operations.writing_place import AGENT, Scene, scene
from tests.sandbox import Sandbox

PACKAGES = {
    "": {"name": "acme", "scripts": {"build": "turbo build", "test": "vitest", "lint": "eslint ."}},
    "packages/web": {"name": "@acme/web", "scripts": {"build": "vite build", "dev": "vite"}},
    "packages/api": {"name": "api", "scripts": {}},
}


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


@pytest.fixture
def here(sandbox: Sandbox) -> Scene:
    """A monorepo."""
    found = scene(sandbox)
    for path, package in PACKAGES.items():
        write(found.top, f"{path}/package.json".lstrip("/"), json.dumps(package))
    return found


def said(here: Scene, value: str | None, level: Any = "repository", **more: Any) -> Memory:
    """The memory that a statement made."""
    answer = here.remember("rule", value, level, **more)
    assert answer.memory is not None, answer
    return answer.memory


def probes(memory: Memory) -> list[str]:
    return [one.probe for one in memory.depends_on]


ROOT, WEB = "package.json#scripts.build", "packages/web/package.json#scripts.build"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("npm run build", [ROOT]),
        ("run `npm run build && npm run lint` before pushing", [ROOT, "package.json#scripts.lint"]),
        ("npm test", ["package.json#scripts.test"]),
        ("`pnpm build`", [ROOT]),
        ("`yarn build`", [ROOT]),
        ("bun run build", [ROOT]),
        ("npm run build -w packages/web", [WEB]),
        ("npm run build --workspace @acme/web", [WEB]),
        ("pnpm --filter @acme/web build", [WEB]),
        ("pnpm --filter ./packages/web run build", [WEB]),
        ("npm --prefix packages/web run build", [WEB]),
        ("pnpm -C packages/web build", [WEB]),
        ("yarn workspace @acme/web build", [WEB]),
        ("npm ci, never `npm install`", []),
        ("`pnpm dlx create-thing` and `yarn add x` and `npm exec tsc`", []),
        ("npm", []),
        ("we like yarn very much", []),
    ],
)
def test_a_command_that_is_cited_is_evidence(here: Scene, value: str, found: list[str]) -> None:
    memory = said(here, value)
    assert probes(memory) == found
    assert all(one.hash.startswith("v1:") and one.was for one in memory.depends_on)
    assert memory.status == "verified"


@pytest.mark.parametrize("path", ["packages/web/**", "packages/web/src/*.ts", "packages/web/src/deep/x.ts"])
def test_the_nearest_package_is_that_of_the_path(here: Scene, path: str) -> None:
    assert probes(said(here, "npm run build", path=path)) == [WEB]


def test_without_a_path_it_is_that_of_the_working_directory(here: Scene) -> None:
    assert probes(said(here, "npm run build", cwd=here.top / "packages/web")) == [WEB]


def test_value_description_and_body_are_read(here: Scene) -> None:
    memory = said(here, "as below", description="Run npm run lint", body="```sh\nnpm run build\n```\n")
    assert probes(memory) == ["package.json#scripts.lint", ROOT]
    memory = here.remember("text", None, body="Always `npm run build`.\n").memory  # type: ignore[assignment]
    assert probes(memory) == [ROOT]


def test_a_rule_of_the_user_cites_nothing(here: Scene) -> None:
    memory = said(here, "npm run build", "user")
    assert (memory.status, memory.depends_on) == ("verified", ())
    assert said(here, "npm run nonsense", "user").status == "verified"


@pytest.mark.parametrize(
    ("level", "more"), [("task", {"env": {"MEMDIR_TASK": "T1"}}), ("repository", {"private": True})]
)
def test_memories_of_a_task_and_private_rules_have_evidence_too(here: Scene, level: str, more: dict[str, Any]) -> None:
    memory = said(here, "npm run build", level, **more)
    assert probes(memory) == [ROOT]
    write(here.top, "package.json", json.dumps({"scripts": {"build": "make"}}))
    (change,) = refresh(here.open(env=more.get("env"))).changed
    assert (change.record.layer, change.after, change.record.memory.id) == ("user", "stale", memory.id)


def test_in_another_repository_it_says_nothing_of_them(here: Scene) -> None:
    said(here, "npm run build", private=True)
    other = here.sandbox.repository("other")
    write(other, "package.json", json.dumps({"scripts": {"build": "make"}}))
    assert refresh(here.open(cwd=other)).changed == ()


@pytest.mark.parametrize(
    "value", ["npm run e2e", "`pnpm e2e`", "npm run build -w packages/api", "npm run build, then npm run deploy:prod"]
)
def test_a_script_that_does_not_exist_makes_a_candidate(here: Scene, value: str) -> None:
    memory = said(here, value)
    assert memory.status == "candidate"
    assert memory.status_reason.startswith("evidence-missing: `")
    assert memory.status_reason.endswith("` does not exist")
    refused = here.confirm("rule")
    assert (refused.exit_status, refused.reason) == (4, "evidence-missing")


def test_a_candidate_is_confirmed_when_what_it_cites_exists(here: Scene) -> None:
    said(here, "npm run e2e")
    write(here.top, "package.json", json.dumps({"scripts": {"e2e": "playwright test"}}))
    memory = here.confirm("rule").memory
    assert memory is not None
    assert (memory.status, memory.depends_on[0].was) == ("verified", "playwright test")


def test_a_correction_to_what_does_not_exist_leaves_what_stands(here: Scene) -> None:
    said(here, "npm run build")
    answer = here.correct("rule", "npm run bild")
    assert answer.memory is not None
    assert (answer.memory.status, answer.exit_status) == ("candidate", 3)
    assert {memory.value: memory.status for memory in here.memories().values()} == {
        "npm run build": "verified",
        "npm run bild": "candidate",
    }


@pytest.mark.parametrize("probe", ["docs/x.md", "exists:docs/x.md", "package.json#scripts.none", "package.json#/none",
                                   "package.json#version:major"])  # fmt: skip
def test_explicit_evidence_that_is_missing_makes_a_candidate(here: Scene, probe: str) -> None:
    memory = said(here, "1", depends_on=(probe,))
    assert (memory.status, probes(memory)) == ("candidate", [probe])
    assert memory.status_reason == f"evidence-missing: `{probe}` is not there"


@pytest.mark.parametrize("probe", ["/etc/passwd", "../x", "package.json#nonsense", ""])
def test_what_is_no_probe_is_refused(here: Scene, probe: str) -> None:
    before = here.files()
    with pytest.raises(UsageError):
        said(here, "1", depends_on=(probe,))
    assert here.files() == before


def test_explicit_evidence_at_user_level_is_refused(here: Scene) -> None:
    with pytest.raises(UsageError) as caught:
        said(here, "1", "user", depends_on=("package.json#scripts",))
    assert "--scope repository" in caught.value.hint


@pytest.mark.parametrize(
    ("key", "value", "lock"),
    [
        ("package_manager", "pnpm", "pnpm-lock.yaml"),
        ("pm", "npm", "package-lock.json"),
        ("pm", "yarn@4.1.0", "yarn.lock"),
        ("pm", "this project uses bun", "bun.lock"),
        ("package-manager", "uv, with a lock file", "uv.lock"),
    ],
)
def test_a_fact_about_the_package_manager_needs_its_lock_file(here: Scene, key: str, value: str, lock: str) -> None:
    memory = here.remember(key, value, type="fact").memory
    assert memory is not None
    assert (memory.status, memory.status_reason) == ("candidate", f"evidence-missing: `{lock}` is not there")
    assert here.confirm(key).reason == "evidence-missing", "a word alone does not make it so"
    write(here.top, lock, "lock")
    memory = here.confirm(key).memory
    assert memory is not None
    assert (memory.status, probes(memory)) == ("verified", [f"exists:{lock}"])
    (here.top / lock).unlink()
    assert [change.after for change in refresh(here.open()).changed] == ["stale"]


@pytest.mark.parametrize(
    ("key", "value", "type_"),
    [
        ("package_manager", "pnpm", None),
        ("package_manager", "pnpm", "decision"),
        ("pm", "npm ci", "fact"),
        ("pm", "pnpm is forbidden", "fact"),
        ("package_manager", "npm or pnpm", "fact"),
        ("port", "8080", "fact"),
    ],
)
def test_rules_and_other_facts_need_none(here: Scene, key: str, value: str, type_: Any) -> None:
    memory = here.remember(key, value, type=type_).memory
    assert memory is not None
    assert (memory.status, memory.depends_on) == ("verified", ())


def test_the_lock_file_is_the_nearest_one(here: Scene) -> None:
    write(here.top, "packages/web/yarn.lock", "lock")
    memory = said(here, "yarn", type="fact", path="packages/web/**")
    assert (memory.status, probes(memory)) == ("verified", ["exists:packages/web/yarn.lock"])
    assert said(here, "yarn", type="fact").status == "candidate"


def test_what_an_agent_says_is_a_candidate_with_its_evidence(here: Scene) -> None:
    memory = said(here, "npm run build", by=AGENT)
    assert (memory.status, probes(memory)) == ("candidate", [ROOT])
    assert memory.status_reason.startswith("unconfirmed")


def test_what_was_taken_from_a_file_names_it(here: Scene) -> None:
    write(here.top, "docs/rules.md", "tabs")
    memory = said(here, "tabs", by=Provenance("file"), depends_on=("docs/rules.md",))
    assert [(source.kind, source.ref) for source in memory.source] == [("file", "docs/rules.md")]
    assert memory.type == "fact"


def test_without_a_package_json_a_citation_stands_for_nothing(sandbox: Sandbox) -> None:
    memory = said(scene(sandbox), "npm run build")
    assert (memory.status, memory.depends_on) == ("verified", ())


def test_a_broken_package_json_is_named_without_hash_and_lowers_nothing(here: Scene) -> None:
    write(here.top, "package.json", '{"scripts": ')
    memory = said(here, "npm run build")
    assert (memory.status, probes(memory), memory.depends_on[0].hash) == ("verified", [ROOT], "")
    assert refresh(here.open()).changed == ()


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(["npm run", "build", "test", "`", "pnpm", "yarn", "-w", "packages/web", "--", "&&", "x", ",",
                         "--filter", "make", "```\n", "run", "e2e", "npm test", ".", "日本語"]),
        min_size=1, max_size=12,
    )
)  # fmt: skip
def test_whatever_is_said_is_remembered_or_waits(here: Scene, words: list[str]) -> None:
    """No text breaks the search for citations, and what is stored is looked at again without a change."""
    value = " ".join(words)
    answer = here.remember(f"k{crc32(value.encode())}", value)
    assert answer.decision in {"created", "confirmed"}
    assert answer.memory is not None
    missing = [one.probe for one in answer.memory.depends_on if not one.hash]
    assert (answer.memory.status == "candidate") == bool(missing)
    assert refresh(here.open()).changed == ()
