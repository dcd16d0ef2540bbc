"""Print what lets a shell complete commands, options, keys, ids, scopes and rules.

What is printed is for the start file of that shell; nothing is written.
"""

from __future__ import annotations

from memdir_cli.cli import completing, streams, words
from memdir_cli.cli.request import Common

EXAMPLES = """\
  memdir completion bash >> ~/.bashrc
  memdir completion zsh >> ~/.zshrc
  memdir completion fish > ~/.config/fish/completions/memdir.fish
"""

SHELLS = ("bash", "zsh", "fish")


def command(shell: str, *, common: Common) -> int:
    """Print the script for SHELL."""
    from typer._completion_shared import get_completion_script

    name = words.argument("SHELL", shell, SHELLS)
    script = get_completion_script(prog_name="memdir", complete_var=completing.VARIABLE, shell=name)
    if common.json:
        from memdir_cli.cli.render import json

        streams.say(json.text({"shell": name, "script": script}))
    else:
        streams.say(script)
    return 0
