"""From where the page can be reached, and under which names.

Nothing here needs an optional library: an address is looked at before one is loaded.
"""

from __future__ import annotations

import ipaddress
import socket

TOKEN = "token"  # noqa: S105 -- the name of a parameter
LOCAL = ("127.0.0.1", "localhost", "[::1]")


def is_local(host: str) -> bool:
    """Whether only this machine can reach what listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def trusted_hosts(host: str) -> list[str]:
    """The names under which a server that listens there may be asked for."""
    named = f"[{host}]" if ":" in host else host
    names = {*LOCAL, named}
    if host in {"0.0.0.0", "::"}:  # noqa: S104 -- compared, not bound
        names |= {socket.gethostname(), socket.getfqdn()} | _own_addresses()
    return sorted(names)


def _own_addresses() -> set[str]:
    try:
        found = socket.getaddrinfo(socket.gethostname(), None)
    except OSError:
        return set()
    addresses = {str(each[4][0]).partition("%")[0] for each in found}
    return {f"[{each}]" if ":" in each else each for each in addresses}
