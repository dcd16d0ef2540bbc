"""Header: the keys of one file, as text, and what is to be told about them."""

from __future__ import annotations

from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage.codec.fast_reader import read_fast, read_plain
from memdir_cli.storage.codec.fences import FILE_LIMIT, Parts, decode, split
from memdir_cli.storage.codec.notices import Notice
from memdir_cli.storage.codec.scalars import Value

#: The opening fence is line 1.
FIRST_LINE = 2


@dataclass(frozen=True, slots=True)
class Header:
    """What stands between the fences of one file.

    :ivar values: key to value in the file's order; every scalar is text, an empty one ``""``.
    :ivar notices: what is no error and still not what the writer meant; lines count in the file.
    :ivar plain: whether every value certainly stands as it is, on a line of its own.
    """

    parts: Parts
    values: dict[str, Value]
    notices: tuple[Notice, ...] = ()
    plain: bool = False

    @property
    def body(self) -> str:
        """Everything after the closing fence's line, character for character."""
        return self.parts.text[self.parts.body :]


def read_header(data: bytes, limit: int = FILE_LIMIT) -> Header:
    """The header of a file.

    :param limit: bytes that the file may have.
    :raises Malformed: if there is none, or it cannot be read as exactly one thing.
    """
    parts = split(data, limit)
    text = parts.header
    own = read_plain(text)
    if own is not None:
        return Header(parts, own, plain=True)
    fast = read_fast(text)
    if fast is None:
        from memdir_cli.storage.codec.strict_handler import read_strictly

        fast = read_strictly(parts)
    values, notices = fast
    if notices:
        notices = tuple(replace(notice, line=notice.line + FIRST_LINE - 1) for notice in notices)
    return Header(parts, values, notices)


def read_mapping(text: bytes | str) -> dict[str, Value]:
    """A YAML mapping that is a file of its own, such as ``config.yaml``; empty text gives no keys.

    :raises Malformed: as :func:`read_header`.
    """
    if isinstance(text, bytes):
        _, text = decode(text)
    fast = read_fast(text)
    if fast is not None:
        return fast[0]
    from memdir_cli.storage.codec.full_reader import read_full

    return read_full(text).values
