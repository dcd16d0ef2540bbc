"""Words that readers of text, YAML, JSON, paths and terminals have stumbled over."""

from __future__ import annotations

#: Put in anywhere: control characters, other encodings, fences, markers of merges, markup, orders to a shell.
BYTES: tuple[bytes, ...] = (
    b"\x00", b"\x1b[2J", b"\x1b]8;;http://x\x07", b"\x9b31m", b"\r", b"\r\n", b"\x0b", b"\x0c", b"\x85",
    b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"\xff\xfe", "\u2028".encode(),
    "\u0085".encode(), "\u200b".encode(), "\u202e".encode(), "\ufeff".encode(), "\U000e0041".encode(),
    "e\u0301".encode(), "日本".encode(), b"\n---\n", b"\n--- \n", b"\n----\n", b"\n...\n",
    b"\n---\nid: x\n---\n", b"---", b"\n\n\n", b"\t", b"\n\t- x", b"\n<<<<<<< ours\n", b"\n=======\n",
    b"\n>>>>>>> theirs\n", b"\n||||||| base\n", b"<!-- memdir:begin -->", b"<!-- memdir:end -->",
    b"\n<!-- memdir:begin -->\n", b"](memories/../../x.md)", b"[/red]", b":bug:", b"%s%n", b"{0}", b"${HOME}",
    b"$(id)", b"`id`", b"\\", b"\\\n", b"'", b'"', b"../../../etc/passwd", b"A" * 300, b"[" * 2000,
    b"{a: " * 500, b"- " * 500, b"> " * 500, b"*" * 3000, b"`" * 3000, b"\n" * 3000, b" " * 5000,
)  # fmt: skip

#: What may stand as the value of a key in YAML.
SCALARS: tuple[bytes, ...] = (
    b"", b" ", b"~", b"null", b"no", b"0755", b"1:30", b"2026-02-30", b"2026-02-30T25:61:61Z",
    b"9999-12-31T23:59:59Z", b"0001-01-01", b"0000-00-00", b'"2026-09-14T09:30:00+99:99"',
    b"99999999999999999999999999", b"-1", b"1e999", b".nan", b"&a [*a, *a]", b"*a", b"&a x", b"!secret x",
    b"!!python/object/apply:os.system ['id']", b"<<: *a", b"? x", b"- x", b"|", b">", b"|+9", b">-\n  x",
    b"[", b"[]", b"[a, [b, [c]]]", b"{", b"{}", b"{a: 1, a: 2}", b"{id: x}", b"@x", b"%x", b"`x`",
    b"fix: retry", b"[[note]]tail", b"*draft*", b"a # b", b'"', b'"\\ud800"', b'"\\x00"', b'"\\q"', b"'a'b",
    b'"a" b', b"[" * 100 + b"]" * 100, b"x" * 70_000, b"verified", b"quarantined", b"conflicted", b"policy",
    b"user:42", b"project:", b"repository:", b"task:", b"task:t/../../x", b"repository:github.com/acme/other",
    b"user", b"../../x", b"a\\b", b"**/**/**", b"[!a-", b"{a,b", b"a/{" + b"{" * 50, b"*" * 200,
    b">=1 <2 || ^3", b">=" + b"9" * 400, b"x@99999999999999999999", b"v1:zz", b"package.json#scripts.build",
    b"package.json#", b"#/a", b"exists:../../etc", b"/etc/passwd", b"exists:", b"a.json#/~2",
    b"\n  - kind: user", b"\n  - [a]", b"\n  kind: user", b"\n  - kind: nobody\n    at: never\n    said: [x]",
)  # fmt: skip

#: Keys of memory files and settings that decide something.
KEYS: tuple[bytes, ...] = (
    b"id", b"name", b"description", b"type", b"subject", b"predicate", b"scope", b"repository", b"path", b"topic",
    b"environment", b"version", b"status", b"statusReason", b"value", b"none", b"sides", b"revision", b"authority",
    b"source", b"dependsOn", b"supersedes", b"supersededBy", b"rival", b"createdAt", b"updatedAt", b"verifiedAt",
    b"reviewAfter", b"expiresAt", b"format", b"key", b"user", b"gate", b"policy", b"retention", b"ageLimits", b"check",
    b"__proto__", b"", b"? ", b"<<", b'"status"', b"Status", b"sta\xcc\x81tus",
)  # fmt: skip

#: What may stand anywhere in JSON, as it is written there.
JSON: tuple[str, ...] = (
    "null", "true", "0", "-1", "1e999", "-Infinity", "NaN", "9" * 5000, "[]", "{}", '""', '"\\ud800"',
    '"\\u0000"', "[[]]", '{"a":{"a":{"a":1}}}', '{"a":1,"a":2}', "[" * 3000 + "]" * 3000,
    '{"a":' * 3000 + "1" + "}" * 3000, '"../../x"', '"/etc/x"', '"memories/x.md"',
    '"memories/.memdir-x-1.tmp"', '"' + "x" * 100_000 + '"', '"\\u001b[2J"', '"\\u202e"', '["a","b","c","d"]',
    '"verified"', '"2026-13-45T99:99:99Z"', "[null,null]", '"receipts/../../x.jsonl"', "[1,2]", "1.5",
    '{"id":"x"}',
)  # fmt: skip

#: Words of a command line that are names of something: a key, a reference, a file.
NAMES: tuple[str, ...] = (
    "", " ", ".", "..", "../x", "../../x", "/etc/passwd", "/", "//", "~", "~/x", "~root/x", "-", "--", "-x",
    "a/..", "a/../../x", "./x", "a//b", "a/", "C:\\x", "C:x", "\\\\srv\\x", "a\\b", "..\\x", "%2e%2e/x",
    "%00", "x\0y", "\0", "\x1b[2J", "a\nb", "a\rb", "\t", "\x7f", "\x9b", "\u202e", "\u200b", "\ufeff", "con",
    "NUL", "com1.md", "aux.x", "lpt1", "a:b", "a?", "a*", "a|b", "<a>", 'a"b', "a.", "a ", " a", "x" * 300,
    "é" * 130, "🚀" * 100, "e\u0301", "é", "ﬁ", "ſ", "K", "İ", "ß", "日本語", "한글", "🚀", "...", "__proto__", "@1",
    "x@", "x@1", "x@-1", "x@9" + "9" * 30, "memories/x.md", "memories/../x.md", ".memdir/config.yaml",
    ".memdir/memories/../config.yaml", "local/journal.json", "CON.md", "package_manager", "Package_Manager",
    "gotcha.", ".gotcha", "gotcha..x", "k" * 5000, "[a]", "{a}", "$HOME", "`id`", "a b", "dеploy", "user:42",
    "task:", "memories", "/dev/zero", "/dev/stdin",
)  # fmt: skip
