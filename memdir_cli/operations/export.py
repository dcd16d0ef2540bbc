"""export: give what is remembered to other programs, in their own form, and remember what was given where."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack

from memdir_cli.domain import finding, listing, visibility
from memdir_cli.domain import resolve as resolving
from memdir_cli.domain.changes import ChangeSet
from memdir_cli.domain.doubt import doubts, unreadable
from memdir_cli.domain.exporting import ExportAnswer, Form, Given
from memdir_cli.domain.installing import Edit
from memdir_cli.domain.listing import Listed
from memdir_cli.domain.resolve import Judged
from memdir_cli.domain.runtime import Fact
from memdir_cli.domain.selection import select
from memdir_cli.domain.snapshot import Layer
from memdir_cli.domain.text import printable
from memdir_cli.errors import UsageError
from memdir_cli.operations import fitting
from memdir_cli.operations.looking import looks
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes.workspace import is_within
from memdir_cli.shapes import dataclass, replace
from memdir_cli.storage import codec, exported, exports, layout
from memdir_cli.storage.exports import Export, Page
from memdir_cli.storage.store import Store
from memdir_cli.storage.writer import Writer

#: The file of instructions where a folder is named.
INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md")

#: How files end into which a block may be written.
MARKDOWN = (".md", ".markdown", ".mdc")

CHANGED = "was changed by somebody since; it was left as it is"


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of one place.

    :ivar records: by memdir, what is recorded of it.
    """

    edits: tuple[Edit, ...]
    records: Mapping[Layer, Export]
    count: int
    remarks: tuple[str, ...] = ()


def export(workplace: Workplace, form: Form, path: str, *, ignored: bool = False) -> ExportAnswer:
    """Write the current view to ``path``, and take out what was written there before and holds no more.

    A place inside the repository is read by others: it gets the project's memories alone.

    :param path: a folder for ``claude``, a file of instructions or its folder for ``agents-md``, a file for
        ``jsonl``, where ``-`` gives the text instead.
    :param ignored: memory is not to be used; nothing is written.
    :raises UsageError: for a place where nothing of that form can be.
    """
    if ignored:
        return ExportAnswer(form, "", ignored=True)
    # wherever it is typed: what holds for some files only is told with its condition
    workplace = replace(workplace, runtime=replace(workplace.runtime, path=Fact("", "export")))
    if (form, path) == ("jsonl", "-"):
        given, remarks = _given(workplace, form, shared=False)
        return ExportAnswer(form, "", len(given), text=_records(given).decode(), remarks=remarks)
    place = _place(workplace, form, path)
    shared = bool(workplace.root) and is_within(place, os.path.realpath(workplace.root))
    with ExitStack() as stack:
        writers = [
            stack.enter_context(store.writing(workplace.lock_timeout, "memdir export")) for store in workplace.stores
        ]
        given, remarks = _given(workplace, form, shared=shared)
        plan = _PLANS[form](writers, place, given)
        _carry_out(writers, plan, workplace.runtime.now)
    left_out = len(_owned(workplace)) if shared else 0
    return ExportAnswer(form, place, plan.count, plan.edits, left_out=left_out, remarks=(*remarks, *plan.remarks))


def _carry_out(writers: Iterable[Writer], plan: Plan, now: str) -> None:
    """First it is recorded what will lie there, whatever happens then; at last what does."""
    for writer in writers:
        promised = plan.records[writer.store.layer]
        _note(writer, _with_both(writer.store, promised), now)
    for edit in plan.edits:
        fitting.write(edit)
    for writer in writers:
        _note(writer, plan.records[writer.store.layer], now)


def _with_both(store: Store, promised: Export) -> Export:
    """What was recorded together with what is going to be."""
    known = exports.at(store, promised.form, promised.path)
    pages = dict(known.pages)
    for name, page in promised.pages.items():
        old = pages.get(name)
        pages[name] = replace(page, digests=tuple(dict.fromkeys((*page.digests, *(old.digests if old else ())))))
    return replace(promised, ids=promised.ids | known.ids, pages=pages)


def _note(writer: Writer, export: Export, now: str) -> None:
    put = exports.noted(writer.store, [export])
    if put is not None:
        writer.commit(ChangeSet(files=(put,)), now)


def _place(workplace: Workplace, form: Form, path: str) -> str:
    whole = "" if "\0" in path or not path.strip() else os.path.realpath(os.path.join(workplace.cwd, path))
    folder = os.path.isdir(whole)
    if form == "agents-md" and folder:
        found = (name for name in INSTRUCTIONS if os.path.exists(os.path.join(whole, name)))
        whole, folder = os.path.realpath(os.path.join(whole, next(found, INSTRUCTIONS[0]))), False
    if form == "agents-md" and not whole.endswith(MARKDOWN):
        raise UsageError(
            f"`{printable(path)}` is no Markdown file.", code="bad-place", hint="name one such as `AGENTS.md`"
        )
    roots = [os.path.realpath(store.root) for store in workplace.stores]
    if not whole or any(is_within(whole, root) for root in roots):
        raise UsageError(
            f"Nothing can be exported to `{printable(path)}`.", code="bad-place", hint="give a place outside the memdir"
        )
    if path == "-" or (folder != (form == "claude") and os.path.exists(whole)):
        wanted = "a folder" if form == "claude" else "a file"
        raise UsageError(f"`{printable(path)}` is not {wanted}.", code="bad-place", hint=f"name {wanted} for `{form}`")
    return whole


