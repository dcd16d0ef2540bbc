"""Files to memories and back: what is read, what is refused, what a change touches."""

from __future__ import annotations

import difflib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.memory import TYPES, Evidence, Memory, Side
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.source import ATTESTATIONS, AUTHORITIES, KINDS, Source
from memdir_cli.domain.status import STATUSES
from memdir_cli.errors import UsageError
from memdir_cli.storage.codec import Malformed, parse_memory, read_header, render, update
from tests.storage.codec_texts import WHOLE, any_text, by_frontmatter, patient

words = st.text(st.characters(codec="utf-8", categories=("L", "N")), min_size=1, max_size=8)
slugs = st.from_regex(r"[a-z][a-z0-9_]{0,6}(\.[a-z0-9-]{0,5}[a-z0-9])?", fullmatch=True)
times = st.sampled_from(
    ("", "2026-09-14", "2024-02-29T23:59:59Z", "2026-09-14T09:30:00+09:00", "2026-09-14 09:30:00.5-02:30")
)
sources = st.builds(Source, st.sampled_from(KINDS), any_text, any_text, times, st.sampled_from(ATTESTATIONS))
qualifiers = {
    "path": st.none() | words,
    "topic": st.none() | words,
    "version": st.none() | words,
    "environment": st.dictionaries(words, any_text, max_size=2).map(lambda pairs: tuple(sorted(pairs.items()))),
}
scopes = st.one_of(
    st.builds(Scope, st.just("user"), **qualifiers),
    st.builds(Scope, st.just("repository"), repository=words, **qualifiers),
    st.builds(Scope, st.just("task"), task=words, repository=st.none() | words, **qualifiers),
)
side_sources = st.lists(sources, max_size=2).map(tuple)
sides = st.lists(
    st.builds(Side, words, st.none() | any_text, any_text, st.sampled_from(AUTHORITIES), side_sources),
    min_size=2,
    max_size=3,
    unique_by=lambda side: side.id,
).map(tuple)
bodies = st.text(st.characters(codec="utf-8", exclude_characters="\0-<"), max_size=40) | st.sampled_from(
    ("", "a\r\nb\r\n", "\n\n", "x", "Heading\n---\n\n---\n")
)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """Any memory that can exist."""
    status = draw(st.sampled_from(STATUSES))
    return Memory(
        id=draw(st.from_regex(r"[a-z0-9]{4,13}", fullmatch=True)),
        subject=draw(st.sampled_from(("user:", "project:"))) + draw(words),
        predicate=draw(slugs),
        scope=draw(scopes),
        status=status,
        name=draw(any_text),
        description=draw(any_text),
        type=draw(st.sampled_from(TYPES)),
        value=draw(st.none() | any_text),
        none=draw(st.booleans()),
        revision=draw(st.integers(1, 999_999_999)),
        authority=draw(st.sampled_from(AUTHORITIES)),
        source=draw(st.lists(sources, max_size=3).map(tuple)),
        depends_on=draw(st.lists(st.builds(Evidence, words, any_text, any_text), max_size=2).map(tuple)),
        sides=draw(sides) if status == "conflicted" else (),
        status_reason=draw(any_text),
        supersedes=draw(any_text),
        superseded_by=draw(any_text),
        rival=draw(any_text),
        created_at=draw(times),
        updated_at=draw(times),
        verified_at=draw(times),
        review_after=draw(times),
        expires_at=draw(times),
        body=draw(bodies),
        extra=draw(st.dictionaries(st.sampled_from(("owner", "x-y", "é")), any_text, max_size=2)),
    )


@patient
@given(memories())
def test_any_memory_survives_its_file(memory: Memory) -> None:
    data = render(memory)
    assert parse_memory(data) == memory
    assert render(parse_memory(data)) == data
    assert by_frontmatter(data) == read_header(data).values


@patient
@given(memories(), memories(), st.sampled_from((b"\n", b"\r\n")), st.booleans())
def test_any_memory_becomes_any_other_in_place(old: Memory, new: Memory, ending: bytes, bom: bool) -> None:
    header, _, body = render(old).partition(b"\n---\n")
    data = (b"\xef\xbb\xbf" if bom else b"") + b"\n---\n".join((header, body)).replace(
        b"\n", ending, header.count(b"\n") + 2
    )
    assert parse_memory(data) == old
    new = replace(new, extra=old.extra)
    after = update(data, old, new)
    assert parse_memory(after) == new
    assert after.startswith(b"\xef\xbb\xbf") == bom
    head = after[: len(after) - len(new.body.encode())]
    assert head.count(b"\r\n") == (head.count(b"\n") if ending == b"\r\n" else 0)
    assert update(after, new, new) is after


