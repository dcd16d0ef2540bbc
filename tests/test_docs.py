"""README and hints are true: transcripts come out as printed, command lines exist, tables fit the code."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import typer

from memdir_cli import errors
from memdir_cli.cli import boundary, streams
from memdir_cli.cli.app import COMMANDS, HIDDEN, load
from memdir_cli.cli.schemas.documents import document
from memdir_cli.domain.answer import EXIT_STATUS
from memdir_cli.domain.status import STATUSES
from memdir_cli.storage import config, layout
from tests import transcript
from tests.reference import TABLES
from tests.sandbox import Sandbox, isolated

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SOURCES = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "memdir_cli").rglob("*.py"))}
VERBS = {entry.verb for entry in (*COMMANDS, *HIDDEN)}
STORIES = transcript.stories(README)
COMMAND_LINES: list[str] = re.findall(r"^```sh\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
SETUP, TESTS = COMMAND_LINES

#: What typer says where something is missing, not wrong.
NEEDS_MORE = frozenset({"MissingParameter", "BadOptionUsage"})

#: What stands for a value that only a run knows.
FILLED = "X1"


def section(heading: str) -> str:
    """The text below a heading, up to the next one of any level."""
    text = README.partition(f" {heading}\n")[2]
    assert text, heading
    return re.split(r"^#+ ", text, maxsplit=1, flags=re.MULTILINE)[0]


def first_cells(text: str) -> list[str]:
    """The code spans in the first column of the tables in ``text``."""
    return [span for line in text.splitlines() if line.startswith("|") for span in spans(line.split("|")[1])]


def spans(text: str) -> list[str]:
    """The code spans of a line."""
    return re.findall(r"`([^`]+)`", text)


@pytest.mark.parametrize("story", STORIES)
def test_transcripts_come_out_as_printed(story: str, tmp_path: Path) -> None:
    game = transcript.begin(tmp_path.resolve())
    for step in STORIES[story]:
        real = transcript.play(step, game)
        game.ids = transcript.same_ids(step.output, real, game.ids)
        assert transcript.as_printed(real, game.ids) == step.output, f"README.md:{step.line}: {step.command}"


def test_the_transcripts_are_a_short_session_and_the_tour() -> None:
    assert list(STORIES) == ["Ten lines", "Five minutes"]
    session = STORIES["Ten lines"]
    assert session[-1].until - session[0].line == 10
    told = {word for step in STORIES["Five minutes"] for word in shlex.split(step.command)}
    assert {"init", "remember", "correct", "confirm", "settle", "get", "explain", "history", "log", "context"} <= told


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_those_of_the_code(name: str) -> None:
    printed = README.partition(f"<!-- table: {name} -->\n")[2].partition("<!-- end -->")[0]
    assert printed == f"{TABLES[name]()}\n", "`python -m tests.reference README.md` writes it anew"


def readme_commands() -> Iterator[str]:
    """The command lines of the README, but for those that :func:`test_tables_are_those_of_the_code` holds."""
    text = re.sub(r"<!-- table: commands -->.*?<!-- end -->", "", README, flags=re.DOTALL)
    for step in transcript.steps(text):
        yield step.command
    for line in text.splitlines():
        yield from (span for span in spans(line) if span.startswith("memdir "))
        if line.startswith(("hint: memdir ", "  memdir ")):
            yield line.removeprefix("hint: ").rstrip(" &)")


def source_commands() -> Iterator[str]:
    """The command lines in hints, examples, messages and documentation of the code."""
    for source in SOURCES.values():
        for node in ast.walk(ast.parse(source)):
            yield from (span for span in spans(_text(node)) if span.startswith("memdir "))
            if isinstance(node, ast.keyword) and node.arg == "hint":
                yield from re.findall(r"memdir [^`]+", _text(node.value))
            if isinstance(node, ast.Return) and node.value is not None:
                yield from re.findall(r"^memdir [^`]+", _text(node.value))
            if isinstance(node, ast.Assign) and "EXAMPLES" in {getattr(name, "id", "") for name in node.targets}:
                yield from _text(node.value).splitlines()


def _text(node: ast.AST) -> str:
    """A string of the code, values of an f-string filled in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else FILLED for part in node.values)
    return ""


def memdir_words(line: str) -> Iterator[list[str]]:
    """What each ``memdir`` of a shell line is called with; prose around it is cut off."""
    for command in re.split(r"&&|;|\||(?<!<)>|, | takes? | to | for | with | in | replaces ", line):
        try:
            words = shlex.split(command)
        except ValueError:
            continue
        if "memdir" in words[:2]:
            yield words[words.index("memdir") + 1 :]


def wrong(words: list[str]) -> str:
    """Why the command line does not parse, ``""`` if it does."""
    if not words or words[0] not in VERBS:
        known = not words or words[0] in {"--version", "-h", "--help", "COMMAND", FILLED}
        return "" if known else f"there is no verb `{words[0]}`"
    verb, given = words[0], words[1:]
    # a verb, and an option of one, may be named without what goes with it
    named = not given or given[-1].startswith("--")
    fault = _parsed(verb, given)
    if type(fault).__name__ in NEEDS_MORE and named:
        return ""
    if fault is not None and given[-1:] == [FILLED]:
        # what is filled in there may as well be nothing, or options
        fault = _parsed(verb, given[:-1])
    return str(fault or "")


def _parsed(verb: str, given: list[str]) -> typer.TyperException | None:
    try:
        load(verb).make_context(verb, list(given))
    except typer.Exit:
        return None
    except typer.TyperException as error:
        return error
    return None


