"""What an agent's hooks call: JSON on stdin, at most one JSON object on stdout, in the words of that agent.

Whatever fails is said on stderr; the exit status is 0 all the same, for a memory must never cost the user a prompt.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from memdir_cli.cli import again, reading, streams, words
from memdir_cli.cli.request import Common
from memdir_cli.domain import hook
from memdir_cli.domain.rows import row
from memdir_cli.domain.text import printable
from memdir_cli.probes.variables import is_id

if TYPE_CHECKING:
    from memdir_cli.operations.workplace import Workplace
    from memdir_cli.probes.git import Heard

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
    if happened == "session-start" and not silent:
        return _session_start(told, common)
    answer = hook.silence(told) if silent else _ANSWERS[happened](told, common)
    if answer is not None:
        streams.say(json.dumps(answer))
    return 0


def _session_start(told: hook.Call, common: Common) -> int:
    """Give the context, the one that was given before where all stands as it stood."""
    cwd, environ = _told(told)
    call = again.given({"agent": told.agent, "cwd": cwd}, common)
    status = again.repeated("hook", call, cwd, environ)
    if status is not None:
        return status
    from memdir_cli.operations.context import context

    answering = again.Answering("hook", call, common, cwd=cwd, environ=environ)
    workplace = _opened(told, common, answering.heard)
    verb = f"hook session-start --agent {told.agent}"
    answer = context(workplace, hook.CONTEXT, verb=verb, verdicts=answering.looks(workplace))
    given = answer.text if answer.briefing.items or answer.briefing.left_out else ""
    said = hook.context(told, given)
    warned = [f"warning: {printable(sentence)}" for sentence in answer.remarks]
    return answering.say(workplace, 0, "" if said is None else f"{json.dumps(said)}\n", warned)


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


_ANSWERS = {"prompt": _prompt, "post-tool": _post_tool, "stop": _stop}


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


def _opened(told: hook.Call, common: Common, heard: Heard | None = None) -> Workplace:
    """The workplace of the event."""
    from memdir_cli.cli import opening

    cwd, environ = _told(told)
    return opening.open_at(common, cwd, environ, lock_timeout=common.lock_timeout or PATIENCE, heard=heard)


def _told(told: hook.Call) -> tuple[str, dict[str, str]]:
    """Directory (``""``: here) and environment of the event: what it tells goes before those of this process."""
    known = {"MEMDIR_SESSION": told.session} if told.session and is_id(told.session) else {}
    cwd = told.cwd if os.path.isabs(told.cwd) and os.path.isdir(told.cwd) else ""
    return cwd, {**os.environ, **known}


def _calls_again(told: hook.Call, common: Common) -> bool:
    from memdir_cli.operations.hook import calls_again

    return calls_again(_opened(told, common), told)


def _concerns(workplace: Workplace, path: str) -> bool:
    """Whether a changed file may matter to a memory: it lies in the project, or in a memdir."""
    from memdir_cli.probes.workspace import is_within

    real = os.path.realpath(os.path.join(workplace.cwd, path))
    roots = (workplace.root, *(store.root for store in workplace.stores))
    return any(root and is_within(real, os.path.realpath(root)) for root in roots)
