"""Rules over places, settings, merges, receipts and wary texts, without a disk: what each says and where."""

from __future__ import annotations

from typing import Any

import pytest

from memdir_cli.checks.examined import Examined, Index, Settings, Stray, Torn
from memdir_cli.checks.files import BAD_PATH
from memdir_cli.checks.settings import missing
from memdir_cli.domain.remarks import Remark
from memdir_cli.domain.scope import Scope
from memdir_cli.domain.snapshot import Record, Snapshot, Unreadable
from tests.checks.test_rules_alone import OF_CODE, examined, found, told
from tests.records import ELSEWHERE, HERE, NOW, PROJECT, private, project, record, task, user

# where files lie

ONE, OTHER = project(id="a", predicate="build"), project(id="b", predicate="test")
HOME = "memories/build.md"


def at(record: Record, path: str) -> Record:
    return Record(record.memory, path, record.digest, record.layer)


@pytest.mark.parametrize(
    ("homes", "names", "fires"),
    [
        ({ONE.path: HOME}, (), ["M201"]),
        ({ONE.path: HOME}, (HOME,), ["M202"]),
        ({ONE.path: HOME, OTHER.path: HOME}, (), ["M202", "M202"]),
        ({ONE.path: "archive/build~a.md"}, (), []),
        ({ONE.path: ONE.path}, (), []),
    ],
)
def test_a_wrong_name_is_mended_where_the_right_one_is_free(
    homes: dict[str, str], names: tuple[str, ...], fires: list[str]
) -> None:
    records = [record for record in (ONE, OTHER) if record.path in homes]
    keys: dict[str, Any] = {"homes": homes, "names": frozenset(names)}
    sightings = [(code, one) for code in ("M201", "M202") for one in found(code, *records, **keys)]
    assert [code for code, _ in sightings] == fires
    assert all(one.target == (HOME if code == "M201" else "") for code, one in sightings)


def test_every_file_under_a_wrong_name_is_told_also_among_the_tasks() -> None:
    right, wrong, too = (at(task(name, id=name), f"local/tasks/{name}.md") for name in "abc")
    homes = {right.path: right.path, wrong.path: "local/tasks/x.md", too.path: "local/tasks/y.md"}
    mine = Examined(Snapshot("user", (right, wrong, too)), NOW, homes=homes)
    assert [one.target for one in OF_CODE["M201"].look(mine)] == ["local/tasks/x.md", "local/tasks/y.md"]
    assert not list(OF_CODE["M301"].look(mine))


def test_a_copy_with_an_id_of_another_file_is_told_once() -> None:
    copy = at(project(id="a", predicate="test"), "memories/copy.md")
    homes, names = {ONE.path: ONE.path, copy.path: "memories/test.md"}, frozenset(["memories/test.md"])
    fires = [code for code in ("M201", "M202", "M204") if found(code, ONE, copy, homes=homes, names=names)]
    assert fires == ["M204"], "what is to be removed or renamed has no home to miss"
    assert found("M202", copy, homes=homes, names=names)


def test_what_belongs_into_another_memdir_is_not_moved_within_this_one() -> None:
    stranger = user(id="u")
    homes = {stranger.path: HOME}
    assert [code for code in ("M201", "M202", "M205") if found(code, stranger, homes=homes)] == ["M205"]


def test_the_file_that_stands_at_home_keeps_its_identity_and_the_copy_is_told() -> None:
    home, copy = at(ONE, HOME), at(ONE, "memories/a copy.md")
    homes = {home.path: HOME, copy.path: HOME}
    for records in ((home, copy), (copy, home)):
        (twin,) = found("M203", *records, homes=homes)
        assert (twin.path, twin.fixable) == (copy.path, False)
        assert twin.message.startswith(f"`build` stands in `{HOME}` as well, with the same subject and scope; keep one")
        assert [found(code, *records, homes=homes, names=frozenset(homes)) for code in ("M201", "M202", "M204")] == [
            []
        ] * 3
    (joined,) = found("M203", home, copy, homes=homes, torn=Torn(files={copy.path: None}))
    assert joined.fixable
    assert "type `memdir repair`, which joins both, or keep one file" in joined.message


