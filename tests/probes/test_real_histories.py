"""Every pair of package.json files from real histories gives the verdict that its manifest expects."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from memdir_cli.domain.effective import VerdictKind
from memdir_cli.domain.memory import Evidence
from memdir_cli.probes.ground import Ground
from memdir_cli.probes.registry import take, verdict

FIXTURES = Path(__file__).parents[2] / "fixtures/package-json"


@dataclass(frozen=True)
class Pair:
    """One commit's change of one package.json."""

    directory: Path
    path_before: str
    path: str
    expect: str
    tags: tuple[str, ...]

    def put(self, root: Path, side: str) -> Ground:
        """A workspace that holds one side and nothing else."""
        shutil.rmtree(root, ignore_errors=True)
        target = root / (self.path_before if side == "before" else self.path)
        target.parent.mkdir(parents=True)
        shutil.copyfile(self.directory / f"{side}.json", target)
        return Ground(str(root))


def pairs() -> Iterator[Pair]:
    for manifest in sorted(FIXTURES.glob("*/manifest.jsonl")):
        for line in manifest.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            where = manifest.parent / row["id"]
            yield Pair(where, row["path_before"], row["path"], row["expect"], tuple(row["tags"]))


PAIRS = list(pairs())


def scripts(pair: Pair, side: str) -> dict[str, str]:
    """The scripts as the plainest reader sees them."""
    try:
        document = json.loads((pair.directory / f"{side}.json").read_text(encoding="utf-8-sig"))
    except ValueError:
        return {}
    found: dict[str, str] = document.get("scripts", {})
    return found


def verdicts_of(pair: Pair, root: Path) -> dict[str, VerdictKind]:
    """The verdict on each script of the left side, and under ``""`` on the whole mapping."""
    ground = pair.put(root, "before")
    probes = {"": f"{pair.path_before}#scripts"}
    probes |= {name: f"{pair.path_before}#scripts.{name}" for name in scripts(pair, "before")}
    stored: dict[str, Evidence] = {name: take(probe, ground)[0] for name, probe in probes.items()}
    ground = pair.put(root, "after")
    return {name: verdict(evidence, ground).kind for name, evidence in stored.items()}


def expected(pair: Pair, name: str) -> VerdictKind:
    """What the two texts say of one script."""
    before, after = scripts(pair, "before"), scripts(pair, "after")
    moved = pair.path != pair.path_before
    if name not in after:
        return "unknown" if moved else "removed"
    if after[name] != before[name]:
        return "unknown" if moved else "changed"
    return "moved" if moved else "same"


WHOLE: dict[str, VerdictKind] = {"must_change": "changed", "must_not_change": "same", "unreadable": "unreadable"}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "/".join(pair.directory.parts[-2:]))
def test_the_verdict_that_the_manifest_expects(pair: Pair, tmp_path: Path) -> None:
    found = verdicts_of(pair, tmp_path / "project")
    if pair.expect == "unreadable":
        if "before-invalid" in pair.tags:
            # there was nothing to remember: what was never seen cannot have changed
            assert (
                take(f"{pair.path_before}#scripts", pair.put(tmp_path / "project", "before"))[1].state == "unreadable"
            )
            assert set(found.values()) <= {"unknown", "unreadable"}
        else:
            assert set(found.values()) == {"unreadable"}
        return
    assert found[""] == ("moved" if pair.path != pair.path_before else WHOLE[pair.expect])
    for name in scripts(pair, "before"):
        assert found[name] == expected(pair, name), name


def test_the_fixtures_hold_every_kind_of_change() -> None:
    counts = Counter(pair.expect for pair in PAIRS)
    assert counts == {"must_not_change": 166, "must_change": 119, "unreadable": 5}
    kinds = {"renamed", "script-renamed", "key-order", "whitespace-only", "final-newline-changed", "indent-changed"}
    kinds |= {"script-added", "script-removed", "command-edited", "before-invalid", "after-invalid"}
    assert kinds <= {tag.partition(":")[0] for pair in PAIRS for tag in pair.tags}


KINDS: tuple[VerdictKind, ...] = ("same", "changed", "removed", "moved", "unknown", "unreadable")


def test_a_single_script_is_mostly_untouched_when_the_mapping_changes(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """The reason to keep the hash of one script; the counts are printed below the results of the run."""
    counts: Counter[tuple[str, str]] = Counter()
    for number, pair in enumerate(PAIRS):
        for name, kind in verdicts_of(pair, tmp_path / str(number)).items():
            counts["one script" if name else f"all scripts: {pair.expect}", kind] += 1
    record_property("table", table(counts))
    one = {kind: counts["one script", kind] for kind in KINDS}
    assert one["same"] > 2 * (one["changed"] + one["removed"])


def table(counts: Counter[tuple[str, str]]) -> str:
    """The verdicts, counted: a row for each expectation of the manifests, and one for the single scripts."""
    rows = sorted({row for row, _ in counts})
    lines = ["verdicts on real histories".ljust(30) + "".join(f"{kind:>12}" for kind in KINDS)]
    lines += [row.ljust(30) + "".join(f"{counts[row, kind]:>12}" for kind in KINDS) for row in rows]
    return "\n".join(lines)
