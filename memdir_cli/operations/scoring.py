"""Scoring: how well memories fit the words that somebody asks for. What is asked for decides no identity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack

from memdir_cli.domain import search as searching
from memdir_cli.domain import terms
from memdir_cli.domain.search import Counts, Hit, How, Match, Place
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import layout
from memdir_cli.storage.search import Index, stems
from memdir_cli.storage.store import Store

Indexes = Sequence[tuple[Store, Index]]


def relevance(workplace: Workplace, query: str) -> dict[Place, float]:
    """The score of every current memory that holds a word of ``query``; a higher one is better.

    :raises FaultError: if this Python's SQLite has no full text search.
    """
    words = terms.asked(query)
    if not words:
        return {}
    with ExitStack() as opened:
        found = hits(words, indexes(workplace, opened))
    return {place: hit.score for place, hit in found.items()}


def indexes(workplace: Workplace, opened: ExitStack, *, wide: bool = False) -> Indexes:
    """The index of each memdir, closed with ``opened``.

    :param wide: of everything that is kept, not of what may be in force alone.
    """
    current = (layout.MEMORIES, layout.TASKS)
    found: list[tuple[Store, Index]] = []
    for store in workplace.stores:
        index = Index(store, layout.memory_folders(store.layer) if wide else current)
        opened.callback(index.close)
        found.append((store, index))
    return found


def hits(words: Sequence[str], indexes: Indexes) -> dict[Place, Hit]:
    """Every memory that one of the words fits, with its score."""
    lengths = {(store.layer, path): length for store, index in indexes for path, length in index.lengths.items()}
    return searching.ranked(_matches(words, indexes), lengths)


def _matches(words: Sequence[str], indexes: Indexes) -> dict[str, list[Match]]:
    """By word, what fits it: the word itself, else what begins like it, else what is spelt nearly like it."""
    found: dict[str, list[Match]] = {}
    for word, stem in stems(words).items():
        letter = terms.is_letter(word)
        matches = [] if letter else _of_terms([stem], "word", indexes)
        if not matches and (letter or len(word) >= terms.BEGINNING):
            matches = _of_words(_known(indexes, word), "word" if letter else "beginning", indexes)
        if not matches:
            matches = _of_words(terms.misspelt(word, _known(indexes)), "spelling", indexes)
        found[word] = matches
    return found


def _known(indexes: Indexes, beginning: str = "") -> set[str]:
    return {word for _, index in indexes for word in index.words(beginning)}


def _of_words(words: Iterable[str], how: How, indexes: Indexes) -> list[Match]:
    return _of_terms(set(stems(words).values()), how, indexes)


def _of_terms(found: Iterable[str], how: How, indexes: Indexes) -> list[Match]:
    matches = [Match(term, how, _places(term, indexes)) for term in sorted(found)]
    return [match for match in matches if match.places]


def _places(term: str, indexes: Indexes) -> Mapping[Place, Counts]:
    return {(store.layer, path): counts for store, index in indexes for path, counts in index.places(term).items()}
