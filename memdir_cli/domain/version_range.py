"""npm version ranges: ``^1.2``, ``~1.2.3``, ``1.x``, ``1.2 - 2``, ``>=1 <3 || 4``.

Pre-releases follow npm: ``2.0.0-rc.1`` lies only in a range that names a pre-release of 2.0.0.
"""

from __future__ import annotations

import re
from operator import eq, ge, gt, le, lt

from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.shapes import dataclass

_NUMBER = r"(?:0|[1-9][0-9]*)"
_PRE = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_PART = rf"(?:{_NUMBER}|[xX*])"
_PARTIAL = re.compile(
    rf"[v=\s]*(?P<major>{_PART})(?:\.(?P<minor>{_PART})(?:\.(?P<patch>{_PART})(?:-(?P<pre>{_PRE}))?(?:\+{_PRE})?)?)?"
)
_SIMPLE = re.compile(r"(?P<sign>\^|~>?|>=|<=|>|<|=)?\s*")
_HYPHEN = re.compile(r"\s+-\s+")
#: A project's version is read with more patience: missing numbers are 0, ``rc1`` may be glued on.
_LOOSE = re.compile(
    rf"\s*[vV=]?\s*([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-({_PRE})|\.?([A-Za-z]+(?:{_PRE})?))?(?:\+{_PRE})?\s*",
    re.ASCII,
)
_TEST = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq}


@dataclass(frozen=True, slots=True)
class Version:
    """A version; build metadata is dropped, for it never counts.

    :ivar pre: the identifiers of the pre-release, empty for a release.
    """

    major: int
    minor: int
    patch: int
    pre: tuple[str, ...] = ()

    @property
    def release(self) -> tuple[int, int, int]:
        """The three numbers."""
        return (self.major, self.minor, self.patch)

    @property
    def order(self) -> tuple[tuple[int, int, int], int, tuple[tuple[int, int, str], ...]]:
        """What versions are compared by."""
        pre = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in self.pre)
        return (self.release, 0 if self.pre else 1, pre)


@dataclass(frozen=True, slots=True)
class Comparator:
    """One bound: ``sign`` is ``<``, ``<=``, ``>``, ``>=`` or ``=``."""

    sign: str
    version: Version

    def holds(self, version: Version) -> bool:
        """Whether ``version`` is on the right side of the bound."""
        return bool(_TEST[self.sign](version.order, self.version.order))


@dataclass(frozen=True, slots=True)
class Range:
    """Alternatives, each a set of bounds that must all hold."""

    alternatives: tuple[tuple[Comparator, ...], ...]

    def contains(self, version: Version) -> bool:
        """Whether ``version`` satisfies the range."""
        return any(_within(bounds, version) for bounds in self.alternatives)


def _within(bounds: tuple[Comparator, ...], version: Version) -> bool:
    if not all(bound.holds(version) for bound in bounds):
        return False
    if not version.pre:
        return True
    return any(bound.version.pre and bound.version.release == version.release for bound in bounds)


#: Longer than any range that a person writes down.
CHARACTERS = 1000


def parse_range(text: str) -> Range:
    """``text`` as a range.

    :raises UsageError: if it is not one.
    """
    try:
        if len(text) > CHARACTERS:
            raise ValueError("too long")
        return Range(tuple(_alternative(part.strip()) for part in text.split("||")))
    except ValueError:
        raise UsageError(
            f"The version range `{printable(text)}` cannot be read.",
            hint="give an npm range such as `^1.2`, `>=2 <4` or `1.x`",
        ) from None


def parse_version(text: str) -> Version | None:
    """A project's version, ``None`` if it is not made of numbers and a pre-release."""
    match = _LOOSE.fullmatch(text)
    if match is None:
        return None
    major, minor, patch, dashed, glued = match.groups()
    pre = dashed or glued
    return Version(int(major), int(minor or 0), int(patch or 0), tuple(pre.split(".")) if pre else ())


def matches(text: str, version: str) -> bool | None:
    """Whether ``version`` lies in the range ``text``; ``None`` if the version cannot be read.

    :raises UsageError: if ``text`` is not a range.
    """
    parsed, wanted = parse_version(version), parse_range(text)
    return None if parsed is None else wanted.contains(parsed)


def within(narrow: str, wide: str) -> bool:
    """Whether the range ``wide`` surely holds every version of ``narrow``; ``False`` where that cannot be told.

    :raises UsageError: if either is not a range.
    """
    outer = parse_range(wide).alternatives
    return all(any(_implies(bounds, others) for others in outer) for bounds in parse_range(narrow).alternatives)


