"""Commands that a text cites, and words that only look like them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.citations import TEXT_CHARACTERS, Citation, citations
from memdir_cli.domain.runners import RUNNERS


def told(*texts: str) -> list[tuple[str, str, bool]]:
    return [(each.runner, each.name, each.certain) for each in citations(*texts)]


@pytest.mark.parametrize(
    ("text", "runner", "name"),
    [
        ("npm run build", "npm", "build"),
        ("npm run-script build", "npm", "build"),
        ("Start with npm run dev:web.", "npm", "dev:web"),
        ("(npm run build)", "npm", "build"),
        ("**npm run build**", "npm", "build"),
        ("**npm run build:a**", "npm", "build:a"),
        ('"npm run build"', "npm", "build"),
        ("请使用npm run build:prod构建", "npm", "build:prod"),
        ("npm run e2e -- --headed --workers=2", "npm", "e2e"),
        ("npm --silent run build", "npm", "build"),
        ("CI=1 npm run build", "npm", "build"),
        ("$ pnpm run build", "pnpm", "build"),
        ("yarn run build", "yarn", "build"),
        ("bun run build", "bun", "build"),
        ("node --run build", "node", "build"),
        ("npm run build && rm -rf tmp", "npm", "build"),
        ("npm run x_y-z.1", "npm", "x_y-z.1"),
        ("npm run X", "npm", "X"),
        ("npm run fixX", "npm", "fixX"),
        ("npm run buildX, then **npm run buildX**", "npm", "buildX"),
    ],
)
def test_run_is_certain_wherever_it_stands(text: str, runner: str, name: str) -> None:
    assert told(text) == [(runner, name, True)]


@pytest.mark.parametrize(
    ("text", "runner", "name"),
    [
        ("npm test", "npm", "test"),
        ("npm t", "npm", "test"),
        ("npm start", "npm", "start"),
        ("pnpm lint", "pnpm", "lint"),
        ("yarn build:web", "yarn", "build:web"),
        ("pnpm run-script lint", "pnpm", "lint"),
    ],
)
def test_shorthand_is_certain_in_code_only(text: str, runner: str, name: str) -> None:
    run = " run" in text
    assert told(text) == [(runner, name, run)]
    for code in (f"Use `{text}`.", f"Use ``{text}``.", f"So:\n```sh\n$ {text}\n```\n", f"~~~\n{text}\n"):
        assert told(code) == [(runner, name, True)]


@pytest.mark.parametrize(
    "text",
    [
        "npm ci", "npm install", "npm i left-pad", "npm audit fix", "npm outdated", "npm build", "npm lint",
        "pnpm add x", "pnpm install", "pnpm dlx x", "pnpm exec x", "pnpm i", "pnpm update", "pnpm store path",
        "yarn", "yarn add x", "yarn install", "yarn dlx x", "yarn workspaces foreach x", "yarn why x", "yarn up",
        "bun install", "bun test", "bun x", "npx run x", "pnpx run x", "turbo run build", "my-npm run x",
        "docs/npm run x", "npm.run build", "npmrun build", "npm run", "npm run -s", "npm run\nbuild",
        "npm run <name>", "npm run $NAME", "npm run ${NAME}", "npm run test:*", "npm run 'test:*'", "npm run …",
        "npm run build:$TARGET", "npm run test[:unit]", "npm run lint=fix", "yarn workspace", "yarn workspace web",
        "npm", "", "`npm`", "run build", "npm-run-all build",
    ],
)  # fmt: skip
def test_what_is_no_citation(text: str) -> None:
    assert told(text) == []
    assert told(f"`{text}`") == []


@pytest.mark.parametrize(
    "text", ["npm run scripts are listed below", "what npm run does", "npm run it", "pnpm is fast", "yarn for all"]
)
def test_prose_is_never_certain(text: str) -> None:
    assert all(not certain for _, _, certain in told(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("npm run build -w packages/web", Citation("npm", "build", True, workspace="packages/web")),
        ("npm run build --workspace=@acme/web", Citation("npm", "build", True, workspace="@acme/web")),
        ("npm -w web run build.", Citation("npm", "build", True, workspace="web")),
        ("npm run build -w web.", Citation("npm", "build", True, workspace="web")),
        ("npm --prefix apps/web run build", Citation("npm", "build", True, directory="apps/web")),
        ("pnpm --filter @acme/web run dev", Citation("pnpm", "dev", True, workspace="@acme/web")),
        ('pnpm --filter "@acme/web" run dev', Citation("pnpm", "dev", True, workspace="@acme/web")),
        ("npm run build -w X", Citation("npm", "build", True, workspace="X")),
        ("pnpm -F web run dev", Citation("pnpm", "dev", True, workspace="web")),
        ("pnpm -C apps/web run dev", Citation("pnpm", "dev", True, directory="apps/web")),
        ("pnpm -w run lint", Citation("pnpm", "lint", True, at_root=True)),
        ("yarn workspace @acme/web run build", Citation("yarn", "build", True, workspace="@acme/web")),
        ("`yarn workspace @acme/web build`", Citation("yarn", "build", True, workspace="@acme/web")),
        ('yarn workspace "@acme/web" run build', Citation("yarn", "build", True, workspace="@acme/web")),
        ("yarn --cwd apps/web run build", Citation("yarn", "build", True, directory="apps/web")),
        ("bun run --cwd apps/web build", Citation("bun", "build", True, directory="apps/web")),
        ("npm --loglevel error run build", Citation("npm", "build", True)),
        ("npm run build -- -w packages/web", Citation("npm", "build", True)),
    ],
)
def test_flags_say_where(text: str, expected: Citation) -> None:
    assert citations(text) == (expected,)


@pytest.mark.parametrize("text", ["pnpm -r run build", "npm run build --workspaces", "npm run x --if-present"])
def test_what_runs_where_it_exists_is_not_certain(text: str) -> None:
    assert [certain for _, _, certain in told(f"`{text}`")] == [False]


def test_each_command_once_and_the_certain_one_of_two() -> None:
    assert told("npm test", "then `npm test`", "and npm run test") == [("npm", "test", True)]
    assert told("npm ci && npm run lint && npm run build; npm run lint") == [
        ("npm", "lint", True),
        ("npm", "build", True),
    ]


@pytest.mark.parametrize(
    ("text", "runner", "name"),
    [
        ("make build", "make", "build"),
        ("just deploy", "just", "deploy"),
        ("cargo xtask", "cargo", "xtask"),
        ("composer test", "composer", "test"),
        ("uv run app", "uv", "app"),
        ("poetry run app", "poetry", "app"),
    ],
)
def test_other_programs_are_never_certain_and_in_a_sentence_need_code(text: str, runner: str, name: str) -> None:
    assert told(text) == told(f"Use `{text}` here") == [(runner, name, False)]
    assert told(f"`CI=1 {text}`") == [(runner, name, False)]
    assert told(f"You {text} of it") == ([(runner, name, False)] if " run " in text else [])


def test_only_yarn_has_a_command_for_one_workspace() -> None:
    assert told("`make workspace web build`") == [("make", "workspace", False)]


def test_a_program_of_scripts_may_be_meant_by_shorthand_in_a_sentence() -> None:
    assert told("Always pnpm lint before a commit") == [("pnpm", "lint", False)]
    assert told("Begin with pnpm run.") == [], "the end of a sentence makes no name of the verb"


def test_what_stands_before_and_after_code_is_a_sentence_or_a_beginning_of_its_own() -> None:
    text = "pnpm lint, then `npm test`, then pnpm build:web"
    assert told(text) == [("pnpm", "lint", False), ("npm", "test", True), ("pnpm", "build:web", False)]
    assert told("```sh\nmake build\n```\nmake test\n") == [("make", "build", False), ("make", "test", False)]


def test_a_text_that_is_too_long_is_cited_from_its_beginning_only() -> None:
    command = "npm run build"
    padding = " " * (TEXT_CHARACTERS - len(command))
    assert told(padding + command) == [("npm", "build", True)]
    assert told(f"{padding}{' ' * len(command)}{command}") == []


@given(st.lists(st.sampled_from([*RUNNERS, "run", "`", "```\n", "-w", "--", "x", " ", "\n", "@a/b", '"', "."])))
def test_any_mixture_is_read(words: list[str]) -> None:
    for citation in citations(" ".join(words)):
        assert citation.runner in RUNNERS
        assert citation.name


@pytest.mark.parametrize(
    "piece",
    ["npm ", "npm run x ", "`a ``b ```c ", "```\n", "`", "~", " ", "\n                   ", "npm run a;", "`npm x "],
)
def test_no_text_takes_long(piece: str) -> None:
    begun = time.perf_counter()
    citations(piece * (300_000 // len(piece)))
    assert time.perf_counter() - begun < 5
