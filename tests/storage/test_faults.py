"""What the system says, told as a fault of the memdir."""

from __future__ import annotations

import errno

import pytest

from memdir_cli.errors import FaultError
from memdir_cli.storage.faults import fault, reported


@pytest.mark.parametrize(
    ("error", "code"),
    [(OSError(errno.ENOSPC, "x"), "disk_full"), (OSError(errno.EXDEV, "x"), "fault"), (OSError("no number"), "fault")],
)
def test_every_error_of_the_system_is_a_fault_that_names_the_file(error: OSError, code: str) -> None:
    told = fault(error, "memories/a.md")
    assert (told.code, told.facts["path"]) == (code, "memories/a.md")
    assert told.message.startswith("`memories/a.md` ")
    assert fault(error, "").message.startswith("The memdir ")
    with pytest.raises(FaultError) as caught, reported("memories/a.md"):
        raise error
    assert caught.value.code == code
