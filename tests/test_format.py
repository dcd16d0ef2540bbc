"""The format on disk is what README tells: a reader that knows nothing else, and no code of memdir, agrees with it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unicodedata
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.sandbox import Outcome, Sandbox

QUALIFIERS = ("path", "topic", "environment", "version")


@dataclass(frozen=True, slots=True)
class Reader:
    """One memdir, read by its specification."""

    root: Path
    users: bool = False

    @property
    def key(self) -> str:
        """The secret of the digests."""
        return str(yaml.load((self.root / "config.yaml").read_text("utf-8"), yaml.BaseLoader)["key"])

    def file(self, path: str) -> tuple[dict[str, Any], str]:
        """Header and body of a memory file."""
        _, header, body = self.content(path).decode().split("---\n", 2)
        return yaml.load(header, yaml.BaseLoader), body

    def content(self, path: str) -> bytes:
        """The bytes of a file, as they are once a promised transaction is done."""
        journal = self.root / "local/journal.json"
        if journal.exists():
            puts: dict[str, list[str]] = {put[0]: put for put in json.loads(journal.read_bytes())["puts"]}
            staged = self.root / puts[path][1] if path in puts else None
            if staged is not None and staged.exists():
                assert hashlib.sha256(staged.read_bytes()).hexdigest() == puts[path][3]
                return staged.read_bytes()
        return (self.root / path).read_bytes()

    def paths(self, folder: str) -> list[str]:
        """The memory files of a folder."""
        return sorted(path.relative_to(self.root).as_posix() for path in (self.root / folder).glob("*.md"))

    def lines(self, pattern: str) -> list[dict[str, Any]]:
        """The lines of JSON of some files."""
        texts = [path.read_bytes() for path in sorted(self.root.glob(pattern))]
        return [json.loads(line) for text in texts for line in text.splitlines()]

    def events(self) -> Iterator[dict[str, Any]]:
        """What happened, in order."""
        for line in self.lines("receipts/*.jsonl"):
            yield from line["events"]

    def digest(self, *parts: str) -> str:
        """A keyed digest."""
        whole = "".join(f"{len(part)}:{part}" for part in parts).encode()
        return hmac.new(self.key.encode(), whole, hashlib.sha256).hexdigest()[:32] if any(parts) else ""

    def stem(self, header: dict[str, Any]) -> str:
        """The beginning of the name of its file."""
        lines = qualifiers(header)
        level, _, place = header["scope"].partition(":")
        if self.users and level == "repository":
            lines = f"repository={place}\n{lines}"
        name = folded(header["predicate"])
        return f"{name}--{hashlib.sha256(lines.encode()).hexdigest()[:8]}" if lines else name

    def claims(self, header: dict[str, Any], body: str) -> tuple[str, list[str]]:
        """The digests of what a memory says, and of who said it."""
        said = [header.get("value", ""), str(header.get("none") == "true"), header.get("description", ""), body]
        said += [header["type"], header["subject"], header["predicate"], header["scope"], qualifiers(header)]
        said += [side.get(name, "") for side in header.get("sides", ()) for name in ("id", "value", "authority")]
        every = [*header.get("source", ()), *(one for side in header.get("sides", ()) for one in side["source"])]
        sources = [[one.get(name, "") for name in ("kind", "ref", "said")] for one in every]
        given = [self.digest(*one, told.get("attested", "none")) for one, told in zip(sources, every, strict=True)]
        return self.digest(*said), sorted(set(given))


def folded(predicate: str) -> str:
    """The form in which keys are compared."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", predicate).casefold())


def qualifiers(header: dict[str, Any]) -> str:
    """The qualifiers as lines."""
    lines = [f"{name}={header[name]}" for name in ("path", "topic") if name in header]
    lines += [f"environment.{name}={word}" for name, word in sorted(header.get("environment", {}).items())]
    return "\n".join([*lines, *([f"version={header['version']}"] if "version" in header else [])])


def unsealed(body: str) -> dict[str, bytes]:
    """The files under the seal of what is in quarantine."""
    rest = zlib.decompress(base64.b64decode(body.partition("```sealed\n")[2].partition("```")[0]))
    files = {}
    while rest:
        line, _, rest = rest.partition(b"\n")
        path, size = json.loads(line)
        files[path], rest = rest[:size], rest[size:]
    return files


@pytest.fixture
def top(repo: Callable[..., Path]) -> Path:
    """A repository with a memdir."""
    return repo(init=True)


@pytest.fixture
def say(sandbox: Sandbox, top: Path) -> Callable[..., Outcome]:
    """Commands there, as a believed user."""
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n")

    def run(*line: str, claim: str = "as the user said it") -> Outcome:
        by = ("--from", "user", "--said", claim, "--message", f"m{len(claim)}") if claim else ()
        return sandbox.run(*line, *by, cwd=top)

    return run


@pytest.fixture
def project(say: Callable[..., Outcome], top: Path) -> Reader:
    """A project memdir with a memory of every kind."""
    repository = ("--scope", "repository")
    assert say("remember", "Linter", "biome", *repository, "--path", "web/**", "--env", "os=linux").exit == 0
    assert say("remember", "größe", "0755", *repository, "--topic", "css", "--for-version", ">=1 <3").exit == 0
    assert say("remember", "indent", "tabs", *repository).exit == 0
    assert say("remember", "indent", "two", *repository, claim="no, two of them").exit == 3
    assert say("correct", "build", "make", *repository).exit == 0
    assert say("correct", "build", "just", *repository, claim="make is gone").exit == 0
    assert say("remember", "poison", "curl it", *repository).exit == 0
    assert say("quarantine", "poison", "--reason", "a page said so", claim="").exit == 0
    assert say("remember", "gone", "a value to be forgotten", *repository, "--topic", "past").exit == 0
    assert say("forget", "gone", "--yes", claim="").exit == 0
    return Reader(top / ".memdir")


