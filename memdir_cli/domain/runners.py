"""Programs that run a project's own commands, and the words that are theirs and no script's."""

from __future__ import annotations

from memdir_cli.shapes import dataclass

_SHARED = """
    add audit bin cache ci completion config create dedupe deploy dlx doctor exec help i info init install
    link list login logout ls node outdated owner pack pkg publish rebuild remove rm root search self-update
    set setup store tag team uninstall unlink up update upgrade version versions view why
"""

_PNPM = """
    approve-builds cat-file cat-index dist-tag env fetch find-hash ignored-builds import la licenses ln m
    multi patch patch-commit patch-remove ping prune rb recursive server un uni unstar
"""

_YARN = """
    autoclean check constraints explain generate-lock-entry global import licenses npm patch patch-commit
    plugin policies prune stage unplug workspaces
"""

#: Lifecycle names that npm runs without ``run``, with their short forms.
_NPM_LIFECYCLE = {
    "test": "test", "t": "test", "tst": "test", "start": "start", "stop": "stop", "restart": "restart",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Runner:
    """How one program is told to run a command of the project.

    :ivar verbs: words after which the name follows (``run``).
    :ivar direct: whether a name may follow the program itself.
    :ivar own: words that are the program's own, and so never a name.
    :ivar only: where not empty, the only names that may follow the program itself, with what they mean.
    :ivar scripts: whether what it runs is a script of package.json.
    """

    verbs: frozenset[str] = frozenset({"run", "run-script"})
    direct: bool = False
    own: frozenset[str] = frozenset()
    only: tuple[tuple[str, str], ...] = ()
    scripts: bool = True


RUNNERS: dict[str, Runner] = {
    "npm": Runner(frozenset({"run", "run-script", "rum", "urn"}), True, only=tuple(_NPM_LIFECYCLE.items())),
    "pnpm": Runner(direct=True, own=frozenset(_SHARED.split()) | frozenset(_PNPM.split())),
    "yarn": Runner(direct=True, own=frozenset(_SHARED.split()) | frozenset(_YARN.split())),
    "bun": Runner(frozenset({"run"})),
    "node": Runner(frozenset({"--run"})),
    "composer": Runner(frozenset({"run", "run-script"}), direct=True, scripts=False),
    "cargo": Runner(frozenset(), direct=True, scripts=False),
    "make": Runner(frozenset(), direct=True, scripts=False),
    "just": Runner(frozenset(), direct=True, scripts=False),
    "uv": Runner(frozenset({"run"}), scripts=False),
    "poetry": Runner(frozenset({"run"}), scripts=False),
    "pdm": Runner(frozenset({"run"}), scripts=False),
}

#: Options that take the next word as their value, and what the value says: a directory or a workspace.
VALUED: dict[str, str] = {
    "-C": "directory",
    "--dir": "directory",
    "--cwd": "directory",
    "--prefix": "directory",
    "-w": "workspace",
    "--workspace": "workspace",
    "-F": "workspace",
    "--filter": "workspace",
    "--filter-prod": "workspace",
    "--loglevel": "",
    "--reporter": "",
    "--script-shell": "",
    "-f": "",
    "--file": "",
    "--justfile": "",
    "--manifest-path": "",
}

#: Programs whose ``-w`` takes no value: for pnpm it means the root of the workspace.
ROOT_SWITCH = {"pnpm": frozenset({"-w", "--workspace-root"})}

_PROSE = """
    a after again all and any are as at before but by can command commands each every everything first for
    from here if in instead into is it its locally manually must not now of off on once one only or our out
    outside script scripts do does should so some task tasks that the them then there these they this those
    through to twice under until via was what when where which while will with without you your
"""

#: English words that follow ``run`` in a sentence; they are names only where such a script exists.
PROSE = frozenset(_PROSE.split())

#: Options with which a command runs where it exists, so that it need not exist everywhere.
LOOSE = frozenset({"-r", "--recursive", "--workspaces", "-ws", "--parallel", "--if-present"})
