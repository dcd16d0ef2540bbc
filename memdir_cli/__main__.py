"""``memdir`` and ``python -m memdir_cli``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line of this process and leave with its exit status."""
    try:
        from memdir_cli.cli.entry import enter

        status = enter(sys.argv[1:])
    except KeyboardInterrupt:
        # before the boundary is there to tell it, while the program is still being read
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
