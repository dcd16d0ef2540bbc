"""Serve an agent over the Model Context Protocol, on stdin and stdout, until stdin ends.

The tools remember, get, explain, context and search are the commands of those names, with the same gate: whoever
calls them is an agent. Needs the extra `memdir-cli[mcp]`.
"""

from __future__ import annotations

import sys

from memdir_cli.cli import streams
from memdir_cli.cli.request import Common
from memdir_cli.errors import UsageError

EXAMPLES = """\
  memdir mcp
  memdir mcp --dir ~/projects/app/.memdir
"""


def command(*, common: Common) -> int:
    """Serve until stdin ends."""
    try:
        # the SDK is an extra, and far dearer to import than everything else together
        from memdir_cli.cli.serving import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0].startswith("memdir"):
            raise
        raise UsageError(
            "`memdir mcp` needs the MCP SDK, which is not installed.",
            hint="pip install 'memdir-cli[mcp]'",
            code="extra-missing",
        ) from error
    if sys.stdin.isatty() and not common.quiet:
        streams.remark("memdir serves MCP on stdin and stdout; an agent starts it. Ctrl-D ends it.")
    serve(common)
    return 0
