"""What can keep a file from being a memory that is served: code, name, sentence and examples.

An example is lines of a header (a line without text behind its colon is an empty value), or, in brackets,
words for what cannot be shown as lines.
"""

from __future__ import annotations

from memdir_cli.shapes import dataclass

#: How the messages of most rules end.
MEND = "mend it by hand, then type `memdir repair`"


@dataclass(frozen=True, slots=True)
class Fault:
    """One way in which a file is broken; ``name`` is the reason that its reader gives."""

    code: str
    name: str
    sentence: str
    fires: str
    silent: str
    advice: str = MEND


FILE_FAULTS: tuple[Fault, ...] = (
    Fault("M101", "symlink", "The file is a symbolic link, which memdir does not follow.",
          "[a link to a file elsewhere]", "[the file itself]",
          "put the real file in its place, then type `memdir repair`"),
    Fault("M102", "special-file", "The name belongs to a pipe, a device or a folder instead of a file.",
          "[a folder named `package_manager.md`]", "[a file of that name]",
          "move it out of the memdir, then type `memdir repair`"),
    Fault("M103", "unreachable", "The file cannot be opened, so nothing is known about it.",
          "[a file that belongs to another account, mode 0600]", "[a file that this account may read]",
          "mend owner, mode or disk, then type `memdir check`"),
    Fault("M104", "not-a-folder", "A folder of the memdir is a link or a file.",
          "[`memories` is a link to a folder elsewhere]", "[`memories` is a folder]",
          "put the real folder in its place, then type `memdir repair`"),
    Fault("M105", "too-large", "The file is larger than 1 MiB.",
          "[a log of 20 MB]", "[its gist on a page]", "shorten it by hand, then type `memdir repair`"),
    Fault("M106", "utf-16", "The file is encoded in UTF-16.",
          "[a file saved as Unicode by an old editor]", "[the same saved as UTF-8]",
          "then type `memdir repair`"),
    Fault("M107", "not-utf8", "The file is not valid UTF-8.",
          "[half a character at the end]", "[the whole character]",
          "save it as UTF-8, then type `memdir repair`"),
    Fault("M108", "nul", "The file holds a NUL byte.",
          "[a file that a crash filled with zeros]", "[the file from a backup]",
          "restore it from git or a backup, then type `memdir repair`"),
    Fault("M109", "empty", "The file is empty.",
          "[0 bytes]", "[a memory]", "restore it from git or remove it, then type `memdir repair`"),
    Fault("M110", "conflict-markers", "The file holds the markers of an unfinished merge.",
          "<<<<<<< HEAD\nvalue: npm\n=======\nvalue: pnpm\n>>>>>>> main", "value: npm",
          "finish the merge by hand, then type `memdir repair`"),
    Fault("M111", "misplaced-header", "The header does not begin on line 1 with exactly `---`.",
          "[a blank line above the header]", "[the header on line 1]"),
    Fault("M112", "unterminated-header", "The header is never closed by a line of exactly `---`.",
          "[a header that ends with `...`]", "[a header that ends with `---`]"),
    Fault("M113", "header-too-large", "The header is larger than 64 KiB.",
          "[a description of 70,000 characters]", "[the long text below the header]"),
    Fault("M114", "second-header", "A second header follows the first, and no reader sees it.",
          "[two blocks between `---`, one after the other]", "[the keys of both in one block]"),
)  # fmt: skip

YAML_FAULTS: tuple[Fault, ...] = (
    Fault("M121", "anchor", "The header uses a YAML anchor.",
          "description: &draft install with npm", 'description: "&draft install with npm"'),
    Fault("M122", "alias", "The header uses a YAML alias, or a value begins with `*`.",
          "description: *.log is ignored", 'description: "*.log is ignored"'),
    Fault("M123", "tag", "The header uses a YAML tag, or a value begins with `!`.",
          "description: !important", 'description: "!important"'),
    Fault("M124", "merge-key", "The header uses a YAML merge key.",
          "<<: {value: npm}", "value: npm"),
    Fault("M125", "duplicate-key", "A key stands twice; readers differ on which one counts.",
          "topic: build\ntopic: tests", "topic: build"),
    Fault("M126", "complex-key", "A key is not plain text.",
          "? [a, b]\n: c", "note: c"),
    Fault("M127", "several-documents", "The header holds more than one YAML document.",
          "--- draft", "note: draft"),
    Fault("M128", "tab-indentation", "A tab is used for indentation.",
          "environment:\n\tos: linux", "environment:\n  os: linux"),
    Fault("M129", "not-a-mapping", "The header is not a mapping of keys to values.",
          "[a header of one list]", "[keys with values]"),
    Fault("M130", "too-deep", "The header is nested more than 64 levels deep.",
          "[100 brackets in a row]", "[a plain value]"),
    Fault("M131", "unquoted-colon", "A value holds `: ` and is not quoted.",
          "description: fix: retry", 'description: "fix: retry"'),
    Fault("M132", "unquoted-indicator", "A value or a key begins with a character that YAML reserves.",
          "description: `C:\\tools` on the path", 'description: "`C:\\\\tools` on the path"'),
    Fault("M133", "text-after-quote", "Text follows the closing quote of a value.",
          'description: "npm" is used here', "description: '\"npm\" is used here'"),
    Fault("M134", "bad-escape", "A double-quoted value holds an escape that YAML does not know.",
          'description: "C:\\tools\\work"', 'description: "C:\\\\tools\\\\work"'),
    Fault("M135", "control-character", "The header holds a control character.",
          "description: \x1b[31mred", 'description: "\\e[31mred"'),
    Fault("M136", "invalid-yaml", "The header is not valid YAML.",
          "[anything else that no YAML reader takes]", "[keys with values]"),
    Fault("M138", "text-after-bracket", "Text follows the closing bracket of a value.",
          "description: [note]tail", 'description: "[note]tail"'),
    Fault("M139", "unclosed-quote", "A quoted value is never closed.",
          'note: "npm', 'note: "npm"'),
    Fault("M140", "unclosed-bracket", "A value begins with a bracket or a brace that is not closed.",
          "description: [draft npm", 'description: "[draft npm"'),
    Fault("M141", "missing-colon", "A line has neither a key with a colon nor a place in the value above it.",
          "description\nname: npm", "description: npm"),
    Fault("M142", "bad-indentation", "A line is indented below a key that has its value already.",
          "description: npm\n  note: ci", "description: npm\nnote: ci"),
)  # fmt: skip

