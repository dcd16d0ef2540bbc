"""Texts to test the codec with: real files, hand-made headers, strategies, and other people's readers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor

from memdir_cli.domain.memory import Memory
from memdir_cli.storage.codec import Malformed, parse_memory

FIXTURES = Path(__file__).parents[2] / "fixtures/memory-dirs"

#: Set before tests strip their environment: a directory with more real files.
_MORE = os.environ.get("MEMDIR_DATA", "")

#: A header that says as much as one can, as a person might write it.
WHOLE = """\
---
id: 7k3f9x2aqm                # stable for the life of an identity
name: package_manager
description: Install dependencies with npm ci
type: project-rule
subject: project:github.com/acme/legacy-dashboard
predicate: package_manager
scope: repository:github.com/acme/legacy-dashboard
path: "src/**"
topic: build
environment:
  os: linux
  container: "true"
version: ">=2 <3"
status: verified              # a word of memdir's
value: npm
revision: 2
authority: user
source:
  # the first time
  - kind: user
    ref: "thread:23/message:14"
    said: "keep package-lock.json here, use npm ci"
    at: "2026-09-14T09:30:00Z"
    attested: transcript
  - kind: file   # found
    ref: package.json
    mine: kept
dependsOn:
  - probe: "package.json#scripts.build"
    hash: "v1:9f2c…"
    was: vite build
supersedes: 7k3f9x2aqm@1
createdAt: "2026-09-01T08:00:00Z"
updatedAt: "2026-09-14T09:30:00Z"
verifiedAt: "2026-09-14T09:30:00Z"
reviewAfter: "2026-12-14"
owner: team-web  # not memdir's
---
Free Markdown: why, details, examples.
"""

#: Texts that some reader of YAML takes for something else.
TREACHEROUS = (
    "", " ", "no", "NO", "y", "On", "true", "null", "Null", "~", "0755", "1e3", "1:30", "61e9540", "0x1F", "0o14",
    "1_000", "+12", "-1", ".5", ".inf", "-.INF", ".NaN", "nan", "2026-02-30", "2026-09-14T09:30:00Z", "=", "<<",
    "- x", "-", "---", "...", "? x", ": x", ":", "a: b", "a:", "a:b", "x # y", "x #y", "#", "x#y", "&a", "*a",
    "!t", "!!str x", "|", ">", "%x", "@x", "`x`", "[a]", "[", "{a: b}", "}", ",", "'", '"', "'a'", '"a"', "it's",
    'say "hi"', "C:\\tools\\x", "\\", "\\n", "line\nbreak", "line\n\nbreak\n", "\n", "\r\n", "\r", "\t", "a\tb",
    " lead", "trail ", "\u00a0", "a\u00a0", "\u3000x", "\u0085", "a\u2028b", "\u2029", "\ufeff", "x\ufeffy", "\x00",
    "\x07", "\x1b[31m", "\x7f", "\x9f", "\ufffe", "\uffff", "日本語", "한국어: 예", "é — →", "🙂", "\u200b",
    "\U0001f469\u200d\U0001f467", "\u202e",
    "{{ x }}", "[[note]]tail", "fix: retry", "*draft*", "@team", "a, b", "key: [x", "x: # y", "a ::b", "\U0010ffff",
)  # fmt: skip

#: A busy machine makes no property false.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

any_text = st.text() | st.sampled_from(TREACHEROUS) | st.lists(st.sampled_from(TREACHEROUS)).map("".join)


def corpus() -> Iterator[Path]:
    """The real files: the repository's own, and those of the directory that ``MEMDIR_DATA`` names."""
    for root in (FIXTURES, *([Path(_MORE)] if _MORE else [])):
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix in {".md", ".mdc", ".markdown", ".html"}:
                yield path


def judged(data: bytes) -> Memory | Malformed:
    """The memory in ``data``, or what is wrong with it."""
    try:
        return parse_memory(data)
    except Malformed as error:
        return error


def by_pyyaml(header: str) -> Any:
    """The keys of ``header`` as PyYAML reads them, every scalar as text."""
    return yaml.load(header, Loader=yaml.BaseLoader)


def by_frontmatter(data: bytes) -> dict[str, object]:
    """The keys of a file as python-frontmatter reads them with its own handler, every scalar as text."""

    class TextHandler(YAMLHandler):
        def load(self, fm: str, **kwargs: object) -> Any:
            return yaml.load(fm, Loader=yaml.BaseLoader)

    metadata, _ = frontmatter.parse(data.decode(), handler=TextHandler())
    return metadata


def by_ruamel(header: str) -> Any:
    """The keys of ``header`` as ruamel.yaml reads them, every scalar as text."""
    reader = YAML(typ="safe", pure=True)
    reader.Constructor = _TextConstructor
    return reader.load(header)


class _TextConstructor(SafeConstructor):
    """Takes no scalar for anything but its text."""


def _text(constructor: Any, node: Any) -> str:
    return str(node.value)


for _tag in ("bool", "int", "float", "null", "timestamp", "binary", "str"):
    _TextConstructor.add_constructor(f"tag:yaml.org,2002:{_tag}", _text)
