"""Play cases: ``python -m tests.fuzz FOLDER FROM UNTIL [STEP]``; a line of JSON for each that is wrong, one at the end.

``python -m tests.fuzz FOLDER NUMBER`` plays one, and shows all of it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.playing import Ground


def main(arguments: Sequence[str]) -> None:
    """Play the cases that the command line names."""
    ground, numbers = Ground(Path(arguments[0]).resolve()), [int(word) for word in arguments[1:]]
    if len(numbers) == 1:
        show(ground, *numbers)
        return
    ends: Counter[str] = Counter()
    slowest, peak, wrong = 0.0, 0, []
    for number in range(*numbers):
        for done, fault in ground.play(number):
            ends[str(done.exit)] += 1
            slowest, peak = max(slowest, done.seconds), max(peak, done.peak)
            if fault:
                wrong.append({"case": number, "wrong": fault, "words": done.words, "stderr": done.stderr[:500]})
                print(json.dumps(wrong[-1]), file=sys.stderr)
    print(json.dumps({"wrong": wrong, "ends": ends, "slowest": slowest, "peak": peak}))


def show(ground: Ground, number: int) -> None:
    """Play one case and print everything."""
    print(ground.prepared(number)[1])
    for done, fault in ground.play(number, MEMDIR_DEBUG="1"):
        print(
            "---",
            done.words,
            f"exit {done.exit}, {done.seconds:.2f} s",
            fault,
            done.stdout[:3000],
            done.stderr,
            sep="\n",
        )


if __name__ == "__main__":
    main(sys.argv[1:])
