"""A user's machine with memories to measure: a repository, its memdir and the user's own, made at once.

The files are those that memdir itself would have written: text, names, index and receipts come from its storage
code. They are only not written durably, one transaction at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from memdir_cli.domain.event import Event
from memdir_cli.domain.memory import Evidence, Memory
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Layer, Record
from memdir_cli.domain.source import Source
from memdir_cli.probes import registry
from memdir_cli.probes.ground import Ground
from memdir_cli.storage import codec, config, index, layout, memories, receipts
from memdir_cli.storage.disk import create_root
from memdir_cli.storage.store import Store
from tests.sandbox import Sandbox, isolated

REPOSITORY = "github.com/acme/legacy-dashboard"
USER = "42"
KEY = "0123456789abcdef" * 4

#: The time of a run; memories were made in the months before it.
NOW = "2026-09-14T09:30:00Z"

#: The key that stands in both memdirs, and is asked for.
ASKED = "package_manager"

SCRIPTS = ("build", "test", "lint", "typecheck", "dev", "preview", "storybook", "e2e", "format", "release")
AREAS = ("gotcha", "api", "build", "style", "deploy", "schema", "testing", "review")
LETTERS = "abcdefghjkmnpqrstvwxyz"
TEXT = (
    "The service answers 409 where two writers race, and the client retries with the revision that it read.\n"
    "Run the migration before the seed: the seed refers to the new column `tenant_id`.\n"
    "- seen on the staging cluster after the upgrade of the proxy\n"
    "- the fix is in the shared middleware, not in the handler\n\n"
)


def furnished(root: Path, count: int) -> tuple[Sandbox, Path]:
    """A home and a repository with ``count`` memories in all: nine in ten the project's, one in ten the user's."""
    sandbox = isolated(root)
    top = sandbox.repository("legacy-dashboard")
    scripts = ", ".join(f'"{name}": "vite {name}"' for name in SCRIPTS)
    (top / "package.json").write_text(f'{{"version": "4.2.0", "scripts": {{{scripts}}}}}\n', encoding="utf-8")
    own = max(count // 10, 1)
    _fill(sandbox.user_memdir, "user", config.new_user_config(USER, KEY), _users(own))
    project = config.new_project_config(REPOSITORY, KEY)
    _fill(top / ".memdir", "project", project, _projects(count - own, Ground(str(top))))
    (top / ".memdir/.gitignore").write_text("/local/\n/inbox/\n", encoding="utf-8")
    return sandbox, top


def _users(count: int) -> Iterator[Memory]:
    yield _memory(0, "user", ASKED, value="pnpm")
    for number in range(1, count):
        yield _memory(number, "user", f"{AREAS[number % 8]}.habit-{number}", value=f"habit {number}")


def _projects(count: int, ground: Ground) -> Iterator[Memory]:
    script = [registry.take(f"package.json#scripts.{name}", ground)[0] for name in SCRIPTS]
    yield _memory(0, "project", ASKED, value="npm", evidence=script[:1])
    for number in range(1, count):
        yield _memory(
            number,
            "project",
            f"{AREAS[number % 8]}.{_word(number)}-{number}",
            value=f"npm run {SCRIPTS[number % 10]} -- --shard={number}" if number % 3 else None,
            body=TEXT * (number % 7),
            # a rule in ten depends on a script
            evidence=script[number // 10 % 10 : number // 10 % 10 + 1] if number % 10 == 0 else [],
            path=f"packages/{_word(number % 40)}/**" if number % 8 == 0 else None,
        )


def _memory(
    number: int,
    layer: Layer,
    key: str,
    *,
    value: str | None,
    body: str = "",
    evidence: Iterable[Evidence] = (),
    path: str | None = None,
) -> Memory:
    at = f"2026-{number % 8 + 1:02}-{number % 28 + 1:02}T{number % 24:02}:{number % 60:02}:00Z"
    own = layer == "user"
    said = f"please keep this in mind for {key}: {value or 'see below'}"
    return Memory(
        id=f"{'a' if own else 'p'}{_word(number):0>12}",
        subject=f"user:{USER}" if own else f"project:{REPOSITORY}",
        predicate=key,
        scope=Scope("user") if own else Scope("repository", repository=REPOSITORY, path=path),
        status="verified",
        name=key,
        description=f"{key}: {value or 'how it behaves and what to do about it'}",
        type="preference" if own else "project-rule",
        value=value,
        authority="user",
        source=(Source("user", f"session:s{number // 20}/message:m{number % 20}", said, at, "tty"),),
        depends_on=tuple(evidence),
        created_at=at,
        updated_at=at,
        verified_at=at,
        body=body or (TEXT if value is None else ""),
    )


def _fill(root: Path, layer: Layer, settings: bytes, told: Iterable[Memory]) -> None:
    create_root(str(root), private=layer == "user")
    (root / layout.CONFIG).write_bytes(settings)
    store = Store(str(root), layer)
    records: list[Record] = []
    lines: dict[str, list[bytes]] = {}
    for number, memory in enumerate(sorted(told, key=lambda memory: memory.created_at)):
        path, content = layout.path_of(memory, layer), codec.render(memory)
        file = root / path
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
        record = memories.parse_record(path, content, layer)
        assert isinstance(record, Record), record
        records.append(record)
        receipt = receipts.line(
            store.config.key,
            f"t{number:012}",
            memory.created_at,
            [Event("created", memory, actor="user")],
            {memory.ref: content},
        )
        lines.setdefault(layout.receipts_path(memory.created_at), []).append(receipt + b"\n")
    for path, month in lines.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(b"".join(month))
    (root / layout.INDEX).write_bytes(index.render(None, records))


def _word(number: int) -> str:
    """A word of letters that stands for ``number`` alone."""
    letters = ""
    while number or not letters:
        number, at = divmod(number, len(LETTERS))
        letters = LETTERS[at] + letters
    return letters
