"""Making the year: every command of the story is run, under a clock that stands at its time.

``python -m tests.year.making`` makes ``fixtures/health`` anew: the memdirs that the year leaves, and their reports.
"""

from __future__ import annotations

import io
import os
import random
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

from memdir_cli.cli.entry import enter
from tests.sandbox import Sandbox, isolated
from tests.year.story import REPOSITORY, Step, steps

#: Exit statuses that the story brings: done, a person must decide, refused.
EXPECTED = frozenset({0, 1, 3, 4})

#: What belongs to the machine on which the year was made.
LEFT_BEHIND = ("lock", "cache", "lock.json")


def lived(root: Path, *, chance: int | None = None) -> tuple[Sandbox, Path]:
    """A home and a repository below ``root`` in which the year has passed.

    :param chance: where the ids come from, so that they are the same ones again; ``None`` for real chance.
    """
    sandbox = isolated(root)
    top = sandbox.repository("legacy-dashboard", remote=REPOSITORY)
    sandbox.user_memdir.mkdir(parents=True, mode=0o700)
    (sandbox.user_memdir / "config.yaml").write_text("gate: {attestation: claimed}\n", "utf-8")
    with _as_if(sandbox.environ, top), _chance(chance):
        _enter("2025-09-14T09:00:00Z", ("init",))
        for number, step in enumerate(steps()):
            _happen(top, number, step)
    return sandbox, top


def _happen(top: Path, number: int, step: Step) -> None:
    if step.who in {"workspace", "hand"}:
        path, *change, text = step.line
        file = top / (f".memdir/{path}" if step.who == "hand" else path)
        file.write_text(file.read_text("utf-8").replace(change[0], text) if change else text, encoding="utf-8")
        return
    of_session = ("--session", f"thread-{step.at[:10]}", "--message", f"m{number}")
    said = ("--from", "user", "--said", step.words, *of_session) if step.words else ()
    os.environ["MEMDIR_SESSION"] = f"thread-{step.at[:10]}"
    _enter(step.at, (*step.line, *said))


def _enter(at: str, line: tuple[str, ...]) -> None:
    os.environ["MEMDIR_NOW"] = at
    told = io.StringIO()
    with redirect_stdout(told), redirect_stderr(told):
        status = enter(line)
    if status not in EXPECTED:
        raise RuntimeError(f"{at} memdir {' '.join(line)}: exit {status}: {told.getvalue()}")


@contextmanager
def _chance(seed: int | None) -> Iterator[None]:
    real = os.urandom
    if seed is not None:
        os.urandom = random.Random(seed).randbytes
    try:
        yield
    finally:
        os.urandom = real


@contextmanager
def _as_if(environ: Mapping[str, str], directory: Path) -> Iterator[None]:
    """This process in another environment and directory, for the time of the block."""
    before, where = dict(os.environ), os.getcwd()
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(where)
        os.environ.clear()
        os.environ.update(before)


def pack(sandbox: Sandbox, top: Path, folder: Path) -> None:
    """The files of the year in ``folder``, without what belongs to the machine."""
    shutil.rmtree(folder, ignore_errors=True)
    ignore = shutil.ignore_patterns(*LEFT_BEHIND)
    shutil.copytree(top / ".memdir", folder / "project", ignore=ignore)
    # git would heed it here, and leave out what the fixture is about
    (folder / "project/.gitignore").rename(folder / "project/gitignore")
    shutil.copytree(sandbox.user_memdir, folder / "user", ignore=ignore)
    (folder / "workspace").mkdir()
    for file in sorted(top.iterdir()):
        if file.is_file():
            shutil.copy(file, folder / "workspace" / file.name)


if __name__ == "__main__":
    from tests.year.place import FIXTURE, REPORTS, laid, report

    with TemporaryDirectory() as directory:
        pack(*lived(Path(directory).resolve(), chance=2026), FIXTURE)
    with TemporaryDirectory() as directory:
        place = laid(Path(directory).resolve())
        for name, line in REPORTS.items():
            (FIXTURE.parent / name).write_text(report(place, line), encoding="utf-8")
            print(f"wrote {FIXTURE.parent / name}", file=sys.stderr)