_STATUSES = "candidate, verified, stale, conflicted, quarantined, superseded, expired or archived"

MEMORY_FAULTS: tuple[Fault, ...] = (
    Fault("M150", "missing-id", "`id` is missing.", "id:", "id: k7f3x9t2aqm4b"),
    Fault("M151", "bad-id", "`id` is not made of letters, digits, `-` and `_`.",
          "id: ../k7f3", "id: k7f3x9t2aqm4b"),
    Fault("M152", "missing-subject", "`subject` is missing.",
          "subject:", "subject: project:github.com/acme/app"),
    Fault("M153", "bad-subject", "`subject` is neither `user:<id>` nor `project:<id>`.",
          "subject: everybody", "subject: project:github.com/acme/app"),
    Fault("M154", "missing-predicate", "`predicate` is missing.", "predicate:", "predicate: package_manager"),
    Fault("M155", "bad-predicate", "`predicate` is not a key: letters, digits, `_`, `-` and `.`.",
          "predicate: package manager", "predicate: package_manager"),
    Fault("M156", "missing-scope", "`scope` is missing.", "scope:", "scope: repository:github.com/acme/app"),
    Fault("M157", "bad-scope", "`scope` is none of `user`, `repository:<id>`, `task:<id>`.",
          "scope: everywhere", "scope: repository:github.com/acme/app"),
    Fault("M158", "missing-status", "`status` is missing, so the memory is not served.",
          "[a header without `status`]", "status: verified"),
    Fault("M159", "unknown-status", f"`status` is not {_STATUSES}, so the memory is not served.",
          "status: active", "status: verified"),
    Fault("M160", "unknown-type", "`type` is not preference, project-rule, decision, fact or temporary.",
          "type: rule", "type: project-rule"),
    Fault("M161", "unknown-authority", "`authority` is not policy, user, observed or inferred.",
          "authority: root", "authority: user"),
    Fault("M162", "unknown-kind", "The kind of a source is not user, file, url, tool, agent or import.",
          "source:\n  - kind: rumour", "source:\n  - kind: agent"),
    Fault("M163", "unknown-attestation", "`attested` is not tty, hook, transcript, claimed or none.",
          "source:\n  - kind: user\n    attested: sworn", "source:\n  - kind: user\n    attested: claimed"),
    Fault("M164", "bad-revision", "`revision` is not a positive whole number.", "revision: two", "revision: 2"),
    Fault("M165", "bad-none", "`none` is neither `true` nor `false`.", "none: maybe", "none: false"),
    Fault("M166", "bad-date", "A date does not exist or has no offset.",
          'reviewAfter: "2026-02-30"', 'reviewAfter: "2026-12-14"'),
    Fault("M167", "bad-environment", "`environment` is not a mapping of names to words.",
          "environment: linux", "environment:\n  os: linux"),
    Fault("M168", "bad-source", "`source` is not a list of entries with a `kind`.",
          "source: the user", "source:\n  - kind: user"),
    Fault("M169", "bad-evidence", "`dependsOn` is not a list of entries with a `probe`.",
          "dependsOn: package.json", "dependsOn:\n  - probe: package.json"),
    Fault("M170", "bad-sides", "`sides` is not a list of at least two entries, each with its own `id`.",
          "sides:\n  - id: a", "sides:\n  - id: a\n  - id: b"),
    Fault("M171", "not-text", "A key that holds text holds a list or a mapping.",
          "description:\n  - npm", "description: npm"),
    Fault("M172", "config-unreadable", "The settings in `config.yaml` cannot be read or mean nothing.",
          "[`gate: {attestation: maybe}` in config.yaml]", "[`gate: {attestation: claimed}`]",
          "mend it by hand (or upgrade memdir, if it is newer), then type `memdir check`"),
)  # fmt: skip

FAULTS: tuple[Fault, ...] = (*FILE_FAULTS, *YAML_FAULTS, *MEMORY_FAULTS)
