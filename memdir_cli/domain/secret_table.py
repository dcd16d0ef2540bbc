"""What secrets look like: one row a format, by the prefix that its issuer gave it where there is one.

A row costs nothing until one of its anchors stands in a text. Every quantifier is bounded and every pattern
begins with its anchor or a bounded class, so that a search is linear in the text.
"""

from __future__ import annotations

from typing import Literal

from memdir_cli.shapes import dataclass

#: How much chance a value must show before it counts: none (the prefix is proof), none but that it stands for
#: no other (its place is proof), a password's, a token's.
Chance = Literal["", "place", "password", "token"]


@dataclass(frozen=True, slots=True)
class Format:
    """One format of secrets.

    :ivar anchors: literals, one of which stands in every secret of this form; in lower case where ``folded``.
    :ivar pattern: its first group, if it has one, is the secret proper.
    :ivar folded: upper and lower case count the same.
    :ivar least: it stands within one word of ASCII that has at least so many characters; 0 where it may take several.
    :ivar before: so many of these stand before its anchor, or before what of that is no punctuation.
    :ivar joins: it may be broken over lines.
    :ivar number: four digits stand in it, or three and three.
    """

    name: str
    anchors: tuple[str, ...]
    pattern: str
    chance: Chance = ""
    folded: bool = False
    least: int = 0
    before: int = 0
    joins: bool = True
    number: bool = False

    @property
    def mixed(self) -> bool:
        """Whether a word with a letter and a digit stands in it: what shows chance has both."""
        return self.chance in {"password", "token"}


#: No letter or digit stands before a prefix.
_FREE = r"(?<![A-Za-z0-9])"


def _prefixed(name: str, anchors: str, body: str, least: int, before: int = 0) -> Format:
    """A token that begins with one of ``anchors``; ``body`` is its pattern, from the prefix on.

    :param least: how many characters the pattern takes at least.
    :param before: as in :class:`Format`.
    """
    return Format(name, tuple(anchors.split()), f"(?a:{_FREE}{body})", least=least, before=before)