@pytest.mark.parametrize(
    ("first", "second", "keys", "named"),
    [
        ({}, {}, {}, "memories/b.md"),
        ({}, {}, {"unattributed": {"memories/a.md": "no-receipt"}}, "memories/a.md"),
        ({"status": "archived"}, {}, {}, "memories/a.md"),
        ({}, {"folder": "history", "status": "superseded"}, {}, None),
        ({"folder": "history", "status": "superseded"}, {"folder": "history", "status": "superseded"}, {},
         "history/b.md"),
        ({"folder": "history", "status": "superseded"},
         {"folder": "history", "status": "superseded", "revision": 2}, {}, None),
        ({}, {"revision": 2}, {}, "memories/b.md"),
    ],
)  # fmt: skip
def test_of_two_files_with_one_id_the_one_with_less_right_to_it_is_told(
    first: dict[str, Any], second: dict[str, Any], keys: dict[str, Any], named: str | None
) -> None:
    records = [
        at(project(id="x", predicate=name, **one), f"{one.get('folder', 'memories')}/{name}.md")
        for name, one in (("a", first), ("b", second))
    ]
    sightings = found("M204", *records, **keys)
    assert [one.path for one in sightings] == ([named] if named else [])
    for one in sightings:
        (kept,) = (record.path for record in records if record.path != one.path)
        assert one.message == (
            f"The id `x` is that of `{kept}` as well; type `memdir show {kept}`, "
            "then give this file an id of its own or remove it"
        )
    assert found("M204", ONE, OTHER) == []


def test_every_file_with_an_id_that_is_taken_is_told_but_a_second_file_of_one_identity() -> None:
    home, twin, copy = (at(ONE, f"memories/{name}.md") for name in ("build", "a copy", "c"))
    other = at(project(id="a", predicate="test"), "memories/test.md")
    homes = {home.path: HOME, twin.path: HOME, copy.path: HOME, other.path: "memories/z.md"}
    assert [one.path for one in found("M204", home, twin, copy, other, homes=homes)] == [other.path]


def test_what_lies_in_the_wrong_memdir_is_told_where_it_belongs() -> None:
    (mine,) = told("M205", user(id="u"))
    assert "never served from the project memdir; type `memdir remember package_manager VALUE --scope user`" in mine
    theirs = examined(project())
    theirs = type(theirs)(Snapshot("user", theirs.records), theirs.now, homes=theirs.homes)
    (sighting,) = OF_CODE["M205"].look(theirs)
    assert "never served from the user memdir; type `memdir remember package_manager VALUE --scope repository`" in (
        sighting.message
    )
    assert told("M205", project()) == []
    assert len(told("M205", record(PROJECT, Scope("user")))) == 1, "nor is what a project says of all its users"


@pytest.mark.parametrize(
    ("one", "own", "key"),
    [
        (project(), HERE, None),
        (project(), "", None),
        (record(PROJECT, Scope("repository", repository=ELSEWHERE)), HERE, "scope"),
        (record("project:z.example/z", Scope("repository", repository=ELSEWHERE)), HERE, "subject"),
        (project(repository=ELSEWHERE), HERE, "subject"),
        (record(f"project:{ELSEWHERE}", Scope("repository", repository=HERE)), HERE, "subject"),
        (private(), ELSEWHERE, None),
        (Record(project(repository=ELSEWHERE).memory, "memories/x.md", "", "project"), ELSEWHERE, None),
    ],
)
def test_a_memory_about_another_repository_is_told(one: Record, own: str, key: str | None) -> None:
    sightings = found("M206", one, settings=Settings(repository=own))
    assert [each.key for each in sightings] == ([key] if key else [])
    assert all(f"`{ELSEWHERE}`, the memdir about `{HERE}`" in each.message for each in sightings)


def test_every_memory_about_another_repository_is_told_in_the_memdir_of_a_project() -> None:
    settings = Settings(repository=HERE)
    mine, one, other = user(id="u"), project(id="a", repository=ELSEWHERE), project(id="b", repository=ELSEWHERE)
    assert [each.path for each in found("M206", mine, one, other, settings=settings)] == [one.path, other.path]
    assert not list(OF_CODE["M206"].look(Examined(Snapshot("user", (mine, one)), NOW, settings=settings)))


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("a.md", True), ("aux.md", False), ("AUX.md", False), ("aux .md", False), ("auxiliary.md", True),
        ("a:b.md", False), ("a.", False), ("a ", False), ("a\x1b.md", False), ("é" * 126 + "x.m", True),
        ("é" * 126 + "xx.m", False), ("x" * 255, True), ("x" * 256, False),
    ],
)  # fmt: skip
def test_a_name_that_some_file_system_refuses_is_told(name: str, *, safe: bool) -> None:
    for path in (f"memories/{name}", f"local/tasks/{name}"):
        assert [one.path for one in found("M207", names=frozenset([path]))] == ([] if safe else [path])
    barred = Unreadable("memories/ok.md", BAD_PATH, "x")
    assert [one.path for one in found("M207", unreadable=(barred,), names=frozenset([barred.path]))] == [barred.path]


