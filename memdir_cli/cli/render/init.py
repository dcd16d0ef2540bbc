"""The answer of ``init``."""

from __future__ import annotations

from memdir_cli.domain.answer import Founding
from memdir_cli.domain.text import printable
from memdir_cli.domain.view import Document


def document(founding: Founding) -> Document:
    """The JSON document."""
    return {
        "created": founding.created,
        "path": founding.path,
        "repository": founding.repository,
        "origin": founding.origin,
        "replaced": founding.replaced or None,
        "user": founding.user or None,
        "warnings": [{"code": code, "message": message} for code, message in _warnings(founding)],
    }


def line(founding: Founding) -> str:
    """The one line of a success."""
    done = "created" if founding.created else "updated" if founding.replaced else "unchanged"
    return printable(f"{done} {founding.path} [repository:{founding.repository}] ({founding.origin})")


def remarks(founding: Founding) -> list[str]:
    """What a person should know besides."""
    return [printable(message) for _, message in _warnings(founding)]


def _warnings(founding: Founding) -> list[tuple[str, str]]:
    found = []
    if founding.outside_git:
        found.append(("outside-git", "This is not a git repository; the memdir counts from here downwards."))
    if founding.replaced:
        message = f"The repository id was `{founding.replaced}`; memories under it are not moved."
        found.append(("id-replaced", message))
    return found
