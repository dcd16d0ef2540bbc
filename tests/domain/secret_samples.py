"""Secrets and what only looks like them, made at run time: no scanner may trip on our own repository."""

from __future__ import annotations

import base64
import hashlib
import random
import string
import uuid
from collections.abc import Callable
from pathlib import Path

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
WIDE = f"{ALNUM}_-"

Make = Callable[[random.Random], str]


def _tail(prefix: str, size: int, letters: str = ALNUM, end: str = "") -> Make:
    return lambda chance: prefix + "".join(chance.choices(letters, k=size)) + end


def _jwt(chance: random.Random) -> str:
    parts = ('{"alg":"HS256","typ":"JWT"}', f'{{"sub":"{chance.randrange(10**9)}","iat":1516239022}}')
    head, body = (base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
    return f"{head}.{body}.{_tail('', 43, WIDE)(chance)}"


def _pem(kind: str) -> Make:
    return lambda chance: f"-----BEGIN {kind} KEY-----\n{_tail('MIIE', 60)(chance)}\n-----END {kind} KEY-----"


def _digits(size: int) -> Make:
    return lambda chance: "".join(chance.choices("123456789", k=size))


def _two(first: Make, middle: str, second: Make) -> Make:
    return lambda chance: f"{first(chance)}{middle}{second(chance)}"


#: Name of the format, how one is made, the text around it.
FORMATS: tuple[tuple[str, Make, str], ...] = (
    ("aws-access-key", _tail("AK" + "IA", 16, UPPER), "{}"),
    ("aws-temporary-key", _tail("AS" + "IA", 16, UPPER), "export AWS_ACCESS_KEY_ID={}"),
    ("aws-secret-key", _tail("", 40), "aws_secret_access_key = {}"),
    ("github-classic", _tail("gh" + "p_", 36), "{}"),
    ("github-oauth", _tail("gh" + "o_", 36), "token {}"),
    ("github-app", _tail("gh" + "s_", 36), "x-access-token:{}"),
    ("github-fine-grained", _two(_tail("github" + "_pat_", 22), "_", _tail("", 59)), "use {} for the API"),
    ("gitlab", _tail("gl" + "pat-", 20, WIDE), "PRIVATE-TOKEN: {}"),
    ("gitlab-deploy", _tail("gl" + "dt-", 20, WIDE), "{}"),
    ("slack-bot", _two(_two(_tail("xo" + "xb-", 12, "123456789"), "-", _digits(13)), "-", _tail("", 24)), "{}"),
    ("slack-app", _two(_tail("xa" + "pp-1-A", 10, UPPER), "-", _two(_digits(13), "-", _tail("", 64, HEX))), "{}"),
    ("slack-webhook", _two(_tail("T", 8, UPPER), "/", _two(_tail("B", 10, UPPER), "/", _tail("", 24))),
     "https://hooks.slack.com/" + "services/{}"),
    ("stripe", _tail("sk_" + "live_", 24), "{}"),
    ("stripe-restricted", _tail("rk_" + "live_", 24), "STRIPE={}"),
    ("stripe-webhook", _tail("wh" + "sec_", 32), "{}"),
    ("openai-project", _tail("sk-" + "proj-", 120, WIDE), "OPENAI_API_KEY={}"),
    ("openai-legacy", _tail("sk" + "-", 48), "{}"),
    ("anthropic", _tail("sk-" + "ant-api03-", 93, WIDE, "AA"), "{}"),
    ("openrouter", _tail("sk-" + "or-v1-", 64, HEX), "{}"),
    ("google-api", _tail("AI" + "za", 35, WIDE), "maps key {}"),
    ("google-oauth", _tail("ya" + "29.", 80, WIDE), "{}"),
    ("google-client", _tail("GOC" + "SPX-", 28, WIDE), "{}"),
    ("npm", _tail("np" + "m_", 36), "//registry.example.org/:_authToken={}"),
    ("pypi", _tail("py" + "pi-AgEIcHlwaS5vcmc", 120, WIDE), "{}"),
    ("huggingface", _tail("h" + "f_", 34, string.ascii_letters), "{}"),
    ("sendgrid", _two(_tail("S" + "G.", 22, WIDE), ".", _tail("", 43, WIDE)), "{}"),
    ("twilio", _tail("S" + "K", 32, HEX), "{}"),
    ("mailgun", _tail("ke" + "y-", 32, HEX), "{}"),
    ("mailchimp", _tail("", 32, HEX, "-u" + "s12"), "{}"),
    ("digitalocean", _tail("do" + "p_v1_", 64, HEX), "{}"),
    ("shopify", _tail("sh" + "pat_", 32, HEX), "{}"),
    ("telegram", _two(_digits(10), ":A" + "A", _tail("", 33, WIDE)), "bot {}"),
    ("discord-bot", _two(_tail("M", 23), ".", _two(_tail("G", 5), ".", _tail("", 38))), "{}"),
    ("discord-webhook", _two(_digits(18), "/", _tail("", 68)), "https://discord.com/api/web" + "hooks/{}"),
    ("jwt", _jwt, "Cookie: session={}"),
    ("pem-rsa", _pem("RSA PRIV" + "ATE"), "{}"),
    ("pem-openssh", _pem("OPENSSH PRIV" + "ATE"), "{}"),
    ("pem-pkcs8", _pem("PRIV" + "ATE"), "{}"),
    ("age", _tail("AGE-SECRET-" + "KEY-1", 58, UPPER), "{}"),
    ("azure-storage", _tail("", 86, ALNUM, "=="), "AccountName=app;Account" + "Key={};EndpointSuffix=core.windows.net"),
    ("azure-sas", _tail("", 43, ALNUM, "%3D"), "https://app.blob.core.windows.net/c?sv=2022-11-02&s" + "ig={}"),
    ("azure-client", _two(_tail("", 3), "8Q" + "~", _tail("", 34)), "{}"),
    ("s3-signed", _tail("", 64, HEX), "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Sig" + "nature={}"),
    ("cloudfront-signed", _tail("", 80), "https://d1.cloudfront.net/f?Expires=1&Sig" + "nature={}"),
    ("url-password", _tail("x7", 14), "postgres://app:{}@db.internal:5432/app"),
    ("redis-password", _tail("q9", 18), "redis://:{}@cache:6379/0"),
    ("password", _tail("w4", 12), "password: {}"),
    ("password-is", _tail("w4", 12), "The database password is {}"),
    ("password-env", _tail("w4", 16), "DB_PASSWORD='{}'"),
    ("password-zh", _tail("w4", 12), "数据库密码：{}"),
    ("api-key", _tail("", 32, HEX), "api_key = \"{}\""),
    ("client-secret", _tail("", 40), '{{"clientSecret": "{}"}}'),
    ("bearer", _tail("b7", 40), "Authorization: Bearer {}"),
    ("otp-en", _digits(6), "your verification code is {}"),
    ("otp-short", _digits(6), "OTP: {}"),
    ("otp-zh", _digits(6), "【银行】验证码{}，请勿泄露"),
    ("otp-zh-before", _digits(6), "{}是您的验证码"),
    ("databricks", _tail("da" + "pi", 32, HEX), "{}"),
    ("vault", _tail("hv" + "s.", 90, WIDE), "VAULT_TOKEN={}"),
    ("docker", _tail("dckr" + "_pat_", 27, WIDE), "{}"),
    ("grafana", _two(_tail("gl" + "sa_", 32), "_", _tail("", 8, HEX)), "{}"),
    ("linear", _tail("lin_" + "api_", 40), "{}"),
    ("notion", _tail("nt" + "n_", 46), "{}"),
    ("postman", _two(_tail("PM" + "AK-", 24, HEX), "-", _tail("", 34, HEX)), "{}"),
    ("supabase", _tail("sb" + "p_", 40, HEX), "{}"),
    ("tailscale", _tail("tskey-" + "auth-", 17, ALNUM, "-abcdefghijklmnop"), "{}"),
    ("alibaba", _tail("LT" + "AI", 20), "{}"),
    ("atlassian", _tail("ATA" + "TT3xFfGF0", 170, WIDE), "{}"),
)  # fmt: skip


def samples(seed: int = 7) -> list[tuple[str, str, str]]:
    """Name, secret and the text that holds it, one of every format."""
    chance = random.Random(seed)
    made = [(name, make(chance), around) for name, make, around in FORMATS]
    return [(name, secret, around.format(secret)) for name, secret, around in made]


#: Placeholders, and prose about secrets; one line each.
PLAIN = Path(__file__).parents[2] / "fixtures/texts/no-secrets.txt"


def benign(seed: int = 11) -> list[str]:
    """Lines that hold no secret."""
    chance = random.Random(seed)
    lines = PLAIN.read_text("utf-8").splitlines()
    for number in range(20):
        raw = chance.randbytes(64)
        one = hashlib.sha1(raw, usedforsecurity=False).hexdigest()
        whole = hashlib.sha256(raw).hexdigest()
        wide = base64.b64encode(hashlib.sha512(raw).digest()).decode()
        unique = uuid.UUID(bytes=raw[:16], version=4)
        lines += [
            f"commit {one}",
            f"fixed in {one[:7]} and {one[:12]}",
            f"sha256:{whole}",
            f"hash: v1:{whole}",
            f"md5 {hashlib.md5(raw, usedforsecurity=False).hexdigest()}",
            f"session: {unique}",
            f"id = {str(unique).upper()}",
            f'integrity: "sha512-{wide}"',
            f'      "resolved": "https://registry.example.org/a-b/-/a-b-{number}.0.1.tgz#{one}",',
            f'lodash@^4.17.{number}:\n  version "4.17.{number}"\n  integrity sha512-{wide}',
            f'dependency = {{ version = "{number}.2", checksum = "{whole}" }}',
            f"uses: actions/checkout@{one} # v4.{number}",
            f"FROM node:20@sha256:{whole}",
            f"data:image/png;base64,{base64.b64encode(raw[:40]).decode()}",
            f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5{base64.b64encode(raw[:33]).decode()} me@host",
            f"AWS_REGION_{number}=eu-central-1",
            f"build-{number}-{one[:8]}.js 12{number} kB",
        ]
    return lines
