"""Print the JSON Schemas of files and answers.

Without a name, lists them. `memory` is the frontmatter of a memory file; `write` is what the write
verbs answer, and stands for each of them; the others are named for their command.
"""

from __future__ import annotations

import json as stdlib_json

from memdir_cli.cli import streams, words
from memdir_cli.cli.render import json
from memdir_cli.cli.request import Common
from memdir_cli.errors import UsageError

EXAMPLES = """\
  memdir schema
  memdir schema memory
  memdir schema write > write.schema.json
  memdir schema confirm
"""


def command(name: str | None = None, *, common: Common) -> int:
    """List the schemas, or print one."""
    from memdir_cli.cli.schemas.documents import SCHEMAS, WRITERS, document

    if name is None:
        titles = {known: str(document(known)["title"]) for known in SCHEMAS}
        if common.json:
            listed = [{"name": known, "title": title} for known, title in titles.items()]
            streams.say(json.text({"schemas": listed}))
        else:
            streams.say("\n".join(f"{known}  {title}" for known, title in titles.items()))
        return 0
    if name not in {*SCHEMAS, *WRITERS}:
        close = words.nearest(name, (*SCHEMAS, *WRITERS))
        raise UsageError(
            f"There is no schema `{name}`.", hint=f"run `memdir schema {close}`".strip(), code="unknown_schema"
        )
    streams.say(stdlib_json.dumps(document(name), indent=2))
    return 0