def _implies(bounds: tuple[Comparator, ...], others: tuple[Comparator, ...]) -> bool:
    """Whether whatever satisfies ``bounds`` satisfies ``others``."""
    named = {bound.version.release for bound in others if bound.version.pre}
    # `<2.0.0-0` is how an open range ends; every other pre-release lets in those of its release
    asked = {bound.version.release for bound in bounds if bound.version.pre and bound.sign != "<"}
    if not asked <= named:
        return False
    return all(any(_tighter(bound, other) for bound in bounds) for other in others)


def _tighter(bound: Comparator, other: Comparator) -> bool:
    """Whether all that one bound lets through is let through by the other."""
    if bound.sign == "=":
        return other.holds(bound.version)
    if bound.sign[0] != other.sign[0]:
        return False
    mine, theirs = bound.version.order, other.version.order
    if mine == theirs:
        return bound.sign == other.sign or other.sign.endswith("=")
    return mine > theirs if bound.sign[0] == ">" else mine < theirs


def _alternative(text: str) -> tuple[Comparator, ...]:
    sides = _HYPHEN.split(text)
    if len(sides) == 2:
        low, high = (_partial(side) for side in sides)
        return (*_caret_free(">=", low), *_caret_free("<=", high))
    bounds: list[Comparator] = []
    at = 0
    while at < len(text):
        sign = _SIMPLE.match(text, at)
        assert sign is not None  # every part of it may be empty
        partial = _PARTIAL.match(text, sign.end())
        if partial is None or (partial.end() < len(text) and not text[partial.end()].isspace()):
            raise ValueError(text)
        bounds += _expand(sign["sign"] or "=", _numbers(partial))
        at = partial.end()
        while at < len(text) and text[at].isspace():
            at += 1
    return tuple(bounds)


@dataclass(frozen=True, slots=True)
class _Partial:
    """A version of which trailing numbers may be open (``None``)."""

    major: int | None
    minor: int | None
    patch: int | None
    pre: tuple[str, ...]

    @property
    def lowest(self) -> Version:
        return Version(self.major or 0, self.minor or 0, self.patch or 0, self.pre)

    @property
    def open(self) -> bool:
        return self.patch is None

    def above(self) -> Version:
        """The first version that this partial one no longer covers (it covers all if major is open)."""
        assert self.major is not None
        if self.minor is None:
            return Version(self.major + 1, 0, 0, ("0",))
        return Version(self.major, self.minor + 1, 0, ("0",))


def _partial(text: str) -> _Partial:
    match = _PARTIAL.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return _numbers(match)


def _numbers(match: re.Match[str]) -> _Partial:
    found: list[int | None] = []
    for name in ("major", "minor", "patch"):
        part = match[name]
        # an open number leaves everything after it open: 1.x.3 is 1.x
        open_already = bool(found) and found[-1] is None
        found.append(None if part is None or part in "xX*" or open_already else int(part))
    pre = match["pre"] if found[2] is not None else None
    pre_parts = tuple(pre.split(".")) if pre else ()
    if any(part.isdigit() and len(part) > 1 and part[0] == "0" for part in pre_parts):
        raise ValueError(pre)
    return _Partial(found[0], found[1], found[2], pre_parts)


#: ``*`` with npm's rule that pre-releases must be named.
_ANY = (Comparator(">=", Version(0, 0, 0)),)
_NOTHING = (Comparator("<", Version(0, 0, 0, ("0",))),)


def _expand(sign: str, partial: _Partial) -> tuple[Comparator, ...]:
    if sign == "^":
        return _caret(partial)
    if sign in {"~", "~>"}:
        return _tilde(partial)
    return _caret_free(sign, partial)


def _caret_free(sign: str, partial: _Partial) -> tuple[Comparator, ...]:
    """A plain comparison; an open version stands for all that it covers."""
    if partial.major is None:
        return _NOTHING if sign in {"<", ">"} else _ANY
    if not partial.open:
        return (Comparator(sign, partial.lowest),)
    low, above = partial.lowest, partial.above()
    beyond = Version(above.major, above.minor, above.patch)
    return {
        "=": (Comparator(">=", low), Comparator("<", above)),
        ">=": (Comparator(">=", low),),
        "<": (Comparator("<", Version(low.major, low.minor, low.patch, ("0",))),),
        ">": (Comparator(">=", beyond),),
        "<=": (Comparator("<", above),),
    }[sign]


def _tilde(partial: _Partial) -> tuple[Comparator, ...]:
    if partial.major is None:
        return _ANY
    return (Comparator(">=", partial.lowest), Comparator("<", partial.above()))


def _caret(partial: _Partial) -> tuple[Comparator, ...]:
    if partial.major is None:
        return _ANY
    major, minor, patch = partial.major, partial.minor, partial.patch
    if major > 0 or minor is None:
        above = Version(major + 1, 0, 0, ("0",))
    elif minor > 0 or patch is None:
        above = Version(0, minor + 1, 0, ("0",))
    else:
        above = Version(0, 0, patch + 1, ("0",))
    return (Comparator(">=", partial.lowest), Comparator("<", above))