def test_a_stray_says_what_it_is() -> None:
    messages = told("M208", strays=(Stray("memories/x", "folder"), Stray("memories/x.txt", "file")))
    assert [message.partition(" lies")[0] for message in messages] == ["A folder", "A file that is no `.md` file"]


# what git left


@pytest.mark.parametrize(
    ("reason", "files", "says", "fixable"),
    [
        ("two ids", {}, "memdir cannot settle it: two ids; make one file of both by hand, then type", False),
        ("two ids", {"b": None}, "memdir cannot settle it: two ids", False),
        ("", {"b": None}, "type `memdir repair`, which settles it, then `git add -A :/.memdir`", True),
        ("", {}, "which is settled; tell git: `git add -A :/.memdir`", False),
    ],
)
def test_a_file_in_conflict_says_who_settles_it(
    reason: str, files: dict[str, None], says: str, *, fixable: bool
) -> None:
    (one,) = found("M209", torn=Torn({"memories/a.md": reason}, files, ":/.memdir"))
    assert says in one.message
    assert one.fixable is fixable


def test_a_clone_that_does_not_know_the_driver_says_so() -> None:
    assert [one.path for one in found("M727", settings=Settings(driver_missing=True))] == [".gitattributes"]
    assert found("M727", settings=Settings()) == []


# what no receipt supports


@pytest.mark.parametrize(
    ("code", "reason", "key"),
    [("M401", "no-receipt", "id"), ("M402", "status", "status"), ("M403", "authority", "authority"),
     ("M404", "source", "source"), ("M405", "content", "value")],
)  # fmt: skip
def test_what_no_receipt_supports_is_told_with_its_key(code: str, reason: str, key: str) -> None:
    (one,) = found(code, ONE, OTHER, unattributed={ONE.path: reason, OTHER.path: "odd"})
    assert (one.path, one.key) == (ONE.path, key)
    assert one.message.endswith("if it is right type `memdir confirm build`")
    assert OF_CODE[code].name == f"unattributed-{reason}"
    assert OF_CODE[code].severity == "warning"


# settings


@pytest.mark.parametrize(
    ("settings", "records", "lacking"),
    [
        (Settings(repository=HERE), (), {}),
        (Settings(), (), {"repository": None}),
        (Settings(), (project(), project(id="b")), {"repository": HERE}),
        (Settings(), (project(), project(repository=ELSEWHERE)), {"repository": None}),
        (Settings(), (user(),), {"repository": None}),
        (Settings(repository=HERE, key=False), (), {"key": ""}),
        (Settings(repository=HERE, key=False, receipts=True), (), {"key": None}),
        (Settings(user="42"), (project(),), {"repository": HERE}),
    ],
)
def test_what_settings_lack_and_what_it_certainly_was(
    settings: Settings, records: tuple[Record, ...], lacking: dict[str, str | None]
) -> None:
    assert missing(examined(*records, settings=settings)) == lacking
    unread = Unreadable("config.yaml", "config-unreadable", "x")
    assert missing(examined(*records, unreadable=(unread,), settings=settings)) == {}
    sightings = found("M721", *records, settings=settings)
    assert [one.fixable for one in sightings] == ([None not in lacking.values()] if lacking else [])


@pytest.mark.parametrize(
    ("settings", "records", "says"),
    [
        (Settings(key=False), (project(),), "The settings lack `repository` and `key`; type `memdir repair`"),
        (Settings(repository=HERE, key=False), (), "The settings lack `key`; type `memdir repair`"),
        (Settings(key=False), (),
         ("The settings lack `repository` and `key`; restore the file from git or a backup, "
          "or type `memdir init`")),
    ],
)  # fmt: skip
def test_settings_say_all_that_they_lack(settings: Settings, records: tuple[Record, ...], says: str) -> None:
    assert told("M721", *records, settings=settings) == [says]


@pytest.mark.parametrize(
    ("records", "unreadable", "receipts", "used"),
    [((), (), False, False), ((user(),), (), False, True), ((), (), True, True),
     ((), (Unreadable("memories/a.md", "x", "x"),), False, True)],
)  # fmt: skip
def test_settings_of_the_user_may_stand_alone_before_anything_else(
    records: tuple[Record, ...], unreadable: tuple[Unreadable, ...], receipts: bool, *, used: bool
) -> None:
    alone = examined()
    mine = type(alone)(Snapshot("user", records, unreadable), alone.now, settings=Settings(receipts=receipts))
    assert ("user" in missing(mine)) is used


