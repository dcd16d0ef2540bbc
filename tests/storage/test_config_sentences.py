"""What is said about settings that cannot be used, to the letter, and where they are to be mended."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.errors import FaultError
from memdir_cli.storage.config import read_config


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "only words",
            "The settings in `config.yaml` cannot be read: line 1: The header is not a mapping of keys to values.",
        ),
        ("key: [x]", "In `config.yaml`, `key` is not text."),
        ("gate: x", "In `config.yaml`, `gate` is not a mapping."),
        ("policy: {setter: x}", "In `config.yaml`, `policy` names `setter`; it may name setters."),
        ("gate: {attestation: [x]}", "In `config.yaml`, `gate.attestation` is not text."),
        (
            "gate: {attestation: none}",
            "In `config.yaml`, `gate.attestation` is `none`; it may be `proven` or `claimed`.",
        ),
        ("ageLimits: {rumour: 3d}", "In `config.yaml`, `ageLimits` names `rumour`, which is no type."),
        ("ageLimits: {fact: soon}", "In `config.yaml`, `ageLimits.fact` is `soon`; give a span such as `90d`."),
        (
            "retention: {candidates: soon}",
            "In `config.yaml`, `retention.candidates` is `soon`; give a span such as `30d`.",
        ),
    ],
)
def test_a_fault_in_settings_is_told_with_the_file_to_mend(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "config.yaml").write_text(f"{content}\n")
    with pytest.raises(FaultError) as caught:
        read_config(str(tmp_path))
    assert (caught.value.message, caught.value.code) == (message, "config-unreadable")
    assert caught.value.hint == f"mend `{tmp_path}/config.yaml` by hand"


@pytest.mark.parametrize("attestation", ["proven", "claimed"])
def test_the_gate_takes_what_it_says_it_takes(tmp_path: Path, attestation: str) -> None:
    (tmp_path / "config.yaml").write_text(f"gate: {{attestation: {attestation}}}\n")
    assert read_config(str(tmp_path)).attestation == attestation


def test_a_format_that_is_not_known_asks_for_an_upgrade(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("format: 7.2\n")
    with pytest.raises(FaultError) as caught:
        read_config(str(tmp_path))
    assert caught.value.message == "This memdir has format 7.2; this version of memdir knows format 1."
    assert (caught.value.code, caught.value.hint) == ("format-unknown", "upgrade memdir")
