"""The configuration of pre-commit with memdir's hook in it, as a block of its own; every other byte stays."""

from __future__ import annotations

from typing import Any

from memdir_cli.storage.signed_block import HASH, standing, with_signed, without_signed

#: From the top of the repository.
PATH = ".pre-commit-config.yaml"

#: Whom the block belongs to.
OWNER = "pre-commit"

#: The id of the hook that this project publishes.
ID = "memdir-check"

#: A commit that only deletes, or only changes package.json, may break a memory too: it always runs, without names.
_ITEM = (
    "- repo: local",
    "  hooks:",
    f"    - id: {ID}",
    "      name: memdir check",
    "      entry: memdir check",
    "      language: system",
    "      always_run: true",
    "      pass_filenames: false",
    "      require_serial: true",
    "      stages: [pre-commit, pre-merge-commit, pre-push, manual]",
)

#: What a file that is made for the block begins with.
_NEW = b"repos:\n"


class StrangeConfigError(Exception):
    """It cannot be read, or its hooks cannot be found.

    :ivar why: a clause.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def with_hook(content: bytes | None) -> bytes:
    """``content`` with the block before the first repository; as it is where somebody has put the hook in otherwise.

    :param content: ``None`` if there is no such file.
    :raises StrangeConfigError: if no place for it is found.
    """
    text = _NEW if content is None else content
    at, indent, there = (len(_NEW), "  ", False) if content is None else _first_item(text)
    if there and standing(text, HASH) is None:
        return text
    return with_signed(text, [f"{indent}{line}" for line in _ITEM], HASH, [OWNER], at)


def without_hook(content: bytes) -> bytes | None:
    """``content`` without the block, ``None`` if the file was made for it."""
    left = without_signed(content, HASH)
    return None if left == _NEW else left


def _first_item(content: bytes) -> tuple[int, str, bool]:
    """The byte at which the line of the first repository begins, its indentation, and whether the hook is there."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise StrangeConfigError("it is no UTF-8 text") from None
    repositories = _repositories(text)
    dash = repositories.start_mark.index
    begin = text.rfind("\n", 0, dash) + 1
    indent = text[begin:dash]
    if text[dash : dash + 1] != "-" or indent.strip(" "):
        raise StrangeConfigError("its `repos` is no list with a line for every item")
    there = any(_value(hook, "id") == ID for repository in repositories.value for hook in _hooks(repository))
    return len(text[:begin].encode()), indent, there


def _repositories(text: str) -> Any:
    """The node of the list of repositories, which has one at least."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError
    from ruamel.yaml.nodes import MappingNode, SequenceNode

    try:
        root = YAML().compose(text)
    except (YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise StrangeConfigError(f"it is no YAML (line {mark.line + 1})" if mark else "it is no YAML") from error
    if not isinstance(root, MappingNode):
        raise StrangeConfigError("it is no mapping")
    found = _child(root, "repos")
    if not isinstance(found, SequenceNode) or not found.value:
        raise StrangeConfigError("it has no list `repos` with something in it")
    return found


def _hooks(repository: Any) -> list[Any]:
    hooks = _child(repository, "hooks")
    # a mapping's value is a list too, of pairs that are no nodes
    return hooks.value if getattr(hooks, "id", None) == "sequence" else []


def _child(node: Any, key: str) -> Any:
    pairs = node.value if node.id == "mapping" else []
    return next((value for name, value in pairs if name.value == key), None)


def _value(node: Any, key: str) -> object:
    return getattr(_child(node, key), "value", None)
