"""A file to a memory: every key judged, the first fault told with its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from sys import intern
from typing import Literal, TypeVar, cast

from memdir_cli.domain.memory import TYPES, Evidence, Memory, Side, Type
from memdir_cli.domain.scope import Level, Scope
from memdir_cli.domain.source import ATTESTATIONS, AUTHORITIES, KINDS, Authority, Source
from memdir_cli.domain.status import STATUSES, Status
from memdir_cli.domain.text import printable
from memdir_cli.storage.codec.header import Header, read_header
from memdir_cli.storage.codec.keys import OWN, RANK, TEXTS, TIMES
from memdir_cli.storage.codec.scalars import Value
from memdir_cli.storage.problems import PROBLEMS, Malformed, place

#: Characters of a value that a message shows.
_SHOWN = 80

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_REVISION = re.compile(r"[1-9][0-9]{0,8}\Z", re.ASCII)
_PREDICATE = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9_]))*+(?<!-)\Z")
_COMMON_TIME = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ)?\Z", re.ASCII
)

#: What a memory is that does not say it, by the level of its scope.
_TYPE_OF_LEVEL: dict[Level, Type] = {"user": "preference", "repository": "project-rule", "task": "temporary"}

#: The keys that are not memdir's of nearly all memories.
_NO_EXTRA: Mapping[str, object] = {}

Values = Mapping[str, Value]

Word = TypeVar("Word", bound=str)


def parse_memory(data: bytes, path: str = "") -> Memory:
    """The memory in a file's bytes.

    :param path: the file's path, kept among the facts of an error.
    :raises Malformed: if the bytes are not a memory that can be served as it stands.
    """
    try:
        return header_to_memory(read_header(data))
    except Malformed as error:
        if path:
            error.facts["path"] = path
        raise


def header_to_memory(header: Header) -> Memory:
    """The memory that a header and its body say.

    :raises Malformed: as :func:`parse_memory`.
    """
    try:
        return _memory(header.values, header.body)
    except _RefusedError as refused:
        line, column = refused.place(header)
        error = Malformed(refused.reason, refused.sentence, line=line, column=column)
        if refused.key:
            error.facts["key"] = refused.key
        raise error from None


class _RefusedError(Exception):
    """A key that says what no memory can, before its place in the file is known."""

    def __init__(self, reason: str, key: str = "", value: Value = "", sentence: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.key = key
        self.text = value if isinstance(value, str) else ""
        shown = f" (it is `{printable(self.text[:_SHOWN])}`)" if self.text else ""
        self.sentence = f"{(sentence or PROBLEMS[reason]).removesuffix('.')}{shown}."

    def place(self, header: Header) -> tuple[int, int]:
        """Line and column of the first such key with such a value; of the header if there is none."""
        text, start, end = header.parts.text, header.parts.start, header.parts.end
        if not self.key:
            return 1, 1
        pattern = re.compile(rf"""^ *(?:- +)*(["']?{re.escape(self.key)}["']?[ \t]*:.*)""", re.MULTILINE)
        found = list(pattern.finditer(text, start, end))
        exact = [match for match in found if self.text in match[1]]
        for match in (*exact, *found):
            return place(text, match.start(1))
        return 1, 1


def _memory(values: Values, body: str) -> Memory:
    if values.keys().isdisjoint(OWN) and values.get("status") not in STATUSES:
        raise _RefusedError("unmanaged")
    status = cast(Status, _word(values, "status", STATUSES, "unknown-status", missing="missing-status"))
    identity = _needed(values, "id", "missing-id")
    if not _ID.match(identity):
        raise _RefusedError("bad-id", "id", identity)
    subject = _subject(values)
    predicate = _predicate(values)
    scope = _scope(values)
    texts = {field: _text(values, key) for key, field in TEXTS.items() if key in values}
    times = _times(values)
    sides = _sides(values, status) if status == "conflicted" or "sides" in values else ()
    return Memory(
        id=identity,
        subject=subject,
        predicate=predicate,
        scope=scope,
        status=status,
        type=_word(values, "type", TYPES, "unknown-type") or _TYPE_OF_LEVEL[scope.level],
        value=_text(values, "value") if "value" in values else None,
        none=_none(values) if "none" in values else False,
        revision=_revision(values),
        authority=_authority(values),
        source=_sources(values["source"]) if "source" in values else (),
        depends_on=_evidence(values["dependsOn"]) if "dependsOn" in values else (),
        sides=sides,
        body=body,
        extra=_NO_EXTRA if values.keys() <= RANK.keys() else {k: value for k, value in values.items() if k not in RANK},
        **texts,
        **times,
    )


def _text(values: Values, key: str) -> str:
    value = values.get(key, "")
    if not isinstance(value, str):
        raise _RefusedError("not-text", key, sentence=f"`{key}` holds a list or a mapping instead of text")
    return value


def _needed(values: Values, key: str, missing: str) -> str:
    value = _text(values, key)
    if not value:
        raise _RefusedError(missing, key)
    return value


def _word(values: Values, key: str, words: tuple[Word, ...], unknown: str, *, missing: str = "") -> Word | Literal[""]:
    value = _text(values, key)
    if value in words:
        return words[words.index(value)]  # the one text for all, and not one a file
    if key in values:
        raise _RefusedError(unknown, key, value, f"`{key}` is none of {', '.join(words)}")
    if missing:
        raise _RefusedError(missing, key)
    return ""


def _subject(values: Values) -> str:
    subject = _needed(values, "subject", "missing-subject")
    if not subject.startswith(("user:", "project:")) or subject.endswith(":"):
        raise _RefusedError("bad-subject", "subject", subject)
    return intern(subject)


def _predicate(values: Values) -> str:
    predicate = _needed(values, "predicate", "missing-predicate")
    if not _PREDICATE.match(predicate):
        from memdir_cli.domain.identity import parse_predicate
        from memdir_cli.errors import UsageError

        try:
            parse_predicate(predicate)
        except UsageError as error:
            sentence = "`predicate` cannot be one" if len(predicate) > _SHOWN else error.message
            raise _RefusedError("bad-predicate", "predicate", sentence=sentence) from None
    return predicate


def _scope(values: Values) -> Scope:
    text = _needed(values, "scope", "missing-scope")
    repository, path, topic, version = [
        _text(values, key) if key in values else "" for key in ("repository", "path", "topic", "version")
    ]
    environment = _environment(values) if "environment" in values else ()
    return _scoped(text, repository or None, path or None, topic or None, environment, version or None)


@lru_cache(maxsize=1 << 10)
def _scoped(
    text: str,
    repository: str | None,
    path: str | None,
    topic: str | None,
    environment: tuple[tuple[str, str], ...],
    version: str | None,
) -> Scope:
    """The scope of so many memories of a memdir that it is made and kept once."""
    level, _, name = text.partition(":")
    if text == "user":
        return Scope("user", None, None, path, topic, environment, version)
    if name and level == "task":
        return Scope("task", name, repository, path, topic, environment, version)
    if name and level == "repository":
        return Scope("repository", None, name, path, topic, environment, version)
    raise _RefusedError("bad-scope", "scope", text)


def _environment(values: Values) -> tuple[tuple[str, str], ...]:
    value = values["environment"]
    if value == "":
        return ()
    if not isinstance(value, dict):
        raise _RefusedError("bad-environment", "environment")
    pairs = [(key, word) for key, word in value.items() if isinstance(word, str)]
    if len(pairs) != len(value):
        raise _RefusedError("bad-environment", "environment")
    return tuple(sorted(pairs))


def _revision(values: Values) -> int:
    if "revision" not in values:
        return 1
    text = _text(values, "revision")
    if text == "1":
        return 1
    if not _REVISION.match(text):
        raise _RefusedError("bad-revision", "revision", text)
    return int(text)


def _none(values: Values) -> bool:
    text = _text(values, "none")
    if text not in ("", "true", "false"):
        raise _RefusedError("bad-none", "none", text)
    return text == "true"


def _authority(values: Values) -> Authority:
    return _word(values, "authority", AUTHORITIES, "unknown-authority") or "inferred"


def _times(values: Values) -> dict[str, str]:
    """The times of a header by the fields of a memory; of most memories several are the same."""
    found: dict[str, str] = {}
    known = ""
    for key, field in TIMES.items():
        if key in values:
            if values[key] != known:
                known = _time(values, key)
            found[field] = known
    return found


def _time(values: Values, key: str) -> str:
    text = _text(values, key)
    if not text or _COMMON_TIME.match(text):
        return text
    from memdir_cli.domain.times import start

    try:
        start(text)
    except (ValueError, OverflowError):
        sentence = f"`{key}` is no day of the calendar and no time with an offset"
        raise _RefusedError("bad-date", key, text, sentence) from None
    return text


def _entries(value: Value, key: str, reason: str, needed: str) -> list[dict[str, Value]]:
    """``value`` as a list of mappings that all have the key ``needed``; an empty value is an empty list."""
    if value == "":
        return []
    if not isinstance(value, list):
        raise _RefusedError(reason, key)
    entries = [entry for entry in value if isinstance(entry, dict) and entry.get(needed)]
    if len(entries) != len(value):
        raise _RefusedError(reason, key)
    return entries


def _sources(value: Value) -> tuple[Source, ...]:
    return tuple(_source(entry) for entry in _entries(value, "source", "bad-source", "kind"))


def _source(entry: Values) -> Source:
    kind = entry.get("kind", "")
    if kind not in KINDS:
        raise _RefusedError("unknown-kind", "kind", kind, f"The kind of a source is none of {', '.join(KINDS)}")
    attested = _word(entry, "attested", ATTESTATIONS, "unknown-attestation") or "none"
    return Source(kind, _text(entry, "ref"), _text(entry, "said"), _time(entry, "at"), attested)


def _evidence(value: Value) -> tuple[Evidence, ...]:
    entries = _entries(value, "dependsOn", "bad-evidence", "probe")
    return tuple(Evidence(_text(entry, "probe"), _text(entry, "hash"), _text(entry, "was")) for entry in entries)


def _sides(values: Values, status: Status) -> tuple[Side, ...]:
    entries = _entries(values.get("sides", ""), "sides", "bad-sides", "id")
    if (status == "conflicted" or entries) and len({str(entry["id"]) for entry in entries}) != max(len(entries), 2):
        raise _RefusedError("bad-sides", "sides" if entries else "status")
    return tuple(
        Side(
            _text(entry, "id"),
            _text(entry, "value") if "value" in entry else None,
            _text(entry, "description"),
            _authority(entry),
            _sources(entry.get("source", "")),
            _word(entry, "type", TYPES, "unknown-type") or None,
        )
        for entry in entries
    )
