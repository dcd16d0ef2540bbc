"""config.yaml: what a memdir is, and what its people allow. Read on every call, so without a YAML library."""

from __future__ import annotations

from collections.abc import Mapping

from memdir_cli.domain import times
from memdir_cli.domain.gate import GatePolicy
from memdir_cli.domain.memory import TYPES
from memdir_cli.domain.text import printable
from memdir_cli.errors import FaultError, UsageError
from memdir_cli.shapes import dataclass, field
from memdir_cli.storage import codec, layout
from memdir_cli.storage.reading import read_file

#: The on-disk format that this version writes. An unknown major number is refused.
FORMAT = "1"

#: What `retention` may name, with what holds where the settings say nothing; ``""`` is for ever.
RETENTION: Mapping[str, str] = {"candidates": "30d", "history": "", "accessLog": "", "sources": "", "prompts": "14d"}


#: What the sections that decide on trust may hold; a misspelt name there would be a rule that nobody keeps.
SECTIONS: Mapping[str, frozenset[str]] = {"gate": frozenset({"attestation"}), "policy": frozenset({"setters"})}

_TEXTS = ("format", "repository", "user", "key")
_MAPPINGS = (*SECTIONS, "retention", "ageLimits", "check")


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one memdir.

    :ivar repository: the repository id that ``init`` fixed (project memdir), ``""`` if none.
    :ivar user: the id minted for the user (user memdir), ``""`` if none yet.
    :ivar key: hexadecimal key of the digests in receipts, ``""`` if the file stands alone so far.
    :ivar attestation: ``proven``, ``claimed`` or ``""`` where the file does not say.
    :ivar setters: who may give authority ``policy``.
    :ivar retention: how long what :data:`RETENTION` names is kept, a span such as ``30d``, ``""`` for ever.
    :ivar age_limits: per type, the span after which a memory that nobody confirmed anew is stale.
    :ivar check_ignore: codes of rules, or beginnings of them, that ``check`` leaves out; not known to be any.
    :ivar check_severity: by such codes, the severity that their findings are to have; not known to be any.
    """

    format: str = FORMAT
    repository: str = ""
    user: str = ""
    key: str = ""
    attestation: str = ""
    setters: frozenset[str] = frozenset()
    retention: Mapping[str, str] = field(default_factory=lambda: RETENTION)
    age_limits: Mapping[str, str] = field(default_factory=dict)
    check_ignore: tuple[str, ...] = ()
    check_severity: Mapping[str, str] = field(default_factory=dict)


def read_config(root: str) -> Config:
    """The settings of the memdir at ``root``; defaults where there is no file.

    :raises FaultError: if the file cannot be understood or is of another major format.
    """
    content = read_file(root, layout.CONFIG)
    if content is None:
        return Config()
    try:
        settings = codec.read_mapping(content)
    except codec.Malformed as error:
        raise FaultError(
            f"The settings in `{layout.CONFIG}` cannot be read: line {error.line}: {error.message}",
            code="config-unreadable",
            hint=f"mend `{root}/{layout.CONFIG}` by hand",
        ) from None
    _check_forms(settings, root)
    config = _config(settings)
    if config.format.split(".")[0] != FORMAT:
        raise FaultError(
            f"This memdir has format {config.format}; this version of memdir knows format {FORMAT}.",
            code="format-unknown",
            hint="upgrade memdir",
        )
    _check(config, root)
    return config


def _config(settings: Mapping[str, object]) -> Config:
    """What the settings say; what they do not say is as it is by default."""
    return Config(
        format=_text(settings, "format") or FORMAT,
        repository=_text(settings, "repository"),
        user=_text(settings, "user"),
        key=_text(settings, "key"),
        attestation=_text(_section(settings, "gate"), "attestation"),
        setters=frozenset(_list(_section(settings, "policy"), "setters")),
        retention={**RETENTION, **_texts(settings, "retention")},
        age_limits=_texts(settings, "ageLimits"),
        check_ignore=tuple(_list(_section(settings, "check"), "ignore")),
        check_severity=_texts(_section(settings, "check"), "severity"),
    )


def _check_forms(settings: Mapping[str, object], root: str) -> None:
    """Refuse what would be read as if it were not there; an empty value is none."""
    wrong = [f"`{name}` is not text" for name in _TEXTS if not isinstance(settings.get(name, ""), str)]
    given = [name for name in _MAPPINGS if settings.get(name, "") != ""]
    wrong += [f"`{name}` is not a mapping" for name in given if not isinstance(settings[name], Mapping)]
    for name, known in SECTIONS.items():
        unknown = [key for key in _section(settings, name) if key not in known]
        wrong += [f"`{name}` names `{printable(key)}`; it may name {', '.join(known)}" for key in unknown]
    if not isinstance(_section(settings, "gate").get("attestation", ""), str):
        wrong.append("`gate.attestation` is not text")
    _refuse(wrong[0] if wrong else "", root)


def _check(config: Config, root: str) -> None:
    """Refuse settings that would not mean what they say."""
    wrong = ""
    if config.attestation not in {"", "proven", "claimed"}:
        wrong = f"`gate.attestation` is `{printable(config.attestation)}`; it may be `proven` or `claimed`"
    for name, limit in config.age_limits.items():
        if name not in TYPES:
            wrong = f"`ageLimits` names `{printable(name)}`, which is no type"
        elif not times.is_span(limit):
            wrong = f"`ageLimits.{name}` is `{printable(limit)}`; give a span such as `90d`"
    for name, span in config.retention.items():
        if name not in RETENTION:
            wrong = f"`retention` names `{printable(name)}`; it may name {', '.join(RETENTION)}"
        elif span and not times.is_span(span):
            wrong = f"`retention.{name}` is `{printable(span)}`; give a span such as `30d`"
    _refuse(wrong, root)


def _refuse(wrong: str, root: str) -> None:
    if wrong:
        raise FaultError(
            f"In `{layout.CONFIG}`, {wrong}.", code="config-unreadable", hint=f"mend `{root}/{layout.CONFIG}` by hand"
        )


def is_settings(content: bytes) -> bool:
    """Whether a ``config.yaml`` can be a memdir's: it is empty, cannot be read, or holds one of memdir's keys."""
    try:
        keys = codec.read_mapping(content).keys()
    except codec.Malformed:
        return True
    return not keys or not keys.isdisjoint((*_TEXTS, *_MAPPINGS))


def gate_policy(user: Config | None, project: Config | None) -> GatePolicy:
    """What both files allow together: only the user may accept claims, and a project may forbid it again."""
    accepted = user is not None and user.attestation == "claimed"
    if project is not None and project.attestation == "proven":
        accepted = False
    setters = (config.setters for config in (user, project) if config is not None)
    return GatePolicy(accepted, frozenset[str]().union(*setters))


def new_project_config(repository: str, key: str) -> bytes:
    """The text of a fresh project ``config.yaml``."""
    return (
        "# Settings of this memory directory. Comments survive edits by memdir.\n"
        f"format: {codec.quote(FORMAT)}\n"
        f"repository: {codec.quote(repository)}\n"
        "# key of the digests in receipts and tombstones\n"
        f"key: {codec.quote(key)}\n"
    ).encode()


def new_user_config(user: str, key: str) -> bytes:
    """The text of a fresh ``config.yaml`` of a user memdir."""
    return (
        "# Settings of your own memories. Comments survive edits by memdir.\n"
        f"format: {codec.quote(FORMAT)}\n"
        f"user: {codec.quote(user)}\n"
        "# key of the digests in receipts and tombstones\n"
        f"key: {codec.quote(key)}\n"
    ).encode()


def edit_config(content: bytes, changes: Mapping[str, str]) -> bytes:
    """``content`` with top-level keys set to text; every other line stays.

    :raises UsageError: if the file cannot be edited without touching more than those lines.
    """
    try:
        return codec.edit_mapping(content, {key: codec.quote(text) for key, text in changes.items()})
    except codec.Malformed as error:
        raise UsageError(f"`{layout.CONFIG}` cannot be edited: {error.message}") from None


def _text(settings: Mapping[str, object], key: str) -> str:
    value = settings.get(key, "")
    return value if isinstance(value, str) else ""


def _texts(settings: Mapping[str, object], key: str) -> dict[str, str]:
    return {name: span for name, span in _section(settings, key).items() if isinstance(span, str)}


def _section(settings: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = settings.get(key)
    return value if isinstance(value, Mapping) else {}


def _list(settings: Mapping[str, object], key: str) -> list[str]:
    value = settings.get(key, [])
    if isinstance(value, str):
        return [value]
    return [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []
