"""Seal: files put together so that no reader and no search meets their text, and opened again byte for byte.

The seal hides nothing from whoever opens it: it keeps a text from being fed to a model by accident.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from functools import cache

from memdir_cli.domain.memory import Memory

#: More than this is no memory with its past; whoever seals more made it up.
OPENED_BYTES = 64 << 20

#: Characters of one line.
WIDTH = 76


class UnsealableError(ValueError):
    """What should be sealed cannot be opened."""


def seal(memory_id: str, files: Mapping[str, bytes]) -> str:
    """The body of a quarantined memory: what its files held, by their paths from the memdir's root."""
    return f"Sealed. `memdir show {memory_id} --quarantined` opens it for a person.\n\n```sealed\n{_lines(files)}```\n"


def is_sealed(body: str) -> bool:
    """Whether a body is a seal and nothing else."""
    return body.startswith("Sealed. ") and _text().match(body) is not None


def opened(body: str) -> dict[str, bytes]:
    """The files that :func:`seal` has put together.

    :raises UnsealableError: if it is no seal, or damaged.
    """
    match = _text().match(body)
    if match is None:
        raise UnsealableError("there is no seal")
    return unpacked(match["lines"].encode())


def packed(files: Mapping[str, bytes]) -> bytes:
    """Files in one run of letters, digits, ``+`` and ``/``."""
    whole = b"".join(json.dumps([path, len(content)]).encode() + b"\n" + content for path, content in files.items())
    return base64.b64encode(zlib.compress(whole, 9))


def unpacked(code: bytes) -> dict[str, bytes]:
    """The files that :func:`packed` has put together.

    :raises UnsealableError: for anything else.
    """
    try:
        inflater = zlib.decompressobj()
        rest = inflater.decompress(base64.b64decode(b"".join(code.split()), validate=True), OPENED_BYTES)
        if not inflater.eof or inflater.unused_data:
            raise UnsealableError("it is cut, or too large")
        files: dict[str, bytes] = {}
        while rest:
            line, _, rest = rest.partition(b"\n")
            path, size = json.loads(line)
            if not isinstance(path, str) or not isinstance(size, int) or not 0 <= size <= len(rest):
                raise UnsealableError("it is damaged")
            files[path], rest = rest[:size], rest[size:]
    except (ValueError, TypeError, binascii.Error, zlib.error, RecursionError) as error:
        raise UnsealableError("it is damaged") from error
    return files


def plain(memory: Memory) -> tuple[str, ...]:
    """The keys of a quarantined memory under which something can be read, ``body`` for the text below the header.

    Its name is that of the key, and says no more.
    """
    texts = {
        "name": memory.name if memory.name != memory.predicate else "",
        "description": memory.description,
        "value": memory.value,
        "sides": memory.sides,
        "source": any(source.said or source.ref for source in memory.source),
        "dependsOn": memory.depends_on,
        "body": "" if is_sealed(memory.body) else memory.body.strip(),
    }
    return (*(key for key, text in texts.items() if text), *memory.extra)


def _lines(files: Mapping[str, bytes]) -> str:
    code = packed(files).decode()
    return "".join(f"{line}\n" for line in _cut(code))


def _cut(code: str) -> Iterable[str]:
    return (code[at : at + WIDTH] for at in range(0, len(code), WIDTH))


@cache
def _text() -> re.Pattern[str]:
    """A seal as a whole; few memdirs hold one."""
    return re.compile(
        r"Sealed\. `memdir show [\w-]{1,64} --quarantined` opens it for a person\.\r?\n\r?\n"
        r"```sealed\r?\n(?P<lines>(?:[A-Za-z0-9+/=]{1,100}\r?\n)+)```\s*\Z"
    )
