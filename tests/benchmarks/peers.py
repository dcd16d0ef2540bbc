"""Other programs over the same memories: checkers of YAML and searchers over the same files, other memories for
agents with as many memories of the same texts.

None of them is a dependency. Each is installed into an environment of its own for the time of the measurement; one
that cannot be installed is passed over with a word.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.memdirs import ASKED


@dataclass(frozen=True, slots=True)
class Peer:
    """One of them.

    :ivar package: where it comes from.
    :ivar program: its name.
    :ivar words: what it is told; ``{folder}`` is that of the headers, ``{schema}`` a schema for them, ``{files}`` all,
        ``{memories}`` the folder of the memories, ``{home}`` where it keeps its own.
    :ivar ends: the exit statuses with which it has done its work.
    """

    package: str
    program: str
    words: tuple[str, ...]
    ends: tuple[int, ...] = (0,)


_LOG = ("--home", "{home}", "--project", "p")
_SAID = ("--type", "project", "--scope", "here", "--description", "how long", "30 seconds")

PEERS: dict[str, Peer] = {
    "yamllint": Peer("yamllint", "yamllint", ("-d", "{extends: relaxed, rules: {line-length: disable}}", "{folder}")),
    "check-jsonschema": Peer("check-jsonschema", "check-jsonschema", ("--schemafile", "{schema}", "{files}")),
    "check-yaml": Peer("pre-commit-hooks", "check-yaml", ("{files}",)),
    "ripgrep": Peer("ripgrep", "rg", ("--files-with-matches", ASKED, "{memories}")),
    "agent-memory-git show": Peer("agent-memory-git", "mem", ("show", ASKED)),
    "agent-memory-git index": Peer("agent-memory-git", "mem", ("index",)),
    "agent-memory-git search": Peer("agent-memory-git", "mem", ("search", ASKED)),
    # it finds that texts written by others do not follow its form
    "agent-memory-git lint": Peer("agent-memory-git", "mem", ("lint", "--summary"), (0, 1)),
    "agent-memory-git add": Peer("agent-memory-git", "mem", ("add", "--name", "api.timeout", *_SAID)),
    "agent-memory-cli recall": Peer("agent-memory-cli", "agent-memory", ("recall", *_LOG)),
    "agent-memory-cli capture": Peer("agent-memory-cli", "agent-memory", ("capture", *_LOG, "The timeout is 30 s")),
}

#: What every header has to have, and no more: the least that a schema is asked.
SCHEMA = {"type": "object", "required": ["id", "subject", "predicate", "scope", "status"]}


@contextmanager
def installed(*, wanted: bool) -> Iterator[dict[str, str]]:
    """The programs that can be had, by the name of the row: absolute paths, for the time of the block.

    :param wanted: whether any are asked for.
    """
    with TemporaryDirectory() as directory:
        packages = {peer.package: peer.program for peer in PEERS.values()} if wanted else {}
        programs = {package: _had(package, program, Path(directory)) for package, program in packages.items()}
        for package, program in programs.items():
            if not program:
                print(f"{package} cannot be installed here: it is not measured", file=sys.stderr)
        yield {name: found for name, peer in PEERS.items() if (found := programs.get(peer.package))}


def _had(package: str, program: str, directory: Path) -> str:
    """The path of a program of a package; ``""`` where it cannot be had."""
    place = directory / package
    commands = (
        [sys.executable, "-m", "venv", str(place)],
        [str(place / "bin/python"), "-m", "pip", "install", "--quiet", package],
    )
    if all(subprocess.run(command, capture_output=True, check=False).returncode == 0 for command in commands):
        return str(place / "bin" / program)
    return shutil.which(program) or ""


def furnish(programs: Mapping[str, str], memdir: Path, place: Path, cwd: Path, environ: Mapping[str, str]) -> None:
    """Give other memories for agents as many memories as lie in ``memdir``, with the same names and texts.

    :param programs: as :func:`installed` gives them.
    :param place: the folder in which they keep them.
    """

    def run(*words: str) -> None:
        subprocess.run(words, cwd=cwd, env=dict(environ), capture_output=True, check=True)

    files = sorted((memdir / "memories").glob("*.md"))
    if "agent-memory-git add" in programs:
        mem = programs["agent-memory-git add"]
        run(mem, "init", str(place / "data"))
        run(mem, "add", "--name", "first", *_SAID)
        first = next((place / "data/memories").rglob("*.md"))
        header = first.read_text("utf-8").split("---\n")[1].splitlines()
        rest = [line for line in header if not line.startswith(("id:", "name:", "description:"))]
        for number, path in enumerate(files):
            _, said, body = path.read_text("utf-8").split("---\n", 2)
            told = [line for line in said.splitlines() if line.startswith(("name:", "description:"))]
            lines = ["---", f"id: {number:08}", *told, *rest, "---", body]
            first.with_name(f"{number:08}.md").write_text("\n".join(lines), "utf-8")
    if "agent-memory-cli capture" in programs:
        run(programs["agent-memory-cli capture"], "init", "--home", str(place / "log"), "--project", "p")
        log = place / "log/projects/p/memory/decision_log.md"
        run(programs["agent-memory-cli capture"], "capture", "--home", str(place / "log"), "--project", "p", "first")
        entry = log.read_text("utf-8").splitlines()[-1]
        with log.open("a", encoding="utf-8") as lines_of:
            lines_of.writelines(f"{entry.replace('first', path.stem)}\n" for path in files)


def headers(memdir: Path, place: Path) -> list[Path]:
    """The headers of the memories in ``memdir``, each in a file of its own in ``place``, and a schema beside it."""
    place.mkdir()
    place.with_suffix(".json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    written = []
    for path in sorted((memdir / "memories").glob("*.md")):
        file = place / f"{path.stem}.yaml"
        file.write_text(path.read_text("utf-8").split("---\n", 2)[1], encoding="utf-8")
        written.append(file)
    return written


def argv(name: str, program: str, place: Path, files: list[Path], memdir: Path) -> list[str]:
    """The command line of a peer over the ``files`` in ``place``, or over what :func:`furnish` left beside it."""
    told: dict[str, list[str]] = {
        "{folder}": [str(place)],
        "{schema}": [str(place.with_suffix(".json"))],
        "{files}": [str(file) for file in files],
        "{memories}": [str(memdir / "memories")],
        "{home}": [str(place.with_name("peers") / "log")],
    }
    return [program, *(word for given in PEERS[name].words for word in told.get(given, [given]))]
