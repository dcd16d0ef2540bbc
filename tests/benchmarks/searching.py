"""``python -m tests.benchmarks.searching``: does ``search`` find what is meant?

It reads data that is not in the repository, from the directory that ``MEMDIR_DATA`` names. Every figure is the share of
the questions that have the right memory first, or among the first ten. The memories are real files in real memdirs,
and the questions go through the same operation as the command.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memdir_cli.domain.memory import Memory
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.source import Source
from memdir_cli.domain.text import printable
from memdir_cli.operations.search import search
from memdir_cli.operations.workplace import Workplace, open_workplace
from memdir_cli.storage import config
from tests.benchmarks.memdirs import KEY, NOW, REPOSITORY, _fill
from tests.sandbox import isolated

#: How a fact of FactConsolidation is worded: by the relation, what stands around subject and object.
FACTS = {
    "citizen": "(.+) is a citizen of (.+)",
    "religion": "(.+) is affiliated with the religion of (.+)",
    "spouse": "(.+) is married to (.+)",
    "author": "The author of (.+) is (.+)",
    "founder": "(.+) was founded by (.+)",
    "capital": "The capital of (.+) is (.+)",
    "continent": "(.+) is located in the continent of (.+)",
    "sport": "(.+) is associated with the sport of (.+)",
    "headquarters": "The headquarters of (.+) is located in the city of (.+)",
    "performer": "(.+) was performed by (.+)",
    "death": "(.+) died in the city of (.+)",
    "creator": "(.+) was created by (.+)",
    "university": "The univeristy where (.+) was educated is (.+)",
    "speaks": "(.+) speaks the language of (.+)",
    "official_language": "The official language of (.+) is (.+)",
    "origin": "(.+) was created in the country of (.+)",
    "developer": "(.+) was developed by (.+)",
    "birth": "(.+) was born in the city of (.+)",
    "fame": "(.+) is famous for (.+)",
    "executive": "The chief executive officer of (.+) is (.+)",
    "employer": "(.+) is employed by (.+)",
    "producer": "The company that produced (.+) is (.+)",
    "head_of_government": "The name of the current head of the (.+) government is (.+)",
    "work": "(.+) worked in the city of (.+)",
    "chair": "The chairperson of (.+) is (.+)",
    "child": "(.+)'s child is (.+)",
    "head_of_state": "The name of the current head of state in (.+) is (.+)",
    "written_in": "(.+) was written in the language of (.+)",
    "founded_in": "(.+) was founded in the city of (.+)",
    "director": "The director of (.+) is (.+)",
    "broadcaster": "The origianl broadcaster of (.+) is (.+)",
    "position": "(.+) plays the position of (.+)",
    "field": "(.+) works in the field of (.+)",
    "coach": "The head coach of (.+) is (.+)",
    "music": "The type of music that (.+) plays is (.+)",
    "language": "The original language of (.+) is (.+)",
}


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the keys or the words of the memory that answers it."""

    text: str
    keys: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()

    def answered_by(self, memory: Memory) -> bool:
        """Whether it is this memory that was meant."""
        said = _plain(f"{memory.value} {memory.description} {memory.body}")
        return memory.predicate in self.keys or any(_plain(words) in said for words in self.words)


def main() -> int:
    """Measure every set of questions and print a line of each."""
    where = os.environ.get("MEMDIR_DATA")
    if not where:
        print("MEMDIR_DATA names no directory", file=sys.stderr)
        return 2
    data = Path(where)
    print("| questions | memories | first | first ten |\n| --- | ---: | ---: | ---: |")
    for name, memories, questions in _sets(data):
        first, ten = _measured(memories, questions)
        print(f"| {name} ({len(questions)}) | {len(memories)} | {first:.3f} | {ten:.3f} |", flush=True)
    return 0


def _sets(data: Path) -> Iterator[tuple[str, list[Memory], list[Question]]]:
    for subset in json.loads((data / "semantics/factconsolidation.json").read_text("utf-8")):
        yield subset["metadata"]["source"], *_consolidated(subset)
    ghost = data / "semantics/ghost"
    yield "ghost graded", *_graded(ghost)
    yield "ghost staleness", *_stale(ghost)
    yield "ghost trap", *_trap(ghost)
    yield from _titles(data / "memory-dirs")


def _consolidated(subset: dict[str, Any]) -> tuple[list[Memory], list[Question]]:
    """The facts that hold in the end: a later one replaces the one of the same key."""
    current: dict[str, Memory] = {}
    for line in str(subset["context"]).splitlines():
        fact = re.sub(r"^\d+\. ", "", line).removesuffix(".")
        for relation, wording in FACTS.items():
            told = re.fullmatch(wording, fact)
            if told:
                key = f"{relation}.{_slug(told[1])}"
                current[key.casefold()] = _memory(key, value=told[2], description=fact)
                break
    asked, answers = subset["questions"], subset["answers"]
    questions = [Question(text, words=tuple(answer)) for text, answer in zip(asked, answers, strict=True)]
    return [*current.values()], questions


