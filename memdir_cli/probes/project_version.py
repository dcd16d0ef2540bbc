"""The project's version: from the nearest package.json that tells one, else the nearest pyproject.toml."""

from __future__ import annotations

from memdir_cli.domain.runtime import Fact
from memdir_cli.probes import documents, workspace


def project_version(root: str, path: str) -> Fact:
    """The version that holds at ``path`` in the workspace ``root``.

    A package.json without ``version`` (a private workspace) is passed over; one that is not JSON ends the
    search, because what it would say is not known.

    :param path: POSIX path from the root, ``""`` for the root itself.
    """
    where = workspace.relative(path)
    if not root or where is None:
        return Fact(None, "outside a project")
    for name in ("package.json", "pyproject.toml"):
        for directory in workspace.upwards(where):
            found = _stated(root, workspace.joined(directory, name))
            if found is not None:
                return found
    return Fact(None, "no package.json or pyproject.toml tells one")


def _stated(root: str, path: str) -> Fact | None:
    """The version that one file states; a fact without value if it cannot be read, ``None`` to look on."""
    content = workspace.read(root, path)
    if isinstance(content, workspace.Unseen):
        return None if content.reason == "absent" else Fact(None, f"{path}: {content.message}")
    parse = documents.parser_of(path) or documents.parse_json
    try:
        stated = parse(content)
    except documents.UnparsableError as error:
        return Fact(None, f"{path}: {error.message}")
    if path.endswith("pyproject.toml"):
        stated = stated.get("project") if isinstance(stated, dict) else None
    version = stated.get("version") if isinstance(stated, dict) else None
    return Fact(version.strip(), path) if isinstance(version, str) and version.strip() else None
