"""A user with a repository in which memdir has lived for a while: every kind of file that it reads is there."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.entering import entered
from tests.sandbox import Sandbox, isolated

FIXTURES = Path(__file__).parents[2] / "fixtures"

WORDS = ("--from", "user", "--said", "yes, keep it so", "--session", "s1", "--message", "m1")
HERE = ("--scope", "repository")

#: Exit status and words, in order.
LIFE: tuple[tuple[int, tuple[str, ...]], ...] = (
    (0, ("init",)),
    (0, ("remember", "package_manager", "npm", *HERE, *WORDS)),
    (0, ("correct", "package_manager", "pnpm", *HERE, *WORDS)),
    (0, ("remember", "lint", "eslint", *HERE, *WORDS)),
    (3, ("remember", "lint", "biome", *HERE, *WORDS)),
    (0, ("remember", "port", "8080", *HERE)),
    (0, ("remember", "build", "npm run build", *HERE, "--depends-on", "package.json#scripts.build", *WORDS)),
    (0, ("remember", "target", "es2022", *HERE, "--depends-on", "tsconfig.json#/compilerOptions/target", *WORDS)),
    (0, ("remember", "line", "110", *HERE, "--depends-on", "pyproject.toml#/tool/ruff/line-length", *WORDS)),
    (0, ("remember", "image", "node", *HERE, "--depends-on", "compose.yaml#/services/web/image", *WORDS)),
    (0, ("remember", "style", "--body-file", "-", *HERE, "--path", "packages/**", "--topic", "css", *WORDS)),
    (0, ("remember", "ci", "just ci", *HERE, "--env", "os=linux", "--for-version", ">=2 <3", *WORDS)),
    (0, ("remember", "old", "x", *HERE, "--expires", "2027-01-01", "--review-after", "30d", *WORDS)),
    (0, ("expire", "old", *WORDS)),
    (0, ("remember", "editor", "vim", "--scope", "user", *WORDS)),
    (0, ("remember", "indent", "tabs", "--private", *HERE, *WORDS)),
    (0, ("remember", "step", "three", "--scope", "task:t1", *WORDS)),
    (0, ("remember", "staging", "kestrel-7.internal.example", *HERE, *WORDS)),
    (0, ("forget", "staging", "--yes")),
    (0, ("archive", "style")),
    (0, ("check", "--baseline", "baseline.json")),
)

PROJECT_FILES: Mapping[str, str] = {
    "package.json": '{"name": "app", "version": "2.1.0", "scripts": {"build": "vite build", "test": "vitest"}}\n',
    "packages/web/package.json": '{"name": "web", "scripts": {"build": "tsc"}}\n',
    "tsconfig.json": '{"compilerOptions": {"target": "es2022"}}\n',
    "pyproject.toml": "[tool.ruff]\nline-length = 110\n",
    "compose.yaml": "services:\n  web:\n    image: node\n",
    "body.md": "# Why\n\nBecause `npm run build` needs it.\n",
}

#: The kinds of files that are mutated: where they lie, from the place's root.
KINDS: Mapping[str, tuple[str, ...]] = {
    "memory": ("app/.memdir/memories/*.md", "app/.memdir/inbox/*.md", "app/.memdir/history/*.md"),
    "own memory": ("home/.local/share/memdir/memories/*.md", "home/.local/share/memdir/local/tasks/*.md"),
    "index": ("app/.memdir/MEMORY.md", "home/.local/share/memdir/MEMORY.md"),
    "receipts": ("app/.memdir/receipts/*.jsonl", "home/.local/share/memdir/receipts/*.jsonl"),
    "settings": ("app/.memdir/config.yaml", "home/.local/share/memdir/config.yaml"),
    "evidence": ("app/package.json", "app/packages/web/package.json", "app/tsconfig.json", "app/*.toml", "app/*.yaml"),
    "tombstones": ("app/.memdir/tombstones.jsonl", "home/.local/share/memdir/tombstones.jsonl"),
    "journal": ("app/.memdir/local/journal.json",),
    "local": ("app/.memdir/local/*", "home/.local/share/memdir/local/*", "app/.memdir/local/access/*"),
    "baseline": ("app/baseline.json",),
    "body": ("app/body.md",),
    "git": ("app/.git/config", "app/.git/HEAD", "app/.git/index", "app/.memdir/.gitignore", "home/.gitconfig"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A home and a repository below one root."""

    sandbox: Sandbox

    @property
    def root(self) -> Path:
        return self.sandbox.root

    @property
    def top(self) -> Path:
        return self.root / "app"

    def files(self, kind: str) -> list[Path]:
        """The files of one of :data:`KINDS`, always in the same order."""
        return sorted(path for pattern in KINDS[kind] for path in self.root.glob(pattern) if path.is_file())

    def copy(self, root: Path) -> Place:
        """The same place below another root."""
        shutil.copytree(self.root, root, symlinks=True, copy_function=shutil.copyfile)
        environ = {k: v.replace(str(self.root), str(root)) for k, v in self.sandbox.environ.items()}
        return Place(Sandbox(root, environ))


def lived(root: Path) -> Place:
    """A place in which all of :data:`LIFE` has happened, the same to the byte every time."""
    sandbox = isolated(root)
    place = Place(sandbox)
    sandbox.user_memdir.mkdir(parents=True, mode=0o700)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", "utf-8")
    sandbox.repository("app")
    shutil.rmtree(place.top / ".git/hooks", ignore_errors=True)
    for name, text in PROJECT_FILES.items():
        path = place.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    with steady():
        for status, words in LIFE:
            done = entered(words, cwd=place.top, environ=sandbox.environ, stdin=b"Two spaces.\n")
            assert done.exit == status, (words, done.stdout, done.stderr)
    return place


def interrupted(lived: Place, root: Path) -> Place:
    """A copy in which a writer of the project was killed after it had promised what it would do."""
    place = lived.copy(root)
    shutil.rmtree(place.top / ".memdir")
    shutil.copytree(FIXTURES / "memdirs/interrupted/memdir", place.top / ".memdir")
    return place


class steady:  # noqa: N801
    """Chance taken out: the same ids every time, for the time of the block."""

    def __enter__(self) -> None:
        self.chance = os.urandom
        os.urandom = random.Random("fuzz").randbytes

    def __exit__(self, *_: object) -> None:
        os.urandom = self.chance


def contents() -> Iterator[bytes]:
    """Real files of other projects, none of them large: pieces for mutations."""
    for folder in ("memory-dirs", "package-json", "memdirs", "texts"):
        for path in sorted((FIXTURES / folder).rglob("*")):
            if path.is_file() and path.stat().st_size < 40_000:
                yield path.read_bytes()
