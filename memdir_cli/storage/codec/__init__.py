"""Codec: bytes to header to memory, and back by the lines that change."""

from __future__ import annotations

from memdir_cli.storage.codec.header import Header, read_header, read_mapping
from memdir_cli.storage.codec.line_edit import edit, edit_mapping
from memdir_cli.storage.codec.memory_reader import header_to_memory, parse_memory
from memdir_cli.storage.codec.memory_writer import memory_to_header, render, update
from memdir_cli.storage.codec.notices import Notice
from memdir_cli.storage.codec.scalars import Value, block, quote
from memdir_cli.storage.problems import PROBLEMS, UNMANAGED, Malformed

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
