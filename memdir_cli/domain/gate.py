"""Gate: what a statement may become, by who said it and what proves it (SPEC 3).

The gate looks at origin: a source that is not the user makes candidates only. What may not be written down
whoever says it, and what only the user may say, is judged by :mod:`memdir_cli.domain.screen`.
"""

from __future__ import annotations

from memdir_cli.domain.memory import Type
from memdir_cli.domain.scope import Level
from memdir_cli.domain.source import AUTHORITY_OF_KIND, Attestation, Authority, Kind
from memdir_cli.domain.statement import Provenance
from memdir_cli.shapes import dataclass

#: Types that tell an agent what to do; only a user may give them at user level.
INSTRUCTIONS: frozenset[Type] = frozenset({"preference", "project-rule", "decision"})


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """What the config files allow.

    :ivar claims_accepted: unproven words of the user count as the user's.
    :ivar setters: ids of the users who may give authority ``policy``.
    """

    claims_accepted: bool = False
    setters: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the gate says no, and the way forward."""

    reason: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who is taken to speak.

    :ivar believed: the words count as the user's, so they may verify, replace and settle.
    """

    kind: Kind
    attested: Attestation
    authority: Authority
    believed: bool
    said: str


def hear(provenance: Provenance, policy: GatePolicy, *, proof: Attestation | None = None) -> Speaker | Refusal:
    """Decide who speaks.

    :param proof: what was found to prove the words (``hook``, ``transcript``), ``None`` if nothing was.
    """
    # who only reads never hears anybody, and needs none of the tables
    from memdir_cli.domain import screen

    barred = screen.bar(screen.provenance_texts(provenance))
    if barred is not None:
        return barred
    kind: Kind = provenance.kind or ("user" if provenance.terminal else "agent")
    if kind != "user":
        return Speaker(kind, "none", AUTHORITY_OF_KIND[kind], believed=False, said=provenance.said)
    if provenance.terminal:
        said = provenance.said or provenance.command_line
        return Speaker("user", "tty", "user", believed=True, said=said)
    if not provenance.said.strip():
        return Refusal(
            "words-missing",
            "`--from user` needs the user's own words when nobody sits at the terminal.",
            "add `--said 'the words' --session ID --message ID`, or leave out `--from user`",
        )
    attested = proof or "claimed"
    believed = proof is not None or policy.claims_accepted
    return Speaker("user", attested, "user" if believed else "inferred", believed, provenance.said)


def admit(
    speaker: Speaker, policy: GatePolicy, *, level: Level, type_: Type, wants_policy: bool, user: str | None
) -> Refusal | None:
    """Refuse what this speaker may not state, whatever is remembered already.

    :param user: id of the runtime's user.
    """
    if level == "user" and speaker.kind != "user" and type_ in INSTRUCTIONS:
        return Refusal(
            "user-level",
            f"A source of kind `{speaker.kind}` may not set a {type_} for the user everywhere.",
            "ask the user, then pass `--from user --said 'their words'`; or use `--scope repository`",
        )
    if wants_policy and not may_set_policy(speaker, policy, user):
        return Refusal(
            "policy-setter",
            "Authority `policy` is kept for the users named in `policy.setters` of config.yaml.",
            "leave out `--authority policy`, or have one of them say it",
        )
    return None


def needs_word(speaker: Speaker, verb: str) -> Refusal | None:
    """Refuse a verb that only a user's word may move."""
    if speaker.kind != "user":
        return Refusal(
            "user-word-needed",
            f"`memdir {verb}` needs the user's word; a source of kind `{speaker.kind}` may not do it.",
            "ask the user, then pass `--from user --said 'their words' --session ID --message ID`",
        )
    if not speaker.believed:
        return Refusal("unproven", "Nothing proves that these are the user's words.", way_to_proof(verb))
    return None


def way_to_proof(verb: str) -> str:
    """How words become the user's: found in a message of the user, or said at a terminal by ``verb``."""
    return (
        "pass the user's exact words with `--session ID` (by which the transcript is found, and what a prompt hook "
        f"gave `memdir hook prompt`) or `--transcript FILE`; or the user types `memdir {verb}` at a terminal"
    )


def may_set_policy(speaker: Speaker, policy: GatePolicy, user: str | None) -> bool:
    """Whether the speaker is a believed user named in ``policy.setters``."""
    return speaker.believed and user is not None and bool({user, f"user:{user}"} & policy.setters)


def policy_record(key: str) -> Refusal:
    """Why a policy that stands may not be replaced or settled by this speaker."""
    return Refusal(
        "policy-record",
        f"`{key}` is policy; only a user named in `policy.setters` may replace it.",
        "have one of them say it, or state an exception with a narrower scope",
    )
