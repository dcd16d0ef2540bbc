"""The public suite agent-memory-integrity (agmi): what others would plant in a memory, through the real command.

Five attacks with five fixtures on three channels, and five on the border between users: 80 verdicts, each with a
control that shows that what the user did say is served.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("agmi", reason="the suite is not installed: pip install '.[attacks]'")

from agmi.attacks import memory_specific

from tests.attacks.integrity_adapter import Channels, MemdirAdapter
from tests.quick_folder import quick_folder

VERDICTS = 80
README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def verdicts(adapter: MemdirAdapter, attack: type) -> list[bool | None]:
    """By fixture and channel: whether what was planted surfaced, ``None`` where the control failed."""
    result = attack().run(adapter)
    assert result.channels, result.error
    return [outcome for outcomes in result.channels.values() for outcome in outcomes]


def kept_out(root: Path, monkeypatch: pytest.MonkeyPatch, *, proven: bool) -> dict[str, list[bool | None]]:
    channels = Channels()
    monkeypatch.setattr(memory_specific, "genuine", channels.genuine)
    monkeypatch.setattr(memory_specific, "attacker_write", channels.attacker_write)
    adapter = MemdirAdapter(root, proven=proven)
    return {attack.name: verdicts(adapter, attack) for attack in memory_specific.ALL_MEMORY_ATTACKS}


@pytest.mark.slow
@pytest.mark.parametrize(("proven", "figure"), [(True, 80), (False, 30)])
def test_what_is_planted_is_kept_out_and_what_the_user_said_is_served(
    proven: bool, figure: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with quick_folder(tmp_path) as folder:
        found = kept_out(Path(folder), monkeypatch, proven=proven)
    outcomes = [one for each in found.values() for one in each]
    assert len(outcomes) == VERDICTS
    # where claims are accepted, what is planted passes a filter for trust without being tagged for it
    missing = {} if proven else {"metadata_poisoning": 10}
    assert {name: each.count(None) for name, each in found.items() if None in each} == missing, "controls are answered"
    assert outcomes.count(False) == figure, {name: each.count(False) for name, each in found.items()}


def test_the_readme_tells_both_figures() -> None:
    assert "80 of 80" in README
    assert "30 of 80" in README