_PREFIXED: tuple[Format, ...] = (
    _prefixed("aws-access-key", "AKIA ASIA ABIA ACCA A3T",
              r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])", 20),
    _prefixed("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{30,255}", 34),
    _prefixed("github-fine-grained-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{36,255}", 47),
    _prefixed("gitlab-token", "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- gloas- glagent- glimt- glffct-",
              r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|oas|agent|imt|ffct)-[\w.-]{20,255}", 25),
    _prefixed("gitlab-runner-token", "GR1348941", r"GR1348941[\w-]{20,64}", 29),
    _prefixed("slack-token", "xoxb- xoxp- xoxa- xoxe- xoxe. xoxo- xoxr- xoxs- xoxc- xoxd- xapp-",
              r"(?:xox[abcdeoprs][-.]|xapp-\d-)[A-Za-z0-9%-]{10,255}", 15),
    _prefixed("stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_",
              r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,200}", 24),
    _prefixed("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,128}", 30),
    _prefixed("anthropic-key", "sk-ant-", r"sk-ant-[\w-]{20,255}", 27),
    _prefixed("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-",
              r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,255}", 28),
    _prefixed("openrouter-key", "sk-or-", r"sk-or-v\d-[0-9a-f]{32,128}", 41),
    _prefixed("openai-legacy-key", "sk-", r"sk-[A-Za-z0-9]{32,64}(?![\w-])", 35),
    _prefixed("google-api-key", "AIza", r"AIza[\w-]{35}(?![\w-])", 39),
    _prefixed("google-oauth-token", "ya29.", r"ya29\.[\w.-]{20,255}", 25),
    _prefixed("google-oauth-secret", "GOCSPX-", r"GOCSPX-[\w-]{20,64}", 27),
    _prefixed("google-refresh-token", "1//0", r"1//0[\w-]{40,255}", 44),
    _prefixed("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])", 40),
    _prefixed("pypi-token", "pypi-A", r"pypi-A[\w-]{50,255}", 56),
    _prefixed("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{48}", 57),
    _prefixed("crates-token", "cio", r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])", 35),
    _prefixed("huggingface-token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,64}(?![A-Za-z0-9])", 33),
    _prefixed("sendgrid-key", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{32,64}", 52),
    _prefixed("twilio-key", "SK", r"SK[0-9a-f]{32}(?![A-Za-z0-9])", 34),
    _prefixed("mailgun-key", "key-", r"key-[0-9a-f]{32}(?![A-Za-z0-9])", 36),
    _prefixed("mailchimp-key", "-us", r"[0-9a-f]{32}-us\d{1,2}(?!\d)", 36),
    _prefixed("brevo-key", "xkeysib-", r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}", 89),
    _prefixed("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{64}", 71),
    _prefixed("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}", 38),
    _prefixed("telegram-bot-token", ":A", r"\d{8,10}:A[\w-]{34}(?![\w-])", 44, 9),
    _prefixed("discord-bot-token", ".", r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])", 59),
    _prefixed("json-web-token", "eyJ", r"eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{16,1000}", 40),
    _prefixed("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])", 36),
    _prefixed("atlassian-token", "ATATT3 ATCTT3 ATBB", r"AT(?:ATT3|CTT3|BB)[\w=-]{28,255}", 32),
    _prefixed("linear-key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}", 40),
    _prefixed("notion-token", "ntn_ secret_", r"(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})(?![A-Za-z0-9])", 44),
    _prefixed("postman-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}", 64),
    _prefixed("newrelic-key", "NRAK- NRJS- NRII-", r"NR(?:AK|JS|II)-[\w-]{19,64}", 24),
    _prefixed("grafana-token", "glsa_ glc_", r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/=]{32,400})", 36),
    _prefixed("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,64}", 46),
    _prefixed("pulumi-token", "pul-", r"pul-[0-9a-f]{40}(?![0-9a-f])", 44),
    _prefixed("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,255}", 28),
    _prefixed("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}", 83),
    _prefixed("docker-token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[\w-]{20,64}", 29),
    _prefixed("sentry-token", "sntryu_ sntrys_", r"sntry[us]_[\w+/=-]{40,400}", 47),
    _prefixed("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}", 42),
    _prefixed("square-token", "sq0atp- sq0csp- EAAA",
              r"(?:sq0(?:atp|csp)-[\w-]{22,60}|EAAA[\w+/=-]{60}(?![\w+/=-]))", 29),
    _prefixed("facebook-token", "EAA", r"EAA[A-Za-z0-9]{80,400}", 83),
    _prefixed("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,64}", 44),
    _prefixed("replicate-token", "r8_", r"r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])", 40),
    _prefixed("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,64}", 45),
    _prefixed("xai-key", "xai-", r"xai-[A-Za-z0-9]{60,120}", 64),
    _prefixed("tailscale-key", "tskey-", r"tskey-[a-z]{2,12}-[\w-]{16,80}", 25),
    _prefixed("fly-token", "fo1_ fm1_ fm2_", r"(?:fo1|fm[12])_[\w+/=,-]{40,600}", 44),
    _prefixed("supabase-key", "sbp_ sb_secret_", r"(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,60})", 30),
    _prefixed("figma-token", "figd_ figo_", r"fig[do]_[\w-]{36,64}", 41),
    _prefixed("heroku-key", "HRKU-", r"HRKU-[\w-]{36,80}", 41),
    _prefixed("cloudflare-origin-key", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}", 176),
    _prefixed("alibaba-key", "LTAI", r"LTAI[A-Za-z0-9]{16,24}(?![A-Za-z0-9])", 20),
    _prefixed("tencent-key", "AKID", r"AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])", 36),
    _prefixed("artifactory-key", "AKCp", r"AKCp[A-Za-z0-9]{60,80}", 64),
    _prefixed("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}", 82),
    _prefixed("azure-client-secret", "Q~", r"[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])", 37),
    _prefixed("age-secret-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}", 66),
    _prefixed("openssh-private-key", "b3BlbnNzaC1rZXktdjE", r"b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]{20,400}", 39),
)  # fmt: skip

#: What a value is made of: printable ASCII without quotes and what separates values.
_VALUE = r"[!#-&(-+\--:=?-_a-{}~]"

