"""config.yaml: what is read, what is refused, and that a person's comments survive."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.domain.gate import GatePolicy
from memdir_cli.errors import FaultError, UsageError
from memdir_cli.storage.config import (
    Config,
    edit_config,
    gate_policy,
    new_project_config,
    new_user_config,
    read_config,
)


def read(tmp_path: Path, content: bytes | str) -> Config:
    (tmp_path / "config.yaml").write_bytes(content.encode() if isinstance(content, str) else content)
    return read_config(str(tmp_path))


def test_a_memdir_without_settings_has_defaults(tmp_path: Path) -> None:
    assert read_config(str(tmp_path)) == Config()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, new_project_config("github.com/acme/app", "abc123")) == Config(
        repository="github.com/acme/app", key="abc123"
    )
    assert read(tmp_path, new_user_config("u1", "0755")) == Config(user="u1", key="0755")


@pytest.mark.parametrize("repository", ["local:no", "0755", "a: b", "x # y", "yes", "- x", "ünï"])
def test_any_id_is_read_as_it_was_written(tmp_path: Path, repository: str) -> None:
    assert read(tmp_path, new_project_config(repository, "k")).repository == repository


@pytest.mark.parametrize(
    "content",
    [
        "gate: {attestation: claimed}\n",
        "gate:\n  attestation: claimed\n",
        "gate:\r\n  attestation: claimed # for my own machine\r\n",
        b"\xef\xbb\xbfgate:\n  attestation: 'claimed'\n",
        '# mine\n\ngate: {"attestation": "claimed"}',
    ],
)
def test_the_gate_may_stand_alone_in_any_form(tmp_path: Path, content: bytes | str) -> None:
    assert read(tmp_path, content) == Config(attestation="claimed")


@pytest.mark.parametrize(
    ("content", "setters"),
    [
        ("policy: {setters: [u1, user:u2]}\n", {"u1", "user:u2"}),
        ("policy:\n  setters:\n    - u1\n    - 42\n", {"u1", "42"}),
        ("policy:\n  setters: u1\n", {"u1"}),
        ("policy:\n  setters: []\n", set()),
        ("policy:\n", set()),
    ],
)
def test_setters_are_a_list_of_ids(tmp_path: Path, content: str, setters: set[str]) -> None:
    assert read(tmp_path, content).setters == setters


@pytest.mark.parametrize(
    ("content", "limits"),
    [
        ("ageLimits: {fact: 90d, decision: 400d}\n", {"fact": "90d", "decision": "400d"}),
        ("ageLimits:\n  fact: 90d # they change\n", {"fact": "90d"}),
        ("ageLimits:\n", {}),
    ],
)
def test_age_limits_are_spans_by_type(tmp_path: Path, content: str, limits: dict[str, str]) -> None:
    assert read(tmp_path, content) == Config(age_limits=limits)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("gate: {attestation: always}\n", "config-unreadable"),
        ("gate: proven\n", "config-unreadable"),
        ("gate: [attestation, proven]\n", "config-unreadable"),
        ("gate: {attestation: [proven]}\n", "config-unreadable"),
        ("gate: {atestation: proven}\n", "config-unreadable"),
        ("policy: none\n", "config-unreadable"),
        ("policy: {setter: u1}\n", "config-unreadable"),
        ("retention: no\n", "config-unreadable"),
        ("ageLimits: [fact]\n", "config-unreadable"),
        ("check: M3\n", "config-unreadable"),
        ("format: [1]\n", "config-unreadable"),
        ("key: {a: b}\n", "config-unreadable"),
        ("gate:\n\tattestation: claimed\n", "config-unreadable"),
        ("- a list\n", "config-unreadable"),
        ("key: a\nkey: b\n", "config-unreadable"),
        ("a: &x 1\nb: *x\n", "config-unreadable"),
        (b"key: \xff\n", "config-unreadable"),
        ("format: 2\n", "format-unknown"),
        ("format: '99.1'\n", "format-unknown"),
    ],
)
def test_settings_that_cannot_be_understood_are_a_fault_and_never_defaults(
    tmp_path: Path, content: bytes | str, code: str
) -> None:
    with pytest.raises(FaultError) as fault:
        read(tmp_path, content)
    assert fault.value.code == code
    assert fault.value.hint


def test_a_later_minor_format_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, "format: '1.7'\nnovelty: x\n").format == "1.7"


CLAIMED, PROVEN, SILENT = Config(attestation="claimed"), Config(attestation="proven"), Config()


@pytest.mark.parametrize(
    ("user", "project", "accepted"),
    [
        (None, None, False),
        (SILENT, SILENT, False),
        (CLAIMED, None, True),
        (CLAIMED, SILENT, True),
        # a project may only be stricter
        (CLAIMED, PROVEN, False),
        (CLAIMED, CLAIMED, True),
        (SILENT, CLAIMED, False),
        (PROVEN, CLAIMED, False),
        (None, CLAIMED, False),
    ],
)
def test_only_the_user_accepts_claims_and_a_project_may_forbid_them(
    user: Config | None, project: Config | None, *, accepted: bool
) -> None:
    assert gate_policy(user, project).claims_accepted is accepted


def test_setters_of_both_count() -> None:
    u1, u2 = Config(setters=frozenset({"u1"})), Config(setters=frozenset({"u2"}))
    assert gate_policy(u1, u2) == GatePolicy(setters=frozenset({"u1", "u2"}))


def test_an_edit_touches_its_own_line_only(tmp_path: Path) -> None:
    old = b'# ours\r\nformat: "1" # keep\r\n\r\nrepository: old # from git\r\nretention: {history: 90d}\r\n'
    new = edit_config(old, {"repository": "github.com/acme/new"})
    assert new == old.replace(b"repository: old #", b"repository: github.com/acme/new #")
    assert read(tmp_path, new).repository == "github.com/acme/new"


def test_an_edit_adds_what_is_missing_and_keeps_the_rest(tmp_path: Path) -> None:
    old = b"gate: {attestation: claimed} # mine"
    new = edit_config(old, {"format": "1", "user": "u1", "key": "k"})
    assert old in new
    assert read(tmp_path, new) == Config(user="u1", key="k", attestation="claimed")


def test_setting_what_stands_changes_nothing() -> None:
    content = new_project_config("r", "k")
    assert edit_config(content, {"repository": "r", "format": "1"}) == content


def test_a_file_that_cannot_be_read_is_not_edited() -> None:
    with pytest.raises(UsageError):
        edit_config(b"key: a\nkey: b\n", {"key": "c"})
