"""Every argument and option, declared once: how it is spelt, what it means.

A verb names what it takes in its signature; a parameter that is one of the groups of :mod:`request` stands for all
the options of the group. :mod:`parser` makes of it what typer understands, :mod:`lane` takes the plainest spellings by
itself. Imports nothing: every call of an agent comes by.
"""

from __future__ import annotations

#: How it is spelt (nothing: an argument), what stands for its value (nothing: a switch), the help, its heading there.
Declaration = tuple[tuple[str, ...], str, str, str]

PROVENANCE = "Provenance"
NARROWING = "Where it applies"
ALWAYS = "Always"


def _argument(metavar: str, help_: str) -> Declaration:
    return (), metavar, help_, ""


def _option(*spelt: str, takes: str = "", help: str, panel: str = "") -> Declaration:  # noqa: A002
    return spelt, takes, help, panel


_PATH = _option("--path", takes="GLOB", help="Only for these files, from the repository root.", panel=NARROWING)
_TOPIC = _option("--topic", takes="T", help="Only for this topic.", panel=NARROWING)
_ENV = _option(
    "--env", takes="K=V", help="Only in this environment, such as os=linux; may be repeated.", panel=NARROWING
)
_FOR_VERSION = _option(
    "--for-version", takes="RANGE", help="Only for these versions of the project (npm range).", panel=NARROWING
)