#: Names of what must not be told, in several languages.
NAMES = (
    r"(?:passw(?:or)?d|passphrase|passwort|kennwort|mot de passe|contraseña|senha|пароль|パスワード|비밀번호"
    r"|密码|密碼|口令|(?<![a-z])pwd|secret|token|credentials?|密钥|秘钥|密鑰|令牌|凭证|凭据"
    r"|(?:api|access|auth|secret|private|signing|encryption|account|master|client|shared)[_ -]?key)"
)

_WATCHWORDS = (
    r"(?:passw(?:or)?d|passphrase|passwort|kennwort|mot de passe|contraseña|senha|пароль|パスワード|비밀번호"
    r"|密码|密碼|口令|(?<![a-z])pwd|credentials?)"
)

_PASS_WORDS = (
    "passw", "passphrase", "kennwort", "mot de passe", "contraseña", "senha", "пароль", "パスワード", "비밀번호",
    "密码", "密碼", "口令", "pwd", "credential",
)  # fmt: skip

#: One of these stands in every name.
NAME_WORDS = (*_PASS_WORDS, "secret", "token", "key", "密钥", "秘钥", "密鑰", "令牌", "凭证", "凭据")

_MEANS = (
    r"[\"'`*\])]{0,3}(?:[ \t]{0,3}(?::=|=>|={1,3}|[:：＝])|[ \t]{1,3}(?:is|was|ist|est|es)(?=[ \t:])"
    r"|[ \t]{0,2}[是为為は])[ \t]{0,3}[\"'`*]{0,3}"
)

_CODE_NAMES = (
    r"(?:one[- ]time (?:pass)?(?:code|word)|otp|totp|verification code|security code|(?:2fa|mfa|sms|login|sign-in"
    r"|auth(?:entication)?|confirmation|access|backup|recovery) code|passcode)"
)
_CODE = r"(?:[A-Z]{1,2}-)?(\d{3}[- ]\d{3}|\d{6,8})(?![\w.-]*\d)"

#: A private key is the secret, not the line above it: what stands between the lines of its text, some lines of a
#: header, the text, its short last lines, the line below it.
_BREAKS = r"(?:\s|\\[nr]|[>\"',])"
_HEADS = (
    r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Encryption|Key-Derivation|Argon2-[A-Za-z]{1,20}"
    r"|Public-Lines|Private-Lines|Private-MAC)"
)
_KEY = (
    rf"(?:{_BREAKS}{{1,80}}{_HEADS}: ?[^\n\\\"]{{1,200}}){{0,5}}"
    rf"(?:{_BREAKS}{{1,80}}[A-Za-z0-9+/]{{16,4000}}={{0,2}}){{0,400}}"
    rf"(?:{_BREAKS}{{1,80}}=?[A-Za-z0-9+/]{{1,15}}={{0,2}}(?={_BREAKS}{{1,80}}(?:=|-----END))){{0,2}}"
    rf"(?:{_BREAKS}{{1,80}}-----END (?:[A-Z0-9]{{1,12}} ){{0,4}}PRIVATE KEY(?: BLOCK)?-----)?"
)

