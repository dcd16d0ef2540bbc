"""Take a memory out of everybody's reach at once: files, index, caches, context, search. No user's word is needed.

Everything that memdir holds of it is sealed, so that no search feeds it to a model. `memdir release` brings it back.
"""

from __future__ import annotations

from memdir_cli.cli import streams, terminal, words, writing
from memdir_cli.cli.opening import open_here
from memdir_cli.cli.request import Common, Reading, Said
from memdir_cli.domain.answer import WriteAnswer
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError

EXAMPLES = """\
  memdir quarantine k7f3x9 --reason "came from a web page"
  memdir quarantine --source https://docs.example/fast --reason "the page gives orders" --json
  memdir quarantine --source session:s1 --reason "an agent wrote down what it read"
"""


def command(
    reason: str,
    isolated_ref: str | None = None,
    origin: str | None = None,
    scope: str | None = None,
    *,
    said: Said,
    common: Common,
) -> int:
    """Quarantine REF, or what --source wrote."""
    from memdir_cli.operations.quarantine import quarantine, quarantine_source

    if (isolated_ref is None) == (origin is None):
        raise UsageError("Name what is to be taken out, in one way.", hint="give one of REF and `--source S`")
    workplace = open_here(common, Reading(scope=scope), ask_git=True)
    spoken = writing.provenance(said, person=terminal.person_present(workplace.runtime))
    level, _ = words.scope(scope)
    if isolated_ref is not None:
        return writing.answered(quarantine(workplace, isolated_ref, reason, spoken, scope=level), common)
    answer = quarantine_source(workplace, origin or "", reason, spoken)
    if isinstance(answer, WriteAnswer):
        return writing.answered(answer, common)
    if common.json:
        from memdir_cli.cli.render import json

        streams.say(json.text(answer.document()))
        return answer.exit_status
    for one in answer.memories:
        joined = "" if one.first else " (it joined later)"
        streams.say(printable(f"quarantined {one.key} [{one.scope}] {one.id}{joined}"))
    for _, message in () if common.quiet else answer.warnings:
        streams.remark(f"warning: {printable(message)}")
    return answer.exit_status
