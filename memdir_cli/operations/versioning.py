"""Versioning: a memdir that is a git repository of its own, and everything that git is asked to do with it.

What goes wrong ends in an error that says how things stand; nothing is ever forced, reset or checked out.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping

from memdir_cli.domain.remote import without_credentials
from memdir_cli.domain.secrets import masked
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, PersonNeededError, RefusedError, UsageError
from memdir_cli.operations.workplace import Workplace
from memdir_cli.probes.checkout import Checkout, find_checkout
from memdir_cli.probes.git_environment import clean
from memdir_cli.shapes import dataclass
from memdir_cli.storage import layout, repository
from memdir_cli.storage.repository import Done
from memdir_cli.storage.store import Store

#: What of a memdir is committed: everything but what lies on this machine only.
OWN: tuple[str, ...] = (
    layout.INDEX, layout.CONFIG, layout.GITIGNORE, layout.GITATTRIBUTES, layout.TOMBSTONES, layout.MEMORIES,
    layout.INBOX, layout.QUARANTINE, layout.HISTORY, layout.ARCHIVE, layout.RECEIPTS,
)  # fmt: skip

#: Whose word a commit is; hooks of other repositories set these too, and mean the same person.
_IDENTITY = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")

#: What git leaves in its directory while it waits for a person.
_UNFINISHED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")

#: What a push says where somebody else was faster: before it began, or while it went on.
_RACES = ("[rejected]", "cannot lock ref", "incorrect old value", "failed to update ref")

#: Seconds that hooks, and the other end of the network, are given.
HOOKS, NETWORK = 300.0, 120.0

#: Where the last state of the remote branch is kept.
THEIRS = "refs/memdir/theirs"


@dataclass(frozen=True, slots=True)
class Repository:
    """One memdir with its repository.

    :ivar branch: the branch that is checked out.
    :ivar attended: a person sits at the terminal and may be asked for a password.
    """

    store: Store
    checkout: Checkout
    environ: Mapping[str, str]
    branch: str
    attended: bool = False

    @property
    def here(self) -> str:
        """The beginning of a git command for this repository, as a person types it."""
        return f"git -C {_quoted(self.checkout.top)}"

    def git(self, *arguments: str, given: bytes = b"", timeout: float = repository.PATIENCE) -> Done:
        """Run git here."""
        return repository.git(self.checkout.top, self.environ, *arguments, given=given, timeout=timeout)

    def ask(self, *arguments: str) -> str:
        """What git answers, ``""`` where it does not."""
        done = self.git(*arguments)
        return done.text if done.status == 0 else ""

    def must(self, *arguments: str, given: bytes = b"", index: str = "") -> Done:
        """Run git, which has no reason to fail.

        :param index: another file than the repository's own index.
        :raises FaultError: if it does.
        """
        environ = {**self.environ, "GIT_INDEX_FILE": index} if index else self.environ
        done = repository.git(self.checkout.top, environ, *arguments, given=given)
        if done.status:
            raise FaultError(
                f"git {arguments[0]} failed: {said(done)}.", code="git-failed", hint=f"look at `{self.here} status`"
            )
        return done

    def commit_of(self, name: str) -> str:
        """The commit that ``name`` means, ``""`` if there is none."""
        return self.ask("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")


def said(done: Done) -> str:
    """The last thing that git complained of, without what nobody should read."""
    lines = [line.strip() for line in done.complaint.splitlines() if line.strip() and not line.startswith("hint:")]
    told = next((line for line in reversed(lines) if line.startswith(("fatal:", "error:"))), lines[-1] if lines else "")
    told = told.removeprefix("fatal: ").removeprefix("error: ")
    return printable(masked(without_credentials(told))).rstrip(".") or f"status {done.status}"


def open_repository(workplace: Workplace, store: Store, *, attended: bool) -> Repository:
    """The repository of a memdir, ready to be committed to.

    :raises UsageError: if the memdir is none, or nobody knows what would be committed where, or by whom.
    :raises PersonNeededError: if something else is going on in it.
    """
    checkout = _checkout(workplace, store)
    bare = Repository(store, checkout, _environment(workplace.environ, checkout.top, attended=attended), "")
    branch = bare.ask("symbolic-ref", "--quiet", "--short", "HEAD")
    if not branch:
        raise UsageError(
            f"No branch is checked out in `{printable(checkout.top)}`.",
            code="detached",
            hint=f"{bare.here} switch BRANCH",
        )
    found = Repository(store, checkout, bare.environ, branch, attended)
    _refuse_unfinished(found)
    if found.git("var", "GIT_COMMITTER_IDENT").status or found.git("var", "GIT_AUTHOR_IDENT").status:
        raise UsageError(
            "git does not know in whose name to commit.",
            code="no-identity",
            hint=f'{found.here} config user.name "YOUR NAME"\n{found.here} config user.email YOU@EXAMPLE.COM',
        )
    if found.ask("ls-files", "--", layout.LOCAL):
        raise PersonNeededError(
            f"git tracks files in `{layout.LOCAL}/`, which are for this machine alone.",
            code="local-tracked",
            hint=f"{found.here} rm -r --cached {layout.LOCAL}",
        )
    return found


def remote_of(found: Repository) -> tuple[str, str]:
    """The remote and the branch of it with which this one is synced.

    :raises UsageError: if there is none, or nobody said which.
    """
    remote = found.ask("config", "--get", f"branch.{found.branch}.remote")
    merge = found.ask("config", "--get", f"branch.{found.branch}.merge").removeprefix("refs/heads/")
    names = found.ask("remote").split()
    if remote in names and merge:
        return remote, merge
    if not names:
        raise UsageError(
            "What had changed is committed, but the repository has no remote to sync with.",
            code="no-remote",
            hint=f"{found.here} remote add origin URL",
        )
    if len(names) > 1 and "origin" not in names:
        raise UsageError(
            f"What had changed is committed, but there are several remotes: {', '.join(map(printable, names))}.",
            code="no-upstream",
            hint=f"{found.here} push --set-upstream NAME {found.branch}",
        )
    return ("origin" if "origin" in names else names[0]), found.branch


def commit(found: Repository, words: str) -> int:
    """Commit what changed of the memdir, and nothing else; how many files that were. Only under the lock.

    :raises RefusedError: if a hook refuses; then everything stays as it is.
    """
    paths = changed(found)
    if not paths:
        return 0
    listed = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    from_list = ("--pathspec-from-file=-", "--pathspec-file-nul")
    found.must("add", "-A", *from_list, given=listed)
    done = found.git("commit", "-q", "-m", words, "--only", *from_list, given=listed, timeout=HOOKS)
    if done.status:
        raise RefusedError(
            f"git did not commit: {said(done)}.",
            code="commit-refused",
            hint=f"nothing is lost; see what stopped it: {found.here} commit",
        )
    return len(paths)


def changed(found: Repository) -> tuple[str, ...]:
    """The files of the memdir that are not as they were committed."""
    options = ("--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")
    rows = found.must("status", *options, "--", *OWN).output.split(b"\0")
    paths = (os.fsdecode(row[3:]) for row in rows if row)
    return tuple(sorted(path for path in paths if not layout.is_temp_name(layout.name_of(path))))


def fetch(found: Repository, remote: str, branch: str) -> str:
    """The commit at which the remote's branch is, ``""`` if it has no such branch yet.

    :raises FaultError: if it cannot be reached.
    """
    source = f"+refs/heads/{branch}:{THEIRS}"
    done = _over_the_network(found, "fetch", "-q", "--no-tags", "--no-recurse-submodules", remote, source)
    if done.status == 0:
        return found.commit_of(THEIRS)
    if "couldn't find remote ref" in done.complaint:
        return ""
    raise _unreachable(remote, done)


def push(found: Repository, remote: str, branch: str) -> bool:
    """Push, never by force; ``False`` if somebody else was faster.

    :raises RefusedError: if the other side refuses, or a hook here.
    :raises FaultError: if it cannot be reached.
    """
    done = _over_the_network(found, "push", "--porcelain", "--set-upstream", remote, f"HEAD:refs/heads/{branch}")
    if done.status == 0:
        return True
    told = [line for line in done.text.splitlines() if line.startswith("!")]
    if any(word in line for line in told for word in _RACES):
        return False
    if told:
        reason = told[0].rpartition("\t")[2]
        raise RefusedError(
            f"`{printable(remote)}` refuses the push: {printable(reason)} ({said(done)}).",
            code="remote-refused",
            hint="everything is committed here; ask whoever runs the other side",
        )
    if done.status == 1:  # git was not stopped by the network: that is a fatal error, with a status of its own
        raise RefusedError(
            f"git did not push, for its `pre-push` hook stopped it: {said(done)}.",
            code="push-refused",
            hint=f"everything is committed here; see what stopped it: {found.here} push {remote} HEAD:{branch}",
        )
    raise _unreachable(remote, done)


def _over_the_network(found: Repository, *arguments: str) -> Done:
    top, environ = found.checkout.top, found.environ
    return repository.git(top, environ, *arguments, timeout=NETWORK, attended=found.attended)


def _unreachable(remote: str, done: Done) -> FaultError:
    return FaultError(
        f"`{printable(remote)}` cannot be reached: {said(done)}.",
        code="offline",
        hint="everything is committed here; type `memdir sync` again later",
    )


def _checkout(workplace: Workplace, store: Store) -> Checkout:
    root = os.path.realpath(store.root)
    checkout = find_checkout(root, workplace.environ)
    place = _quoted(root)
    if checkout is not None and checkout.top == root and checkout.kind != "broken":
        return checkout
    if checkout is not None and checkout.top and checkout.kind != "broken":
        inside = os.path.relpath(root, checkout.top)
        raise UsageError(
            f"This memdir lies in the repository `{printable(checkout.top)}` and travels with it.",
            code="not-its-own",
            hint=f"git -C {_quoted(checkout.top)} add {_quoted(inside)}, then commit and push as you do with your code",
        )
    raise UsageError(
        f"`{printable(root)}` is no git repository, so that there is nothing to sync with.",
        code="no-repository",
        hint=f"git init {place} && git -C {place} remote add origin URL",
    )


def _environment(environ: Mapping[str, str], top: str, *, attended: bool) -> dict[str, str]:
    """What git sees: whose commits they are, and nothing of another repository; nobody is asked who is not there."""
    kept = {name: environ[name] for name in _IDENTITY if name in environ}
    found = {**clean(environ, top), **kept, "GIT_LITERAL_PATHSPECS": "1"}
    if attended:
        found.pop("GIT_TERMINAL_PROMPT")
    elif "GIT_SSH_COMMAND" not in found and "GIT_SSH" not in found:
        configured = repository.git(top, found, "config", "--get", "core.sshCommand")
        if configured.status:
            found["GIT_SSH_COMMAND"] = "ssh -o BatchMode=yes"
    return found


def _refuse_unfinished(found: Repository) -> None:
    waiting = [name for name in _UNFINISHED if os.path.lexists(os.path.join(found.checkout.git_dir, name))]
    if not waiting and not found.ask("ls-files", "--unmerged"):
        return
    rebase = any(name.startswith("rebase") for name in waiting)
    verb = "rebase --continue" if rebase else "commit"
    raise PersonNeededError(
        "Another merge is unfinished in this memdir; nothing was touched.",
        code="merge-unfinished",
        hint=f"memdir repair, then {found.here} add -A && {found.here} {verb}",
    )


def _quoted(path: str) -> str:
    return shlex.quote(path)
