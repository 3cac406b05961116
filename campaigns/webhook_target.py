"""Where a webhook may lead, and a request that goes there and nowhere else.

A name is resolved once for each request, every address it stands for is checked, and the connection is made to a
checked address: a name that changes its address in between (DNS rebinding) gains nothing. Redirects are not followed,
and proxies of the environment are not used.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from campaigns.invalid_input import InvalidInput
from campaigns.models.webhooks import DeliveryProblem

ADDRESS_LIMIT = 500
SECONDS = 10.0  # to connect, and for the whole answer
MOST_READ = 2_000  # bytes of the answer's body
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotSent(Exception):
    """An attempt that did not lead to an answer."""

    def __init__(self, problem: DeliveryProblem) -> None:
        self.problem = problem
        super().__init__(problem.value)


@dataclass(frozen=True)
class Target:
    """An address in parts; `path` has its query."""

    is_https: bool
    host: str
    port: int
    path: str

    @classmethod
    def of(cls, address: str) -> "Target":
        """Raises InvalidInput for what cannot be the address of a webhook; nothing is looked up."""
        try:
            parts = urlsplit(address)
            host, port = (parts.hostname or "").encode("idna").decode(), parts.port
        except (ValueError, UnicodeError):
            raise _invalid(_("This is not an address. Write one such as https://example.org/assay.")) from None
        if parts.scheme not in {"https", "http"} or not host or not address.isprintable() or " " in address:
            raise _invalid(_("This is not an address. Write one such as https://example.org/assay."))
        if len(address) > ADDRESS_LIMIT:
            raise _invalid(_("At most %(most)d characters.") % {"most": ADDRESS_LIMIT})
        if parts.scheme == "http" and not settings.WEBHOOK_HTTP:
            raise _invalid(_("The address must begin with https://."))
        if parts.username is not None or parts.fragment:
            raise _invalid(_("Leave out the user name, the password and the part after #."))
        is_https = parts.scheme == "https"
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if not path.isascii():
            raise _invalid(_("Encode the characters of the path that are not ASCII."))
        return cls(is_https, host, port or (443 if is_https else 80), path)

    def checked_addresses(self) -> list[str]:
        """What its name stands for now. Raises NotSent if any of it is not allowed."""
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise NotSent(DeliveryProblem.UNKNOWN_HOST) from None
        addresses = [str(sockaddr[0]) for _family, _type, _protocol, _name, sockaddr in found]
        if not all(map(is_allowed, addresses)):
            raise NotSent(DeliveryProblem.FORBIDDEN)
        return list(dict.fromkeys(addresses))


def check_target(address: str) -> None:
    """Raises InvalidInput unless messages may be sent there now."""
    target = Target.of(address)
    try:
        target.checked_addresses()
    except NotSent as error:
        if error.problem == DeliveryProblem.FORBIDDEN:
            raise _invalid(
                _("This address leads into a private network. Use a public one, or ask the operator to allow it.")
            ) from error
        raise _invalid(_("The host name is not known. Check how it is written.")) from error


def is_allowed(address: str) -> bool:
    """Whether it is a public address of one host, or in a network that the operator allows.

    >>> [is_allowed(each) for each in ("93.184.215.14", "10.0.0.1", "::ffff:127.0.0.1", "fe80::1%eth0")]
    [True, False, False, False]
    """
    own = _unwrapped(ipaddress.ip_address(address.partition("%")[0]))
    if any(own in ipaddress.ip_network(network) for network in settings.WEBHOOK_NETWORKS):
        return True
    return own.is_global and not (own.is_multicast or own.is_reserved or own.is_unspecified or own.is_link_local)


def _unwrapped(address: Address) -> Address:
    """The IPv4 address inside an IPv6 one that leads to it: mapped, 6to4, NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if inner := address.ipv4_mapped or address.sixtofour:
        return inner
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else address


def post(address: str, body: bytes, headers: Mapping[str, str]) -> int:
    """The status of the answer. Raises NotSent where there is none."""
    try:
        target = Target.of(address)
    except InvalidInput:  # what was allowed when it was stored may not be any more
        raise NotSent(DeliveryProblem.FORBIDDEN) from None
    addresses = target.checked_addresses()
    try:
        return _exchange(target, _connected(target, addresses), body, headers)
    except ssl.SSLCertVerificationError:
        raise NotSent(DeliveryProblem.CERTIFICATE) from None
    except TimeoutError:
        raise NotSent(DeliveryProblem.TIMEOUT) from None
    except OSError:
        raise NotSent(DeliveryProblem.NO_CONNECTION) from None
    except http.client.HTTPException:
        raise NotSent(DeliveryProblem.NOT_HTTP) from None


def _connected(target: Target, addresses: list[str]) -> socket.socket:
    """To the first of the checked addresses that accepts."""
    for place, each in enumerate(addresses, start=1):
        try:
            return socket.create_connection((each, target.port), timeout=SECONDS)
        except OSError:
            if place == len(addresses):
                raise
    raise NotSent(DeliveryProblem.UNKNOWN_HOST)


def _exchange(target: Target, plain: socket.socket, body: bytes, headers: Mapping[str, str]) -> int:
    """The socket is closed whatever happens."""
    connected, is_late = plain, threading.Event()

    def end() -> None:  # a host that sends a byte now and then never lets a single read run out of time
        is_late.set()
        with suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(SECONDS, end)
    timer.daemon = True
    timer.start()
    try:
        if target.is_https:
            connected = ssl.create_default_context().wrap_socket(plain, server_hostname=target.host)
        connection = http.client.HTTPConnection(target.host, target.port, timeout=SECONDS)
        connection.default_port = 443 if target.is_https else 80  # for the header Host
        connection.sock = connected
        connection.request("POST", target.path, body, {**headers, "Connection": "close"})
        answer = connection.getresponse()
        answer.read(MOST_READ)
        return answer.status
    except (OSError, http.client.HTTPException, ValueError):
        if is_late.is_set():
            raise TimeoutError from None
        raise
    finally:
        timer.cancel()
        connected.close()


def _invalid(message: str) -> InvalidInput:
    return InvalidInput.of("address", message)