OTHERS: tuple[Format, ...] = (
    Format("private-key", ("PRIVATE KEY", "PuTTY-User-Key-File"),
           rf"-----BEGIN (?:[A-Z0-9]{{1,12}} ){{0,4}}PRIVATE KEY(?: BLOCK)?-----{_KEY}"
           rf"|PuTTY-User-Key-File-\d(?:: ?[\w-]{{1,40}})?(?:{_KEY}){{0,3}}"),
    Format("slack-webhook", ("hooks.slack.com/",),
           r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{24,200})", least=49),
    Format("discord-webhook", ("/api/webhooks/",), r"(?a:/api/webhooks/(\d{15,21}/[\w-]{40,100}))", least=70),
    Format("teams-webhook", ("/webhookb2/",), r"(?a:/webhookb2/([\w@/-]{40,300}))", least=51),
    Format("signed-url", ("x-amz-signature=", "x-goog-signature=", "x-amz-security-token=", "x-oss-signature="),
           r"(?a:x-(?:amz|goog|oss)-(?:signature|security-token)=([\w%+/=.-]{20,2000}))", folded=True, least=36),
    Format("signed-url", ("sig=", "signature="),
           r"(?a:[?&;](?:sig|signature)=([\w%+/=.~-]{20,1000}))", "token", folded=True, least=25, before=1),
    Format("secret-in-url", ("token=", "key=", "secret=", "password=", "auth="),
           r"(?a:[?&](?:[a-z]{1,12}[_-])?(?:token|key|secret|password|auth)=([\w%+/=.~-]{16,2000}))", "token",
           folded=True, least=21, before=1),
    Format("azure-key", ("accountkey=", "sharedaccesskey="),
           r"(?:account|sharedaccess)key=([a-z0-9+/]{40,120}={0,2})", folded=True, least=51),
    Format("password-in-url", ("://",), r"://[^\s/:@\"'<>`]{0,64}:([^\s/@\"'<>`]{3,200})@(?=[\w\[])", "place"),
    Format("authorization-header", ("bearer", "authorization"),
           r"(?:authorization[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?(?:bearer|basic|token|key)|bearer)[ \t]{1,3}"
           r"([\w.~+/=-]{16,4000})", "token", folded=True),
    Format("basic-auth-option", ("-u ", "--user"),
           r"(?:\s-u|--user)[ =][\"']?[^\s:\"']{1,64}:([^\s\"']{6,200})", "password", joins=False),
    Format("netrc-password", ("login",),
           r"login[ \t]{1,4}\S{1,100}\s{1,8}password[ \t]{1,4}(\S{4,200})", "password", folded=True, joins=False),
    Format("password-option", ("--password", "--token", "--secret", "--api-key", "--passphrase"),
           rf"--(?:password|passphrase|token|secret|api-key)[ =][\"']?({_VALUE}{{6,200}})", "token",
           folded=True, joins=False),
    Format("password", _PASS_WORDS, rf"{_WATCHWORDS}{_MEANS}({_VALUE}{{6,200}})", "password",
           folded=True, joins=False),
    Format("named-secret", NAME_WORDS, rf"{NAMES}{_MEANS}({_VALUE}{{12,200}})", "token",
           folded=True, joins=False),
    Format("one-time-code", ("code", "otp", "one-time"),
           rf"(?<![a-z]){_CODE_NAMES}(?![a-z])[^\n\d]{{0,24}}?(?<![\w.-]){_CODE}", folded=True, joins=False,
           number=True),
    Format("one-time-code", ("code", "otp"),
           rf"(?<![a-z]){_CODE_NAMES}[\"']?(?:[ \t]{{0,2}}[:=]|[ \t]is)[ \t]{{0,2}}[\"']?(\d{{4,8}})(?![\w.-]*\d)",
           folded=True, joins=False, number=True),
    Format("one-time-code", ("code",),
           r"(?<![\w.-])(\d{4,8})[ \t]{1,2}is[ \t]your[^\n.]{0,40}code", folded=True, joins=False, number=True),
    Format("one-time-code", ("your", "code"),
           r"your[ \t](?:[a-z0-9]{1,20}[ \t]){0,3}code[ \t]is[: \t]{1,3}(\d{4,8})(?!\d)",
           folded=True, joins=False, number=True),
    Format("one-time-code", ("验证码", "校验码", "动态码", "动态口令", "一次性", "登录码", "驗證碼"),
           r"(?:验证码|校验码|动态码|动态口令|一次性(?:密码|口令|验证码)|登录码|驗證碼)"
           r"[^\n\d，。]{0,10}(\d{4,8})(?!\d)(?![ \t]?[位秒分个次天小])",
           joins=False, number=True),
    Format("one-time-code", ("验证码", "校验码", "动态码", "驗證碼"),
           r"(?<!\d)(\d{4,8})[ \t]?(?:是|为|為)?[^\n\d，。]{0,8}(?:验证码|校验码|动态码|驗證碼)",
           joins=False, number=True),
)  # fmt: skip

FORMATS: tuple[Format, ...] = (*_PREFIXED, *OTHERS)
