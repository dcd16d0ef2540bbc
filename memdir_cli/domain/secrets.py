"""Secrets: credentials, one-time codes and signed links in a text, by name and place, never by content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from math import log2

from memdir_cli.domain import hidden
from memdir_cli.domain.secret_table import FORMATS, NAMES, Format

#: A line break inside a token, with the indentation, quotation mark or backslash around it.
_BREAK = re.compile(r"[ \t]{0,80}\\?\r?\n[ \t>]{0,80}|[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]")

#: How long a word there must be, an anchor, and which format to look for where it stands: first those that are
#: looked for in a text, then those that are looked for in the same text in lower case.
_Anchors = tuple[tuple[tuple[int, str, int], ...], tuple[tuple[int, str, int], ...]]


def _anchors(formats: Iterable[Format]) -> _Anchors:
    rows = [(form.least, anchor, FORMATS.index(form)) for form in formats for anchor in form.anchors]
    folded = {at for at, form in enumerate(FORMATS) if form.folded}
    return tuple(row for row in rows if row[2] not in folded), tuple(row for row in rows if row[2] in folded)


_ALL = _anchors(FORMATS)

#: Those that may be broken over lines.
_JOINING = _anchors(form for form in FORMATS if form.joins)

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
    bare = text if text.isascii() else hidden.stripped(text)
    if bare != text:
        found += _in_squeezed(hidden.squeeze(text), _ALL)
    if joined and "\n" in text:
        found += _in_squeezed(hidden.squeeze(text, _BREAK), _JOINING)
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
    return _compiled(NAMES, folded=True).search(text) is not None


def _in(text: str, anchors: _Anchors) -> Iterator[Secret]:
    lower, longest = text.lower(), max(map(len, text.split()), default=0)
    # most texts hold no anchor at all, so this is what a look costs
    there = [at for least, anchor, at in anchors[0] if least <= longest and anchor in text]
    there += [at for least, anchor, at in anchors[1] if least <= longest and anchor in lower]
    for at in sorted(set(there)):
        form = FORMATS[at]
        for match in _compiled(form.pattern, folded=form.folded).finditer(text):
            group = 1 if match.lastindex else 0
            if _meant(match[group], form):
                yield Secret(match.start(group), match.end(group), form.name, _shared(match[group], form))


def _shared(value: str, form: Format) -> int:
    """How many of the first characters are the same in all secrets of a form, so that they tell nothing."""
    prefixes = [len(anchor) for anchor in form.anchors if value.startswith(anchor)]
    return min(4, max(prefixes, default=0))


def _in_squeezed(squeezed: hidden.Squeezed, anchors: _Anchors) -> Iterator[Secret]:
    for secret in _in(squeezed.text, anchors):
        start, last = squeezed.origin(secret.start), squeezed.origin(secret.end - 1)
        yield Secret(start, last + 1, secret.rule, 0 if last + 1 - start != secret.end - secret.start else secret.shown)


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
    if not (any(char.isdigit() for char in bare) and any(char.isalpha() for char in bare)):
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
