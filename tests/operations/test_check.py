"""check: which memdir, which findings, which exit status; it writes nothing and takes anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir_cli.domain.findings import CheckAnswer
from memdir_cli.domain.scope import Scope
from memdir_cli.errors import NoMemdirError, UsageError
from memdir_cli.operations.check import check
from memdir_cli.storage import lock
from tests.checks import ground
from tests.checks.ground import HEADER, checked, header, seen, tree, workplace
from tests.checks.plants import LINTER, edit

CORPUS = Path(__file__).parents[2] / "fixtures/memory-dirs"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean memdir, to be copied."""
    return ground.project(tmp_path_factory.mktemp("good"))


@pytest.fixture
def memdir(good: Path, tmp_path: Path) -> Path:
    """A clean project memdir of three memories."""
    return shutil.copytree(good, tmp_path / "app/.memdir")


@pytest.fixture
def faulty(memdir: Path) -> Path:
    """One error, one warning and one remark."""
    (memdir / "memories/bad.md").write_text(header("description: fix: retry"))
    (memdir / "memories/README.md").write_text("# Notes\n")
    (memdir / ".gitignore").unlink()
    return memdir


def codes(answer: CheckAnswer) -> list[str]:
    return [finding.code for finding in answer.findings]


# -- which memdir


def test_own_memories_never_fail_a_commit_of_the_team(memdir: Path, tmp_path: Path) -> None:
    own = ground.user(tmp_path)
    (own / "memories").mkdir()
    (own / "memories/bad.md").write_bytes(b"\0")
    assert codes(checked(memdir, own)) == []
    assert codes(checked(None, own)) == ["M214", "M108"]


def test_user_memdir_is_judged_as_such_where_it_is_named(tmp_path: Path) -> None:
    own = ground.user(tmp_path, ground.memory("editor", "vim", subject="user:42", scope=Scope("user")))
    place = replace(workplace(None, own), project_root=str(own))
    assert codes(check(place)) == []
    own.chmod(0o755)
    assert codes(check(place)) == ["M724"]


def test_no_memdir_is_never_clean(tmp_path: Path) -> None:
    with pytest.raises(NoMemdirError) as raised:
        checked(None, None)
    assert raised.value.exit_status == 2
    named = replace(workplace(None, ground.user(tmp_path)), project_root=str(tmp_path / "nowhere"))
    with pytest.raises(NoMemdirError, match="nowhere"):
        check(named)


# -- which findings


def test_order_and_bytes_are_always_the_same(faulty: Path) -> None:
    answer = checked(faulty)
    assert codes(answer) == ["M723", "M115", "M131"]
    assert [finding.text for finding in answer.findings] == [finding.text for finding in checked(faulty).findings]
    assert answer.findings == tuple(sorted(answer.findings))


def test_text_line(faulty: Path) -> None:
    assert checked(faulty, paths=[".memdir/memories/bad.md"]).findings[0].text == (
        ".memdir/memories/bad.md:4:17: error M131 A value holds `: ` and is not quoted. To mean the text, write "
        '`description: "fix: retry"`; mend it by hand, then type `memdir repair`'
    )


@pytest.mark.parametrize(
    ("select", "ignore", "found"),
    [
        ((), (), ["M723", "M115", "M131"]),
        (("M1",), (), ["M115", "M131"]),
        (("m131", "M7"), (), ["M723", "M131"]),
        ((), ("M1",), ["M723"]),
        (("M1",), ("M115",), ["M131"]),
    ],
)
def test_select_and_ignore(faulty: Path, select: tuple[str, ...], ignore: tuple[str, ...], found: list[str]) -> None:
    assert codes(check(workplace(faulty), select=select, ignore=ignore)) == found


