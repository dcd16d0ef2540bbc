"""memdir as a store of the agent-memory-integrity suite, through the real command where there is proof.

The suite writes on three channels and asks in plain language what is remembered. memdir is given the world in which
that happens: a session of an agent whose transcript holds what the user typed, and what a tool brought. The suite
itself gives the user's words and those that an agent launders the same label and the same signature; what tells them
apart is where they stand in the transcript, so they are put where each would stand.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agmi.adapters.semantic_base import MemoryItem, Retrieved, SemanticMemoryAdapter
from agmi.attacks import memory_specific

from tests.fuzz.entering import Entered, entered
from tests.sandbox import Outcome, Sandbox, isolated

#: What the suite calls its channels: as an agent would tell of it.
EXTERNAL, LAUNDERED, THROUGH_THE_AGENT = "external", "laundered", "agent-laundered"


@dataclass
class Channels:
    """Which texts came by which channel, noted as the suite makes them."""

    of: dict[int, str] = field(default_factory=dict)

    def genuine(self, text: str, user_id: str) -> MemoryItem:
        """As the suite's own, noted as the user's."""
        return self._noted(_GENUINE(text, user_id), "user")

    def attacker_write(self, text: str, user_id: str, channel: str) -> MemoryItem:
        """As the suite's own, noted by its channel."""
        return self._noted(_ATTACKER(text, user_id, channel), channel)

    def _noted(self, item: MemoryItem, channel: str) -> MemoryItem:
        item.metadata["channel"] = channel
        return item


_GENUINE, _ATTACKER = memory_specific.genuine, memory_specific.attacker_write


class MemdirAdapter(SemanticMemoryAdapter):  # type: ignore[misc]
    """A user memdir of its own for every fixture.

    :param proven: the transcript of the session is shown to memdir; otherwise claims are accepted as they are.
    """

    def __init__(self, root: Path, *, proven: bool) -> None:
        self.name = f"memdir ({'proven' if proven else 'claimed'})"
        self.root, self.proven = root, proven
        self.count = 0
        self.keys: set[str] = set()
        self.sandbox: Sandbox = isolated(root / "0")

    def reset(self) -> None:
        """A new home without anything."""
        shutil.rmtree(self.sandbox.root)
        self.count += 1
        self.keys = set()
        self.sandbox = isolated(self.root / str(self.count))
        if not self.proven:
            self.sandbox.user_memdir.mkdir(parents=True, mode=0o700)
            (self.sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n")

    def add_memory(self, item: MemoryItem) -> None:
        """What an agent does with a text that it was given to remember."""
        channel = item.metadata["channel"]
        self._transcribe(item.text, typed=channel == "user")
        key = _key(item.text)
        if channel == "user" and key in self.keys:
            key = f"{key}_{len(self.keys)}"
        self.keys.add(key)
        said = ("--from", "user", "--said", item.text, "--session", "s1")
        source = ("--from", "url") if channel == EXTERNAL else said
        shown = ("--transcript", str(self._transcript)) if self.proven and channel != EXTERNAL else ()
        self._run("remember", key, item.text, "--scope", "user", *source, *shown, user=item.user_id)

    def retrieve(self, query: str, user_id: str, k: int = 5) -> list[Retrieved]:
        """The best results of ``search``, and everything that a session would be given at its start."""
        return self._found(query, user_id, k)

    def retrieve_where(self, query: str, user_id: str, where: Mapping[str, str], k: int = 5) -> list[Retrieved]:
        """The same; the trust that an agent may filter by is the status that memdir gave."""
        status = ("--status", where["trust"])
        return self._found(query, user_id, k, *status)

    def measured_on(self) -> str:
        """What the row was made with."""
        return f"the command line, {self.name}"

    def _found(self, query: str, user_id: str, k: int, *more: str) -> list[Retrieved]:
        results = json.loads(self._run("search", query, *more, "--json", user=user_id))["results"]
        texts = [str(one["value"]) for one in results[:k]]
        given = json.loads(self._run("context", "--json", user=user_id))["memories"]
        # what a session is given without asking is no answer to the question, but it must hold nothing planted
        texts += [str(one["value"]) for one in given if str(one["value"]) not in texts and not self._is_genuine(one)]
        return [Retrieved(text, user_id) for text in texts]

    def _is_genuine(self, memory: Mapping[str, Any]) -> bool:
        return any(line["origin"] == "user" and line["text"] == memory["value"] for line in self._lines)

    def _run(self, *words: str, user: str) -> str:
        variables = {"MEMDIR_USER": user}
        if self.proven:
            done: Outcome | Entered = self.sandbox.run(*words, env=variables)
        else:  # what is let in needs no process of its own
            done = entered(words, cwd=self.sandbox.home, environ={**self.sandbox.environ, **variables})
        assert done.exit in {0, 1, 3, 4}, f"{words}: {done}"
        return done.stdout

    @property
    def _transcript(self) -> Path:
        return self.sandbox.root / "session.jsonl"

    @property
    def _lines(self) -> list[dict[str, str]]:
        path = self.sandbox.root / "told.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def _transcribe(self, text: str, *, typed: bool) -> None:
        """Put a text where it would stand: a message that the user typed, or the result of a tool."""
        content: object = text if typed else [{"type": "tool_result", "tool_use_id": "toolu_1", "content": text}]
        record = {
            "type": "user", "uuid": f"m{len(self._lines)}", "sessionId": "s1", "isSidechain": False,
            "userType": "external", "message": {"role": "user", "content": content},
        }  # fmt: skip
        with self._transcript.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record) + "\n")
        with (self.sandbox.root / "told.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"origin": "user" if typed else "tool", "text": text}) + "\n")


def _key(text: str) -> str:
    """What a sentence is about, so that a correction of a fact aims at the fact."""
    about = re.split(r" (?:is|are|ends|now) ", re.sub(r"^\w+: ", "", text.lower()), maxsplit=1)[0]
    words = re.findall(r"[a-z0-9]+", about)
    return "_".join(words[:6])
