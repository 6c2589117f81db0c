"""Addresses that may be connected to: only public ones, in any notation and after name resolution."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import httpx

from veritas.errors import Unavailable
from veritas.search.web.api import NO_SERVER

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""A function from a host name and a port to IP addresses; raises `OSError` if there are none."""

MAX_URL = 8000
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LOCAL_NAMES = re.compile(
    r"(?:.*\.)?(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)"
)
_HOST = re.compile(r"[a-z0-9._-]{1,253}", re.IGNORECASE | re.ASCII)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_TEREDO = ipaddress.IPv6Network("2001::/32")
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_NOT_PUBLIC = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "192.0.0.0/24",  # for protocols (RFC 6890); some of it counts as global, and a cloud's metadata lies in it
        "192.88.99.0/24",  # relays of 6to4, withdrawn (RFC 7526)
        "168.63.129.16/32",  # what Azure's own machines answer at, from inside every virtual network
    )
)
"""IPv4 networks that Python's tables call global and that have no pages."""


class Refused(Unavailable):
    """An address that may not be connected to."""


@dataclass(frozen=True)
class Destinations:
    """Destinations that may be connected to: `ports` of public addresses, and loopback at the `host:port` pairs in
    `allowed`.

    `allowed` is for tests and never opens anything but loopback.
    """

    ports: frozenset[int] = frozenset({80, 443})
    allowed: frozenset[str] = frozenset()
    resolver: Resolver = field(default_factory=lambda: resolve)

    def check(self, url: str) -> httpx.URL:
        """Parse a URL that may be fetched. Raises `Refused` with the reason otherwise. Resolves nothing."""
        if len(url) > MAX_URL:
            raise Refused(f"the address is longer than {MAX_URL:,} characters")
        try:
            parts = httpx.URL(url)
            host = parts.raw_host.decode("ascii")
            port = _DEFAULT_PORTS.get(parts.scheme, 0) if parts.port is None else parts.port
        except (httpx.InvalidURL, UnicodeError, ValueError, TypeError) as error:
            raise Refused(f"the address cannot be read: {_short(error)}") from error
        if parts.scheme not in _DEFAULT_PORTS:
            raise Refused(f"{parts.scheme[:20] or 'no scheme'}: only http and https are fetched")
        if not host:
            raise Refused("the address names no host")
        if parts.userinfo:
            raise Refused("the address holds a user name or password")
        literal = literal_address(host)
        if self._is_allowed(host, literal, port):
            return parts
        if literal is None and not _HOST.fullmatch(host):
            raise Refused("the host name is not one that can be registered")
        if port not in self.ports:
            raise Refused(f"port {port} is not one that is fetched from")
        if literal is not None:
            if not is_public(literal):
                raise Refused(f"{host} is no public address ({literal})")
        elif "." not in host.strip(".") or _LOCAL_NAMES.fullmatch(host.lower().rstrip(".")):
            raise Refused(f"{host} is a name of the local network")
        return parts

    async def addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses to connect to for a host that `check` accepted.

        Raises `Refused` if any of them is not public: a name that also resolves to a private address is not trusted.
        Raises `Unavailable` if there is none.
        """
        literal = literal_address(host)
        if literal is not None:
            found: Sequence[str] = (str(literal),)
        else:
            try:
                found = await self.resolver(host, port)
            except (OSError, UnicodeError) as error:
                raise Unavailable(NO_SERVER) from error
        if not found:
            raise Unavailable(NO_SERVER)
        for text in found:
            address = literal_address(text)
            if address is None or not (is_public(address) or self._is_allowed(host, address, port)):
                raise Refused(f"{host} resolves to {text}, which is no public address")
        return found

    def _is_allowed(self, host: str, address: _Address | None, port: int) -> bool:
        if not self.allowed:
            return False
        if address is not None and not address.is_loopback:
            return False
        if address is None:
            return f"{host}:{port}" in self.allowed
        return f"{host}:{port}" in self.allowed or f"{address}:{port}" in self.allowed


_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def literal_address(host: str) -> _Address | None:
    """Return the IP address in `host`, in any notation that a resolver accepts: dotted, decimal, octal, hexadecimal,
    short, bracketed, with a zone; None for a name."""
    text = host.strip("[]").partition("%")[0]
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        pass
    if not re.fullmatch(r"[0-9a-fx.]+", text, re.IGNORECASE):
        return None
    try:
        return ipaddress.IPv4Address(socket.inet_aton(text.rstrip(".")))
    except (OSError, ValueError):
        return None


def is_public(address: _Address) -> bool:
    """Return whether an address is on the public internet. An IPv6 address that carries an IPv4 one counts as it."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        return address in _GLOBAL_UNICAST and address not in _TEREDO and address.is_global and not address.is_multicast
    if any(address in network for network in _NOT_PUBLIC):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


async def resolve(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a name, by the system's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[4][0]) for address in found))


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
