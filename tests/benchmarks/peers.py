"""Other checkers over the same headers: how long they take to say that nothing is wrong.

None of them is a dependency. Each is installed into an environment of its own for the time of the measurement; one
that cannot be installed is passed over with a word.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory


@dataclass(frozen=True, slots=True)
class Peer:
    """One of them.

    :ivar package: where it comes from.
    :ivar program: its name.
    :ivar words: what it is told; ``{folder}`` is that of the headers, ``{schema}`` a schema for them, ``{files}`` all.
    """

    package: str
    program: str
    words: tuple[str, ...]


PEERS: dict[str, Peer] = {
    "yamllint": Peer("yamllint", "yamllint", ("-d", "{extends: relaxed, rules: {line-length: disable}}", "{folder}")),
    "check-jsonschema": Peer("check-jsonschema", "check-jsonschema", ("--schemafile", "{schema}", "{files}")),
    "check-yaml": Peer("pre-commit-hooks", "check-yaml", ("{files}",)),
}

#: What every header has to have, and no more: the least that a schema is asked.
SCHEMA = {"type": "object", "required": ["id", "subject", "predicate", "scope", "status"]}


@contextmanager
def installed(*, wanted: bool) -> Iterator[dict[str, str]]:
    """The programs that can be had, by the name of the row: absolute paths, for the time of the block.

    :param wanted: whether any are asked for.
    """
    with TemporaryDirectory() as directory:
        found: dict[str, str] = {}
        for name, peer in PEERS.items() if wanted else ():
            place = Path(directory) / name
            commands = (
                [sys.executable, "-m", "venv", str(place)],
                [str(place / "bin/python"), "-m", "pip", "install", "--quiet", peer.package],
            )
            if all(subprocess.run(command, capture_output=True, check=False).returncode == 0 for command in commands):
                found[name] = str(place / "bin" / peer.program)
            else:
                print(f"{name} cannot be installed here: it is not measured", file=sys.stderr)
        yield found


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


def argv(name: str, program: str, place: Path, files: list[Path]) -> list[str]:
    """The command line of a peer over the ``files`` in ``place``."""
    told: dict[str, list[str]] = {
        "{folder}": [str(place)],
        "{schema}": [str(place.with_suffix(".json"))],
        "{files}": [str(file) for file in files],
    }
    return [program, *(word for given in PEERS[name].words for word in told.get(given, [given]))]
