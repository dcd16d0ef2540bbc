"""pre-commit's configuration of others: the hook comes and goes without a trace, however the file is written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from memdir_cli.storage.pre_commit_config import ID, StrangeConfigError, with_hook, without_hook

HOOKS = [
    "{i}- repo: https://example.invalid/a  # theirs\n{i}  rev: 'v1'\n{i}  hooks:\n{i}    - id: a\n",
    "{i}- repo: local\n{i}  hooks:\n{i}  # why\n{i}  - {{id: b, name: b, entry: 'echo {{}}', language: system}}\n",
    "{i}- repo: meta\n\n{i}  hooks: [{{id: check-hooks-apply}}]\n",
    "{i}-\n{i}  hooks:\n{i}    - id: c\n{i}      args:\n{i}        - |\n{i}          # x\n\n{i}          - two\n",
    "{i}- # a - b\n{i}  repo: local\n",
    "{i}- &x\n{i}  repo: local\n{i}  hooks: []\n",
]
LINES = ["# a comment\n", "\n", "fail_fast: true\n", "exclude: >\n  ^a\n\n  b$\n", "default_stages: [pre-commit]\n"]


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A configuration as somebody may have written it."""
    indent = " " * draw(st.sampled_from([0, 2, 4]))
    before = draw(st.lists(st.sampled_from(LINES), max_size=3, unique=True))
    behind = draw(st.lists(st.sampled_from([line for line in LINES if line not in before]), max_size=2, unique=True))
    items = draw(st.lists(st.sampled_from(HOOKS), min_size=1, max_size=3, unique=True))
    gap = draw(st.sampled_from(["", "  # the first\n", "\n", "# memdir:begin\n"]))
    start = draw(st.sampled_from(["repos:", "repos: # all", '"repos" : ', "---\nrepos:" if not before else "repos:"]))
    text = "".join((*before, start, "\n", gap, *(item.format(i=indent) for item in items), *behind))
    text = draw(st.sampled_from([text, text.removesuffix("\n"), f"{text}\n\n", text.replace("\n", "\r\n")]))
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode()


def loaded(content: bytes) -> object:
    return YAML(typ="safe", pure=True).load(content.decode("utf-8-sig"))


@settings(max_examples=300)
@given(files())
def test_the_hook_comes_and_goes_without_a_trace(content: bytes) -> None:
    before = loaded(content)
    once = with_hook(content)
    after = loaded(once)
    assert isinstance(after, dict)
    assert isinstance(before, dict)
    assert [hook["id"] for hook in after["repos"][0]["hooks"]] == [ID]
    assert {**after, "repos": after["repos"][1:]} == before
    assert with_hook(once) == once, "twice is once"
    assert without_hook(once) == content
    assert b"\r\n" not in content or once.count(b"\n") == once.count(b"\r\n")


@settings(max_examples=300)
@given(files(), st.integers(0, 400), st.sampled_from([b"", b"\n", b" ", b"-", b":", b"'", b"#", b"[", b"\t", b"\xff"]))
def test_whatever_the_file_is_it_is_refused_or_comes_back(content: bytes, at: int, put: bytes) -> None:
    content = content[:at] + put + content[at + 1 :]
    try:
        once = with_hook(content)
    except StrangeConfigError:
        return
    assert without_hook(once) == content
    try:
        before = loaded(content)
    except YAMLError:
        return
    assert isinstance(before, dict)
    after = loaded(once)
    assert isinstance(after, dict)
    assert after["repos"][1:] == before["repos"]


def test_a_file_that_is_made_for_it_goes_with_it() -> None:
    made = with_hook(None)
    assert loaded(made) == {
        "repos": [
            {
                "repo": "local",
                "hooks": [
                    {
                        "id": ID, "name": "memdir check", "entry": "memdir check", "language": "system",
                        "always_run": True, "pass_filenames": False, "require_serial": True,
                        "stages": ["pre-commit", "pre-merge-commit", "pre-push", "manual"],
                    }
                ],
            }
        ]
    }  # fmt: skip
    assert with_hook(made) == made
    assert without_hook(made) is None


@pytest.mark.parametrize(
    "content",
    [b"", b"# only this\n", b"repos:\n", b"repos: []\n", b"repos: [{repo: local}]\n", b"- a\n", b"a: [\n",
     b"fail_fast: 1\n", b"repos: {a: 1}\n", b"repos: !x\n  - a\n...\n---\nb: 1\n", b"\xff",
     b"repos: [\n  {repo: local},\n]\n", b"repos: &x\n  - repo: local\n",
     b"repos:\n  [{repo: local}]\n", b"? repos\n: - repo: local\n"],
)  # fmt: skip
def test_where_no_place_is_found_it_is_refused(content: bytes) -> None:
    with pytest.raises(StrangeConfigError):
        with_hook(content)


@pytest.mark.parametrize("content", [b"repos: []\n", b"repos:\n", b"fail_fast: true\n"])
def test_a_file_without_any_repository_is_told_to_have_none(content: bytes) -> None:
    with pytest.raises(StrangeConfigError) as caught:
        with_hook(content)
    assert caught.value.why == "it has no list `repos` with something in it"


def test_a_block_that_is_no_longer_as_memdir_writes_it_is_written_anew() -> None:
    once = with_hook(b"repos:\n- repo: meta\n")
    assert with_hook(once.replace(b"always_run: true", b"always_run: false")) == once


def test_what_is_no_yaml_is_told_with_its_line() -> None:
    with pytest.raises(StrangeConfigError) as caught:
        with_hook(b"repos:\n- repo: local\n- *a: b: c\n")
    assert caught.value.why == "it is no YAML (line 3)"


@pytest.mark.parametrize("hooks", ["{id: memdir-check}", "memdir-check", "[memdir-check, [id, memdir-check]]", ""])
def test_what_is_no_list_of_hooks_holds_none(hooks: str) -> None:
    content = f"repos:\n- repo: local\n  hooks: {hooks}\n- memdir-check\n".encode()
    once = with_hook(content)
    assert once.count(b"id: memdir-check\n") == 1
    assert without_hook(once) == content


@pytest.mark.parametrize("at", ["https://example.invalid/memdir", "local"])
def test_a_hook_that_somebody_has_put_in_is_enough(at: str) -> None:
    content = f"repos:\n- repo: {at}\n  rev: v1\n  hooks:\n  - id: {ID}\n".encode()
    assert with_hook(content) == content
