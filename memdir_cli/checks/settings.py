"""Settings: what the memdir says of itself, and who may see it (M7)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir_cli.checks.examined import Examined
from memdir_cli.checks.rule import Rule, Sighting

CONFIG = "config.yaml"
GITIGNORE = ".gitignore"

_LOCAL = frozenset({b"/local/", b"local/", b"/local", b"local", b"*", b"/*"})


def missing(examined: Examined) -> dict[str, str | None]:
    """The pieces that the config lacks, each with its value where that is certain, else ``None``.

    A fresh ``key`` (``""`` here) is certain only where no receipt was made with the lost one.
    """
    if any(one.path == CONFIG for one in examined.snapshot.unreadable):
        return {}  # nobody knows what it lacks
    settings = examined.settings
    name = "repository" if examined.layer == "project" else "user"
    lacking: dict[str, str | None] = {}
    if not (settings.repository if name == "repository" else settings.user):
        lacking[name] = _unanimous(examined)
    if not settings.key:
        lacking["key"] = None if settings.receipts else ""
    return lacking if examined.layer == "project" or _used(examined) else {}


def _used(examined: Examined) -> bool:
    """Whether a user memdir holds more than settings, which may stand alone at first."""
    return bool(examined.records or examined.snapshot.unreadable or examined.settings.receipts)


def _unanimous(examined: Examined) -> str | None:
    """What all memories say whose they are."""
    prefix = f"{examined.layer}:"
    said = {record.memory.subject for record in examined.records}
    if len(said) != 1 or not (subject := said.pop()).startswith(prefix):
        return None
    return subject.removeprefix(prefix)


def _incomplete(examined: Examined) -> Iterator[Sighting]:
    lacking = missing(examined)
    if not lacking:
        return
    names = " and ".join(f"`{name}`" for name in lacking)
    said = f"The settings lack {names}"
    if None not in lacking.values():
        yield Sighting(CONFIG, f"{said}; type `memdir repair`")
        return
    yield Sighting(CONFIG, f"{said}; restore the file from git or a backup, or type `memdir init`", fixable=False)


def _mismatch(examined: Examined) -> Iterator[Sighting]:
    settings = examined.settings
    own, by_git = settings.repository, settings.git_repository
    if not own or not by_git or own.startswith("local:") or own == by_git:
        return
    message = (
        f"The memdir is about `{own}`, git says `{by_git}`; if it moved type `memdir init --id {by_git}`, "
        "if this is a fork or a copy leave it"
    )
    yield Sighting(CONFIG, message, key="repository")


def _local_shared(examined: Examined) -> Iterator[Sighting]:
    if examined.layer != "project" or not (examined.settings.repository or examined.settings.key):
        return
    content = examined.settings.gitignore
    if content is None:
        message = "There is no `.gitignore`, so git would take this machine's own files"
    elif not _LOCAL & {line.strip() for line in content.split(b"\n")}:
        message = "`.gitignore` does not name `/local/`, so git would take this machine's own files"
    else:
        return
    yield Sighting(GITIGNORE, f"{message}; type `memdir repair`")


def _open_to_others(examined: Examined) -> Iterator[Sighting]:
    if examined.layer == "user" and examined.settings.open_to_others:
        yield Sighting("", "Other accounts may read your own memories; type `memdir repair`, which sets mode 0700")


def _wrong_checks(examined: Examined) -> Iterator[Sighting]:
    for sentence in examined.settings.wrong_checks:
        yield Sighting(CONFIG, f"{sentence}; `memdir rule` lists what there is", key="check")


def _silenced(examined: Examined) -> Iterator[Sighting]:
    for name in examined.settings.silenced:
        message = (
            f"`{name}` would silence errors of safety (M5), which no project's settings can: a clone would bring "
            "them along; they stay errors; take it out, or let `memdir check --baseline` keep the old ones"
        )
        yield Sighting(CONFIG, message, key="check")


RULES: tuple[Rule, ...] = (
    Rule("M721", "settings-incomplete", "error",
         "The memdir does not say which repository or user it is for, or lacks the key of its receipts.",
         "[config.yaml without `repository`]", "[config.yaml as `memdir init` writes it]", _incomplete, fixable=True),
    Rule("M722", "repository-mismatch", "warning",
         "The memdir is about another repository than git says.",
         "[the remote was renamed]", "[the memdir after `memdir init --id`]", _mismatch),
    Rule("M723", "local-shared", "warning",
         "git is not kept from this machine's own files.",
         "[`.gitignore` removed]", "[`.gitignore` with `/local/`]", _local_shared, fixable=True),
    Rule("M724", "open-to-others", "warning",
         "Other accounts may read the user memdir.",
         "[mode 0755]", "[mode 0700]", _open_to_others, fixable=True),
    Rule("M725", "unknown-check-setting", "warning",
         "The settings of `check` name a rule or a severity that does not exist.",
         "[`check: {ignore: [M999]}`]", "[`check: {ignore: [M302]}`]", _wrong_checks),
    Rule("M726", "safety-silenced", "warning",
         "A project's settings try to silence errors of safety (M5), which stay errors.",
         "[`check: {ignore: [M5]}`]", "[`check: {ignore: [M3]}`]", _silenced),
)  # fmt: skip
