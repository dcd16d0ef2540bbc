"""One canonical text for every way to reach a repository, and never a credential in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.remote import CASELESS, SCHEMES, canonical, without_credentials

SAME = [
    "git@github.com:Acme/Legacy-Dashboard.git",
    "github.com:acme/legacy-dashboard",
    "ssh://git@github.com:22/acme/legacy-dashboard",
    "ssh://git@ssh.github.com:443/acme/legacy-dashboard.git",
    "https://github.com/acme/legacy-dashboard",
    "https://github.com/acme/legacy-dashboard/",
    "https://github.com/acme/legacy-dashboard.git",
    "https://github.com/acme/legacy-dashboard.git/",
    "HTTPS://GitHub.com/acme/legacy-dashboard",
    "https://GITHUB.COM:443//acme//legacy-dashboard.git",
    "https://user:ghp_token@github.com/acme/legacy-dashboard.git",
    "https://oauth2:p@ss:word@github.com/acme/legacy-dashboard.git",
    "https://x-access-token@github.com/acme/legacy-dashboard?token=abc#readme",
    "https://github.com/acme/legacy-dashboard?next=https://example.org/",
    "git://github.com/acme/legacy-dashboard",
    "git+ssh://git@github.com/acme/legacy-dashboard",
    "  git@github.com:acme/legacy-dashboard.git\n",
]

EACH = [
    ("git@gitlab.com:Group/Sub/Repo.git", "gitlab.com/group/sub/repo"),
    ("https://www.bitbucket.org/Team/Repo", "bitbucket.org/team/repo"),
    ("https://git.example.org/Team/Repo.git", "git.example.org/Team/Repo"),
    ("ssh://git@git.example.org:7999/Team/Repo.git", "git.example.org/Team/Repo"),
    ("https://git.example.org./Team/Repo", "git.example.org/Team/Repo"),
    ("https://git.sr.ht/~owner/site", "git.sr.ht/~owner/site"),
    ("user@server:work/site.git", "server/work/site"),
    ("user@server:/srv/git/site/.git", "server/srv/git/site"),
    ("ssh://[2001:db8::1]:22/srv/site", "[2001:db8::1]/srv/site"),
    ("git@[2001:db8::1]:srv/site", "[2001:db8::1]/srv/site"),
    ("[git@server:2222]:srv/site.git", "server/srv/site"),
    ("https://dev.azure.com/acme/My Project/_git/site", "dev.azure.com/acme/My%20Project/_git/site"),
    ("https://git.example.org/項目/サイト.git", "git.example.org/項目/サイト"),
    ("git@host:a:b", "host/a:b"),
    ("[u:p@server:2222]:srv/site", "server/srv/site"),
    ("https://host.example.org/a/site#readme", "host.example.org/a/site"),
    ("ssh://host-a_b.example.org/srv/site", "host-a_b.example.org/srv/site"),
    ("https://host.example.org/Team/BoX", "host.example.org/Team/BoX"),
    ("server:work/site", "server/work/site"),
    ("7:work/site", "7/work/site"),
    # brackets elsewhere than around the host
    ("[::1]:srv/site", "[::1]/srv/site"),
    ("[git@server:2222]:a]:b", "server/a]:b"),
    ("a[b@server:site", "server/site"),
    ("server:a]:b", "server/a]:b"),
]

NONE = [
    "",
    ".",
    "..",
    "../site.git",
    "./site",
    "/srv/git/site.git",
    "~/site.git",
    "site.git",
    "file:///srv/git/site.git",
    "file://server/share/site.git",
    "C:\\work\\site",
    "C:/code/site",
    "c:site",
    "\\\\server\\share\\site",
    "ext::ssh server %S site",
    "codecommit::eu-west-1://site",
    "https:///acme/site",
    "https://github.com",
    "https://github.com/",
    "https://github.com/.git",
    "https://github.com/../site",
    "git@github.com:",
    "https://github.com:port/acme/site",
    "https://[::1/acme/site",
    "https://github.com:४४३/acme/site",
    "[host:path",
    "[[::1]:site",
    "./[server]:site",
    "work/user@server:site",
    "user@server:work\\site",
    "ssh://[not-hex]/site",
    "https://a b/acme/site",
    "https://host.example.org/a/./site",
    "https://github.com/acme/\x1b[31msite",
    "https://github.com/acme/si\u202ete",
    "./a:b",
    "unknown://github.com/acme/site",
    # a password with a slash: what is the host cannot be told
    "https://user:pa/ss@github.com/acme/site",
    "https://user:12/34@github.com/acme/site",
    "user:secret@github.com:acme/site",
]


@pytest.mark.parametrize("address", SAME)
def test_every_way_to_one_repository_has_one_text(address: str) -> None:
    assert canonical(address) == "github.com/acme/legacy-dashboard"


@pytest.mark.parametrize(("address", "expected"), EACH)
def test_other_hosts(address: str, expected: str) -> None:
    assert canonical(address) == expected


@pytest.mark.parametrize("address", NONE)
def test_what_others_cannot_reach_or_cannot_be_split_has_no_identity(address: str) -> None:
    assert canonical(address) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "fatal: unable to access 'https://user:tok/en@host/a.git/'",
            "fatal: unable to access 'https://…@host/a.git/'",
        ),
        ("git+ssh://a@b@host/x and http://c@host", "git+ssh://…@host/x and http://…@host"),
        ("https://host/a.git for a@host", "https://host/a.git for a@host"),
        ("git@host:a.git", "git@host:a.git"),
    ],
)
def test_of_an_address_in_a_text_only_who_asks_is_left_out(text: str, shown: str) -> None:
    assert without_credentials(text) == shown


def test_case_of_a_path_counts_where_the_host_may_tell_it_apart() -> None:
    assert canonical("https://git.example.org/A/b") != canonical("https://git.example.org/a/b")
    assert all(canonical(f"https://{host}/A/b") == canonical(f"git@{host}:a/B") for host in CASELESS)


#: A marker that appears in no host or path below, inside any text a credential may have.
SECRETS = st.builds(
    lambda left, right: f"{left}S3CR3T{right}",
    st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=8),
    st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=8),
)
PATHS = st.lists(st.text("abcXYZ019-_.", min_size=1, max_size=8), min_size=1, max_size=3).map("/".join)


@given(st.sampled_from(sorted(SCHEMES)), SECRETS, st.sampled_from(["github.com", "h", "[::1]"]), PATHS)
def test_no_credential_survives(scheme: str, secret: str, host: str, path: str) -> None:
    for address in (
        f"{scheme}://{secret}@{host}/{path}",
        f"{scheme}://user:{secret}@{host}:22/{path}",
        f"{scheme}://{host}/{path}?token={secret}",
        f"{scheme}://{host}/{path}#{secret}",
        f"{secret}@{host}:{path}",
        f"user:{secret}@{host}:{path}",
    ):
        assert "s3cr3t" not in (canonical(address) or "").lower()


@given(st.text())
def test_any_text_gives_one_clean_text_or_none(address: str) -> None:
    found = canonical(address)
    assert found is None or (found.isprintable() and "@" not in found and " " not in found and "/" in found)


@given(st.sampled_from(["github.com", "git.example.org"]), PATHS)
def test_the_canonical_text_reads_as_itself(host: str, path: str) -> None:
    found = canonical(f"https://{host}/{path}")
    assert found is None or canonical(f"https://{found}") in {found, found.removesuffix(".git"), None}
