"""What can be wrong with a file: a stable word for machines, a sentence for people."""

from __future__ import annotations

from memdir_cli.errors import FaultError

#: Reason to sentence. The words are an interface and never change; the sentences may.
PROBLEMS: dict[str, str] = {
    # the bytes
    "too-large": "The file is larger than 1 MiB; a memory is a page, not a book.",
    "utf-16": "The file is encoded in UTF-16; save it as UTF-8.",
    "not-utf8": "The file is not valid UTF-8.",
    "nul": "The file holds a NUL byte.",
    "conflict-markers": "The file holds the markers of an unfinished merge.",
    # the fences
    "no-header": "The file has no header: its first line is not `---`.",
    "misplaced-header": "The header does not begin on line 1 with exactly `---`, so no reader sees it.",
    "unterminated-header": "The header is never closed: no line of exactly `---` follows it.",
    "header-too-large": "The header is larger than 64 KiB.",
    "second-header": "A second header block follows the first; readers see only the first.",
    # the YAML
    "anchor": "An unquoted `&` begins an anchor, which memdir refuses.",
    "alias": "An unquoted `*` begins an alias, which memdir refuses.",
    "tag": "An unquoted `!` begins a tag, which memdir refuses.",
    "merge-key": "An unquoted `<<` is a merge key, which memdir refuses.",
    "duplicate-key": "A key stands twice.",
    "complex-key": "A key is not plain text.",
    "several-documents": "The header holds more than one YAML document.",
    "tab-indentation": "A tab is used for indentation; YAML allows only blanks.",
    "not-a-mapping": "The header is not a mapping of keys to values.",
    "too-deep": "The header is nested more than 64 levels deep.",
    "unquoted-colon": "A value holds `: ` and is not quoted.",
    "unquoted-indicator": "A value or a key begins with a character that YAML reserves and is not quoted.",
    "text-after-quote": "Text follows the closing quote of a value.",
    "text-after-bracket": "Text follows the closing bracket of a value.",
    "unclosed-quote": "A quoted value is never closed.",
    "unclosed-bracket": "A value begins with a bracket or a brace that is not closed as YAML wants it.",
    "missing-colon": "A line has neither a key with a colon nor a place in the value above it.",
    "bad-indentation": "A line is indented below a key that has its value already.",
    "bad-escape": "A double-quoted value holds an escape that YAML does not know.",
    "control-character": "The header holds a control character.",
    "invalid-yaml": "The header is not valid YAML.",
    "uneditable": "The header cannot be edited without changing the meaning of another key.",
    # the memory
    "unmanaged": "The file has none of memdir's keys.",
    "missing-id": "`id` is missing.",
    "bad-id": "`id` is not made of letters, digits, `-` and `_`.",
    "missing-subject": "`subject` is missing.",
    "bad-subject": "`subject` is neither `user:<id>` nor `project:<id>`.",
    "missing-predicate": "`predicate` is missing.",
    "bad-predicate": "`predicate` is not a key.",
    "missing-scope": "`scope` is missing.",
    "bad-scope": "`scope` is none of `user`, `repository:<id>`, `task:<id>`.",
    "missing-status": "`status` is missing, so the memory is not served.",
    "unknown-status": "`status` is not a word that memdir knows, so the memory is not served.",
    "unknown-type": "`type` is not a word that memdir knows.",
    "unknown-authority": "`authority` is not a word that memdir knows.",
    "unknown-kind": "The kind of a source is not a word that memdir knows.",
    "unknown-attestation": "`attested` is not a word that memdir knows.",
    "bad-revision": "`revision` is not a positive whole number.",
    "bad-none": "`none` is neither `true` nor `false`.",
    "bad-date": "A date does not exist or has no offset.",
    "bad-environment": "`environment` is not a mapping of names to words.",
    "bad-source": "`source` is not a list of entries with a `kind`.",
    "bad-evidence": "`dependsOn` is not a list of entries with a `probe`.",
    "bad-sides": "`sides` is not a list of at least two entries, each with its own `id`.",
    "not-text": "A key that holds text holds a list or a mapping.",
}

#: Files with these reasons are other people's Markdown, not broken memories.
UNMANAGED = frozenset({"no-header", "unmanaged"})


class Malformed(FaultError):  # noqa: N818 - it says what the file is, and reads so in `except Malformed`
    """A file that is not a memory memdir can read, or a write that would make it one.

    :param reason: a key of :data:`PROBLEMS`.
    :param message: a sentence that names the place; the table's sentence if left out.
    :param line: 1-based line in the file as an editor shows it, 0 if the whole file is meant.
    :param column: 1-based column in characters, 0 if unknown.
    """

    code = "malformed"

    def __init__(self, reason: str, message: str = "", *, line: int = 0, column: int = 0) -> None:
        super().__init__(message or PROBLEMS[reason], reason=reason, line=line, column=column)
        self.reason = reason
        self.line = line
        self.column = column


def place(text: str, index: int, *, first_line: int = 1) -> tuple[int, int]:
    """1-based line and column of ``text[index]``; lines end at LF alone.

    :param first_line: the line in the file on which ``text`` begins.
    """
    return first_line + text.count("\n", 0, index), index - text.rfind("\n", 0, index)
