"""``memdir`` and ``python -m memdir_cli``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line of this process and leave with its exit status."""
    from memdir_cli.cli.entry import enter

    sys.exit(enter(sys.argv[1:]))


if __name__ == "__main__":
    main()
