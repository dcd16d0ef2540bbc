"""Figures on what was taken out of use: quarantine, forgetting, refusals, the archive."""

from __future__ import annotations

from memdir_cli.domain.health.calendar import days_before
from memdir_cli.domain.health.facts import Facts, by_date
from memdir_cli.domain.health.figures import memories, number
from memdir_cli.domain.health.phrases import many
from memdir_cli.domain.health.replay import Name
from memdir_cli.domain.health.report import Figure, Section

#: Days of which nothing was heard of a memory, after which it may go to the archive.
COLD = 365

#: Why a write is refused that would bring back what was forgotten.
FORGOTTEN = "forgotten"

#: The rule of ``check`` for files of what was forgotten.
RETURNED = "forgotten-returned"

#: Reasons of refusals that have a figure of their own.
_SECRET, _HIDDEN = "secret", "hidden-characters"


def quarantine(facts: Facts) -> Section:
    """What was withdrawn because it may have been planted, and whom it reached before."""
    held = facts.status("quarantined")
    reached = sum(facts.reads.sessions.get(one.name, 0) for one in held)
    figures = (
        memories(
            "held", "held", held, severity="error" if reached else "warning",
            some="# [is|are] withheld: find out whom [it|they] reached, then `memdir release` or `memdir forget`.",
            none="Nothing is in quarantine.", command="memdir trace ID",
            note=lambda one: f"given in {many(facts.reads.sessions.get(one.name, 0), 'session')}",
            date=lambda one: one.since, overview="memdir list --status quarantined",
            before=facts.last_month.quarantined,
        ),
        number(
            "reached", "sessions that it reached", reached if facts.reads.since or not held else None, noun="session",
            severity="error", some="What is withheld had been given in # before: look at what they did with it.",
            none="No session is known to have been given any of it.",
            command=held[0].item(command="memdir trace ID").command if held else "memdir list --status quarantined",
        ),
        number(
            "incidents", "withdrawn this month", len(facts.events("quarantined")), noun="memory",
            unit="memories", some="# [was|were] withdrawn this month.", none="Nothing was withdrawn this month.",
            command="memdir log",
        ),
    )  # fmt: skip
    return Section("quarantine", "Quarantine", "What came from elsewhere and gives orders must reach nobody.", figures)


def forgets(facts: Facts) -> Section:
    """What was forgotten, and whether it tried to come back."""
    month, before = facts.this_month, facts.last_month
    returned = None
    if facts.fired is not None:
        returned = sum(one.count for one in facts.fired if one.name == RETURNED)
    figures = (
        number(
            "returned", "back in a file", returned, noun="memory", unit="memories", severity="error",
            some="# that was forgotten [lies|lie] in a file again; nobody is given it: `memdir repair` removes it.",
            none="Nothing that was forgotten lies in a file.", command="memdir check --select M732",
        ),
        number(
            "attempts", "attempts to come back", month.returns, noun="time", severity="warning",
            some="# something that was forgotten was to be written again, and was refused: find out who keeps it.",
            none="Nothing that was forgotten tried to come back.", command="memdir log", before=before.returns,
            rising=True,
        ),
        number(
            "month", "forgotten this month", month.forgotten, noun="memory", unit="memories",
            some="# [was|were] forgotten this month; clones and backups may still hold [it|them].",
            none="Nothing was forgotten this month.", command="memdir log", before=before.forgotten,
        ),
        number(
            "kept", "tombstones in all", None if facts.past else facts.tombstones, noun="tombstone",
            some="# [keeps|keep] what was forgotten from coming back.", none="Nothing was ever forgotten here.",
            command="memdir log",
        ),
    )  # fmt: skip
    return Section("forgets", "Forgotten", "What a person wanted gone has to stay gone.", figures)


def refusals(facts: Facts) -> Section:
    """What the gate kept out. The log of refusals is this machine's own."""
    month, before = facts.this_month, facts.last_month
    reasons = [one.reason for one in facts.refused if one.at[:7] == facts.month]
    other = sum(reason not in {_SECRET, _HIDDEN, FORGOTTEN} for reason in reasons)
    known = month.secrets is not None
    figures = (
        number(
            "secrets", "secrets kept out", month.secrets, noun="time", severity="warning", before=before.secrets,
            rising=True, some="# a write held a secret and was refused: whoever sent it has it in a log; replace it.",
            none="No secret was refused this month.", command="memdir check --select M501",
        ),
        _of_reason(_HIDDEN, "hiddenCharacters", "hidden characters kept out", reasons, known=known),
        number(
            "other", "other refusals", other if known else None, noun="write",
            some="# [was|were] refused for want of a user's word, or by policy.",
            none="Nothing else was refused this month.", command="memdir whoami",
        ),
    )  # fmt: skip
    return Section("refusals", "Refused", "What the gate kept out this month, on this machine.", figures)


def archive(facts: Facts) -> Section:
    """What lies cold, and what was put away."""
    cold = _cold(facts)
    figures = (
        memories(
            "candidates", "cold",
            None if cold is None else by_date(one for one in facts.known if one.current and one.name in cold),
            severity="info", overview=f"memdir archive --cold {COLD}d", command="memdir archive ID",
            some=f"Of # nothing was heard for {COLD} days, and nobody uses [it|them]: put away; `memdir restore` "
            "takes back.", none="Nothing is cold enough to put away.",
            note=lambda one: (cold or {}).get(one.name, ""),
        ),
        memories(
            "archived", "in the archive", facts.status("archived"), severity="info",
            some="# [lies|lie] in the archive, out of the way, not deleted.", none="The archive is empty.",
            command="memdir restore ID", overview="memdir list --status archived",
        ),
    )  # fmt: skip
    return Section("archive", "Archive", "What is put away costs nobody room, and can be restored.", figures)


def _of_reason(reason: str, name: str, label: str, reasons: list[str], *, known: bool) -> Figure:
    return number(
        name, label, reasons.count(reason) if known else None, noun="time", severity="warning",
        some="# a write held characters that show nothing, and was refused: look where the text came from.",
        none="No hidden characters were refused this month.", command="memdir check --select M502",
    )  # fmt: skip


def _cold(facts: Facts) -> dict[Name, str] | None:
    """Why each is cold; ``None`` where no log reaches back far enough to say that nobody was given it."""
    if facts.cold is None:
        return None
    start = days_before(facts.now, COLD)
    reaching = {layer for layer, since in facts.reads.since.items() if since <= start}
    found: dict[Name, str] = {
        (one.record.layer, one.record.memory.id): one.cold
        for one in facts.cold
        if one.cold != "unused" or one.record.layer in reaching
    }
    return found if found or reaching else None
