"""Run command lines one after the other, and measure each. Reads and writes :mod:`marshal` on the standard streams.

A process of its own, which imports next to nothing: the peak of a child's memory is at least what the process that
starts it held, so this one must hold less than anything that is measured.

Reads ``[(argv, directory), …]``, gives ``[(seconds, peak in KiB, exit status), …]``. The seconds are those of a
processor, its own and those of the programs that it called: whatever else the machine does takes its own time.
"""

import marshal
import os
import sys


def run(argv: list[str], directory: str) -> tuple[float, int, int]:
    """One command line, with nothing to read and nobody to read what it prints."""
    os.chdir(directory)
    process = os.posix_spawn(argv[0], argv, os.environ, file_actions=STREAMS)
    _, status, used = os.wait4(process, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss, os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    NULL = os.open(os.devnull, os.O_RDWR)
    STREAMS = [(os.POSIX_SPAWN_DUP2, NULL, stream) for stream in (0, 1, 2)]
    marshal.dump([run(argv, directory) for argv, directory in marshal.load(sys.stdin.buffer)], sys.stdout.buffer)
