"""Attesting: who speaks, with whatever proof there is that the words are the user's.

Words that an agent passes on are looked for where only the user could have put them: in the prompts that memdir has
witnessed itself, and in the transcript of the session. What is found also says in which message they stand.
"""

from __future__ import annotations

import os

from memdir_cli.domain import gate, utterance
from memdir_cli.domain.answer import Caution
from memdir_cli.domain.gate import Refusal, Speaker
from memdir_cli.domain.source import Attestation, Kind
from memdir_cli.domain.statement import Provenance
from memdir_cli.domain.text import printable
from memdir_cli.operations import sourcing
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes import git, transcripts
from memdir_cli.probes.transcripts import Found, Sought
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage import prompts


@dataclass(frozen=True, slots=True)
class Heard:
    """Who speaks.

    :ivar provenance: with the session and the message in which the words were found.
    :ivar cautions: why there is no proof although there might have been one.
    """

    speaker: Speaker
    provenance: Provenance
    cautions: tuple[Caution, ...] = ()

    @property
    def actor(self) -> Kind:
        """Who acts, for the receipt of what needs nobody's word: an unproven user is the agent that claims him."""
        speaker = self.speaker
        return "agent" if speaker.kind == "user" and not speaker.believed else speaker.kind


@dataclass(frozen=True, slots=True)
class _Proof:
    attested: Attestation | None = None
    message: str = ""
    session: str = ""
    cautions: tuple[Caution, ...] = ()


def hear(workplace: Workplace, provenance: Provenance) -> Heard | Refusal:
    """Decide who speaks; for words passed on as the user's, look for the proof."""
    speaker = gate.hear(provenance, workplace.gate_policy)
    if isinstance(speaker, Refusal):
        return speaker
    if speaker.attested != "claimed":
        return Heard(speaker, provenance)
    proof = _proof(workplace, provenance)
    if proof.attested is None:
        # where claims are accepted nobody waits for a proof, unless it was offered
        asked = () if speaker.believed and not provenance.transcript else proof.cautions
        return Heard(speaker, provenance, asked if speaker.believed else (*asked, *_unnamed(workplace, provenance)))
    believed = gate.hear(provenance, workplace.gate_policy, proof=proof.attested)
    if isinstance(believed, Refusal):
        return believed
    found = replace(
        provenance,
        session=sourcing.session_of(workplace, provenance) or proof.session,
        message=sourcing.message_of(workplace, provenance) or proof.message,
    )
    return Heard(believed, found, proof.cautions)


def _proof(workplace: Workplace, provenance: Provenance) -> _Proof:
    """What proves words that are passed on, or why nothing does."""
    named = sourcing.message_of(workplace, provenance)
    if not utterance.telling(provenance.said) and not named:
        return _Proof(cautions=(_SHORT,))
    return _of_prompts(workplace, provenance) or _of_transcripts(workplace, provenance, Sought(provenance.said, named))


def _of_prompts(workplace: Workplace, provenance: Provenance) -> _Proof | None:
    """The proof among the prompts of the session that memdir witnessed; without a session, of this project."""
    user, now = workplace.user, workplace.runtime.now
    if user is None or not utterance.telling(provenance.said):
        return None
    kept_for = user.config.retention["prompts"]
    session = sourcing.session_of(workplace, provenance) or None
    prompts.let_go(user.root, kept_for, now)
    for prompt in prompts.kept(user.root, session, kept_for, now):
        here = session is not None or prompt.root == (workplace.root or workplace.cwd)
        if here and utterance.standing(provenance.said, prompt.text) == "own":
            return _Proof("hook", prompt.turn, prompt.session)
    return None


def _of_transcripts(workplace: Workplace, provenance: Provenance, sought: Sought) -> _Proof:
    if provenance.transcript:
        path = os.path.join(workplace.cwd, provenance.transcript)
        where = _within_project(workplace, path)
        if where == "shipped":
            return _Proof(cautions=(_shipped(provenance.transcript),))
        cautions = (_in_project(provenance.transcript),) if where == "written" else ()
        return _weighed([transcripts.search(path, sought)], sought, cautions)
    session = sourcing.session_of(workplace, provenance)
    found: list[Found] = []
    for path in transcripts.of_session(session, workplace.environ):
        found.append(transcripts.search(path, sought))
        if found[-1].verdict == "own":
            break
    return _weighed(found, sought)


def _weighed(found: list[Found], sought: Sought, cautions: tuple[Caution, ...] = ()) -> _Proof:
    """The proof among what was found, else the caution that says most."""
    for verdict in ("own", *_CAUTIONS):
        for one in found:
            if one.verdict == "own" == verdict:
                return _Proof("transcript", one.message, one.session, cautions)
            if one.verdict == verdict:
                code, words = _CAUTIONS[verdict]
                message = words.format(reason=one.reason, message=printable(sought.message))
                return _Proof(cautions=(Caution(code, message),))
    return _Proof()


_SHORT = Caution("words-short", "So few words are said in every conversation; they prove nothing and stay a claim.")

#: By verdict, the one that says most first: a code and a sentence.
_CAUTIONS = {
    "other-message": (
        "words-elsewhere",
        "In the transcript the words stand in another message than `{message}`, so they stay a claim.",
    ),
    "quoted": (
        "words-quoted",
        "In the transcript the user only quotes them (a quotation, code, mail, pasted text), so they stay a claim.",
    ),
    "unreadable": ("transcript-unread", "{reason} The words stay a claim."),
    "absent": (
        "words-absent",
        "In the transcript the words stand in no message of the user, exactly as passed, so they stay a claim.",
    ),
}


def _within_project(workplace: Workplace, path: str) -> str:
    """Whether a file lies outside the project (``""``), came with it (``shipped``), or was written here."""
    root, real = os.path.realpath(workplace.root), os.path.realpath(path)
    if not workplace.root or not is_within(real, root) or not os.path.lexists(path):
        return ""
    inside = os.path.relpath(real, root)
    listed = git.ask(root, workplace.environ, "ls-files", "--others", "--exclude-standard", "--", inside)
    return "written" if workplace.checkout is None or listed.text else "shipped"


def _shipped(path: str) -> Caution:
    message = f"`{printable(path)}` belongs to the project, whose authors wrote it; it says nothing of this user."
    return Caution("transcript-unread", f"{message} The words stay a claim.")


def _in_project(path: str) -> Caution:
    message = f"`{printable(path)}` lies in the project, where an agent may write it; its own folder proves more."
    return Caution("transcript-in-project", message)


def _unnamed(workplace: Workplace, provenance: Provenance) -> tuple[Caution, ...]:
    if sourcing.message_of(workplace, provenance):
        return ()
    message = "No message is named in which the words could be looked up; pass `--session ID --message ID`."
    return (Caution("message-missing", message),)
