"""Remarks: what a memory says that a reader should be wary of, and what it claims beyond its scope.

``check`` tells them of what lies there, and a write tells them of what it has just written: by the same rules,
so that what was written without a warning gives no finding.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator

from memdir_cli.domain import wording
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.glance import Glance
from memdir_cli.domain.lookalike import disguised
from memdir_cli.domain.memory import Memory
from memdir_cli.domain.screen import Text, memory_texts
from memdir_cli.domain.statement import Provenance
from memdir_cli.domain.text import printable
from memdir_cli.shapes import dataclass

#: Folders whose memories are served, or may be soon.
READ = frozenset({"memories", "local/tasks", "inbox"})

#: Stands between texts that are searched in one piece; no pattern reaches over it.
_APART = "\n.\n"


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to be wary of.

    :ivar code: stable: the name of the rule.
    :ivar key: the frontmatter key, ``body`` for the text below the header.
    :ivar at: where in that text, by its index.
    """

    code: str
    key: str
    at: int
    message: str


def of_memory(memory: Memory, sight: Glance | None = None) -> Iterator[Remark]:
    """Everything to be wary of in one memory, each rule once.

    :param sight: what a glance at its file showed.
    """
    if sight is None:
        yield from _of_texts(memory)
        yield from _of_scope(memory)
        return
    may = wording.looks(sight.seen)
    if sight.crowded or not may.isdisjoint(_ORDERS):
        yield from _of_texts(memory)
    if not (may.isdisjoint(_CLAIMS) or _claimed(memory, sight.seen).isdisjoint(_CLAIMS)):
        yield from _of_scope(memory)


def _of_texts(memory: Memory) -> Iterator[Remark]:
    texts = memory_texts(memory)
    # in one piece first: most memories have nothing
    whole = _APART.join([text for _, text in texts])
    seen = wording.hints(whole)
    for code, look, words in _WARY:
        for key, text in texts if look(whole, seen) is not None else ():
            match = look(text, seen)
            if match is not None:
                # a value is read with its key before it
                at = max(0, match.start - len(memory.predicate) - 2) if key == "value" else match.start
                yield Remark(code, key, at, words)
                break


def of_text(text: str) -> Iterator[Remark]:
    """What to be wary of in a text that is no memory, each rule once."""
    seen = wording.hints(text)
    for code, look, words in _WARY:
        match = look(text, seen)
        if match is not None:
            yield Remark(code, "", match.start, words)


def cautions(memory: Memory) -> tuple[Caution, ...]:
    """What a write answers about what it has written."""
    found = [Caution(remark.code, remark.message) for remark in of_memory(memory)]
    seems = disguised(memory.predicate)
    if seems:
        found.append(
            Caution(
                "lookalike-key", f"`{printable(memory.predicate)}` only looks like `{seems}`: it mixes two scripts."
            )
        )
    return tuple(found)


def apart(memory: Memory, provenance: Provenance) -> tuple[Caution, ...]:
    """A remark where the words that are passed as the user's name neither key nor value."""
    if provenance.kind != "user":
        return ()
    said = provenance.said.casefold()
    if not said.strip() or not memory.value:
        return ()
    key = memory.predicate.casefold()
    named = [part for part in key.replace(".", "_").replace("-", "_").split("_") if len(part) > 1]
    parts = [part for part in memory.value.casefold().split() if len(part) > 1]
    if key in said or memory.value.casefold() in said or any(part in said for part in (*named, *parts)):
        return ()
    message = "The words of `--said` name neither the key nor the value; check that they mean this."
    return (Caution("words-apart", message),)


#: The looks at all that a memory says, and those at what it says of itself.
_ORDERS, _CLAIMS = frozenset({"injection", "permission"}), frozenset({"universal", "temporary"})

#: A look at a text, given the hints of what it is a part of.
_Look = Callable[[str, wording.Hints], wording.Match | None]

_WARY: tuple[tuple[str, _Look, str], ...] = (
    ("injection-like", wording.injection, "It gives orders to whoever reads it, as text from outside would."),
    ("permission-like", wording.permission, "It grants a permission, and a memory grants none."),
    ("keyword-stuffed", lambda text, _: wording.stuffed(text), "It is a heap of words to be found by, not a sentence."),
)


def _of_scope(memory: Memory) -> Iterator[Remark]:
    scope = memory.scope
    if memory.status not in {"verified", "stale", "conflicted", "candidate"}:
        return
    texts = [(key, text) for key, text in _claims(memory) if text]
    if scope.level == "user" and not scope.qualifiers:
        yield from _first("too-wide", texts, wording.universal, lambda: _too_wide(memory))
    if scope.level != "task" and not memory.expires_at and memory.type != "temporary":
        yield from _first("temporary", texts, wording.temporary, lambda: _temporary(memory))


def _claimed(memory: Memory, seen: wording.Hints) -> frozenset[str]:
    """The looks at claims that may find something: what stands in a reference, such as `session`, is no claim."""
    said = "\n".join([text for _, text in _claims(memory)]).lower().encode()
    return wording.looks(frozenset([hint for hint in seen if hint in said]))


def _claims(memory: Memory) -> tuple[Text, ...]:
    """What a memory says of itself: not the text below, which tells why."""
    said = memory.source[0].said if memory.source else ""
    return (("value", memory.value or ""), ("description", memory.description), ("source", said))


def _first(code: str, texts: list[Text], look: _Look, message: Callable[[], str]) -> Iterator[Remark]:
    # in one piece first here as well
    whole = _APART.join([text for _, text in texts])
    seen = wording.hints(whole)
    for key, text in texts if look(whole, seen) is not None else ():
        match = look(text, seen)
        if match is not None:
            said = printable(text[match.start : match.end].strip())
            yield Remark(code, key, match.start, message().format(said))
            return


def _too_wide(memory: Memory) -> str:
    narrower = _again(memory, "repository")
    return (
        f"It says `{{}}` and applies in every project; narrower: `{narrower}`, or add `--topic`, `--path` or `--env`."
    )


def _temporary(memory: Memory) -> str:
    return f"It says `{{}}` and lasts; if it ends soon: `{_again(memory, 'task')}`, or add `--expires 1d`."


def _again(memory: Memory, scope: str) -> str:
    """The command that says the same in a narrower scope."""
    if memory.none:
        words = "--none"
    elif not memory.value:
        words = "--body-file FILE"
    else:
        words = f"{'-- ' if memory.value.startswith('-') else ''}{shlex.quote(memory.value)}"
    if len(words) > 120 or not words.isprintable():
        words = "VALUE"
    command = f"memdir remember --scope {scope} {shlex.quote(memory.predicate)} {words}"
    return command.replace("{", "{{").replace("}", "}}")
