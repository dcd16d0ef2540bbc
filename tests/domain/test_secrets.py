"""Secrets: every format is found, nothing else is, and a find tells nothing of what it found."""

from __future__ import annotations

import time
from collections.abc import Callable
from re import _parser  # type: ignore[attr-defined]

import pytest

from memdir_cli.domain import secrets
from memdir_cli.domain.secret_table import FORMATS, Format
from tests.domain.memory_texts import real_texts
from tests.domain.secret_samples import benign, samples

SAMPLES = samples()

#: The fixture `record_property` of pytest.
Record = Callable[[str, object], None]


def spans(text: str) -> list[str]:
    return [text[one.start : one.end] for one in secrets.find(text)]


@pytest.mark.parametrize(("name", "secret", "text"), SAMPLES, ids=[name for name, _, _ in SAMPLES])
def test_every_format_is_found_where_it_stands(name: str, secret: str, text: str) -> None:
    (found,) = secrets.find(text)
    start = text.index(secret)
    assert found.start <= start + 4, "it may begin inside, behind a scheme or a number"
    assert found.end > start


def test_the_samples_are_many_and_so_are_the_formats() -> None:
    assert len(SAMPLES) >= 60
    assert len({rule.name for rule in FORMATS}) >= 30
    assert len({one.rule for _, _, text in SAMPLES for one in secrets.find(text)}) >= 25


def test_other_draws_are_found_as_well(record_property: Record) -> None:
    drawn = [text for seed in range(100, 130) for _, _, text in samples(seed)]
    missed = [text.split()[0][:4] for text in drawn if not secrets.find(text)]
    record_property("table", f"secrets: {len(drawn) - len(missed)} of {len(drawn)} random samples found")
    assert len(missed) / len(drawn) <= 0.01, missed


def test_benign_lines_are_silent(record_property: Record) -> None:
    lines = benign()
    assert len(lines) >= 300
    assert [line for line in lines if secrets.find(line)] == []
    assert secrets.find("\n".join(lines)) == (), "nor over line breaks"
    record_property("table", f"secrets: 0 false alarms in {len(lines)} benign lines")


def test_real_memory_files_are_silent(record_property: Record) -> None:
    texts = dict(real_texts())
    found = {name: [one.rule for one in secrets.find(text)] for name, text in texts.items()}
    record_property("table", f"secrets: {sum(map(bool, found.values()))} false alarms in {len(texts)} real files")
    assert {name: rules for name, rules in found.items() if rules} == {}


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\n    ", " \\\n", "\n> ", "\u200b", "\u2060", "\ufeff"])
def test_a_token_may_be_broken(break_: str) -> None:
    for name in ("github-classic", "anthropic", "jwt", "npm", "aws-access-key"):
        (whole,) = [secret for one, secret, _ in SAMPLES if one == name]
        text = f"before {whole[:14]}{break_}{whole[14:]} after"
        (found,) = secrets.find(text)
        assert (found.start, found.end) == (7, len(text) - 6), name
        assert secrets.mask(text, found) == f"… ({len(whole) + len(break_)} characters)"
        assert (secrets.find(text, joined=False) == (found,)) is (break_ in "\u200b\u2060\ufeff")


def test_a_name_may_be_broken_by_what_is_hidden() -> None:
    assert secrets.find("pass\u200bword: w4kd83jfk2") != ()


@pytest.mark.parametrize(
    "text",
    [
        "password = hunter2",
        "the password is hunter2",
        '"password": "hunter2"',
        "PGPASSWORD=hunter2",
        "passwd: 'hunter2'",
    ],
)
def test_a_short_password_is_found_where_it_is_called_one(text: str) -> None:
    assert spans(text) == ["hunter2"]


def test_a_mask_shows_the_prefix_that_all_of_a_kind_have() -> None:
    (token,) = [secret for one, secret, _ in SAMPLES if one == "github-classic"]
    assert secrets.masked(f"use {token}.") == f"use {token[:4]}… (40 characters)."
    assert secrets.masked("password: k9w2qz7") == "password: … (7 characters)"


