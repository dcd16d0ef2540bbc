"""A handler that makes python-frontmatter read as strictly as memdir does.

Its own handler takes any two rules for fences, the last of two equal keys, and a date for a date.
"""

from __future__ import annotations

from typing import Any

import frontmatter
from frontmatter.default_handlers import BaseHandler

from memdir_cli.storage.codec import fences
from memdir_cli.storage.codec.full_reader import Reading, read_full
from memdir_cli.storage.codec.notices import Notice
from memdir_cli.storage.codec.scalars import Value


class StrictHandler(BaseHandler):
    """Reads headers; never writes them.

    :ivar reading: of the header that was loaded last.
    """

    FM_BOUNDARY = fences.CLOSING
    START_DELIMITER = END_DELIMITER = "---"

    def __init__(self) -> None:
        super().__init__()
        self.reading = Reading()

    def split(self, text: str) -> tuple[str, str]:
        """Header and body of ``text``.

        :raises Malformed: if there is no header.
        """
        start, end, body = fences.cut(text)
        return text[start:end], text[body:]

    def load(self, fm: str) -> dict[str, Value]:
        """The keys of a header.

        :raises Malformed: if it cannot be read as exactly one thing.
        """
        self.reading = read_full(fm, first_line=2)
        return self.reading.values

    def export(self, metadata: dict[str, object], **kwargs: Any) -> str:
        """Refused: memdir edits lines and never lets a library write a memory."""
        raise NotImplementedError


def read_strictly(parts: fences.Parts) -> tuple[dict[str, Value], tuple[Notice, ...]]:
    """Keys and notices of a header that the fast reader left alone.

    :raises Malformed: if it cannot be read as exactly one thing.
    """
    handler = StrictHandler()
    # the library strips what it is given: the fences alone are enough, and nothing is lost by it
    frontmatter.parse(f"---\n{parts.header}---\n", handler=handler)
    return handler.reading.values, tuple(handler.reading.notices)