def test_a_whole_header_is_read() -> None:
    memory = parse_memory(WHOLE.encode())
    assert memory == Memory(
        id="7k3f9x2aqm",
        subject="project:github.com/acme/legacy-dashboard",
        predicate="package_manager",
        scope=Scope(
            "repository",
            repository="github.com/acme/legacy-dashboard",
            path="src/**",
            topic="build",
            environment=(("container", "true"), ("os", "linux")),
            version=">=2 <3",
        ),
        status="verified",
        name="package_manager",
        description="Install dependencies with npm ci",
        type="project-rule",
        value="npm",
        revision=2,
        authority="user",
        source=(
            Source(
                "user",
                "thread:23/message:14",
                "keep package-lock.json here, use npm ci",
                "2026-09-14T09:30:00Z",
                "transcript",
            ),
            Source("file", "package.json"),
        ),
        depends_on=(Evidence("package.json#scripts.build", "v1:9f2c…", "vite build"),),
        supersedes="7k3f9x2aqm@1",
        created_at="2026-09-01T08:00:00Z",
        updated_at="2026-09-14T09:30:00Z",
        verified_at="2026-09-14T09:30:00Z",
        review_after="2026-12-14",
        body="Free Markdown: why, details, examples.\n",
        extra={"owner": "team-web"},
    )


def test_a_new_file_has_its_keys_in_order_and_its_times_in_quotes() -> None:
    memory = replace(
        parse_memory(WHOLE.encode()), extra={}, status="stale", status_reason="changed: look", value=None, none=True
    )
    lines = render(memory).decode().split("\n")
    assert [line.split(":")[0] for line in lines if line[:1].isalpha()] == [
        "id", "name", "description", "type", "subject", "predicate", "scope", "path", "topic", "environment", "version",
        "status", "statusReason", "none", "revision", "authority", "source", "dependsOn", "supersedes", "createdAt",
        "updatedAt", "verifiedAt", "reviewAfter", "Free Markdown",
    ]  # fmt: skip
    for line in (
        "none: true",
        "revision: 2",
        'reviewAfter: "2026-12-14"',
        "    attested: transcript",
        'statusReason: "changed: look"',
    ):
        assert line in lines
    assert '    at: "2026-09-14T09:30:00Z"' in lines


def test_a_confirmation_touches_its_own_lines_only() -> None:
    old = parse_memory(WHOLE.encode())
    said = Source("user", "session:s2/message:m", "npm: as before", "2026-10-01T08:00:00Z", "claimed")
    new = replace(old, source=(*old.source, said), verified_at="2026-10-01T08:00:00Z")
    diff = [
        line
        for line in difflib.unified_diff(
            WHOLE.splitlines(), update(WHOLE.encode(), old, new).decode().splitlines(), n=0, lineterm=""
        )
        if not line.startswith(("---", "+++", "@@"))
    ]
    assert diff == [
        "+  - kind: user",
        "+    ref: session:s2/message:m",
        '+    said: "npm: as before"',
        '+    at: "2026-10-01T08:00:00Z"',
        "+    attested: claimed",
        '-verifiedAt: "2026-09-14T09:30:00Z"',
        '+verifiedAt: "2026-10-01T08:00:00Z"',
    ]


