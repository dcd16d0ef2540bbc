"""What an agent's hooks call: JSON on stdin, at most one JSON object on stdout, in the words of that agent.

Whatever fails is said on stderr; the exit status is 0 all the same, for a memory must never cost the user a prompt.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from memdir_cli.cli import opening, reading, streams, words
from memdir_cli.cli.request import Common
from memdir_cli.domain import hook
from memdir_cli.domain.rows import row
from memdir_cli.domain.text import printable

if TYPE_CHECKING:
    from memdir_cli.operations.workplace import Workplace

EXAMPLES = """\
  memdir hook session-start --agent claude
  memdir hook prompt --agent codex
"""

#: Bytes of stdin that are read; no event needs more.
LIMIT = 1 << 24

#: Seconds after which nothing more is expected on a stdin that an agent keeps open.
SILENCE = 2.0

#: Seconds to wait for the lock: an agent waits meanwhile.
PATIENCE = "2"


def command(event: str, agent: str | None = None, *, common: Common) -> int:
    """Answer one event."""
    happened = words.one_of("memdir hook", event, hook.EVENTS) or "session-start"
    named = words.one_of("--agent", agent, hook.AGENTS)
    told = hook.call(happened, _given(), named)
    silent = reading.ignored(asked=False) or (named == "claude" != told.agent and _calls_again(told, common))
    answer = hook.silence(told) if silent else _ANSWERS[happened](told, common)
    if answer is not None:
        streams.say(json.dumps(answer))
    return 0


def _session_start(told: hook.Call, common: Common) -> hook.Answer | None:
    from memdir_cli.operations.context import context

    answer = context(_opened(told, common), hook.CONTEXT, verb=f"hook session-start --agent {told.agent}")
    for sentence in answer.remarks:
        streams.remark(f"warning: {printable(sentence)}")
    return hook.context(told, answer.text if answer.briefing.items or answer.briefing.left_out else "")


def _prompt(told: hook.Call, common: Common) -> hook.Answer | None:
    from memdir_cli.operations.hook import witness

    missed = witness(_opened(told, common), told) if told.prompt else "no prompt was told"
    if missed and not common.quiet:
        streams.remark(f"The prompt was not kept: {missed}.")
    return hook.silence(told)


def _post_tool(told: hook.Call, common: Common) -> hook.Answer | None:
    from memdir_cli.operations.refresh import refresh

    if not hook.may_change(told.tool):
        return hook.silence(told)
    workplace = _opened(told, common)
    if told.paths and not any(_concerns(workplace, path) for path in told.paths):
        return hook.silence(told)
    changed = refresh(workplace).changed
    moved = ", ".join(f"{one.record.memory.id} is {one.after or 'dropped'}" for one in changed[:10])
    more = f" and {len(changed) - 10} more" if len(changed) > 10 else ""
    note = f"memdir looked again after this change: {moved}{more}. `memdir show ID` tells why."
    return hook.context(told, note if changed else "")


def _stop(told: hook.Call, common: Common) -> hook.Answer | None:
    from memdir_cli.operations.hook import proposed

    count = 0 if told.again or told.sub_agent else proposed(_opened(told, common), told)
    waits = "1 memory proposed in this turn waits" if count == 1 else f"{count} memories proposed in this turn wait"
    return hook.reminder(told, f"memdir: {waits} for you; see `memdir list --status candidate`" if count else "")


_ANSWERS = {"session-start": _session_start, "prompt": _prompt, "post-tool": _post_tool, "stop": _stop}


def _given() -> dict[str, object]:
    """The object on stdin; nothing where there is none. Nobody is waited for at a terminal."""
    data = b""
    for part in () if sys.stdin.isatty() else streams.arriving(SILENCE):
        data += part
        # a whole piece has more behind it
        ended = len(part) < streams.PIECE and data.rstrip().endswith(b"}")
        if len(data) > LIMIT or (ended and row(data.decode("utf-8-sig", "replace")) is not None):
            break
    given = row(data.decode("utf-8-sig", "replace")) if len(data) <= LIMIT else None
    if given is None and data.strip():
        streams.remark("What came on stdin is no JSON object; it is passed over.")
    return given or {}


def _opened(told: hook.Call, common: Common) -> Workplace:
    """The workplace of the event: session and directory that it tells go before those of the environment."""
    from memdir_cli.probes.caller import is_id

    known = {"MEMDIR_SESSION": told.session} if told.session and is_id(told.session) else {}
    cwd = told.cwd if os.path.isabs(told.cwd) and os.path.isdir(told.cwd) else ""
    return opening.open_at(common, cwd, {**os.environ, **known}, lock_timeout=common.lock_timeout or PATIENCE)


def _calls_again(told: hook.Call, common: Common) -> bool:
    from memdir_cli.operations.hook import calls_again

    return calls_again(_opened(told, common), told)


def _concerns(workplace: Workplace, path: str) -> bool:
    """Whether a changed file may matter to a memory: it lies in the project, or in a memdir."""
    from memdir_cli.probes.workspace import is_within

    real = os.path.realpath(os.path.join(workplace.cwd, path))
    roots = (workplace.root, *(store.root for store in workplace.stores))
    return any(root and is_within(real, os.path.realpath(root)) for root in roots)