def test_of_two_that_begin_together_the_longer_is_told() -> None:
    assert spans("password: k9w2qz7\u200babcd") == ["k9w2qz7\u200babcd"]


def test_overlaps_are_told_once() -> None:
    (token,) = [secret for one, secret, _ in SAMPLES if one == "github-classic"]
    assert spans(f"token: {token}") == [token]
    assert spans(f"{token} {token}") == [token, token]


def test_of_two_that_touch_both_are_told() -> None:
    token, pem = (next(secret for one, secret, _ in SAMPLES if one == name) for name in ("github-classic", "pem-rsa"))
    assert [one.start for one in secrets.find(token + pem)] == [0, len(token)]
    assert token[8:] not in (masked := secrets.masked(token + pem))
    assert pem[40:] not in masked


PEM = "-----{} RSA " + "PRIVATE KEY-----"
BODY = "MIIEFmnfXrJwW1p5E1xCftbrLfm1JKn5rgBKLi0v9xbcwRE031N5Rftof5Fl0woS"


@pytest.mark.parametrize(
    "lines",
    [
        [BODY],
        [BODY, BODY],
        [BODY, "Fl0woS8="],
        [f"{BODY}=="],
        ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,0A1B", "", BODY],
        ["Version: GnuPG v2", "", BODY, "woS8", "=aB3d"],
    ],
)
@pytest.mark.parametrize("break_", ["\n", "\r\n", "\n    ", "\n> ", "\\n", '",\n  "'])
def test_a_private_key_is_the_secret_and_not_the_line_above_it(lines: list[str], break_: str) -> None:
    key = break_.join([PEM.format("BEGIN"), *lines, PEM.format("END")])
    assert (
        secrets.masked(f"Use this:\n{key}\nand never npm.") == f"Use this:\n… ({len(key)} characters)\nand never npm."
    )
    cut = key[: -len(PEM.format("END")) - len(break_)]
    assert BODY[8:] not in secrets.masked(cut), "nor where it was cut off"


def test_a_private_key_of_putty_is_masked_whole() -> None:
    head = "PuTTY-User-Key-File" + "-2: ssh-rsa\nEncryption: none\nComment: mine\nPublic-Lines: 2"
    key = f"{head}\n{BODY}\n{BODY}\nPrivate-Lines: 2\n{BODY}\n{BODY}\nPrivate-MAC: 0a1b2c3d"
    assert secrets.masked(f"{key}\n\nNever npm.") == f"PuTT… ({len(key)} characters)\n\nNever npm."


def test_of_a_private_key_that_is_only_named_the_words_behind_it_stay() -> None:
    named = f"It begins with {PEM.format('BEGIN')} and ends somewhere. Never commit it, always use npm ci."
    assert secrets.masked(named) == named.replace(PEM.format("BEGIN"), "… (31 characters)")


def test_a_mask_shows_no_more_than_all_of_a_kind_share() -> None:
    for name, secret, text in SAMPLES:
        masked = secrets.masked(text)
        assert secret not in masked, name
        (found,) = secrets.find(text)
        shown, _, size = secrets.mask(text, found).partition("…")
        assert len(shown) <= 4, name
        assert size == f" ({found.end - found.start} characters)"
        assert any(anchor.startswith(shown) for rule in FORMATS for anchor in rule.anchors), name


@pytest.mark.parametrize("name", ["DB_PASSWORD", "apiKey", "api-key", "clientSecret", "githubToken", "密码"])
def test_names_of_secrets(name: str) -> None:
    assert secrets.is_name(name)


@pytest.mark.parametrize("name", ["port", "keyboard", "primary_key", "author", "monkey"])
def test_other_names(name: str) -> None:
    assert not secrets.is_name(name)


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "A",
        "password=",
        "token: ",
        "://:",
        "eyJa.",
        "ghp_",
        "x@://a:",
        "M",
        "Bearer ",
        "sk-",
        "\n",
        "0",
        "otp ",
        "SG.",
        "-u a:",
        "-----BEGIN " + "PRIVATE KEY-----\n",
        "-----BEGIN " + "PRIVATE KEY-----\nMIIEFmnfXrJwW1p5E1x",
        "-----BEGIN " + "PRIVATE KEY-----\n" + "MIIEFmnfXrJwW1p5\n" * 300,
    ],
)
def test_time_is_linear(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit)) + "!"
        began = time.process_time()
        secrets.find(text)
        return time.process_time() - began

    seconds(1000)
    assert seconds(400_000) < 2