@pytest.mark.parametrize(
    ("old", "new", "reason", "line"),
    [
        ("status: verified  ", "state: verified  ", "missing-status", 1),
        ("status: verified  ", "status:           ", "unknown-status", 15),
        ("status: verified  ", "status: active    ", "unknown-status", 15),
        ("status: verified  ", "status: [verified]", "not-text", 15),
        ("status: verified  ", "status: conflicted", "bad-sides", 15),
        ("id: 7k3f9x2aqm  ", "ident: 7k3f9x2aqm", "missing-id", 1),
        ("id: 7k3f9x2aqm  ", "id: ../../passwd", "bad-id", 2),
        ("subject: project:github.com/acme/legacy-dashboard", "other: x", "missing-subject", 1),
        ("subject: project:", "subject: team:", "bad-subject", 6),
        ("subject: project:github.com/acme/legacy-dashboard", 'subject: "project:"', "bad-subject", 6),
        ("predicate: package_manager", "other: x", "missing-predicate", 1),
        ("predicate: package_manager", "predicate: ../up", "bad-predicate", 7),
        ("predicate: package_manager", "predicate: two words", "bad-predicate", 7),
        ("scope: repository:github.com/acme/legacy-dashboard", "other: x", "missing-scope", 1),
        ("scope: repository:github.com/acme/legacy-dashboard", "scope: everywhere", "bad-scope", 8),
        ("scope: repository:github.com/acme/legacy-dashboard", 'scope: "repository:"', "bad-scope", 8),
        ("scope: repository:github.com/acme/legacy-dashboard", "scope: user:me", "bad-scope", 8),
        ("scope: repository:github.com/acme/legacy-dashboard", 'scope: "task:"', "bad-scope", 8),
        ('environment:\n  os: linux\n  container: "true"', "environment: linux", "bad-environment", 11),
        ("  os: linux", "  os: [linux]", "bad-environment", 11),
        ("type: project-rule", "type: rule", "unknown-type", 5),
        ("revision: 2", "revision: 0", "bad-revision", 17),
        ("revision: 2", "revision: -1", "bad-revision", 17),
        ("revision: 2", "revision: 2.0", "bad-revision", 17),
        ("revision: 2", "revision: ٢", "bad-revision", 17),
        ("revision: 2", "revision:", "bad-revision", 17),
        ("revision: 2", "none: maybe", "bad-none", 17),
        ("authority: user", "authority: boss", "unknown-authority", 18),
        ("  - kind: file   # found", "  - kind: rumour", "unknown-kind", 26),
        ("  - kind: file   # found", "  - kin: file", "bad-source", 19),
        ("  - kind: file   # found", "  - just: text", "bad-source", 19),
        ("attested: transcript", "attested: sworn", "unknown-attestation", 25),
        ('at: "2026-09-14T09:30:00Z"\n    att', 'at: "yesterday"\n    att', "bad-date", 24),
        ('  - probe: "package.json#scripts.build"', "  - what: x", "bad-evidence", 29),
        ('reviewAfter: "2026-12-14"', "reviewAfter: 2026-02-30", "bad-date", 37),
        ('reviewAfter: "2026-12-14"', "reviewAfter: 2026-12-14T10:00:00", "bad-date", 37),
        ('reviewAfter: "2026-12-14"', "reviewAfter: 2026-13-01", "bad-date", 37),
        ('reviewAfter: "2026-12-14"', "reviewAfter: soon", "bad-date", 37),
        ('reviewAfter: "2026-12-14"', "reviewAfter: 2026-12-14T24:00:01Z", "bad-date", 37),
        ("value: npm", "value: [npm]", "not-text", 16),
        ("description: Install dependencies with npm ci", "description: {a: b}", "not-text", 4),
    ],
)
def test_a_memory_that_cannot_be_served_is_told_with_its_reason(old: str, new: str, reason: str, line: int) -> None:
    assert WHOLE.count(old) == 1
    with pytest.raises(Malformed) as caught:
        parse_memory(WHOLE.replace(old, new).encode(), "memories/x.md")
    error = caught.value
    assert (error.reason, error.line) == (reason, line)
    assert (error.facts["path"], error.facts["line"]) == ("memories/x.md", line)


def test_a_change_of_another_memorys_file_is_refused() -> None:
    memory = replace(parse_memory(WHOLE.encode()), value="pnpm")
    with pytest.raises(Malformed) as caught:
        update(WHOLE.encode(), memory, replace(memory, name="other"))
    assert caught.value.reason == "uneditable"


def test_an_empty_key_holds_nothing() -> None:
    header = "id: x1\nsubject: user:u\npredicate: p\nscope: user\nstatus: stale\n"
    empty = "environment:\nsource:\nsides:\ndependsOn: []\npath:\ntopic:\nversion:\nrepository:\nreviewAfter:\nnone:\n"
    for there in (header, header.replace("scope: user", "scope: task:t")):
        assert parse_memory(f"---\n{there}{empty}---\n".encode()) == parse_memory(f"---\n{there}---\n".encode())


@pytest.mark.parametrize(
    ("scope", "found"),
    [
        ("repository:local:7f3a", Scope("repository", repository="local:7f3a")),
        ("task:jira:42", Scope("task", task="jira:42", repository="github.com/acme/app")),
        ("user", Scope("user")),
    ],
)
def test_a_scope_is_a_level_and_all_that_follows_its_colon(scope: str, found: Scope) -> None:
    header = "id: x1\nsubject: user:u\npredicate: p\nstatus: stale\nrepository: github.com/acme/app\n"
    assert parse_memory(f"---\n{header}scope: {scope}\n---\n".encode()).scope == found


