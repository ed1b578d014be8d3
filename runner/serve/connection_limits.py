"""Connection limits: how many connections a server has, in all and from one address, and how quickly an address makes them."""

from __future__ import annotations

import ipaddress
import resource
import socket
from collections import Counter
from time import monotonic
from typing import Any, Protocol

MOST, MOST_OF_ONE = 500, 64
"""Connections at once: in all, and from one address."""

RESERVE = 200
"""File descriptors that matches keep for logs, models and programs."""

_LEAST = 16


class Connection(Protocol):
    """A connection of a client, by its file descriptor."""

    descriptor: int

    @property
    def is_whole(self) -> bool:
        """Whether the client has sent a whole request that the server now answers."""
        ...

    def drop(self) -> None:
        """Close it at once."""
        ...


class Connections:
    """The open connections. A new one beyond the limits takes the place of the oldest one without a whole request."""

    def __init__(self, most: int, most_of_one: int, rate: AddressRate) -> None:
        """`most_of_one`: the limit of each address."""
        self._most, self._most_of_one, self._rate = most, most_of_one, rate
        self._places: dict[int, str] = {}
        self._of = Counter[str]()
        self._open: dict[Connection, str] = {}

    def admit(self, address: str, descriptor: int) -> bool:
        """Whether an address may have one more connection, which then has a place by its descriptor."""
        self._free(descriptor)  # of one that was closed before it was entered
        if not self._rate.has_room(address):
            return False
        is_full = len(self._places) >= self._most
        if is_full or self._of[address] >= self._most_of_one:
            idle = (one for one, of in self._open.items() if not one.is_whole and (is_full or of == address))
            if (oldest := next(idle, None)) is None:
                return False
            self.leave(oldest)
            oldest.drop()
        self._places[descriptor] = address
        self._of[address] += 1
        return True

    def enter(self, one: Connection) -> None:
        """Take the place that an admitted connection has."""
        self._open[one] = self._places[one.descriptor]

    def leave(self, one: Connection) -> None:
        """Free the place of a connection, once."""
        if self._open.pop(one, None) is not None:
            self._free(one.descriptor)

    def _free(self, descriptor: int) -> None:
        if (address := self._places.pop(descriptor, None)) is not None:
            self._of[address] -= 1
            self._of += Counter()


class BoundedSocket(socket.socket):
    """A listening socket that closes connections beyond the limits before anything is made for them."""

    limits: Connections

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection within the limits. OSError as of a socket."""
        while True:
            connection, address = super().accept()
            if self.limits.admit(one_client(address[0]), connection.fileno()):
                return connection, address
            connection.close()


class AddressRate:
    """What an address may do: `per_second` times in the long run, `at_once` times in a moment (token bucket)."""

    _MOST_KNOWN = 1000

    def __init__(self, per_second: float, at_once: float) -> None:
        self.per_second, self.at_once = per_second, at_once
        self._seen: dict[str, tuple[float, float]] = {}

    def has_room(self, address: str) -> bool:
        """Whether an address may act once more."""
        now = monotonic()
        left, at = self._seen.pop(address, (self.at_once, now))
        left = min(self.at_once, left + (now - at) * self.per_second)
        if len(self._seen) >= self._MOST_KNOWN:
            self._seen.pop(next(iter(self._seen)))
        self._seen[address] = max(0.0, left - 1), now
        return left >= 1


def one_client(address: str) -> str:
    """What limits count as one address: an IPv6 network of 64 bits belongs to one subscriber (RFC 6177)."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4:
        return address
    mapped = found.ipv4_mapped
    return str(ipaddress.ip_network((found, 64), strict=False)) if mapped is None else str(mapped)


def most_connections() -> int:
    """How many connections the descriptors of this process allow, of which matches keep a reserve. Raises the soft limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + RESERVE if hard == resource.RLIM_INFINITY else min(MOST + RESERVE, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MOST if soft == resource.RLIM_INFINITY else max(_LEAST, min(MOST, soft - RESERVE))
