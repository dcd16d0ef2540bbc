"""Cases: number n is the same file, the same mutation and the same commands every time."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from memdir_cli.cli.app import COMMANDS
from memdir_cli.storage.codec import Malformed, parse_memory
from tests.fuzz import tokens
from tests.fuzz.declared import ENDLESS, line, parameters
from tests.fuzz.mutations import json_planted, mutated
from tests.fuzz.places import HERE, KINDS, WORDS, Place

#: What is mutated, the more often named the more often.
TARGETS: tuple[str, ...] = (
    *("memory",) * 8, *("own memory",) * 2, *("index",) * 2, *("receipts",) * 2, *("settings",) * 3,
    *("evidence",) * 3, *("journal",) * 2, *("tombstones",) * 2, "local", "baseline", "body", "git", *("name",) * 2,
    *("words",) * 3, "environment",
)  # fmt: skip

#: By verb, command lines. ``{name}`` is a key or a reference, ``{text}`` any word; both are hostile where the
#: words are the target.
LINES: dict[str, tuple[str, ...]] = {
    "init": ("", "--id github.com/acme/{name}", "--dir {name}"),
    "remember": (
        "{name} v HERE WORDS",
        "{name} --body-file body.md HERE --path {text} --topic {text}",
        "{name} {text} --scope user WORDS --depends-on {text} --type fact",
        "{name} v --scope task:{text} --for-version {text} --env os={text}",
        "{name} v HERE --expires {text} --review-after {text} --description {text}",
        "{name} v HERE --body-file {text} --transcript {text} --from user",
        "build run={text} HERE --from {text} --said {text} --session {text}",
    ),
    "correct": ("{name} w WORDS", "{name} w HERE WORDS --if-revision {text}"),
    "confirm": ("{name} WORDS", "{name} --without-evidence WORDS"),
    "settle": ("{name} --keep {text} WORDS", "lint --keep k WORDS"),
    "narrow": ("{name} --path packages/** WORDS", "{name} --path {text} --topic {text} --env os={text} WORDS"),
    "reject": ("{name} WORDS", "{name} --reason {text} WORDS"),
    "quarantine": ("{name} --reason why", "--source {name} --reason {text}", "{name} --reason {text} --json"),
    "release": ("{name} WORDS", "{name} --json WORDS"),
    "expire": ("{name} WORDS", "{name} --superseded-by {text} WORDS"),
    "forget": ("{name} --yes", "{name} --dry-run --json", "--source {text} --yes", "--subject {text} --yes", "{text}"),
    "archive": ("{name}", "--cold {text}", "--cold 30d --yes --json"),
    "restore": ("{name}", "style --json", "{text}"),
    "get": ("{name}", "{name} --json", "{name} --path {text} --env os={text}"),
    "explain": ("{name}", "{name} --json --topic {text} --for-version {text}"),
    "list": ("", "--all --json", "--status candidate"),
    "show": ("{name}", "{name} --json --quarantined"),
    "search": ("{text}", "{name} --all --json", "{text} --max-age {text}", "pnpm --status {text} --type fact"),
    "history": ("{name}", "{name} --json"),
    "health": ("", "--json", "--format html", "--month {text} --as-of {text} --fail-on {text}"),
    "install": (
        "git --dry-run",
        "git --yes",
        "{text} --dry-run",
        "claude --yes",
        "codex --yes --json",
        "cursor --remove",
        "pre-commit --dry-run",
    ),
    "context": ("", "--json --budget 900", "--query {text} --path {text}"),
    "log": ("", "--json"),
    "whoami": ("", "--json --dir {text}"),
    "check": (
        "",
        "--json",
        "--format sarif",
        "--format github --strict",
        "--baseline baseline.json",
        "--staged",
        "--fix --dry-run",
        "--fix",
        "{text} --select {text} --baseline {text}",
    ),
    "refresh": ("", "--dry-run", "--dry-run --json"),
    "review": ("", "--json", "--sample"),
    "trace": ("{name}", "{name} --json --transcripts .", "{name} --transcripts {text}"),
    "repair": ("", "--dry-run", "--dry-run --json"),
    "export": ("agents-md AGENTS.md", "claude out --json", "jsonl -", "jsonl out.jsonl", "{name} -"),
    "import": ("markdown .memdir/memories", "markdown . --json", "{name} .", "claude {text} --dry-run", "mcp . --yes"),
    "hook": ("session-start", "prompt --agent codex", "post-tool --agent {text}", "{text}", "stop --dir {text}"),
    "rule": ("{name}",),
    "schema": ("{name}",),
    "completion": ("bash", "{name} --json"),
}

#: Words that stand for several.
SEVERAL = {"HERE": HERE, "WORDS": WORDS}

#: Verbs that meet what is mutated most often.
FAVOURED = (
    "check", "list", "get", "show", "context", "repair", "refresh", "explain", "confirm", "remember", "correct",
)  # fmt: skip

KEYS = (
    "package_manager", "lint", "port", "build", "target", "line", "image", "style", "ci", "old", "editor",
    "indent", "step", "test_runner", "deploy_branch", "nothing", "k", "staging", "*", "memories/lint.md",
    ".memdir/memories/build.md",
)  # fmt: skip

VERBS = tuple(entry.verb for entry in COMMANDS if entry.verb not in ENDLESS)

#: What an agent's hook is told, more or less.
EVENT = b'{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "cwd": ".", "prompt": "use pnpm for lint"}\n'

VARIABLES: tuple[str, ...] = (
    "MEMDIR_NOW", "MEMDIR_TASK", "MEMDIR_SESSION", "MEMDIR_MESSAGE", "MEMDIR_USER", "MEMDIR_IGNORE",
    "MEMDIR_DIR", "MEMDIR_USER_DIR", "HOME", "XDG_DATA_HOME", "PATH", "CI", "CLAUDE_CODE_SESSION_ID",
    "AI_AGENT", "SHELL", "LANG", "SUDO_UID", "GIT_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL",
    "GIT_INDEX_FILE", "GIT_WORK_TREE", "TERM", "NO_COLOR", "TZ",
)  # fmt: skip

TIMES = (
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "2026-09-14",
    "9999-12-31",
    "0000-01-01",
    "1969-12-31T23:59:59Z",
)


@dataclass(frozen=True, slots=True)
class Case:
    """What is done to a copy of a place.

    :ivar target: one of :data:`TARGETS`.
    :ivar mutated: the file that was mutated, from the root of the place, and the name that it was given.
    :ivar commands: command lines, one after the other.
    :ivar environ: variables of their own.
    :ivar broken: the bytes of a memory that cannot be read any more, which no verb may rewrite.
    """

    number: int
    target: str
    mutated: str
    commands: tuple[tuple[str, ...], ...]
    environ: dict[str, str]
    stdin: bytes
    broken: bytes | None = None


def target_of(number: int) -> str:
    """What case ``number`` mutates: known before the place is copied."""
    return TARGETS[number % len(TARGETS)]


def prepared(number: int, place: Place, pieces: Sequence[bytes]) -> Case:
    """Mutate ``place`` as case ``number`` says, and say what is to be run there."""
    random = Random(f"memdir {number}")
    target, environ, done, broken = target_of(number), {}, "", None
    if target in KINDS:
        done = _mutate(place, target, random, pieces)
        content = (place.root / done).read_bytes()
        broken = content if done.endswith(".md") and "/memories/" in done and not _readable(content) else None
    elif target == "name":
        done = _rename(place, random)
    elif target == "environment":
        environ = {name: _value(name, random) for name in random.sample(VARIABLES, random.choice((1, 1, 2)))}
    keys = tokens.NAMES if target == "words" else (*KEYS, *_keys_of(done))
    commands = tuple(_line(random, keys) for _ in range(2))
    return Case(
        number, target, done, commands, environ, mutated(random.choice((b"text\n", EVENT)), random, pieces), broken
    )


def _readable(content: bytes) -> bool:
    try:
        parse_memory(content)
    except Malformed:
        return False
    return True


def _keys_of(path: str) -> tuple[str, ...]:
    """The key of what was mutated, as often as all others together."""
    name = path.rpartition("/")[2].removesuffix(".md")
    return (name.partition("--")[0].partition("~")[0],) * len(KEYS) if path.endswith(".md") else ()


def _mutate(place: Place, kind: str, random: Random, pieces: Sequence[bytes]) -> str:
    path = random.choice(place.files(kind))
    content = path.read_bytes()
    if kind == "journal" and random.random() < 0.8:
        content = _signed_anew(json_planted(content, random, pieces))
    else:
        content = mutated(content, random, pieces)
    path.write_bytes(content)
    return str(path.relative_to(place.root))


def _signed_anew(journal: bytes) -> bytes:
    """A journal that nobody of ours wrote, but with the digest that it should have."""
    try:
        body = json.loads(journal)
        body.pop("digest")
        canonical = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
        return json.dumps({**body, "digest": hashlib.sha256(canonical).hexdigest()}).encode() + b"\n"
    except (ValueError, KeyError, AttributeError, RecursionError, TypeError):
        return journal


def _rename(place: Place, random: Random) -> str:
    """Give a file the name of another kind, or one that nobody would think of."""
    path = random.choice(place.files(random.choice(("memory", "own memory", "index", "receipts", "settings"))))
    name = random.choice(
        (*tokens.NAMES, *(f"{name}.md" for name in tokens.NAMES), f"{path.stem}~x.md", f"{path.stem}@.md")
    )
    raw = os.fsencode(name.replace("/", "∕").replace("\0", ""))[:200] or b"x"
    if random.random() < 0.1:
        raw = b"caf\xe9\n\xff.md"
    target = os.path.join(os.fsencode(path.parent), raw)
    if raw not in {b".", b".."} and not os.path.isdir(target):
        os.rename(path, target)
    return f"{path.relative_to(place.root)} -> {raw!r}"


def _value(name: str, random: Random) -> str:
    if name == "MEMDIR_NOW" and random.random() < 0.7:
        return random.choice(TIMES)
    return random.choice(tokens.NAMES).replace("\0", "")


def _line(random: Random, keys: Sequence[str]) -> tuple[str, ...]:
    verb = random.choice(FAVOURED if random.random() < 0.6 else VERBS)
    if verb not in LINES:
        harmless = [one for one in parameters(verb) if one.known and not one.makes]
        return tuple(line(verb, random.choice(harmless).name, random.choice(keys)))
    name = random.choice(keys)
    words = [one for word in random.choice(LINES[verb]).split() for one in SEVERAL.get(word, (word,))]
    words = [word.replace("{name}", name).replace("{text}", random.choice(keys)) for word in words]
    makes = (verb == "init" and "--dir" in words) or "--baseline" in words
    return verb, *(_near(word) if makes else word for word in words)


def _near(name: str) -> str:
    """A name by which no file far away can be made."""
    return name.replace("..", "_").lstrip("/")
