"""``memdir`` and ``python -m memdir_cli``."""

# no `from __future__` here: that is a module too, and is looked for before `_leave_here_out` could run
import atexit
import gc
import os
import sys

#: So many new objects are made before somebody looks for cycles among them: what one command reads is needed to its
#: end, and to look through it again and again takes a fifth of the time.
OBJECTS = 200_000


def main() -> None:
    """Run the command line of this process and leave with its exit status."""
    gc.set_threshold(OBJECTS)
    try:
        from memdir_cli.cli.entry import enter

        status = enter(sys.argv[1:])
    except KeyboardInterrupt:
        # before the boundary is there to tell it, while the program is still being read
        status = 130
    _leave(status)


def _leave(status: int) -> None:
    """End the process at once: all is said, and to take everything apart first takes as long as many an answer."""
    atexit._run_exitfuncs()
    os._exit(status)


def _leave_here_out() -> None:
    """Import nothing from the working directory, where ``python -m`` looks first: a repository may hold anything."""
    try:
        if not sys.flags.safe_path and sys.path[0] == os.getcwd():
            del sys.path[0]
    except OSError:
        pass  # it is gone, and nothing lies in it


if __name__ == "__main__":
    _leave_here_out()
    main()
