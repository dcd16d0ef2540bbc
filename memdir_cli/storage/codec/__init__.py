"""Codec: bytes to header to memory, and back by the lines that change.

The way back is imported when it is first gone: whoever reads must not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdir_cli.storage.codec.header import Header, read_header, read_mapping
from memdir_cli.storage.codec.memory_reader import header_to_memory, parse_memory
from memdir_cli.storage.codec.notices import Notice
from memdir_cli.storage.codec.scalars import Value, block, quote
from memdir_cli.storage.problems import PROBLEMS, UNMANAGED, Malformed

if TYPE_CHECKING:
    from memdir_cli.storage.codec.line_edit import edit, edit_mapping
    from memdir_cli.storage.codec.memory_writer import memory_to_header, render, update

__all__ = [
    "PROBLEMS",
    "UNMANAGED",
    "Header",
    "Malformed",
    "Notice",
    "Value",
    "block",
    "edit",
    "edit_mapping",
    "header_to_memory",
    "memory_to_header",
    "parse_memory",
    "quote",
    "read_header",
    "read_mapping",
    "render",
    "update",
]

_WRITING = {
    "edit": "line_edit",
    "edit_mapping": "line_edit",
    "memory_to_header": "memory_writer",
    "render": "memory_writer",
    "update": "memory_writer",
}


def __getattr__(name: str) -> Any:
    """A function of the way back."""
    if name not in _WRITING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_WRITING[name]}"), name)
