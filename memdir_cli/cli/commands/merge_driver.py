"""Merge three versions of a memory file for git; `memdir install git` tells git of it.

BASE, OURS and THEIRS are files; OURS becomes the result. Values that contradict each other become the sides of
a conflict, which `memdir settle` ends. Exits with another status than 0, and leaves OURS alone, where no one
file can be made of them: git then says that PATH is in conflict, and `memdir repair` settles it.
"""

from __future__ import annotations

from memdir_cli.cli import streams
from memdir_cli.cli.request import Common

EXAMPLES = """\
  memdir merge-driver %O %A %B %P
"""


def command(base: str, ours: str, theirs: str, merged_path: str = "", *, common: Common) -> int:
    """Merge, as git asks for it."""
    from memdir_cli.operations.merge_driver import merge_driver
    from memdir_cli.probes.memdir_place import working_directory

    merge_driver(base, ours, theirs, merged_path, working_directory())
    if common.json:
        from memdir_cli.cli.render import json

        streams.say(json.text({"path": merged_path or ours}))
    return 0