def _graded(ghost: Path) -> tuple[list[Memory], list[Question]]:
    memories = [_memory(one["key"], description=one["content"]) for one in _lines(ghost / "memories.jsonl")]
    questions = [
        Question(one["text"], frozenset(key for key, gain in one["rel"].items() if gain == max(one["rel"].values())))
        for one in _lines(ghost / "queries.jsonl")
    ]
    return memories, questions


def _stale(ghost: Path) -> tuple[list[Memory], list[Question]]:
    cases = _lines(ghost / "staleness.jsonl")
    memories = [_memory(one["name"], description=one["versions"][-1]["content"]) for one in cases]
    return memories, [Question(probe["text"], frozenset({one["name"]})) for one in cases for probe in one["probes"]]


def _trap(ghost: Path) -> tuple[list[Memory], list[Question]]:
    cases = _lines(ghost / "recency_trap.jsonl")
    right = [_memory(one["name"], description=one["correct"]["content"]) for one in cases]
    wrong = [
        _memory(f"trap{number}.{one['name']}", description=trap["content"])
        for one in cases
        for number, trap in enumerate(one["traps"])
    ]
    questions = [Question(probe["text"], frozenset({one["name"]})) for one in cases for probe in one["probes"]]
    return [*right, *wrong], questions


def _titles(folder: Path) -> Iterator[tuple[str, list[Memory], list[Question]]]:
    """Real notes by their titles, which are taken out of the text; then the titles with a letter wrong in each word."""
    notes: list[Memory] = []
    titles: list[Question] = []
    for path in sorted(folder.rglob("*.md*")):
        text = path.read_text("utf-8", "replace").replace("\r\n", "\n").lstrip("\ufeff")
        title = next((line.strip("# ") for line in text.splitlines() if line.startswith("# ")), "")
        body = text.replace(title, "") if title else text
        if len(title) > 8 and len(body) > 200 and "\ufffd" not in text and "\0" not in text:
            key = f"note-{len(notes)}"
            notes.append(_memory(key, body=re.sub(r"^---\n.*?\n---\n", "", body, flags=re.DOTALL)))
            titles.append(Question(title, frozenset({key})))
    yield "titles of real notes", notes, titles
    yield "the same, misspelt", notes, [Question(misspelt(one.text), one.keys) for one in titles]
    japanese = [one for one in notes if re.search("[\u3040-\u30ff]", one.body)]
    yield "two letters of Japanese", japanese, list(_pairs(japanese))


def misspelt(text: str) -> str:
    """``text`` with two letters of every longer word swapped."""
    return re.sub(r"[A-Za-z]{5,}", lambda word: word[0][:2] + word[0][3] + word[0][2] + word[0][4:], text)


def _pairs(notes: Sequence[Memory]) -> Iterator[Question]:
    """Pairs of kanji or katakana that stand in one note only."""
    holders: dict[str, set[str]] = {}
    for note in notes:
        for run in re.findall("[\u30a1-\u30fa\u30fc]+|[\u4e00-\u9fff]+", note.body):
            for at in range(len(run) - 1):
                holders.setdefault(run[at : at + 2], set()).add(note.predicate)
    yield from (Question(pair, frozenset(keys)) for pair, keys in sorted(holders.items()) if len(keys) == 1)


def _measured(memories: Iterable[Memory], questions: Sequence[Question]) -> tuple[float, float]:
    with TemporaryDirectory(prefix="memdir-search-") as directory:
        workplace = _furnished(Path(directory).resolve(), memories)
        places = [_place(workplace, question) for question in questions]
    return sum(place == 0 for place in places) / len(places), sum(place < 10 for place in places) / len(places)


def _place(workplace: Workplace, question: Question) -> int:
    """Where among the results the first right one stands, from 0; very far back if it is not found."""
    results = search(workplace, question.text, feeds=False).results
    right = (at for at, one in enumerate(results) if question.answered_by(one.listed.judged.memory))
    return next(right, 1 << 30)


def _furnished(root: Path, memories: Iterable[Memory]) -> Workplace:
    sandbox = isolated(root)
    top = sandbox.repository()
    _fill(top / ".memdir", "project", config.new_project_config(REPOSITORY, KEY), memories)
    return open_workplace(str(top), sandbox.environ, NOW)


def _memory(key: str, *, value: str | None = None, description: str = "", body: str = "") -> Memory:
    return Memory(
        id=f"m{sha256(key.encode()).hexdigest()[:12]}",
        subject=f"project:{REPOSITORY}",
        predicate=key,
        scope=Scope("repository", repository=REPOSITORY),
        status="verified",
        name=key,
        description=printable(description),
        type="fact",
        value=value,
        authority="user",
        source=(Source("user", "session:s/message:m", "", NOW, "tty"),),
        created_at=NOW,
        updated_at=NOW,
        verified_at=NOW,
        body=body,
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.startswith("{")]


def _slug(text: str) -> str:
    return re.sub(r"[^\w.-]+", "_", text).strip("._-").replace("..", ".")


def _plain(text: str) -> str:
    """As the set's own scoring reads answers: without case, articles and punctuation."""
    bare = re.sub(r"[^\w\s]", "", text.casefold())
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


if __name__ == "__main__":
    sys.exit(main())