#: The plugins of detect-secrets that do not go by entropy.
THEIRS = (
    "ArtifactoryDetector",
    "AWSKeyDetector",
    "AzureStorageKeyDetector",
    "BasicAuthDetector",
    "DiscordBotTokenDetector",
    "GitHubTokenDetector",
    "GitLabTokenDetector",
    "JwtTokenDetector",
    "KeywordDetector",
    "MailchimpDetector",
    "NpmDetector",
    "OpenAIDetector",
    "PrivateKeyDetector",
    "PypiTokenDetector",
    "SendGridDetector",
    "SlackDetector",
    "SquareOAuthDetector",
    "StripeDetector",
    "TelegramBotTokenDetector",
    "TwilioKeyDetector",
)


def test_detect_secrets_finds_nothing_that_we_miss() -> None:
    """Entropy plugins off, nothing verified over the network."""
    core = pytest.importorskip("detect_secrets.core.scan")
    plain = pytest.importorskip("detect_secrets.settings")
    theirs = 0
    with plain.transient_settings({"plugins_used": [{"name": name} for name in THEIRS]}):
        for name, _, text in SAMPLES:
            for line in text.splitlines():
                if list(core.scan_line(line)):
                    theirs += 1
                    assert secrets.find(text), name
    assert theirs >= 10, "it is not blind"


@pytest.mark.parametrize("rule", [rule for rule in FORMATS if rule.least], ids=lambda rule: rule.name)
def test_no_word_is_passed_over_that_is_long_enough(rule: Format) -> None:
    assert rule.least == _parser.parse(rule.pattern).getwidth()[0]


@pytest.mark.parametrize(
    ("word", "secret"),
    [
        # a password in an address: long enough, and no word that stands for one
        ("k9w2qz", True), ("k9w2q", False), ("'k9w2qz'", False), ("mypassword", False), ("db_pass1", False),
        ("user_token7", False), ("zebra_token", True), ("changeme", False),
    ],
)  # fmt: skip
def test_a_password_in_an_address_is_told_from_what_stands_for_one(word: str, *, secret: bool) -> None:
    assert bool(secrets.find(f"postgres://app:{word}@db.example/x")) is secret


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("password: k9w2qz7", True), ("password: k9w2qz", False), ("password: k9k9k9k9", False),
        ("password: abcdefgh", False), ("password: step-1-of-3", False), ("password: aaaaaaa1", False),
        ("password: `k9w2qz7`.", True), ("password: oauth2.", False), ("password: 48213957", False),
        ("password: kqwxzm0", True), ("password: kqwxzm9", True), ("password: aabbcd1e", True),
        ("in a1b the password: kqWAzmRtY", False),
        ("in a1b the password: 48213957", False), ("in a1b the token: 48213957123456", False),
        # words with a number are no password, letters and digits among words are
        ("password: phase-12", False), ("password: k9w2q-step", True),
        ("password: 123e4567-e89b-12d3-a456-426614174000", False),
        ("token: k9w2xz7qb4m1", True), ("token: k9w2xz7qb4m.", False), ("token: k9w2xz7qk9w2xz7q", True),
        ("token: k9k9k9k9k9k9k9k9", False), ("token: release-2026-09-candidate", False),
    ],
)  # fmt: skip
def test_a_password_has_letters_digits_and_enough_of_both(text: str, *, secret: bool) -> None:
    assert bool(secrets.find(text)) is secret


@pytest.mark.parametrize(
    ("text", "named"),
    [("DB_PASSWORD", True), ("api_key", True), ("KEYBOARD", False), ("BYPASS", False), ("EDITOR", False), ("", False)],
)
def test_a_variable_is_known_by_its_name(text: str, *, named: bool) -> None:
    assert secrets.is_name(text) is named