@pytest.mark.parametrize("lines", [readme_commands, source_commands], ids=["README", "code"])
def test_every_command_line_that_is_shown_can_be_typed(lines: object) -> None:
    assert callable(lines)
    shown = {tuple(words): line for line in lines() for words in memdir_words(line)}
    assert len(shown) > 25, "too few are found to say anything"
    faults = {line: fault for words, line in shown.items() if (fault := wrong(list(words)))}
    assert faults == {}


def test_a_command_line_that_cannot_be_typed_is_seen() -> None:
    assert wrong(["rejekt", "k"])
    assert wrong(["get", "k", "--nonsense"])
    assert wrong(["settle", "k"])
    assert [wrong(words) for words in memdir_words("cd x && MEMDIR_TASK=T memdir get k; memdir log")] == ["", ""]


def test_environment_variables_are_those_that_the_code_reads() -> None:
    read = {name for source in SOURCES.values() for name in re.findall(r"\bMEMDIR_[A-Z_]+\b", source)}
    assert set(first_cells(section("Environment"))) == read


def test_exit_statuses_are_those_of_the_code() -> None:
    told = {int(row.split("|")[1]) for row in section("Exit statuses").splitlines() if re.match(r"\| \d", row)}
    raised = {kind.exit_status for kind in _kinds(errors.MemdirError)}
    assert told == {0, 1, *raised, *EXIT_STATUS.values(), streams.CLOSED_PIPE, boundary.INTERRUPTED}


def _kinds(kind: type[errors.MemdirError]) -> Iterator[type[errors.MemdirError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from _kinds(below)


def test_decisions_have_the_exit_status_that_is_printed() -> None:
    rows = [row.split("|") for row in section("The life of a memory").splitlines() if row.startswith("|")]
    told = {spans(row[2])[0]: int(row[3]) for row in rows if row[3].strip().isdigit()}
    assert told.items() <= EXIT_STATUS.items()
    assert set(EXIT_STATUS) <= set(spans(section("The life of a memory").replace("\n", " ")))
    assert {row[1].strip(" `") for row in rows} >= set(STATUSES)


def test_settings_are_those_that_the_code_reads() -> None:
    literals = set(re.findall(r'"([A-Za-z]+)"', SOURCES[ROOT / "memdir_cli/storage/config.py"]))
    told = set(first_cells(README.partition("**config.yaml**\n\n")[2].partition("\n\n")[0]))
    assert {part for name in told for part in name.split(".")} <= literals
    fields = {"format", "repository", "user", "key", "gate.attestation", "policy.setters", "ageLimits"}
    fields |= {"check.ignore", "check.severity"}
    assert told == fields | {f"retention.{name}" for name in config.RETENTION}


def test_keys_and_folders_are_those_of_the_format() -> None:
    text = section("The format on disk")
    keys = first_cells(text.partition("**A memory file**")[2].partition("Every scalar")[0])
    assert sorted(keys) == sorted(document("memory")["properties"])
    tree = re.findall(r"^  (\S+)", text, re.MULTILINE)
    folders = {f"{name}/" for name in layout.FOLDERS if name and "/" not in name}
    files = {layout.GITIGNORE, layout.GITATTRIBUTES, layout.INDEX, layout.CONFIG, layout.TOMBSTONES}
    assert set(tree) == {*files, *folders}


def test_what_lies_in_local_is_told() -> None:
    text = section("The format on disk").partition("| in `local/` |")[2].partition("\n\n")[0]
    told = {f"{layout.LOCAL}/{name.rstrip('/')}" for name in first_cells(text)}
    assert told == set(layout.LOCAL_STORES)


def test_the_readme_speaks_of_no_machine() -> None:
    assert not re.findall(r"(?<![\w.~])/(?:home|root|tmp|work|Users|private)/", README)
    assert not re.findall(r"--(?:index-url|registry)\b|\bissues? #?\d", README)


@pytest.mark.slow
def test_the_two_commands_work_in_a_clean_clone() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("there is no repository to clone")
    if shutil.which("python3") is None:
        pytest.skip("there is no python3")
    # not where the other tests work: an environment is large, and a disk in memory may refuse to run programs
    with TemporaryDirectory() as directory:
        _walk_through(isolated(Path(directory).resolve()))


def _walk_through(sandbox: Sandbox) -> None:
    clone = sandbox.root / "clone"
    sandbox.git("clone", "-q", "--no-hardlinks", str(ROOT), str(clone), cwd=sandbox.root)
    # the person's own settings of pip say where packages are; only a home that is not there hides them
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    pip |= {"PIP_CONFIG_FILE": str(Path("~/.config/pip/pip.conf").expanduser())} if "PIP_CONFIG_FILE" not in pip else {}
    prepared = sandbox.process("sh", "-c", _prepared(), cwd=clone, env=pip, timeout=900)
    if prepared.exit:
        pytest.skip(f"pip cannot install here: {prepared.stderr.strip().splitlines()[-1:]}")
    done = sandbox.process("sh", "-c", SETUP, cwd=clone, env=pip, timeout=900)
    assert done.exit == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["created", "created", "npm"]
    assert not sandbox.user_memdir.exists(), "the setup leaves the user's own memories alone"
    # everything but the tests, of which a few stand for all: they are running now
    tests = sandbox.process("sh", "-c", f"{TESTS.strip()} -k test_version", cwd=clone, timeout=1800)
    assert tests.exit == 0, tests.stdout + tests.stderr


def _prepared() -> str:
    """The part of the setup that needs the network, alone: what fails here is not memdir's fault."""
    return SETUP.partition(" && (")[0]
