"""Looking: the verdicts on evidence, each taken when a reading verb first asks for it and never twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from memdir_cli.domain.effective import Verdict
from memdir_cli.domain.memory import Evidence, Memory
from memdir_cli.errors import UsageError
from memdir_cli.operations.workplace import Workplace

if TYPE_CHECKING:
    from memdir_cli.probes.ground import Ground


class Looks(Mapping[Evidence, Verdict]):
    """Verdicts on whatever evidence is asked about; iterating gives those taken so far.

    :param root: absolute path of the workspace, ``""`` where there is none.
    :param ground: the workspace as it is to be seen, where that is not what lies on the disk.
    """

    def __init__(self, root: str, ground: Ground | None = None) -> None:
        self._root = root
        self._ground = ground
        self._taken: dict[Evidence, Verdict] = {}

    def __getitem__(self, evidence: Evidence) -> Verdict:
        if evidence not in self._taken:
            # few memories depend on anything; the others must not pay for parsers of other formats
            from memdir_cli.probes import registry
            from memdir_cli.probes.ground import Ground

            self._ground = self._ground or Ground(self._root)
            self._taken[evidence] = registry.verdict(evidence, self._ground)
        return self._taken[evidence]

    def watch(self, *paths: str) -> None:
        """Whoever looks is about to read other files, too.

        :param paths: absolute.
        """

    def __iter__(self) -> Iterator[Evidence]:
        return iter(self._taken)

    def __len__(self) -> int:
        return len(self._taken)

    @property
    def paths(self) -> frozenset[str]:
        """The files that were looked at, from the root; what is no probe names none."""
        from memdir_cli.domain.evidence import parse_probe

        found = set()
        for evidence in self._taken:
            with suppress(UsageError):
                found.add(parse_probe(evidence.probe).path)
        return frozenset(found)

    def unreadable_of(self, memory: Memory) -> tuple[str, ...]:
        """Sentences about what a memory depends on and was looked at in vain."""
        taken = (self._taken.get(evidence) for evidence in memory.depends_on)
        return tuple(dict.fromkeys(one.message for one in taken if one is not None and one.kind == "unreadable"))

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Sentences about what was looked at in vain, each once: it proves nothing."""
        found = {verdict.message for verdict in self._taken.values() if verdict.kind == "unreadable"}
        return tuple(sorted(found))


def looks(workplace: Workplace) -> Looks:
    """The verdicts in the workspace of this call."""
    return Looks(workplace.root)
