"""Citations: the project's own commands that a text names, such as ``npm run build -w packages/web``.

``npm run X`` is a citation wherever it stands. Shorthand (``pnpm X``, ``npm test``) looks like prose: it is one
in a code span, and elsewhere only if such a script exists. Which file it speaks of is for the probes to find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from memdir_cli.domain.runners import LOOSE, PROSE, ROOT_SWITCH, RUNNERS, VALUED, Runner
from memdir_cli.shapes import dataclass


@dataclass(frozen=True, slots=True)
class Citation:
    """One command that a text names.

    :ivar runner: the program, a key of ``RUNNERS``.
    :ivar name: script, target or alias.
    :ivar certain: whether the text means a command whatever exists; otherwise it does only if it exists.
    :ivar directory: value of ``--prefix``, ``-C`` and the like, ``""`` without.
    :ivar workspace: value of ``-w``, ``--filter`` or ``yarn workspace``: a name or a path, ``""`` without.
    :ivar at_root: pnpm was told to run it at the root of the workspace.
    """

    runner: str
    name: str
    certain: bool
    directory: str = ""
    workspace: str = ""
    at_root: bool = False


#: A fenced block, or a span between equal runs of backticks; bounded, so that no text takes long.
_CODE = re.compile(
    r"(?P<fence>^[ \t]{0,20}(?P<mark>`{3,10}|~{3,10})[^\n]*\n(?P<block>.*?)(?:^[ \t]{0,20}(?P=mark)|\Z))"
    r"|(?P<ticks>(?<!`)`{1,3}(?!`))(?P<span>[^\n]{0,300}?)(?<!`)(?P=ticks)(?!`)",
    re.DOTALL | re.MULTILINE,
)
#: A runner that is a word of its own; letters of other scripts may touch it.
_RUNNER = re.compile(rf"(?<![\w./@:-])({'|'.join(RUNNERS)})(?=[ \t])", re.ASCII)
#: Where a command ends, besides the end of its line, and where it is given up.
_END = re.compile(r"&&|\|\||[;|&<>()`\n]|\s#\s")
_COMMAND_CHARACTERS = 400
_NAME = re.compile(r"[A-Za-z0-9_@][\w:./@+-]*", re.ASCII)
#: A text longer than this is cited from its beginning only.
TEXT_CHARACTERS = 200_000
#: Commands that are looked at in one piece of a text.
COMMANDS = 1000


def citations(*texts: str) -> tuple[Citation, ...]:
    """The citations of value, description and body, each once, in the order of the texts."""
    found: dict[Citation, None] = {}
    for text in texts:
        for code, part in _parts(text[:TEXT_CHARACTERS]):
            found.update(dict.fromkeys(_in_part(part, code=code)))
    certain = {(c.runner, c.name, c.directory, c.workspace, c.at_root) for c in found if c.certain}
    return tuple(
        c for c in found if c.certain or (c.runner, c.name, c.directory, c.workspace, c.at_root) not in certain
    )


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """The text in pieces, each with whether it is code."""
    at = 0
    for match in _CODE.finditer(text):
        yield False, text[at : match.start()]
        yield True, match["block"] if match["fence"] else match["span"]
        at = match.end()
    yield False, text[at:]


def _in_part(part: str, *, code: bool) -> Iterator[Citation]:
    for match in islice(_RUNNER.finditer(part), COMMANDS):
        start, limit = match.end(), match.end() + _COMMAND_CHARACTERS
        end = _END.search(part, start, limit)
        words = [word.strip("\"'") for word in part[start : end.start() if end else limit].split()]
        first = not part[: match.start()].strip()
        cited = _command(match[1], words, code=code, first=first)
        if cited is not None:
            yield cited


def _command(runner: str, words: list[str], *, code: bool, first: bool) -> Citation | None:
    """The citation that the words after a runner make, if they make one.

    :param first: nothing stands before the runner in its piece of text.
    """
    rules = RUNNERS[runner]
    options: dict[str, str] = {}
    plain = list(_without_options(runner, words, options, code=code))
    if runner == "yarn" and plain[:1] == ["workspace"]:
        options["workspace"] = "".join(plain[1:2])
        plain = plain[2:]
    run = bool(plain) and plain[0] in rules.verbs
    if not run and not rules.scripts and not code and not first:
        # in a sentence `make` and `just` are English
        return None
    name = _name(rules, plain[1:] if run else plain, run=run, code=code)
    if not name:
        return None
    meant = code or (run and name not in PROSE)
    certain = rules.scripts and meant and "loose" not in options
    return Citation(
        runner,
        name,
        certain,
        options.get("directory", ""),
        options.get("workspace", ""),
        at_root="at_root" in options,
    )


def _without_options(runner: str, words: list[str], options: dict[str, str], *, code: bool) -> Iterator[str]:
    """The words that are no options; what the options say goes into ``options``."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            return
        if word in ROOT_SWITCH.get(runner, ()):
            options["at_root"] = "yes"
        elif word in LOOSE:
            options["loose"] = "yes"
        elif word.startswith("-") and word not in RUNNERS[runner].verbs:
            option, equals, value = word.partition("=")
            if option in VALUED:
                told = value if equals else next(rest, "")
                options[VALUED[option]] = _trimmed(told.strip("\"'"), code=code)
        else:
            yield word


def _name(rules: Runner, words: list[str], *, run: bool, code: bool) -> str:
    """The name that the first word is, ``""`` if it is none."""
    if not words or not (run or rules.direct):
        return ""
    word = _trimmed(words[0], code=code)
    match = _NAME.match(word)
    if match is None or word[match.end() : match.end() + 1] in set("*${[=%"):
        # a placeholder or a pattern names no one script
        return ""
    name = _trimmed(match[0], code=code)
    if run:
        return name
    if rules.only:
        return dict(rules.only).get(name, "")
    return "" if name in rules.own or name in rules.verbs else name


def _trimmed(word: str, *, code: bool) -> str:
    """``word`` without the marks that end a sentence or an emphasis."""
    if code:
        return word
    word = word.rstrip(".,:;!?\"'")
    plain = word.rstrip("*_")
    # `build**` is emphasis, `test:*` a pattern
    return plain.rstrip(".,:;!?") if plain[-1:].isalnum() else word
