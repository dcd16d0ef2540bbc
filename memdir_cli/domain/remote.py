"""The remote of a repository in canonical form: one text for every way to reach the same place.

``git@github.com:Acme/Site.git``, ``ssh://git@github.com:22/acme/site`` and
``https://user:token@github.com/acme/site.git/`` all become ``github.com/acme/site``. What stood before an
``@`` may be a credential and never survives. An address that does not name a place others can reach too
(a local path, ``file://``, a bundle) has no canonical form, and neither has one that cannot be split with
certainty: no identity is better than one that holds a secret.
"""

from __future__ import annotations

import re

#: What stands between a scheme and a host.
_USERINFO = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)[^\s'\"]+@")

#: Schemes that name a host; anything else (``file``, ``ext::``) names no shared place.
SCHEMES = frozenset({"https", "http", "ssh", "git", "git+ssh", "ssh+git", "git+https", "ftp", "ftps", "rsync"})

#: Hosts that ignore the case of a path.
CASELESS = frozenset({"github.com", "gitlab.com", "bitbucket.org"})

#: Other names of the same host, such as the doors for SSH over port 443.
SAME_HOST = {
    "www.github.com": "github.com",
    "ssh.github.com": "github.com",
    "www.gitlab.com": "gitlab.com",
    "altssh.gitlab.com": "gitlab.com",
    "www.bitbucket.org": "bitbucket.org",
    "altssh.bitbucket.org": "bitbucket.org",
}


def canonical(address: str) -> str | None:
    """``host/path`` of a remote's address, ``None`` if it has no identity to share."""
    address = address.strip()
    if not address.isprintable() or "\\" in address:
        return None
    parts = _of_url(address) if "://" in address else _of_scp(address)
    if parts is None:
        return None
    host, path = _host(parts[0]), _path(parts[1])
    if not host or not path:
        return None
    return f"{host}/{path.lower()}" if host in CASELESS else f"{host}/{path}"


def _of_url(address: str) -> tuple[str, str] | None:
    """Host (with userinfo and port) and path of ``scheme://…``."""
    scheme, _, rest = address.partition("://")
    if scheme.lower() not in SCHEMES:
        return None
    authority, _, path = rest.partition("/")
    return authority, path


def _of_scp(address: str) -> tuple[str, str] | None:
    """Host (with userinfo) and path of ``[user@]host:path``, which git reads so if no ``/`` comes first."""
    head, bracket, path = address.partition("]:")
    if bracket and "[" in head and "/" not in head:
        inner = head.partition("[")[2].rpartition("@")[2]
        # `[::1]:path` holds an address, `[host:22]:path` a host with its port
        return (f"[{inner}]" if inner.count(":") > 1 else inner), path
    authority, _, path = address.partition(":")
    windows_drive = len(authority) == 1 and authority.isalpha()
    if "/" in authority or windows_drive or path.startswith(":"):
        return None
    return authority, path


def _host(authority: str) -> str:
    """The host alone in lower case, ``""`` where the authority is not a host and a port."""
    host = authority.rpartition("@")[2].lower()
    if host.startswith("["):
        inside, bracket, port = host[1:].partition("]")
        if not bracket or not all(char in "0123456789abcdef:." for char in inside):
            return ""
        host, port = f"[{inside}]", port.removeprefix(":")
    else:
        host, _, port = host.partition(":")
        if not all(char.isalnum() or char in "-._" for char in host):
            return ""
    if port and not (port.isascii() and port.isdigit()):
        return ""
    host = host.rstrip(".")
    return SAME_HOST.get(host, host)


def _path(path: str) -> str:
    """The path without slashes at its ends and ``.git``, ``""`` where it is not one that can be trusted."""
    if "@" in path:
        # a password with a slash in it pushes its tail into the path
        return ""
    path = path.partition("?")[0].partition("#")[0].replace(" ", "%20")
    segments = [segment for segment in path.split("/") if segment]
    if any(segment in {".", ".."} for segment in segments):
        return ""
    return "/".join(segments).removesuffix(".git").rstrip("/")


def without_credentials(text: str) -> str:
    """``text`` without what stands before the host in the addresses in it: a user's name, perhaps a token."""
    return _USERINFO.sub(r"\1…@", text)
