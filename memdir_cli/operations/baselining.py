"""Baselining: the file of findings that may stand, read or written for the first time."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memdir_cli.domain import baseline
from memdir_cli.domain.findings import CheckAnswer
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, UsageError
from memdir_cli.shapes import replace
from memdir_cli.storage import disk

#: A larger file is no baseline.
LIMIT = 64 << 20


def baselined(answer: CheckAnswer, path: str, cwd: str, environ: Mapping[str, str], *, narrowed: bool) -> CheckAnswer:
    """``answer`` without what the baseline at ``path`` lets stand; a file that does not exist is written.

    Nothing is written where something could not be checked, nor in a CI, where the file would be lost and
    every run pass.

    :param path: seen from ``cwd``.
    :param narrowed: only a part is reported, so that nobody knows what is gone.
    :raises UsageError: if the file is no baseline, or must not or cannot be written here.
    """
    whole = os.path.normpath(os.path.join(cwd, path))
    content = _content(whole, path)
    if content is None:
        return answer if answer.unchecked else _written(answer, whole, path, environ)
    try:
        old = baseline.read(content)
    except ValueError as error:
        raise _wrong(path, f"is no baseline: {error}", "remove it to have it written anew") from error
    new, gone = baseline.compare(answer.findings, old)
    missed = () if narrowed or answer.unchecked else tuple(one.text for one in gone)
    return replace(answer, findings=new, baselined=len(answer.findings) - len(new), gone=missed)


def _content(whole: str, path: str) -> bytes | None:
    try:
        return disk.read_file(os.path.dirname(whole), os.path.basename(whole), limit=LIMIT)
    except (FaultError, OSError) as error:
        raise _wrong(path, f"cannot be read: {str(error).rstrip('.')}", "name a file") from error


def _written(answer: CheckAnswer, whole: str, path: str, environ: Mapping[str, str]) -> CheckAnswer:
    if environ.get("CI", "").lower() not in {"", "0", "false"}:
        hint = f"run `memdir check --baseline {printable(path)}` on your machine and commit the file"
        raise _wrong(path, "does not exist, and in CI it would be lost", hint)
    if not os.path.isdir(os.path.dirname(whole)):
        raise _wrong(path, "has no folder to lie in", "make the folder first")
    content = baseline.written(baseline.of(answer.findings))
    try:
        disk.write_file(os.path.dirname(whole), os.path.basename(whole), content, "baseline", private=False)
    except FaultError as error:
        raise _wrong(path, f"cannot be written: {error.message}", "name another file") from error
    return replace(answer, findings=(), baselined=len(answer.findings), baseline=path)


def _wrong(path: str, why: str, hint: str) -> UsageError:
    return UsageError(f"The baseline `{printable(path)}` {why}.", code="baseline", hint=hint)
