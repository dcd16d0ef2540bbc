"""Burst: changes that come shortly after one another and are answered once."""

from __future__ import annotations

from memdir_cli.shapes import dataclass

#: Seconds without a change after which a burst is over.
QUIET = 0.3

#: Seconds after which a burst is answered although it goes on.
LONGEST = 3.0


@dataclass(frozen=True, slots=True)
class Burst:
    """Changes since the last answer; times are seconds of one monotonic clock.

    :ivar first: when it began.
    :ivar last: when the latest change came.
    """

    first: float
    last: float

    def due(self, quiet: float = QUIET, longest: float = LONGEST) -> float:
        """When it is to be answered: after quiet, or where there is none, when it has lasted long enough."""
        return min(self.last + quiet, self.first + longest)


def grown(burst: Burst | None, at: float) -> Burst:
    """``burst`` with one more change; a new one where there was none."""
    return Burst(at, at) if burst is None else Burst(burst.first, max(burst.last, at))