def test_a_file_lies_where_the_specification_says(project: Reader) -> None:
    found = {path: project.file(path)[0] for path in project.paths("memories")}
    assert {header["predicate"] for header in found.values()} == {"Linter", "größe", "indent", "build"}
    for path, header in found.items():
        assert path == f"memories/{project.stem(header)}.md"
    (past,) = project.paths("history")
    header = project.file(past)[0]
    assert past == f"history/{project.stem(header)}~{header['id']}@{header['revision']}.md"
    assert (header["status"], header["value"]) == ("superseded", "make")


def test_the_digests_of_receipts_can_be_made_anew(project: Reader) -> None:
    last = {event["id"]: event for event in project.events() if event["kind"] != "superseded"}
    last |= {event["id"]: event for event in project.events() if event["kind"] == "superseded"}
    for path in project.paths("memories"):
        header, body = project.file(path)
        event = last[header["id"]]
        assert (event["content"], event["sources"]) == project.claims(header, body), path
        assert event["file"] == project.digest(project.content(path).decode())
        assert (event["revision"], event["status"]) == (int(header["revision"]), header["status"])


def test_a_seal_is_opened(project: Reader) -> None:
    (path,) = project.paths("quarantine")
    header, body = project.file(path)
    assert header["statusReason"] == "quarantined: a page said so"
    assert b"curl it" not in project.content(path)
    assert b"value: curl it\n" in unsealed(body)["memories/poison.md"]


def test_a_tombstone_is_known_by_its_identity(project: Reader, sandbox: Sandbox) -> None:
    (stone,) = project.lines("tombstones.jsonl")
    assert stone["identity"] == project.digest("identity", "gone", "repository", "topic=past")
    users = Reader(sandbox.user_memdir, users=True)
    (copy,) = users.lines("tombstones.jsonl")
    assert (copy["forgotten"], copy["txn"]) == (stone["forgotten"], stone["txn"])
    assert users.digest("text", "a value to be forgotten") in copy["texts"]


def test_a_promised_transaction_counts_as_done(project: Reader) -> None:
    (path,) = (one for one in project.paths("memories") if "build" in one)
    before = project.content(path)
    after, staged = before.replace(b"value: just", b"value: task"), "memories/.memdir-txn0000000001-0.tmp"
    (project.root / staged).write_bytes(after)
    body: dict[str, Any] = {"format": 1, "transaction": "txn0000000001", "private": False, "index": None}
    body |= {"puts": [[path, staged, *(hashlib.sha256(one).hexdigest() for one in (before, after))]]}
    body |= {"removes": [], "receipt": None}
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    body["digest"] = hashlib.sha256(canonical).hexdigest()
    (project.root / "local/journal.json").write_text(json.dumps(body))
    assert project.file(path)[0]["value"] == "task"


@pytest.mark.parametrize("journal", [True, False])
def test_memdir_reads_what_the_specification_promises(
    project: Reader, say: Callable[..., Outcome], journal: bool
) -> None:
    if journal:
        test_a_promised_transaction_counts_as_done(project)
    assert say("get", "build", claim="").stdout == ("task\n" if journal else "just\n")


class TestVersion:
    """The upgrade rule."""

    def written(self, reader: Reader, version: str) -> None:
        config = reader.root / "config.yaml"
        config.write_text(config.read_text().replace('format: "1"\n', f"format: '{version}'\nlater: [a]\n"))
        assert version in config.read_text()

    def test_a_later_minor_is_read_and_what_is_unknown_in_it_is_kept(
        self, project: Reader, say: Callable[..., Outcome]
    ) -> None:
        self.written(project, "1.7")
        (path,) = (one for one in project.paths("memories") if "build" in one)
        text = (project.root / path).read_text()
        (project.root / path).write_text(text.replace("revision:", "mood: calm\nrevision:"))
        with (project.root / "receipts/2026-09.jsonl").open("a") as stream:
            stream.write('{"txn":"t1","at":"2026-09-01T00:00:00Z","events":[{"kind":"dreamt","id":"x"}]}\n')
        (project.root / "moods").mkdir()
        assert say("get", "build", claim="").stdout == "just\n"
        assert say("correct", "build", "task", "--scope", "repository", claim="now task").exit == 0
        assert "mood: calm\n" in (project.root / path).read_text()
        assert "format: '1.7'\nlater: [a]\n" in (project.root / "config.yaml").read_text()

    def test_another_major_is_refused_by_every_command_and_nothing_is_written(
        self, project: Reader, say: Callable[..., Outcome]
    ) -> None:
        self.written(project, "2.0")
        before = {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()}
        lines = (
            ["get", "build"],
            ["list"],
            ["context"],
            ["search", "x"],
            ["repair"],
            ["refresh"],
            ["whoami"],
            ["init"],
        )
        for line in (*lines, ["correct", "build", "x", "--scope", "repository", "--from", "user", "--said", "x y z"]):
            done = say(*line, claim="")
            assert (done.exit, done.stdout) == (6, ""), line
            told = "error: This memdir has format 2.0; this version of memdir knows format 1.\nhint: upgrade memdir\n"
            assert done.stderr == told
        assert say("check", claim="").exit == 2
        assert "M172" in say("health", claim="").stdout
        assert {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()} == before
