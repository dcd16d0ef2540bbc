"""The user memdir: the same rules, and those that are its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir_cli.domain.scope import Scope
from memdir_cli.storage.store import Store
from tests.checks import ground
from tests.checks.ground import checked, memory, repaired, seen, write

MINE = {"subject": "user:42", "scope": Scope("user"), "type": "preference"}
TASK = Scope("task", "fix-login", "github.com/acme/app")


def codes(root: Path) -> list[tuple[str, str]]:
    return [(code, path) for code, path, _ in seen(checked(None, root), below=f"{root}/")]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A user memdir with a rule, a private rule of one repository and a task memory."""
    private = Scope("repository", repository="github.com/acme/app")
    return ground.user(
        tmp_path,
        memory("editor", "vim", **MINE),
        memory("port", "8080", subject="user:42", scope=private),
        memory("goal", "green", subject="user:42", scope=TASK, type="temporary", expires_at="2026-10-01T00:00:00Z"),
    )


def test_what_memdir_wrote_is_silent(own: Path) -> None:
    answer = checked(None, own)
    assert (codes(own), answer.files) == ([], 3)


def test_settings_may_stand_alone(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir(mode=0o700)
    (own / "config.yaml").write_text("gate:\n  attestation: claimed\n")
    assert codes(own) == []
    assert repaired(None, own).actions == ()
    assert [path.name for path in own.iterdir()] == ["config.yaml"]


def test_other_accounts_may_not_read_it(own: Path) -> None:
    own.chmod(0o755)
    assert codes(own) == [("M724", str(own))]
    (done,) = repaired(None, own).actions
    assert done.deed == "mode set to 0700"
    assert own.stat().st_mode & 0o777 == 0o700
    assert codes(own) == []


def test_task_memory_among_the_others_goes_to_the_tasks(own: Path) -> None:
    (path,) = (own / "local/tasks").iterdir()
    path.rename(own / "memories" / path.name)
    assert codes(own) == [("M212", f"memories/{path.name}"), ("M301", f"memories/{path.name}")]
    repaired(None, own)
    assert path.exists()
    assert codes(own) == []


def test_project_memory_is_never_served_from_it(own: Path) -> None:
    write(Store(str(own), "user"), memory("linter", "ruff"))
    ((code, path),) = codes(own)
    assert (code, path.startswith("memories/linter--")) == ("M205", True)


def test_user_id_is_restored_where_all_memories_agree(own: Path) -> None:
    config = (own / "config.yaml").read_text()
    (own / "config.yaml").write_text(config.replace('user: "42"\n', "# user gone\n"))
    assert codes(own) == [("M721", "config.yaml")]
    repaired(None, own)
    assert 'user: "42"' in (own / "config.yaml").read_text()
    assert "# user gone" in (own / "config.yaml").read_text()
    assert codes(own) == []


def test_lost_key_of_receipts_is_never_replaced(own: Path) -> None:
    (own / "config.yaml").write_text('format: "1"\nuser: "42"\n')
    assert codes(own) == [("M721", "config.yaml")]
    assert repaired(None, own).actions == ()


def test_key_is_made_where_no_receipt_needs_the_lost_one(own: Path) -> None:
    (own / "config.yaml").write_text('format: "1"\nuser: "42"\n')
    for path in (own / "receipts").iterdir():
        path.unlink()
    repaired(None, own)
    assert "key:" in (own / "config.yaml").read_text()
    assert {code for code, _ in codes(own)} == {"M401"}
