"""Look-alike keys: letters of two scripts in one key, so that it seems to be another key."""

from __future__ import annotations

import unicodedata

from memdir_cli.domain.identity import fold

#: Letters of Cyrillic, Greek and phonetic writing, case-folded, and the Latin letter that looks the same.
_TWINS = str.maketrans(
    {
        **dict(zip("аеорсухіјѕһԁԛԝѵӏкмтнвгп", "aeopcyxijshdqwvlkmthbrn", strict=True)),
        **dict(zip("αορυνικχτεηωγβ", "aopuvikxtenwyb", strict=True)),
        **dict(zip("ıɡɑ", "iga", strict=True)),
    }
)


def skeleton(key: str) -> str:
    """What ``key`` looks like: full-width forms made plain, twins of Latin letters made Latin."""
    plain = unicodedata.normalize("NFKC", fold(key))
    return plain.translate(_TWINS)


def disguised(key: str) -> str:
    """The plain Latin key that ``key`` looks like without being it; ``""`` if it deceives nobody.

    A key in one script is what it is, also where its letters have twins.
    """
    if key.isascii():
        return ""
    plain, seems = unicodedata.normalize("NFKC", fold(key)), skeleton(key)
    mixed = plain.isascii() or any(char.isascii() and char.isalpha() for char in plain)
    return seems if mixed and seems.isascii() else ""
