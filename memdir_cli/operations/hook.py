"""hook: what memdir keeps and tells by itself when an agent's hook calls it. What a hook reads are other verbs."""

from __future__ import annotations

from memdir_cli.domain import agent_settings, times, utterance
from memdir_cli.domain.hook import Call
from memdir_cli.domain.prompt import CHARACTERS, Prompt
from memdir_cli.domain.secrets import masked
from memdir_cli.domain.source import label
from memdir_cli.errors import MemdirError
from memdir_cli.operations import fitting, founding
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes import caller
from memdir_cli.storage import layout, prompts


def witness(workplace: Workplace, told: Call) -> str:
    """Keep a prompt as proof of the user's words; what an agent adds, and secrets in it, are not kept.

    :returns: why it was not kept, a clause; ``""`` if it was.
    :raises FaultError: if it cannot be written.
    """
    if told.sub_agent:
        return "no user speaks to a sub-agent"
    led = caller.led(workplace.environ)
    if led:
        return led
    text = masked(told.prompt[:CHARACTERS])
    if not utterance.own(text):
        return "nothing in it is the user's own"
    store = founding.found_user_memdir(workplace)
    now = workplace.runtime.now
    root = workplace.root or workplace.cwd
    prompts.let_go(store.root, store.config.retention["prompts"], now)
    prompts.note(store.root, Prompt(text, told.session, told.turn, root, now))
    return ""


def proposed(workplace: Workplace, told: Call) -> int:
    """How many candidates wait that this session has proposed since the user's last prompt."""
    if not told.session:
        return 0
    since = _last_prompt(workplace, told.session)
    refs = {f"session:{name}" for name in (told.session, label(told.session))}
    waiting = [record.memory for store in workplace.stores for record in store.snapshot((layout.INBOX,)).records]
    return sum(
        memory.status == "candidate"
        and times.order(memory.created_at) >= since
        and any(source.ref.partition("/")[0] in refs for source in memory.source)
        for memory in waiting
    )


def calls_again(workplace: Workplace, told: Call) -> bool:
    """Whether the agent's own settings in this project have it call memdir at the event as well.

    Then what it calls by the settings of another agent needs no answer: it would be told everything twice.
    """
    try:
        top, path = fitting.placed(workplace, agent_settings.SETTINGS[told.agent].path)
        content = fitting.content(path, top) or b""
    except MemdirError:
        return False
    return agent_settings.names(told.agent, told.event, content.decode("utf-8", "replace"))


def _last_prompt(workplace: Workplace, session: str) -> int:
    """When the user last typed in a session, in seconds since 1970; long ago where nobody saw it."""
    if workplace.user is None:
        return times.order("")
    kept_for, now = workplace.user.config.retention["prompts"], workplace.runtime.now
    last = next(prompts.kept(workplace.user.root, session, kept_for, now), None)
    return times.order(last.at if last is not None else "")
