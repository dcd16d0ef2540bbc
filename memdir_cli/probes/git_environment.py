"""The environment in which git is asked, so that it answers for the repository that is meant and never asks back.

The variables of a hook speak of the repository that is being committed. Imports next to nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

#: Variables of git that say how git works on this machine, not which repository is meant.
KEPT = frozenset(
    {
        "GIT_EXEC_PATH",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_SSL_CAINFO",
        "GIT_SSL_NO_VERIFY",
        "GIT_CONFIG_COUNT",
        "GIT_HTTP_PROXY_AUTHMETHOD",
        "GIT_ALLOW_PROTOCOL",
        "GIT_ASKPASS",
        # where a person keeps the configuration; git never exports these to a hook by itself
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        # only ever makes git more careful
        "GIT_TEST_ASSUME_DIFFERENT_OWNER",
    }
)
KEPT_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")

SET = {
    "LC_ALL": "C",
    "LANGUAGE": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
}

#: Settings by which a repository, whose `.git` anybody may have packed, would have git run a program or fetch.
UNWANTED = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "log.showSignature": "false",
    "protocol.allow": "never",
}


def clean(environ: Mapping[str, str], top: str) -> dict[str, str]:
    """``environ`` as git should see it when it is asked about ``top`` and no other repository."""
    kept = {
        key: value
        for key, value in environ.items()
        if not key.startswith("GIT_") or key in KEPT or key.startswith(KEPT_PREFIXES)
    }
    # where `.git` is damaged git would go on to the repository around it
    return kept | SET | {"GIT_CEILING_DIRECTORIES": os.path.dirname(top)}


def asking(environ: Mapping[str, str], top: str) -> dict[str, str]:
    """``environ`` for a git that only answers: no program that the repository names is run, nothing is fetched."""
    cleaned = clean(environ, top)
    known = cleaned.get("GIT_CONFIG_COUNT", "")
    count = int(known) if known.isascii() and known.isdigit() else 0
    for number, (name, value) in enumerate(UNWANTED.items(), start=count):
        cleaned |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return cleaned | {"GIT_CONFIG_COUNT": str(count + len(UNWANTED))}


def command(top: str, arguments: Iterable[str]) -> list[str]:
    """The command line that asks git about ``top``."""
    return ["git", "-C", top, *arguments]