def _given(workplace: Workplace, form: Form, *, shared: bool) -> tuple[list[Given], tuple[str, ...]]:
    """What is exported, in order, and what a person should know of it."""
    seen = looks(workplace)
    judged: list[Judged] = []
    remarks: list[str] = []
    stores = [store for store in workplace.stores if store.layer == "project" or not shared]
    for store in stores:
        snapshot = store.snapshot((layout.MEMORIES,))
        remarks += unreadable(snapshot)
        judged += [resolving.judge(record, workplace.runtime, seen) for record in snapshot.records]
        store.read_claims()
    by_layer = {store.layer: store for store in stores}

    def told(one: Judged, *, conflict: bool) -> Given:
        unsupported = by_layer[one.record.layer].unattributed(one.record)
        return Given(Listed(one, unsupported), doubts(one, unsupported), conflict)

    if form == "claude":
        entries = select(one for one in judged if not visibility.another_users(one)).entries
        return [told(entry.judged, conflict=entry.conflict) for entry in entries], tuple(remarks)
    # where every project reads it, a rule of one of them has no place
    everywhere = form == "agents-md" and not shared
    chosen = [one for one in judged if visibility.in_view(one) and (not everywhere or one.memory.scope.level == "user")]
    ordered = sorted(chosen, key=listing.place)
    return [told(one, conflict=one.effective.status == "conflicted") for one in ordered], tuple(remarks)


def _owned(workplace: Workplace) -> list[Judged]:
    """The user's own memories of the current view."""
    records = workplace.user.snapshot((layout.MEMORIES,)).records if workplace.user is not None else ()
    judged = [resolving.judge(record, workplace.runtime) for record in records]
    return [one for one in judged if visibility.in_view(one)]


def _claude(writers: list[Writer], place: str, given: list[Given]) -> Plan:
    """A page for every memory, and the index over them."""
    edits: list[Edit] = []
    remarks: list[str] = []
    records: dict[Layer, Export] = {}
    for writer in writers:
        store = writer.store
        own = [one for one in given if one.listed.judged.record.layer == store.layer]
        pages, changed, stay = _pages(store, place, own)
        edits += changed
        remarks += (f"`{printable(path)}` {CHANGED}" for path in stay)
        ids = {one.id for one in own} | {page.id for page in pages.values()}
        records[store.layer] = Export("claude", place, frozenset(ids), pages)
    path = os.path.join(place, exported.INDEX)
    before = fitting.content(path)
    after = exported.index(before, given)
    # pages before the index that leads to them, and it before those that go
    index = [Edit(path, before, after)] if before != after else []
    new, old = [one for one in edits if one.after is not None], [one for one in edits if one.after is None]
    return Plan((*new, *index, *old), records, len(given), tuple(remarks))


def _pages(store: Store, place: str, own: list[Given]) -> tuple[dict[str, Page], list[Edit], list[str]]:
    """The pages of one memdir by name, what changes in their files, and the files that somebody else has changed."""
    wanted = {exported.page_name(one): one for one in own if one.told}
    known = exports.at(store, "claude", place)
    pages: dict[str, Page] = {}
    edits: list[Edit] = []
    stay: list[str] = []
    for name in sorted(wanted.keys() | known.pages.keys()):
        path = os.path.join(place, name)
        before = fitting.content(path)
        after = exported.page(wanted[name]) if name in wanted else None
        if not _is_ours(store, known.pages.get(name), before):
            stay.append(path)
            if name in known.pages:
                pages[name] = known.pages[name]
            continue
        if before != after:
            edits.append(Edit(path, before, after))
        if after is not None:
            pages[name] = exports.page(store, wanted[name].id, after)
    return pages, edits, stay


def _is_ours(store: Store, known: Page | None, content: bytes | None) -> bool:
    """Whether a page may be written anew: nothing is there, or what memdir has written."""
    if content is None:
        return True
    if known is not None:
        return exports.mark(store, content) in known.digests
    try:
        return codec.read_header(content).values.keys() >= {"memdir"}
    except codec.Malformed:
        return False


def _instructions(writers: list[Writer], place: str, given: list[Given]) -> Plan:
    before = fitting.content(place)
    return _one_file(writers, place, given, "agents-md", before, exported.block(before, given))


def _lines(writers: list[Writer], place: str, given: list[Given]) -> Plan:
    before = fitting.content(place)
    if before is not None and not exported.are_records(before):
        raise UsageError(
            f"`{printable(place)}` holds something else.", code="bad-place", hint="give a file that is not there yet"
        )
    return _one_file(writers, place, given, "jsonl", before, _records(given))


def _one_file(
    writers: list[Writer], place: str, given: list[Given], form: Form, before: bytes | None, after: bytes | None
) -> Plan:
    records: dict[Layer, Export] = {}
    for writer in writers:
        layer = writer.store.layer
        ids = frozenset(one.id for one in given if one.listed.judged.record.layer == layer)
        records[layer] = Export(form, place, ids)
    return Plan((Edit(place, before, after),) if before != after else (), records, len(given))


def _records(given: Iterable[Given]) -> bytes:
    """Every memory with the keys of its frontmatter and its text; of a conflict no value."""
    bare = (replace(one.listed, judged=finding.told(one.listed.judged)) for one in given)
    return exported.records(listed.document(body=True) for listed in bare)


_PLANS: Mapping[Form, Callable[[list[Writer], str, list[Given]], Plan]] = {
    "claude": _claude,
    "agents-md": _instructions,
    "jsonl": _lines,
}
