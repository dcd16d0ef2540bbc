"""The tables of the README that are made from the code, so that they cannot tell anything else.

``python -m tests.reference README.md`` writes tables and transcripts of the file anew.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from memdir_cli.checks.registry import FAMILIES, RULES
from memdir_cli.cli.app import COMMANDS, load
from memdir_cli.cli.schemas.documents import SCHEMAS, document
from memdir_cli.domain.agent_settings import SETTINGS, elements
from memdir_cli.domain.health import workflow
from memdir_cli.domain.teaching import TAUGHT
from memdir_cli.operations.targets import TARGETS
from memdir_cli.storage import pre_commit_config
from tests.promises import PROMISES
from tests.transcript import refreshed

#: Keys that every answer may have.
EVERYWHERE = frozenset({"schema", "ignored", "error"})

_BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def commands() -> str:
    """Every command with what it takes, in the order of the help."""
    rows = [(entry.panel, f"`memdir {entry.verb}{_taken(entry.verb)}`", entry.summary) for entry in COMMANDS]
    return _table(("", "command", "what it does"), rows)


def options() -> str:
    """Every option with the commands that take it."""
    takers: dict[tuple[str, str], list[str]] = {}
    for entry in COMMANDS:
        for param in load(entry.verb).params:
            if param.param_type_name == "option":
                takers.setdefault((_spelt(param), str(getattr(param, "help", ""))), []).append(entry.verb)
    rows = sorted((spelt.lstrip("-"), spelt, meaning, verbs) for (spelt, meaning), verbs in takers.items())
    return _table(("option", "meaning", "of"), [(f"`{spelt}`", said, _named(verbs)) for _, spelt, said, verbs in rows])


def answers() -> str:
    """The keys of every answer with ``--json``, as ``memdir schema`` publishes them."""
    rows = []
    for name in SCHEMAS:
        keys = [key for key in document(name)["properties"] if key not in EVERYWHERE]
        if name != "memory" and keys:
            rows.append((f"`{name}`", " ".join(f"`{key}`" for key in keys)))
    return _table(("answer", "keys"), rows)


def rules() -> str:
    """The families of what ``check`` looks for."""
    counted = {code: sum(rule.code.startswith(code) for rule in RULES) for code in FAMILIES}
    return _table(("codes", "about", "rules"), [(f"`{c}..`", FAMILIES[c], str(n)) for c, n in counted.items()])


def targets() -> str:
    """What ``install`` fits memdir into, and which files of the project it writes."""
    own = {"git": ".memdir/.gitattributes", "health-workflow": workflow.PATH, "pre-commit": pre_commit_config.PATH}
    rows = []
    for target, (_, words) in TARGETS.items():
        settings = [one.path for agent, one in SETTINGS.items() if agent == target]
        paths = [*settings, TAUGHT[target].path] if target in TAUGHT else [own[target]]
        rows.append((f"`{target}`", words, ", ".join(f"`{path}`" for path in paths)))
    return _table(("target", "what it is fitted with", "files"), rows)


def entries() -> str:
    """What stands in the settings of agents, with one event."""
    lists = {agent: next(iter(elements(agent).items())) for agent in ("claude", "cursor")}
    lines = [json.dumps({"hooks": {event: [element]}}) for event, element in lists.values()]
    return "\n".join(("```json", *lines, "```"))


def promises() -> str:
    """What is promised, and by which tests it is shown."""
    rows = [(name, words, "<br>".join(f"`{test}`" for test in tests)) for name, (words, tests) in PROMISES.items()]
    return _table(("promise", "", "shown by"), rows)


TABLES: dict[str, Callable[[], str]] = {
    "commands": commands,
    "options": options,
    "answers": answers,
    "rules": rules,
    "targets": targets,
    "entries": entries,
    "promises": promises,
}


def with_tables(document: str) -> str:
    """``document`` with every marked table made anew."""
    return _BLOCK.sub(lambda match: f"{match[1]}{TABLES[match[2]]()}\n{match[3]}", document)


def _taken(verb: str) -> str:
    """Arguments and required options, as a usage line shows them."""
    words = []
    for param in load(verb).params:
        if param.param_type_name == "argument":
            name = param.metavar or ""
            words.append(name if param.required else f"[{name}]" + ("..." if param.nargs == -1 else ""))
        elif param.required:
            words.append(_spelt(param))
    return "".join(f" {word}" for word in words)


def _spelt(param: Any) -> str:
    names = ", ".join(param.opts)
    return f"{names} {param.metavar}" if param.metavar and not param.is_flag else names


def _named(verbs: list[str]) -> str:
    return "all" if len(verbs) == len(COMMANDS) else ", ".join(verbs)


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    titles = list(heads)
    lines = [titles, ["---"] * len(titles), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(refreshed(with_tables(path.read_text(encoding="utf-8"))), encoding="utf-8")
