"""Explain what `memdir check` looks for.

Without CODE, lists every rule: code, severity, name, sentence. With one, shows an example that fires,
one that stays silent, and what to do. The beginning of codes lists a family.
"""

from __future__ import annotations

from memdir_cli.cli import streams
from memdir_cli.cli.request import Common

EXAMPLES = """\
  memdir rule
  memdir rule M131
  memdir rule M2 --json
"""


def command(code: str | None = None, *, common: Common) -> int:
    """List the rules, or explain one."""
    from memdir_cli.checks import registry
    from memdir_cli.cli.render import json, rules

    found = registry.find(code)
    if common.json:
        streams.say(json.text({"rules": [rules.document(rule) for rule in found]}))
    elif code is not None and len(found) == 1:
        streams.say(rules.explanation(found[0]))
    else:
        rules.show(found)
    return 0