#: By parameter; ``Group.field`` goes before ``field``.
DECLARED: dict[str, Declaration] = {
    "key": _argument("KEY", "The key, such as `package_manager` or `gotcha.vite-hmr`."),
    "value": _argument("VALUE", "The value, kept character for character; `--` before one that begins with a dash."),
    "ref": _argument("REF", "A key, an id or a unique prefix of one, ID@REVISION, or a path."),
    "paths": _argument("PATHS", "Report only what lies in these files or folders."),
    "name": _argument("NAME", "Name of one schema."),
    "shell": _argument("SHELL", "bash, zsh or fish."),
    "form": _argument(
        "FORMAT", "claude, serena, cline, cursor, codex, basic-memory, agent-memory-git, mcp or markdown."
    ),
    "export_form": _argument("FORMAT", "claude, agents-md or jsonl."),
    "target_path": _argument("PATH", "A folder for claude, a file for the others; for jsonl also -, which is stdout."),
    "source_path": _argument("PATH", "The folder that holds the files, one file, or the root of a project."),
    "text": _argument("TEXT", "Words to look for, in any order."),
    "event": _argument("EVENT", "session-start, prompt, post-tool or stop."),
    "agent": _option("--agent", takes="A", help="claude, codex, gemini, copilot or cursor; else it is told by stdin."),
    "target": _argument(
        "TARGET", "claude, codex, gemini, cursor, copilot, agents-md, pre-commit, git or health-workflow."
    ),
    "base": _argument("BASE", "The last common version; empty where there is none."),
    "ours": _argument("OURS", "Our version; becomes the result."),
    "theirs": _argument("THEIRS", "Their version."),
    "merged_path": _argument("PATH", "Where the result will lie in the repository."),
    "code": _argument("CODE", "Code or name of one rule, or the beginning of codes such as `M2`."),
    "Saying.scope": _option(
        "--scope",
        takes="SCOPE",
        help="user, repository (or repo, project), task or task:ID.",
        panel=NARROWING,
    ),
    "Saying.path": _PATH,
    "Saying.topic": _TOPIC,
    "Saying.env": _ENV,
    "Saying.for_version": _FOR_VERSION,
    "Narrowed.path": _PATH,
    "Narrowed.topic": _TOPIC,
    "Narrowed.env": _ENV,
    "Narrowed.for_version": _FOR_VERSION,
    "Saying.private": _option("--private", help="For this repository, but kept in the user memdir.", panel=NARROWING),
    "Saying.none": _option("--none", help="Say that nothing applies here; takes no value."),
    "Saying.type": _option("--type", takes="T", help="preference, project-rule, decision, fact or temporary."),
    "Saying.authority": _option("--authority", takes="policy", help="A policy, for those in `policy.setters`."),
    "Saying.description": _option("--description", takes="S", help="One line for the index."),
    "Saying.body_file": _option("--body-file", takes="F", help="Markdown for the body; - reads stdin."),
    "Saying.depends_on": _option(
        "--depends-on", takes="PROBE", help="Evidence, such as package.json#scripts.build; may be repeated."
    ),
    "Saying.expires": _option("--expires", takes="WHEN", help="Ends by itself: a date, a time, or 1h, 30d."),
    "Saying.review_after": _option("--review-after", takes="WHEN", help="Stale from then on until confirmed."),
    "Saying.replace": _option("--replace", help="This replaces what stood."),
    "Saying.if_revision": _option("--if-revision", takes="N", help="Only if this revision still stands; 0 for none."),
    "Saying.after_forget": _option("--after-forget", help="Though it was forgotten; needs a user's word."),
    "Said.source": _option(
        "--from",
        takes="KIND",
        help="user, agent, tool, file, url or import; off a terminal agent.",
        panel=PROVENANCE,
    ),
    "Said.said": _option("--said", takes="WORDS", help="The user's own words.", panel=PROVENANCE),
    "Said.session": _option("--session", takes="S", help="Id of the session.", panel=PROVENANCE),
    "Said.message": _option("--message", takes="M", help="Id of the message.", panel=PROVENANCE),
    "Said.transcript": _option(
        "--transcript", takes="F", help="Transcript in which the words stand (Claude Code, Codex).", panel=PROVENANCE
    ),
    "Reading.scope": _option("--scope", takes="SCOPE", help="Only user, repository, task or task:ID.", panel=NARROWING),
    "Reading.path": _option("--path", takes="P", help="Work on this file, from the repository root.", panel=NARROWING),
    "Reading.topic": _option("--topic", takes="T", help="Work on this topic.", panel=NARROWING),
    "Reading.env": _option("--env", takes="K=V", help="Work in this environment; may be repeated.", panel=NARROWING),
    "Reading.for_version": _option(
        "--for-version", takes="V", help="Work on this version of the project.", panel=NARROWING
    ),
    "ignore_memory": _option("--ignore-memory", help="Print no memory (as MEMDIR_IGNORE=1)."),
    "scope": _option("--scope", takes="SCOPE", help="Only user, repository, task or task:ID."),
    "repository_id": _option("--id", takes="REPOSITORY_ID", help="The repository's id, if git's is not the one."),
    "without_evidence": _option("--without-evidence", help="Though its evidence cannot be found."),
    "sample": _option("--sample", help="Ten memories for a check-up instead: source, scope, last word, deletion."),
    "transcripts": _option("--transcripts", takes="DIR", help="Folder of agents' transcripts: what was done then."),
    "reason": _option("--reason", takes="S", help="Why."),
    "superseded_by": _option("--superseded-by", takes="REF", help="The memory that holds in its place."),
    "keep": _option("--keep", takes="SIDE-ID", help="Id of the side that stays."),
    "budget": _option("--budget", takes="CHARS", help="Print at most so many characters."),
    "query": _option("--query", takes="TEXT", help="What the work is about; the closest come first."),
    "check_format": _option("--format", takes="F", help="text, json, github or sarif."),
    "context_format": _option("--format", takes="F", help="markdown or json."),
    "health_format": _option("--format", takes="F", help="text, markdown, json or html."),
    "all": _option("--all", help="Candidates, quarantined, history, archive, other environments and versions too."),
    "status": _option("--status", takes="S", help="Only with this status."),
    "type": _option("--type", takes="T", help="Only of this type."),
    "max_age": _option("--max-age", takes="SPAN", help="Only what was said or confirmed within this span: 1h, 30d."),
    "quarantined": _option("--quarantined", help="Though it is quarantined."),
    "strict": _option("--strict", help="Exit 1 for warnings too."),
    "select": _option("--select", takes="CODES", help="Only these codes, separated by commas."),
    "ignore": _option("--ignore", takes="CODES", help="All but these codes, separated by commas."),
    "baseline": _option(
        "--baseline", takes="F", help="Let the findings that this file lists stand; written where it does not exist."
    ),
    "fix": _option("--fix", help="First mend what `memdir repair` mends; with --dry-run show it as a diff."),
    "staged": _option("--staged", help="Judge what is staged in git instead of the files."),
    "statistics": _option("--statistics", help="Count the findings by code."),
    "remove": _option("--remove", help="Take out exactly what was put in."),
    "released_ref": _argument("REF", "A key, an id or a unique prefix of one, or a path."),
    "isolated_ref": _argument("REF", "A key, an id or a unique prefix of one, or a path."),
    "forgotten_ref": _argument("REF", "A key, a pattern such as `'gotcha.*'`, an id or a unique prefix, or a path."),
    "optional_ref": _argument("REF", "A key, an id or a unique prefix of one, ID@REVISION, or a path."),
    "cold": _option("--cold", takes="SPAN", help="Everything of which nothing was heard for so long: 90d, 365d."),
    "origin": _option(
        "--source", takes="S", help="Every memory that came from this session, message, file or address."
    ),
    "subject": _option("--subject", takes="S", help="Every memory about `user:ID` or `project:REPOSITORY`."),
    "all_scopes": _option("--all-scopes", help="A key means its memories of every scope."),
    "user": _option("--user", help="Your own memdir instead of the project's."),
    "yes": _option("--yes", help="Do it without asking."),
    "month": _option("--month", takes="YYYY-MM", help="Report this month, as of its end; `last` is the one before."),
    "as_of": _option("--as-of", takes="WHEN", help="Report as of then; a date is taken to its end."),
    "output": _option("--output", takes="F", help="Write it to this file; its ending says the form."),
    "fail_on": _option("--fail-on", takes="WHAT", help="Exit 1 for error, warning, worse or a section; by commas."),
    "dry_run": _option("--dry-run", help="Show what would be done, and do nothing."),
    "json": _option("--json", help="One JSON document on stdout, errors included.", panel=ALWAYS),
    "quiet": _option("--quiet", "-q", help="Print results and errors only.", panel=ALWAYS),
    "dir": _option("--dir", takes="MEMDIR", help="The memdir to use for the project.", panel=ALWAYS),
    "lock_timeout": _option(
        "--lock-timeout", takes="SECONDS", help="How long to wait for another process; 10.", panel=ALWAYS
    ),
}


def declared(name: str, group: str = "") -> Declaration:
    """The declaration of a parameter, or of a field of a group of :mod:`request`."""
    return DECLARED.get(f"{group}.{name}") or DECLARED[name]