@pytest.mark.parametrize("code", ["", "M9", "M1311", "E501", "1"])
def test_unknown_code_is_wrong_usage(memdir: Path, code: str) -> None:
    with pytest.raises(UsageError):
        check(workplace(memdir), ignore=[code])


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["."], ["M723", "M115", "M131"]),
        ([".memdir"], ["M723", "M115", "M131"]),
        ([".memdir/memories"], ["M115", "M131"]),
        ([".memdir/memories/bad.md", ".memdir/.gitignore"], ["M723", "M131"]),
        ([".memdir/memories/gone.md"], []),
        (["README.md"], []),
        (["../app/.memdir/memories/../memories/bad.md"], ["M131"]),
    ],
)
def test_paths_narrow_what_is_reported(faulty: Path, paths: list[str], found: list[str]) -> None:
    (faulty.parent / "README.md").write_text("# App\n")
    answer = checked(faulty, paths=paths)
    assert codes(answer) == found
    assert answer.files == 5, "the whole memdir is judged all the same"


def test_path_that_does_not_exist_is_wrong_usage(memdir: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.md"):
        checked(memdir, paths=["nowhere.md"])


# -- exit status


def test_exit_statuses(memdir: Path) -> None:
    place = workplace(memdir)
    assert check(place).exit_status == 0
    (memdir / "memories/README.md").write_text("# Notes\n")
    assert check(place, strict=True).exit_status == 0, "a remark is no debt"
    (memdir / ".gitignore").unlink()
    assert (check(place).exit_status, check(place, strict=True).exit_status) == (0, 1)
    (memdir / LINTER).write_bytes(b"\0")
    assert check(place).exit_status == 1
    assert check(place, ignore=["M108", "M211", "M213"]).exit_status == 0


def test_document_has_the_published_keys(faulty: Path) -> None:
    document = checked(faulty).document()
    assert document["summary"] == {"error": 1, "warning": 1, "info": 1, "files": 5, "unchecked": False, "baselined": 0}
    findings = document["findings"]
    assert isinstance(findings, list)
    assert list(findings[0]) == ["code", "severity", "path", "line", "column", "message", "fixable"]
    assert (findings[0]["path"], findings[0]["fixable"]) == (".memdir/.gitignore", True)


# -- it writes nothing, and needs no right to write


NOBODY = 65534


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_memdir_of_another_account(memdir: Path, tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_mode & 0o777 == 0o700:  # pytest's own
            folder.chmod(0o755)
    (memdir / "local/access").mkdir(mode=0o700)
    before = tree(memdir)
    assert as_nobody(memdir) == "[] 0"
    (memdir / LINTER).chmod(0o600)
    assert as_nobody(memdir) == "['M103'] 2"
    (memdir / LINTER).chmod(0o644)
    (memdir / "inbox").mkdir(mode=0o700)
    assert as_nobody(memdir) == "['M103'] 2"
    (memdir / "inbox").rmdir()
    memdir.chmod(0)
    assert as_nobody(memdir) == "['M103'] 2"
    memdir.chmod(0o755)
    assert {name: about.split()[2:] for name, about in tree(memdir).items()} == {
        name: about.split()[2:] for name, about in before.items()
    }


def as_nobody(memdir: Path) -> str:
    """Codes and exit status of check in a process that may only read."""
    code = (
        "import os, sys; from pathlib import Path; from tests.checks.ground import workplace\n"
        "from memdir_cli.operations.check import check\n"
        "import memdir_cli.checks.registry, memdir_cli.storage.codec.strict_handler\n"
        f"place = workplace(Path(sys.argv[1])); os.setuid({NOBODY})\n"
        "answer = check(place); print([one.code for one in answer.findings], answer.exit_status)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code, str(memdir)], cwd=root, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_lock_is_not_needed(memdir: Path) -> None:
    with lock.locked(str(memdir), 5, "memdir remember"):
        began = time.monotonic()
        assert codes(checked(memdir)) == []
        assert time.monotonic() - began < 2


def test_what_a_running_writer_has_staged_is_no_leftover(memdir: Path) -> None:
    temp = memdir / "memories/.memdir-k7-1.tmp"
    temp.write_text("half")
    writer = threading.Timer(0.1, temp.unlink)
    writer.start()
    assert codes(checked(memdir)) == []
    writer.join()


# -- it takes anything


def test_one_bad_file_hides_no_other(memdir: Path) -> None:
    for at in range(200):
        (memdir / f"memories/z{at}.md").write_text(header(f"id: k{at}\npredicate: z{at}"))
    (memdir / "memories/z100.md").write_bytes(b"---\nid: [\n")
    answer = checked(memdir)
    assert answer.files == 203
    assert [one for one in seen(answer) if one[0].startswith("M1")] == [("M112", "memories/z100.md", 1)]


@pytest.mark.parametrize("folder", sorted(path.name for path in CORPUS.iterdir() if path.is_dir()))
def test_real_directories_give_findings_or_silence(memdir: Path, folder: str) -> None:
    files = [path for path in sorted((CORPUS / folder).rglob("*")) if path.is_file()]
    for at, path in enumerate(files):
        shutil.copy(path, memdir / "memories" / f"{at:03}-{path.stem}.md")
    shutil.copytree(CORPUS / folder, memdir / "inbox", dirs_exist_ok=True)
    before = tree(memdir)
    answer = checked(memdir)
    assert tree(memdir) == before
    assert answer.files >= 3 + len(files)
    # other people's Markdown is one line; besides it only folders, and files of which nobody knows what they are
    assert {one.code for one in answer.findings} <= {"M106", "M115", "M208"}
    assert codes(answer).count("M115") == 1


ODD = ["---", "", "  - x", "\t", "...", "- a", "{", "]"]
LINES = st.sampled_from([f"{key}:{value}" for key, value in HEADER.items()] + ODD)
BYTES = st.one_of(
    st.binary(max_size=200),
    st.lists(LINES, max_size=20).map(lambda lines: "\n".join(lines).encode()),
    st.tuples(st.integers(0, len(header()) - 1), st.binary(min_size=1, max_size=3)).map(
        lambda change: header().encode()[: change[0]] + change[1] + header().encode()[change[0] :]
    ),
    st.integers(0, len(header())).map(lambda size: header().encode()[:size]),
)


@settings(max_examples=300, deadline=2000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=BYTES)
def test_any_bytes_give_findings_or_silence(memdir: Path, content: bytes) -> None:
    (memdir / LINTER).write_bytes(content)
    answer = checked(memdir)
    for finding in answer.findings:
        assert finding.text.isprintable()
        assert 1 <= finding.line <= content.count(b"\n") + 5
    assert answer.files == 3


@settings(max_examples=100, deadline=2000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=BYTES, name=st.sampled_from(["MEMORY.md", ".gitignore", "receipts/2026-09.jsonl", "local/journal.json"]))
def test_any_bytes_in_memdirs_own_files(memdir: Path, content: bytes, name: str) -> None:
    standing = (memdir / name).read_bytes() if (memdir / name).exists() else None
    (memdir / name).write_bytes(content)
    try:
        for finding in checked(memdir).findings:
            assert finding.text.isprintable()
    finally:
        if standing is None:
            (memdir / name).unlink()
        else:
            (memdir / name).write_bytes(standing)


def test_names_that_are_not_utf8(memdir: Path) -> None:
    name = os.fsencode(memdir / "memories") + b"/caf\xe9\n\x1b[31m.md"
    with open(name, "wb") as file:
        file.write(b"\0")
    answer = checked(memdir)
    assert set(codes(answer)) == {"M108", "M207"}
    for finding in answer.findings:
        assert finding.text.isprintable()
    document = answer.document()["findings"]
    assert isinstance(document, list)
    assert "caf\\udce9" in document[0]["path"]


def test_index_in_another_encoding(memdir: Path) -> None:
    (memdir / "MEMORY.md").write_bytes((memdir / "MEMORY.md").read_bytes() + b"caf\xe9\n")
    assert codes(checked(memdir)) == [], "what stands outside the markers is a person's own"


def test_conflict_in_a_memory_after_a_merge(memdir: Path) -> None:
    edit(memdir, LINTER, "value: ruff\n", "<<<<<<< HEAD\nvalue: ruff\n=======\nvalue: flake8\n>>>>>>> main\n")
    assert seen(checked(memdir)) == (("M213", "MEMORY.md", 4), ("M110", LINTER, 10))
