"""Secrets: credentials, one-time codes and signed links in a text, by name and place, never by content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from math import log2

from memdir_cli.domain import hidden
from memdir_cli.domain.outline import ANYTHING, Outline, long_words, outline
from memdir_cli.domain.secret_table import FORMATS, NAME_WORDS, NAMES, Format
from memdir_cli.shapes import dataclass

#: A line break inside a token, with the indentation, quotation mark or backslash around it.
_BREAK = re.compile(r"[ \t]{0,80}\\?\r?\n[ \t>]{0,80}|[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]")


def _numbers(which: Callable[[Format], bool]) -> frozenset[int]:
    return frozenset(number for number, form in enumerate(FORMATS) if which(form))


_ALL, _JOINING = _numbers(lambda _: True), _numbers(lambda form: form.joins)

#: Length, anchor and number of the formats that are one word, the shortest first.
_IN_WORDS = sorted(
    (form.least, anchor, number) for number, form in enumerate(FORMATS) if form.least for anchor in form.anchors
)
_SHORTEST = _IN_WORDS[0][0]

#: What may stand at a line's ends inside a token that is broken over lines.
_EDGES = " \t\r\\>"

#: What stands in documentation where a secret would stand.
_PLACEHOLDER = re.compile(
    r"^[$%<{\[(@]|^(?:your|my|some|the|example|sample|dummy|fake|test|insert|replace|enter|put|any)[-_. ]"
    r"|^(?:process\.env|os\.environ|env[.:(]|secrets\.|vault:|op://|file:|sha\d{1,3}[:-]|md5[:-]|~?/|\.{1,2}/)"
    r"|\$\{|\{\{|x{4}|\*{3}|\.{3}|…|://"
    r"|abc123xyz|xyz789|example|placeholder|redacted|changeme|change[-_]me|[-_]here$|\w\(|\w\[",
    re.IGNORECASE,
)

#: The same behind a prefix that proves what it is: only what nobody could have been given.
_BLANKED = re.compile(r"[xX]{6}|\*{3}|\.{3}|…|[-_](?:your|YOUR)[-_]")

#: Passwords that everybody knows, and what is said of passwords.
_COMMONPLACE = frozenset(
    {
        "password", "passwd", "pass", "pwd", "secret", "root", "admin", "user", "username", "guest", "test",
        "postgres", "mysql", "redis", "rabbitmq", "token", "pbkdf2", "sha256", "sha512", "argon2", "argon2id",
        "argon2i", "bcrypt", "scrypt", "base64", "utf8", "oauth2", "varchar255", "string255",
    }
)  # fmt: skip

#: Part of a word that stands for a password where a password would be.
_TELLING = re.compile(r"^(?:db|my|user)?_?(?:pass|pwd|secret|token)", re.IGNORECASE)

_WORD = re.compile(r"[A-Za-z]+\d{0,3}|\d{1,4}[A-Za-z]*|[A-Z][A-Za-z]*")

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """One secret in a text.

    :ivar start: index of its first character.
    :ivar end: index behind its last one.
    :ivar rule: name of its format.
    :ivar shown: how many of its first characters may be shown.
    """

    start: int
    end: int
    rule: str
    shown: int = 0


def find(text: str, *, joined: bool = True) -> tuple[Secret, ...]:
    """The secrets in ``text``, in order, without overlap; also those that are broken by hidden characters.

    :param joined: also those that are broken over lines.
    """
    found = list(_in(text, _ALL))
    if not text.isascii():
        found += _in_squeezed(text, hidden.TABLED, _ALL)
    if joined and "\n" in text and _possible(_glued(text), _JOINING, ANYTHING):
        found += _in_squeezed(text, _BREAK, _JOINING)
    return _apart(found) if found else ()


def mask(text: str, secret: Secret) -> str:
    """What may be shown of ``secret``: at most four characters, which all of its kind share, and its length."""
    beginning = text[secret.start : secret.start + secret.shown]
    return f"{beginning}… ({secret.end - secret.start} characters)"


def masked(text: str) -> str:
    """``text`` with every secret in it masked."""
    for secret in reversed(find(text)):
        text = f"{text[: secret.start]}{mask(text, secret)}{text[secret.end :]}"
    return text


def is_name(text: str) -> bool:
    """Whether ``text`` names something whose value must not be told, such as ``DB_PASSWORD``."""
    lower = text.lower()
    return any(word in lower for word in NAME_WORDS) and _compiled(NAMES, folded=True).search(text) is not None


def _in(text: str, among: frozenset[int]) -> Iterator[Secret]:
    for number in sorted(_possible(text, among, outline(text))):
        form = FORMATS[number]
        for match in _compiled(form.pattern, folded=form.folded).finditer(text):
            group = 1 if match.lastindex else 0
            if _meant(match[group], form):
                yield Secret(match.start(group), match.end(group), form.name, _shared(match[group], form))


def _possible(text: str, among: frozenset[int], seen: Outline) -> set[int]:
    """The formats whose anchors stand in ``text``: most texts hold none, so this is what a look costs."""
    found = {number for word in long_words(text, _SHORTEST) for number in _in_word(word)} & among
    cased, folded = _anchors(seen, among)
    for anchor, numbers in cased:
        if anchor in text:
            found |= numbers
    lower = text.lower()
    for anchor, numbers in folded:
        if anchor in lower:
            found |= numbers
    return found


#: An anchor, and the formats to look for where it stands.
_Anchor = tuple[str, frozenset[int]]


@cache
def _anchors(seen: Outline, among: frozenset[int]) -> tuple[tuple[_Anchor, ...], tuple[_Anchor, ...]]:
    """What to look for in a text of that outline, and in the same text in lower case."""
    mixed, numbered, foreign = seen
    tables: tuple[dict[str, set[int]], dict[str, set[int]]] = ({}, {})
    for number in sorted(among):
        form = FORMATS[number]
        if form.least or (form.mixed and not mixed) or (form.number and not numbered):
            continue
        for anchor in form.anchors:
            if foreign or anchor.isascii():
                tables[form.folded].setdefault(anchor, set()).add(number)
    cased, folded = (tuple((anchor, frozenset(rows)) for anchor, rows in table.items()) for table in tables)
    return cased, folded


@lru_cache(maxsize=1 << 14)
def _in_word(word: str) -> tuple[int, ...]:
    """The formats whose anchors stand in a word: the names of repositories and paths come again and again."""
    lower, size = word.lower(), len(word)
    found = []
    for least, anchor, number in _IN_WORDS:
        if least > size:
            break
        if anchor in (lower if FORMATS[number].folded else word):
            found.append(number)
    return tuple(found)


def _shared(value: str, form: Format) -> int:
    """How many of the first characters are the same in all secrets of a form, so that they tell nothing."""
    prefixes = [len(anchor) for anchor in form.anchors if value.startswith(anchor)]
    return min(4, max(prefixes, default=0))


def _glued(text: str) -> str:
    """``text`` without what may break a token, and perhaps without a little more."""
    return "".join([line.strip(_EDGES) for line in hidden.stripped(text).split("\n")])


def _in_squeezed(text: str, gone: re.Pattern[str], among: frozenset[int]) -> Iterator[Secret]:
    """The secrets of ``text`` without what ``gone`` finds, at their places in ``text``."""
    bare = gone.sub("", text)
    found = tuple(_in(bare, among)) if bare != text else ()
    squeezed = hidden.squeeze(text, gone) if found else hidden.Squeezed("", (), ())
    for secret in found:
        # of what is broken not even the beginning is shown
        yield Secret(squeezed.origin(secret.start), squeezed.origin(secret.end - 1) + 1, secret.rule)


def _apart(found: list[Secret]) -> tuple[Secret, ...]:
    """``found`` in order; of those that overlap the one that begins first, then the longest."""
    kept: list[Secret] = []
    for secret in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
    return tuple(kept)


@cache
def _compiled(pattern: str, *, folded: bool) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE if folded else 0)


def _meant(value: str, form: Format) -> bool:
    """Whether a value is a secret rather than words about one, or what stands for one."""
    if not form.chance:
        return _BLANKED.search(value) is None
    bare = value.strip("\"'`*.,:;!?)]}")
    if _PLACEHOLDER.search(bare) or bare.lower() in _COMMONPLACE or _UUID.fullmatch(bare):
        return False
    if form.chance == "place":
        return len(bare) >= 6 and _TELLING.search(bare) is None
    if not (any("0" <= char <= "9" for char in bare) and any(char.isalpha() for char in bare)):
        return False
    words = [part for part in re.split(r"[-_./:,+=@#]", bare) if part]
    plain = all(_WORD.fullmatch(part) for part in words)
    if form.chance == "password":
        return len(bare) >= 7 and _entropy(bare) >= 2.5 and not (plain and len(words) > 1)
    return len(bare) >= 12 and _entropy(bare) >= 3.0 and not plain


def _entropy(value: str) -> float:
    """Bits a character, by how often each character stands in ``value``."""
    size = len(value)
    return -sum(count / size * log2(count / size) for count in (value.count(char) for char in set(value)))
