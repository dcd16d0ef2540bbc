"""An incident as a report in Markdown. Ids, times and numbers; no text of any memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memdir_cli.domain.incident import LOWER_BOUND, Affected, Derived, Exported, Followed, Incident
from memdir_cli.domain.markdown import plain

_RELATIONS = {
    "supersedes": "replaced it",
    "superseded-by": "was replaced by it",
    "rival": "contradicts it",
    "mentions": "mentions it",
    "same-source": "comes from the same source",
}


def report(incident: Incident) -> str:
    """The report, without a final line break."""
    return "\n".join(_lines(incident))


def _lines(incident: Incident) -> Iterator[str]:
    asked = f"@{incident.revision}" if incident.revision else ""
    yield f"# Incident report: memory {plain(incident.id)}{asked}"
    yield ""
    yield f"{_standing(incident)} As of {incident.now}."
    yield ""
    yield f"{_spread(incident)} {LOWER_BOUND}"
    if incident.affected:
        yield from ("", "## Who was shown it", "", *_sessions(incident))
    if incident.derived:
        yield from ("", "## What has to do with it", "", *map(_derived, incident.derived))
    if incident.exports:
        yield from ("", "## Where it was exported to", "", *map(_exported, incident.exports))
    if incident.happened:
        yield from ("", "## What happened to it", "")
        for one in incident.happened:
            asked_by = f", asked by {plain(one.actor)}" if one.actor else ""
            yield f"- {one.at} {plain(one.kind)}: revision {one.revision}, {plain(one.status)}{asked_by}"
    yield from ("", "## What to do", "", *_steps(incident))


def _standing(incident: Incident) -> str:
    if not incident.status:
        return "No file of it is left."
    where = " and ".join(incident.memdirs)
    sources = f" Sources: {_numbers(incident.sources)}." if incident.sources else ""
    return f"It is {incident.status}, at level {incident.level}, in the {where} memdir.{sources}"


def _spread(incident: Incident) -> str:
    counts = incident.counts
    if not counts["reads"]:
        since = f" since {incident.since}" if incident.since else ""
        return f"No read in the log{since} gave it away."
    numbers = f"reads {counts['reads']}, sessions {counts['sessions']}, tasks {counts['tasks']}"
    return f"It was given away: {numbers}; the log begins {incident.since}."


def _sessions(incident: Incident) -> Iterator[str]:
    yield "| session | tasks | commands | revisions | first | last | done after that |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for one in incident.affected:
        cells = (
            one.session or "(not known)",
            ", ".join(one.tasks) or "-",
            _numbers(one.verbs),
            ", ".join(map(str, one.revisions)),
            one.first,
            one.last,
            _done(one, looked=incident.looked),
        )
        yield f"| {' | '.join(plain(cell).replace('|', '/') for cell in cells)} |"


def _done(one: Affected, *, looked: bool) -> str:
    if one.followed is None:
        return "no transcript" if looked else "not looked for"
    return _followed(one.followed)


def _followed(followed: Followed) -> str:
    if not followed.tools:
        return "no calls"
    risks = f"; **{_numbers(followed.risks)}**" if followed.risks else ""
    return f"{_numbers(followed.tools)}{risks}"


def _derived(one: Derived) -> str:
    return f"- {plain(one.id)}@{one.revision} {_RELATIONS[one.relation]} ({one.status}, {one.memdir} memdir)"


def _exported(one: Exported) -> str:
    return f"- {plain(one.path)} ({one.form}, from the {one.memdir} memdir)"


def _steps(incident: Incident) -> Iterator[str]:
    memory_id = plain(incident.id)
    if incident.status not in {"", "quarantined"}:
        yield f"- If it is poison: `memdir quarantine {memory_id} --reason WHY`, which stops it at once."
    if incident.affected and not incident.looked:
        yield f"- `memdir trace {memory_id} --transcripts DIR` tells what those sessions did then."
    if incident.affected:
        yield "- Look again at what those sessions decided and changed; the marked calls first."
    yield f"- `memdir show {memory_id}` shows it." if incident.status else "- `memdir log` tells when it went away."


def _numbers(found: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in found.items())
