"""Who is believed, what each may state, and what needs a user's word."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from memdir_cli.domain.gate import (
    GatePolicy,
    Refusal,
    Speaker,
    admit,
    hear,
    may_set_policy,
    needs_word,
    policy_record,
)
from memdir_cli.domain.memory import TYPES, Type
from memdir_cli.domain.scope import LEVELS, Level
from memdir_cli.domain.source import KINDS, PROVEN, Attestation, Authority, Kind
from memdir_cli.domain.statement import Provenance

STRICT, LENIENT = GatePolicy(), GatePolicy(claims_accepted=True)
WORTH: dict[Kind, Authority] = {
    "file": "observed", "tool": "observed", "agent": "inferred", "url": "inferred", "import": "inferred",
}  # fmt: skip


def heard(policy: GatePolicy = STRICT, proof: Attestation | None = None, **provenance: object) -> Speaker:
    speaker = hear(Provenance(**provenance), policy, proof=proof)  # type: ignore[arg-type]
    assert isinstance(speaker, Speaker)
    return speaker


def test_off_a_terminal_nobody_named_is_an_agent() -> None:
    assert heard() == Speaker("agent", "none", "inferred", believed=False, said="")
    assert heard(LENIENT, said="use pnpm").kind == "agent", "words alone make nobody a user"


def test_at_a_terminal_nobody_named_is_the_user_and_what_was_typed_is_the_words() -> None:
    typed = "memdir remember package_manager pnpm --scope user"
    assert heard(terminal=True, command_line=typed) == Speaker("user", "tty", "user", believed=True, said=typed)
    assert heard(terminal=True, command_line=typed, said="pnpm from now on").said == "pnpm from now on"


def test_at_a_terminal_another_kind_may_be_named() -> None:
    assert heard(terminal=True, kind="agent").believed is False


@pytest.mark.parametrize("said", ["", " ", "\n\t"])
@pytest.mark.parametrize("policy", [STRICT, LENIENT])
def test_a_user_without_words_is_refused_off_a_terminal(said: str, policy: GatePolicy) -> None:
    refusal = hear(Provenance(kind="user", said=said, session="s1", message="m1"), policy)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "words-missing"
    assert "--said" in refusal.hint


def test_unproven_words_of_a_user_are_a_claim_worth_no_more_than_a_label() -> None:
    claim = heard(kind="user", said="use pnpm", session="s1", message="m1")
    assert claim == Speaker("user", "claimed", "inferred", believed=False, said="use pnpm")


def test_claims_count_where_they_are_accepted_but_stay_claims() -> None:
    claim = heard(LENIENT, kind="user", said="use pnpm")
    assert claim == Speaker("user", "claimed", "user", believed=True, said="use pnpm")


@pytest.mark.parametrize("policy", [STRICT, LENIENT])
@pytest.mark.parametrize("proof", ["hook", "transcript"])
def test_proven_words_are_believed_everywhere(policy: GatePolicy, proof: Attestation) -> None:
    speaker = heard(policy, proof, kind="user", said="use pnpm")
    assert speaker == Speaker("user", proof, "user", believed=True, said="use pnpm")
    assert speaker.attested in PROVEN


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "user"])
@pytest.mark.parametrize("policy", [STRICT, LENIENT])
@pytest.mark.parametrize("proof", [None, "transcript"])
def test_no_other_source_is_ever_believed(kind: Kind, policy: GatePolicy, proof: Attestation | None) -> None:
    assert heard(policy, proof, kind=kind, said="words") == Speaker(kind, "none", WORTH[kind], False, "words")


USER = Speaker("user", "tty", "user", believed=True, said="x")
CLAIM = Speaker("user", "claimed", "inferred", believed=False, said="x")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_only_a_user_may_instruct_everywhere(level: Level, type_: Type, kind: Kind) -> None:
    speaker = USER if kind == "user" else Speaker(kind, "none", WORTH[kind], believed=False, said="x")
    refusal = admit(speaker, STRICT, level=level, type_=type_, wants_policy=False, user="42")
    instructs = type_ in {"preference", "project-rule", "decision"}
    if level == "user" and instructs and kind != "user":
        assert refusal is not None
        assert refusal.reason == "user-level"
        assert refusal.hint
    else:
        assert refusal is None


@pytest.mark.parametrize(
    ("speaker", "user", "setters", "may"),
    [
        (USER, "42", {"42"}, True),
        (USER, "42", {"user:42"}, True),
        (USER, "42", {"7"}, False),
        (USER, "42", set(), False),
        (USER, None, {"42"}, False),
        (USER, None, {"user:None"}, False),
        (CLAIM, "42", {"42"}, False),
        (Speaker("agent", "none", "inferred", believed=False, said=""), "42", {"42"}, False),
    ],
)
def test_policy_is_for_the_setters_alone(speaker: Speaker, user: str | None, setters: set[str], *, may: bool) -> None:
    policy = GatePolicy(setters=frozenset(setters))
    assert may_set_policy(speaker, policy, user) is may
    refusal = admit(speaker, policy, level="repository", type_="project-rule", wants_policy=True, user=user)
    assert (refusal is None) is may
    assert may or (refusal is not None and refusal.reason == "policy-setter")


@pytest.mark.parametrize("field", ["said", "session", "message"])
@pytest.mark.parametrize("kind", KINDS)
def test_hidden_characters_in_a_provenance_are_refused_from_everyone(field: str, kind: Kind) -> None:
    given: dict[str, Any] = {"said": "use npm", field: "use\u202e npm"}
    refusal = hear(Provenance(kind=kind, **given), LENIENT, proof="transcript")
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "hidden-characters"


def test_who_may_not_replace_a_policy_hears_of_which_and_what_to_do() -> None:
    refusal = policy_record("package_manager")
    assert refusal.reason == "policy-record"
    assert "`package_manager`" in refusal.message
    assert refusal.hint == "have one of them say it, or state an exception with a narrower scope"


@pytest.mark.parametrize("verb", ["correct", "confirm", "settle"])
def test_a_verb_that_moves_by_a_users_word_tells_what_is_missing(verb: str) -> None:
    assert needs_word(USER, verb) is None
    unproven = needs_word(CLAIM, verb)
    assert unproven is not None
    assert unproven.reason == "unproven"
    assert f"memdir {verb}" in unproven.hint
    for kind in set(get_args(Kind)) - {"user"}:
        missing = needs_word(Speaker(kind, "none", WORTH[kind], believed=False, said="x"), verb)
        assert missing is not None
        assert missing.reason == "user-word-needed"
        assert verb in missing.message
