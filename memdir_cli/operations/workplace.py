"""Workplace: the memdirs that one call may use, and the runtime in which it happens."""

from __future__ import annotations

from dataclasses import dataclass

from memdir_cli.domain.runtime import Runtime
from memdir_cli.storage.store import Store


@dataclass(frozen=True, slots=True)
class Workplace:
    """What a verb is given.

    :ivar runtime: the facts of this call.
    :ivar project: the project memdir, ``None`` if there is none here.
    :ivar user: the user memdir, ``None`` if it was never made.
    :ivar user_root: absolute path at which the user memdir is, or would be made.
    :ivar root: absolute path of the git top level, ``""`` outside git.
    :ivar remarks: sentences for stderr, such as a memdir of another account that was passed over.
    """

    runtime: Runtime
    project: Store | None
    user: Store | None
    user_root: str
    root: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def stores(self) -> tuple[Store, ...]:
        """The memdirs that exist, the user's first (the order in which both are written)."""
        return tuple(store for store in (self.user, self.project) if store is not None)
