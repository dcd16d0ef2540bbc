"""Names that lead out of a folder, mean a device, look like another name, or cannot be written on every disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

#: Ways out of a folder; the file behind them is filled in.
TRAVERSALS = (
    "{abs}", "file://{abs}", "/{abs}", "{abs}/", "{abs}/.", "{rel}", "./{rel}", "x/../{rel}",
    "memories/../{rel}", ".memdir/memories/../../{rel}", "memories/{rel}", "memories/../../{rel}",
    "inbox/../{rel}", "{rel}@1", "{rel}~x", "{back}", "memories\\{back}", "x{sep}{rel}", "{enc}", "{enc2}",
    "memories/%2e%2e/{rel}", "....//....//{rel}", "..;/{rel}", "\u2025/{rel}", "．．/{rel}", "..\u2215{flat}",
    "..\u2044{flat}", "..\uff0f{flat}", "~/../{rel}", "${{HOME}}/../{rel}", "$(cat {abs})", "`cat {abs}`",
    "| cat {abs}", "; cat {abs}", "&& cat {abs}", "@{abs}", "<{abs}", ">{abs}", "\\\\?\\{abs}",
    "\\\\localhost{abs}", "C:{abs}", "memories//{abs}", "local/../{rel}", "{abs}\0.md", "x\0{abs}",
)  # fmt: skip

#: What leads nowhere good by itself.
PATHS = (
    "", " ", ".", "..", "...", "./", "../", "../..", "../../../../../../../../etc/passwd", "/", "//", "///",
    "/etc/passwd", "/etc/shadow", "/dev/null", "/dev/zero", "/dev/stdin", "/dev/fd/0", "/proc/self/environ",
    "/proc/self/mem", "~", "~/", "~root", "~/.ssh/id_rsa", "-", "--", "---", "-x", "--help", "-rf", "a/..",
    "a/../..", "a/./b", "a//b", "a/", "/a", "x/y/z", ".memdir", ".memdir/", ".memdir/config.yaml",
    ".memdir/local/lock", ".memdir/receipts/2026-09.jsonl", ".git/config", "memories", "memories/",
    "memories/..", "memories/.", "memories/k", "memories/k.md/", "memories/k.md/x", "MEMORY.md",
    "config.yaml", "local/journal.json", "local/tasks/step.md", "history", "inbox/*", "memories/*.md", "**",
    "*", "?", "[a-z]", "C:\\Windows\\x", "C:x", "c:/x", "\\", "\\\\", "\\x", "\\\\srv\\share\\x",
    "//srv/share/x", "a\\b", "..\\..\\x", "%2e%2e%2fx", "%2e%2e/x", "%00", "%0a", "..%c0%afx", "..%252fx",
    "&#46;&#46;/x", "http://x/y", "file:///etc/passwd", "data:,x", "a:b",
)  # fmt: skip

#: Names of devices on Windows, and characters that it keeps for itself.
RESERVED = (
    "con", "CON", "Con.md", "prn", "aux", "AUX.notes", "nul", "NUL.txt", "com1", "COM9.x", "com¹", "lpt1",
    "LPT9", "CONIN$", "conout$", "clock$", "a?", "a*b", "a|b", "<a>", 'a"b', "a:", ":a", "a::$DATA", "a.",
    "a..", "a ", " a", "a . ", "desktop.ini",
)  # fmt: skip

#: Characters that nobody sees, that end a line or steer a terminal.
CONTROLS = (
    *(f"a{chr(code)}b" for code in (*range(33), 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0xA0, 0xAD)), "\x1b[2J",
    "\x1b]52;c;x\x07", "\x1b]8;;http://x\x1b\\x", "\x9b31m", "a\r\nb", "\u200b", "a\u200bb", "\u200e",
    "\u202ea", "\u2028", "\u2029", "\u2060", "\ufeffa", "\ufffe", "\uffff", "\U000e0001", "\U000e0041",
    "a\ufe0f", "\u115f", "\u3164",
)  # fmt: skip

#: Names that are equal to another one for some reader, and names that are too long for some disk.
LOOKALIKES = (
    "K", "k ", "k.", "K.md", "k.md.", "ｋ", "e\u0301", "\u00e9", "E\u0301", "ﬁ", "fi", "ſ", "ß", "ẞ", "ss",
    "İ", "i\u0307", "ı", "Σ", "ς", "σ", "dеploy", "раypal", "\u1100\u1161", "가", "\u212b", "\u00c5",
    "a\u0323\u0307", "a\u0307\u0323", "日本語", "한글", "🚀", "🎯", "\U0001f469\u200d\U0001f467", "x" * 201,
    "x" * 256, "x" * 5000, "é" * 128, "🚀" * 100, "a/" * 300, "../" * 200, "a." * 400, "__proto__",
    "constructor", "@", "@1", "k@", "k@1", "k@0", "k@-1", "k@9999999999999999999999", "k@x", "k~", "k--",
    "k~x@1", "k--00000000", "null", "~", "true", "0755", "1:30", "[a]", "{a}", "&a", "*a", "!a", "a: b",
    "a #b", "- a",
)  # fmt: skip


def names(canary: Path, start: Path) -> Iterator[str]:
    """Every hostile name; those that need a file behind them lead to ``canary``.

    :param start: the folder from which relative names count.
    """
    rel = f"{'../' * len(start.parts)}{canary.relative_to('/')}"
    encoded = rel.replace("..", "%2e%2e").replace("/", "%2f")
    filled = {"abs": str(canary), "rel": rel, "flat": rel.replace("/", ""), "sep": "/../", "enc": encoded}
    filled |= {"enc2": encoded.replace("%", "%25"), "back": rel.replace("/", "\\")}
    yield from (name.format(**filled) for name in TRAVERSALS)
    for group in (PATHS, RESERVED, CONTROLS, LOOKALIKES):
        yield from group
