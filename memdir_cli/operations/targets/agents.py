"""Agents: hooks in their settings, and a text that tells them when to remember and when to ask."""

from __future__ import annotations

import os
import shutil

from memdir_cli.domain.agent_settings import SETTINGS, Settings, elements
from memdir_cli.domain.hook import AGENTS, Agent
from memdir_cli.domain.installing import Edit
from memdir_cli.domain.teaching import TAUGHT, Block, Page
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError
from memdir_cli.operations import fitting
from memdir_cli.operations.workplace import Workplace
from memdir_cli.storage import json_hooks, signed_block
from memdir_cli.storage.json_spans import NoJsonError
from memdir_cli.storage.signed_block import BOM, INSTRUCTIONS

#: What a person should know of an agent, once something was put in.
_REMARKS = {
    "codex": (
        "Codex runs a new hook only after you have trusted it, with `/hooks`; earlier versions also need "
        "`codex_hooks = true` under `[features]` in its config.toml."
    ),
    "gemini": "Gemini CLI asks before it runs the hooks of a project for the first time.",
}

Planned = tuple[tuple[Edit, ...], tuple[str, ...]]


def plan(workplace: Workplace, target: str, *, remove: bool) -> Planned:
    """The edits of the agent's settings and of the text for it."""
    agent = next((one for one in AGENTS if one == target), None)
    parts = [_settings(workplace, agent, remove=remove)] if agent is not None else []
    taught = TAUGHT[target]
    if isinstance(taught, Page):
        parts.append(_page(workplace, target, taught, remove=remove))
    else:
        parts.append(_block(workplace, target, taught, remove=remove))
    edits = tuple(edit for edit, _ in parts if edit.before != edit.after)
    remarks = tuple(remark for _, told in parts for remark in told)
    return edits, (*remarks, *(_advice(workplace, target, edits) if edits and not remove else ()))


def carry_out(workplace: Workplace, target: str, edit: Edit, *, remove: bool) -> None:  # noqa: ARG001 (a target's form)
    """Write one file, or take it away."""
    fitting.write(edit)


def _settings(workplace: Workplace, agent: Agent, *, remove: bool) -> tuple[Edit, list[str]]:
    settings = SETTINGS[agent]
    wanted = json_hooks.Wanted(elements(agent), settings.beside, comments=settings.comments)
    top, path = fitting.placed(workplace, settings.path)
    before = fitting.content(path, top)
    if before is None and remove:
        return Edit(path, None, None, top), []
    mark, text = (BOM, (before or b"")[len(BOM) :]) if (before or b"").startswith(BOM) else (b"", before)
    try:
        given = None if text is None else text.decode()
        fitted = json_hooks.without_hooks(given or "", wanted) if remove else json_hooks.with_hooks(given, wanted)
        lacking = json_hooks.missing(fitted.text, wanted) if fitted.text is not None and not remove else ()
    except (NoJsonError, UnicodeDecodeError) as error:
        raise _unreadable(settings, error) from error
    remarks = [f"`{printable(settings.path)}` has no `{key}`, without which it may be passed over." for key in lacking]
    if fitted.edited:
        was = "taken out with its changes" if remove else "left as it is"
        remarks.append(f"In `{settings.path}` somebody has changed the hook of {_listed(fitted.edited)}; it was {was}.")
    after = None if fitted.text is None else mark + fitted.text.encode()
    return Edit(path, before, after, top), remarks


def _page(workplace: Workplace, target: str, page: Page, *, remove: bool) -> tuple[Edit, list[str]]:
    """The edit of a file that is memdir's own; one that somebody has changed, or written, is left alone."""
    top, path = fitting.placed(workplace, page.path)
    before = fitting.content(path, top)
    unchanged = Edit(path, before, before, top)
    if before is not None and not signed_block.is_own_page(before):
        return unchanged, [f"`{page.path}` is not what memdir wrote, and was left alone."]
    if remove:
        return Edit(path, before, None, top), []
    after = signed_block.page(page.lines, target)
    # git may have given it other line ends
    return unchanged if before is not None and before.replace(b"\r\n", b"\n") == after else Edit(
        path, before, after, top
    ), []


def _block(workplace: Workplace, target: str, block: Block, *, remove: bool) -> tuple[Edit, list[str]]:
    """The edit of a block that other targets may want as well; it goes with the last of them."""
    top, path = fitting.placed(workplace, block.path)
    before = fitting.content(path, top)
    try:
        (before or b"").decode()
    except UnicodeDecodeError:
        raise FaultError(
            f"`{printable(block.path)}` is no UTF-8 text; it was left alone.",
            code="not-utf8",
            hint=f"save `{printable(block.path)}` as UTF-8",
        ) from None
    stands = signed_block.standing(before or b"", INSTRUCTIONS)
    owners = stands.owners if stands is not None else ()
    unchanged = Edit(path, before, before, top)
    if stands is not None and stands.edited:
        return unchanged, [f"Somebody has changed what memdir wrote into `{block.path}`; it was left as it is."]
    wanted = tuple(sorted({*owners, target} - ({target} if remove else set())))
    if remove and target not in owners:
        return unchanged, []
    if not wanted:
        return Edit(path, before, signed_block.without_signed(before or b"", INSTRUCTIONS), top), []
    at = signed_block.top(before or b"")
    return Edit(path, before, signed_block.with_signed(before, block.lines, INSTRUCTIONS, wanted, at), top), []


def _advice(workplace: Workplace, target: str, edits: tuple[Edit, ...]) -> list[str]:
    """What a person should do next."""
    paths = " ".join(os.path.relpath(edit.path, edit.top) for edit in edits)
    told = [f"Commit what everybody who works here is to have: `git add {printable(paths)}`."]
    if workplace.project is None:
        told.append("There is no memdir here yet: `memdir init` makes one.")
    if target in SETTINGS and shutil.which("memdir", path=workplace.environ.get("PATH")) is None:
        told.append("`memdir` is not found on PATH; until it is, the hooks fail, which costs nobody a prompt.")
    return [*told, *([_REMARKS[target]] if target in _REMARKS else [])]


def _unreadable(settings: Settings, error: NoJsonError | UnicodeDecodeError) -> FaultError:
    line = f" (line {error.line})" if isinstance(error, NoJsonError) else ""
    why = error.why if isinstance(error, NoJsonError) else "it is no UTF-8 text"
    return FaultError(
        f"`{printable(settings.path)}` cannot be read: {why}{line}. It was left alone.",
        code="unreadable-settings",
        hint=f"mend `{printable(settings.path)}`, then repeat the command",
    )


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
