"""Foreign: the memories of other tools, read from where they lie. Nothing is ever written there."""

from __future__ import annotations

from memdir_cli.storage.foreign.reading import read

__all__ = ["read"]
