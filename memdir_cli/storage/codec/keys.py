"""The keys of a memory file: their order, and the fields of a memory that they hold."""

from __future__ import annotations

#: The order in which memdir writes them.
ORDER: tuple[str, ...] = (
    "id", "name", "description", "type", "subject", "predicate", "scope", "repository", "path", "topic",
    "environment", "version", "status", "statusReason", "value", "none", "sides", "revision", "authority",
    "source", "dependsOn", "supersedes", "supersededBy", "rival", "createdAt", "updatedAt", "verifiedAt",
    "reviewAfter", "expiresAt",
)  # fmt: skip

RANK: dict[str, int] = {key: rank for rank, key in enumerate(ORDER)}

#: A file that has one of these is memdir's; ``status`` counts only with a word that memdir knows, because
#: decision records of other tools have a key of that name.
OWN: tuple[str, ...] = ("id", "subject", "predicate", "scope")

#: Keys that hold one text, and the field of a memory it is.
TEXTS: dict[str, str] = {
    "name": "name",
    "description": "description",
    "statusReason": "status_reason",
    "supersedes": "supersedes",
    "supersededBy": "superseded_by",
    "rival": "rival",
}

#: Keys that hold a date or a time, and the field of a memory it is.
TIMES: dict[str, str] = {
    "createdAt": "created_at",
    "updatedAt": "updated_at",
    "verifiedAt": "verified_at",
    "reviewAfter": "review_after",
    "expiresAt": "expires_at",
}

#: Keys that hold a list of mappings, and the keys that stand in these.
LISTS: tuple[str, ...] = ("source", "dependsOn")
ENTRIES: tuple[str, ...] = ("kind", "ref", "said", "at", "attested", "probe", "hash", "was")
