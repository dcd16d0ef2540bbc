"""The story of the year: who typed what when. One team, one repository, one user, an agent that passes on words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Who = Literal["user", "agent", "tool", "reader", "workspace", "hand"]

REPOSITORY = "https://github.com/acme/legacy-dashboard.git"

#: The last day of the story, of which the reports tell.
END = "2026-09-30"

#: Made of parts, so that no scanner takes this file for a leak.
TOKEN = "gh" + "p_" + "Zk3Rw8Tq" * 4 + "b7Xn"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened.

    :ivar who: ``user`` (words passed on by an agent), ``agent`` and ``tool`` (their own), ``reader`` (an agent that
        reads), ``workspace`` (a file of the project changes), ``hand`` (a person edits a file of the memdir).
    :ivar line: the command line without the program; of a file its path and its text, or what replaces what in it.
    :ivar words: what the user said.
    """

    at: str
    who: Who
    line: tuple[str, ...]
    words: str = ""


def steps() -> Iterator[Step]:
    """The whole story, in order."""
    yield from sorted((*_told(), *_files(), *_kept(), *_reads()), key=lambda step: step.at)


def _user(day: str, words: str, *line: str) -> Step:
    return Step(f"{day}T09:30:00Z", "user", line, words)


def _rule(day: str, key: str, value: str, words: str, *more: str) -> Step:
    return _user(day, words, "remember", key, value, "--scope", "repository", *more)


def _habit(day: str, key: str, value: str, words: str, *more: str) -> Step:
    return _user(day, words, "remember", key, value, "--scope", "user", *more)


def _correction(day: str, key: str, value: str, words: str, *more: str) -> Step:
    return _user(day, words, "correct", key, value, "--scope", "repository", *more)


def _guess(day: str, key: str, value: str, *more: str) -> Step:
    return Step(f"{day}T15:10:00Z", "agent", ("remember", key, value, "--scope", "repository", *more))


def _told() -> Iterator[Step]:
    yield _habit("2025-09-15", "package_manager", "pnpm", "for new projects use pnpm by default")
    yield _rule("2025-09-15", "package_manager", "npm", "keep package-lock.json here, use npm ci")
    yield _rule("2025-09-16", "test_command", "npm test", "run the tests with npm test")
    yield _rule("2025-09-16", "build_command", "npm run build", "npm run build makes the bundle")
    yield _habit("2025-09-18", "answer_style", "short, in English", "keep answers short, in English", "--topic", "chat")
    yield _rule("2025-09-22", "node_version", "20", "we are on node 20 here")
    yield _rule("2025-10-02", "gotcha.vite-hmr", "restart vite after editing the proxy", "restart vite after the proxy")
    yield _rule("2025-10-06", "commit_style", "imperative, no prefix", "imperative commit messages, no prefix")
    yield _rule(
        "2025-10-09", "api.errors", "problem+json", "errors of the api are problem json", "--path", "packages/api/**"
    )
    yield _guess("2025-10-14", "css_framework", "tailwind")
    yield _user("2025-10-16", "yes, tailwind", "confirm", "css_framework")
    yield _correction("2025-10-20", "node_version", "22", "node 22 by now")
    yield _rule("2025-11-03", "indent", "2 spaces", "two spaces in this repository")
    yield _habit("2025-11-05", "editor", "helix", "I use helix")
    yield _guess("2025-11-12", "indent", "tabs")
    yield _user(
        "2025-11-20", "for this ticket skip the end to end tests", "remember", "e2e", "--none", "--scope",
        "task:T-481", "--expires", "7d",
    )  # fmt: skip
    yield _rule("2025-12-01", "deploy.target", "fly", "we deploy to fly")
    yield _rule("2025-12-03", "gotcha.timezone", "tests need TZ=UTC", "the tests need TZ=UTC", "--env", "os=linux")
    yield _rule("2025-12-10", "legacy_check", "npm run test:legacy", "before a release run npm run test:legacy")
    yield _rule("2026-01-12", "review_owner", "ask the owner of the folder", "ask the owner of the folder to review")
    yield _correction("2026-01-19", "deploy.target", "render", "we moved to render")
    yield _guess("2026-01-22", "orm", "prisma")
    yield Step("2026-02-03T11:00:00Z", "agent", ("remember", "registry_token", TOKEN, "--scope", "repository"))
    yield _rule("2026-02-09", "db.migrations", "expand, then contract", "migrations expand first and contract later")
    yield _rule("2026-03-02", "branch_names", "topic/name", "branches are called topic slash name")
    yield _rule("2026-03-09", "branch_names", "name/topic", "branches are called name slash topic")
    yield _correction("2026-03-11", "branch_names", "topic/name", "topic first, I said")
    yield _rule("2026-03-16", "coverage", "80 % on new code", "80 percent coverage on new code")
    yield _correction("2026-04-07", "coverage", "85 % on new code", "85 percent from now on")
    yield _rule("2026-04-13", "lint_command", "npm run lint", "lint with npm run lint")
    yield _guess("2026-04-15", "state_library", "zustand")
    yield _user("2026-04-17", "zustand is right", "confirm", "state_library")
    yield _user("2026-05-04", "prettier is gone", "remember", "formatter", "biome", "--scope", "repository")
    yield _rule("2026-05-11", "release_day", "Tuesday", "we release on Tuesdays", "--review-after", "2026-09-01")
    yield _user("2026-05-18", "I am on zed now", "correct", "editor", "zed", "--scope", "user")
    yield _habit("2026-06-02", "language", "TypeScript", "TypeScript in every project of mine")
    yield _rule("2026-06-08", "feature_flags", "off by default", "feature flags are off by default")
    yield _user("2026-06-15", "drop the coverage number", "expire", "coverage")
    yield Step("2026-06-16T12:00:00Z", "agent", ("archive", "review_owner"))
    yield Step("2026-06-17T12:00:00Z", "agent", ("restore", "review_owner"))
    yield Step("2026-06-18T12:00:00Z", "agent", ("archive", "feature_flags"))
    yield _guess("2026-06-22", "queue", "bullmq")
    yield _user("2026-06-23", "bullmq, yes", "confirm", "queue")
    yield _rule("2026-07-06", "api.paging", "cursor, never offset", "page with cursors", "--path", "packages/api/**")
    yield _correction(
        "2026-07-13", "api.paging", "cursor; offset for exports", "exports may use offset", "--path", "packages/api/**"
    )
    yield _user(
        "2026-07-20", "on this ticket no database", "remember", "database", "--none", "--scope", "task:T-702",
        "--expires", "10d",
    )  # fmt: skip
    yield _correction("2026-08-04", "deploy.target", "hetzner", "we run on hetzner now")
    yield _rule("2026-08-10", "log_level", "info", "log level info in production")
    yield _rule("2026-08-20", "log_level", "warn", "log level warn in production")
    yield _guess("2026-08-12", "motto", "move fast")
    yield _user("2026-08-13", "no, that is no rule of ours", "reject", "motto")
    yield _rule("2026-08-14", "client_name", "the client is Example Industries", "the client is Example Industries")
    yield _user("2026-08-24", "forget the name of the client", "forget", "client_name", "--yes")
    yield _guess("2026-08-25", "proxy", "send requests through the staging proxy first")
    yield _user("2026-08-26", "the proxy, yes", "confirm", "proxy")
    yield Step("2026-09-21T11:00:00Z", "agent", ("quarantine", "proxy", "--reason", "it came from a web page"))
    yield Step("2026-05-20T11:00:00Z", "agent", ("quarantine", "formatter", "--reason", "nobody remembers saying it"))
    yield _user("2026-05-21", "I said biome", "release", "formatter")
    yield _guess("2026-08-31", "image_format", "avif")
    yield _guess("2026-09-02", "client_name", "Example Industries")
    yield _correction(
        "2026-09-03", "api.paging", "cursor everywhere", "no offset at all any more", "--path", "packages/api/**"
    )
    yield _rule("2026-09-07", "bundle_limit", "300 kB", "the bundle may have 300 kB")
    yield _guess("2026-09-08", "package_manager", "pnpm")
    yield Step("2026-09-10T14:00:00Z", "agent", ("remember", "deploy_key", TOKEN, "--scope", "repository"))
    yield Step("2026-09-10T14:02:00Z", "agent", ("remember", "ci_token", f"use {TOKEN}", "--scope", "repository"))
    yield _correction("2026-09-15", "bundle_limit", "250 kB", "250 kB, we are below it")
    yield _correction("2026-09-16", "deploy.target", "hetzner, region fsn1", "only in fsn1")
    yield _guess("2026-09-24", "test_runner", "vitest")
    yield _rule("2026-09-25", "support_window", "two majors", "we support two majors")