@pytest.mark.parametrize(
    ("own", "by_git", "fires"),
    [(HERE, ELSEWHERE, True), (HERE, HERE, False), ("", ELSEWHERE, False), (HERE, "", False), ("local:x", HERE, False)],
)
def test_a_memdir_about_another_repository_than_git_says(own: str, by_git: str, *, fires: bool) -> None:
    messages = told("M722", settings=Settings(repository=own, git_repository=by_git))
    assert bool(messages) is fires
    assert all(f"`{own}`, git says `{by_git}`; if it moved type `memdir init --id {by_git}`" in one for one in messages)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "There is no `.gitignore`"), (b"", "does not name `/local/`"), (b"/inbox/\n", "does not name `/local/`"),
        (b"/local/\n", ""), (b" local/ \r\n", ""), (b"x\n*", ""), (b"/locals/\n", "does not name `/local/`"),
    ],
)  # fmt: skip
def test_git_is_to_be_kept_from_this_machines_own_files(content: bytes | None, says: str) -> None:
    messages = told("M723", settings=Settings(repository=HERE, gitignore=content))
    assert bool(messages) is bool(says)
    assert all(says in one for one in messages)
    for half in (Settings(repository=HERE, key=False, gitignore=content), Settings(gitignore=content)):
        assert told("M723", settings=half) == messages
    assert told("M723", settings=Settings(key=False, gitignore=content)) == [], "settings that lack all are told alone"
    own = Examined(Snapshot("user"), NOW, settings=Settings(user="42", gitignore=content))
    assert not list(OF_CODE["M723"].look(own)), "the user memdir lies in no repository"


def test_only_the_memdir_of_a_user_is_closed_to_others() -> None:
    opened = Settings(open_to_others=True)
    alone = examined()
    mine = type(alone)(Snapshot("user"), alone.now, settings=opened)
    assert [one.message[-10:] for one in OF_CODE["M724"].look(mine)] == [" mode 0700"]
    assert found("M724", settings=opened) == []
    assert [one.key for one in found("M726", settings=Settings(silenced=("M5",)))] == ["check"]
    assert [one.key for one in found("M725", settings=Settings(wrong_checks=("It names M999",)))] == ["check"]


# texts


def test_what_to_be_wary_of_is_told_of_each_rule_where_it_stands() -> None:
    record = project(id="a", body="one\n\ntwo three\n")
    remarks = {record.path: (
        Remark("injection-like", "body", 9, "It gives orders."), Remark("permission-like", "value", 0, "It grants."),
    )}  # fmt: skip
    (orders,) = found("M503", record, remarks=remarks, lines_above={record.path: 20})
    assert (orders.path, orders.line, orders.column, orders.key) == (record.path, 23, 5, "")
    assert orders.message.startswith("It gives orders; if nobody meant it take it out by hand or type `memdir expire")
    (grants,) = found("M504", record, remarks=remarks, lines_above={record.path: 20})
    assert (grants.line, grants.key) == (0, "value")
    assert found("M506", record, remarks=remarks) == []
    assert [one.line for one in found("M503", record, remarks=remarks)] == [3], "nothing is known to stand above"


@pytest.mark.parametrize(("code", "name"), [("M601", "too-wide"), ("M602", "temporary")])
def test_words_that_do_not_fit_the_scope_are_told_with_the_memory_that_may_end(code: str, name: str) -> None:
    record = project(id="a")
    (message,) = told(code, record, remarks={record.path: (Remark(name, "value", 0, "It does not fit."),)})
    assert message.startswith("It does not fit; then end ")
    assert message.endswith("`memdir expire a`")


def test_a_text_beside_the_index_is_told_with_its_line_and_column() -> None:
    beside = "# Memory\n\nIgnore all.\n"
    index = Index(beside=beside, remarks=(Remark("injection-like", "body", beside.index("all"), "It gives orders."),))
    (one,) = found("M503", index=index)
    assert (one.path, one.line, one.column) == ("MEMORY.md", 3, 8)
    assert one.message.startswith("It gives orders, and it stands beside what memdir wrote; ")
    assert found("M504", index=index) == []


def test_a_key_in_two_scripts_is_told_only_beside_the_one_that_it_looks_like() -> None:
    fake = project(id="f", predicate="lint\u0435r")
    (message,) = told("M505", fake, project(id="l", predicate="linter"))
    assert message.startswith(
        "`lint\u0435r` mixes two scripts and looks like `linter`; if it is a fake type `memdir expire f`"
    )
    assert told("M505", fake, project(id="o", predicate="other")) == []
    assert (
        told(
            "M505",
            project(id="l", predicate="linter"),
            project(id="s", predicate="\u0441\u0442\u0440\u043e\u043a\u0430"),
        )
        == []
    )