def _conflicted(sides: str) -> bytes:
    return f"---\nid: x1\nsubject: user:u\npredicate: p\nscope: user\nstatus: conflicted\n{sides}---\n".encode()


def test_sides_are_read_with_their_sources() -> None:
    memory = parse_memory(
        _conflicted(
            "sides:\n  - id: a\n    value: npm\n    authority: user\n"
            "    source:\n      - kind: user\n        said: npm\n"
            '  - id: b\n    value: ""\n    description: none\n'
        )
    )
    assert memory.sides == (
        Side("a", "npm", "", "user", (Source("user", said="npm"),)),
        Side("b", "", "none", "inferred"),
    )


@pytest.mark.parametrize(
    "sides",
    [
        "",
        "sides: both\n",
        "sides:\n  - id: a\n    value: x\n",
        "sides:\n  - id: a\n  - id: a\n",
        "sides:\n  - id: a\n  - value: x\n",
        "sides:\n  - a\n  - b\n",
        "sides:\n  a: x\n  b: y\n",
        "sides:\n  - id: [a]\n  - id: b\n",
    ],
)
def test_a_conflict_without_two_sides_is_refused(sides: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse_memory(_conflicted(sides))
    assert caught.value.reason in {"bad-sides", "not-text"}


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-14",
        "2024-02-29",
        "2026-09-14T09:30:00Z",
        "2026-09-14T09:30Z",
        "2026-09-14t09:30:00+09:00",
        "2026-09-14 09:30:00.123-02:30",
    ],
)
def test_dates_and_times_with_offset_keep_their_text(text: str) -> None:
    data = WHOLE.replace("2026-12-14", text).encode()
    assert parse_memory(data).review_after == text


@pytest.mark.parametrize(
    ("scope", "kind"), [("user", "preference"), ("repository:r", "project-rule"), ("task:t", "temporary")]
)
def test_what_is_left_out_has_the_least_meaning(scope: str, kind: str) -> None:
    data = f"---\nid: x1\nsubject: user:u\npredicate: p\nscope: {scope}\nstatus: stale\n---\n".encode()
    memory = parse_memory(data)
    assert (memory.type, memory.authority, memory.revision, memory.value, memory.source) == (
        kind,
        "inferred",
        1,
        None,
        (),
    )
    # and stays left out
    assert update(data, memory, replace(memory, value="x")) == data.replace(b"stale\n", b"stale\nvalue: x\n")


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("name: x\ndescription: y\ntype: z\n", "unmanaged"),
        ("", "unmanaged"),
        ("status: accepted\ndate: 2024-01-01\n", "unmanaged"),
        ("status: verified\n", "missing-id"),
        ("id: x\n", "missing-status"),
        ("predicate: x\nstatus: active\n", "unknown-status"),
    ],
)
def test_a_file_with_none_of_memdirs_keys_is_unmanaged(header: str, reason: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse_memory(f"---\n{header}---\nbody\n".encode())
    assert caught.value.reason == reason
    assert (caught.value.line, caught.value.column) == ((3, 1) if reason == "unknown-status" else (1, 1))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"body": "---\nid: y\n---\n"}, "second-header"),
        ({"body": "a\0b"}, "nul"),
        ({"body": "<<<<<<< a\n=======\n>>>>>>> b\n"}, "conflict-markers"),
        ({"body": "x" * (1 << 20)}, "too-large"),
        ({"value": "x" * (64 << 10)}, "header-too-large"),
        ({"created_at": "soon"}, "bad-date"),
        ({"predicate": "two words"}, "bad-predicate"),
    ],
)
def test_what_no_file_can_say_is_never_written(changes: dict[str, str], reason: str) -> None:
    memory = parse_memory(WHOLE.encode())
    changed = replace(memory, **changes)  # type: ignore[arg-type]
    with pytest.raises(Malformed) as caught:
        render(changed)
    assert caught.value.reason == reason
    with pytest.raises(Malformed) as caught:
        update(WHOLE.encode(), memory, changed)
    assert caught.value.reason == reason


def test_bytes_from_the_command_line_that_are_no_text_are_refused() -> None:
    memory = parse_memory(WHOLE.encode())
    for changed in (replace(memory, value="\udcff"), replace(memory, body="\udcff")):
        with pytest.raises(UsageError, match="not UTF-8"):
            render(changed)
        with pytest.raises(UsageError, match="not UTF-8"):
            update(WHOLE.encode(), memory, changed)