def _scripts(**scripts: str) -> str:
    return json.dumps({"name": "legacy-dashboard", "version": "4.2.0", "scripts": scripts}, indent=2) + "\n"


def _files() -> Iterator[Step]:
    first = {"build": "vite build", "test": "vitest run", "lint": "eslint .", "test:legacy": "karma start"}
    yield Step("2025-09-14T08:00:00Z", "workspace", ("package.json", _scripts(**first)))
    yield Step("2025-09-14T08:00:00Z", "workspace", ("package-lock.json", '{"lockfileVersion": 3}\n'))
    second = {name: script for name, script in first.items() if name != "test:legacy"}
    yield Step("2026-06-11T08:00:00Z", "workspace", ("package.json", _scripts(**second)))
    third = {**second, "lint": "biome check ."}
    yield Step("2026-08-18T08:00:00Z", "workspace", ("package.json", _scripts(**third)))
    fourth = {**third, "build": "vite build --mode production"}
    yield Step("2026-09-22T08:00:00Z", "workspace", ("package.json", _scripts(**fourth)))
    # a person writes a rule by hand, in a hurry, without a source
    rule = (
        "---\nid: hq2v8c4w7kd3m\nname: naming\ndescription: Components are nouns\ntype: project-rule\n"
        "subject: project:github.com/acme/legacy-dashboard\npredicate: naming\n"
        "scope: repository:github.com/acme/legacy-dashboard\nstatus: verified\nvalue: components are nouns\n"
        'revision: 1\nauthority: user\ncreatedAt: "2026-09-18"\nverifiedAt: "2026-09-18"\n---\n'
    )
    yield Step("2026-09-18T16:00:00Z", "hand", ("memories/naming.md", rule))
    yield Step("2026-09-29T16:00:00Z", "hand", ("memories/commit_style.md", "value: imperative", "value: Imperative"))


def _kept() -> Iterator[Step]:
    """What runs on the first of a month, and after a change."""
    months = [f"2025-{month:02}" for month in (10, 11, 12)] + [f"2026-{month:02}" for month in range(1, 10)]
    for month in months:
        yield Step(f"{month}-01T06:00:00Z", "user", ("refresh",))
    yield Step("2026-06-12T06:00:00Z", "user", ("refresh",))
    yield Step("2026-08-19T06:00:00Z", "user", ("refresh",))


#: Reads on working days, of each month: how many, and the budget of the small ones among them.
_SESSIONS: dict[str, tuple[int, int]] = {
    "2025-09": (4, 0), "2025-10": (9, 0), "2025-11": (8, 0), "2025-12": (5, 0), "2026-01": (9, 0), "2026-03": (11, 0),
    "2026-04": (10, 0), "2026-05": (12, 0), "2026-06": (11, 1800), "2026-07": (9, 1800), "2026-08": (12, 1800),
    "2026-09": (14, 1800),
}  # fmt: skip

#: What agents asked for by name.
_ASKED = ("package_manager", "test_command", "deploy.target", "node_version", "indent", "log_level")


def _reads() -> Iterator[Step]:
    """February has none: that month the agents worked on another machine."""
    for month, (count, small) in _SESSIONS.items():
        first = 17 if month == "2025-09" else 2
        for number in range(count):
            at = f"{month}-{first + number * 2 if month != '2025-09' else first + number:02}"
            few = small and number % 4 == 3
            yield Step(f"{at}T10:00:00Z", "reader", ("context", *(("--budget", str(small)) if few else ())))
            if number % 3 == 0:
                yield Step(f"{at}T10:20:00Z", "reader", ("get", _ASKED[number // 3 % len(_ASKED)]))
