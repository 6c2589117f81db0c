"""Where a fetch may go: every way of writing an inner address is refused, and no name leads to one."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas import Unavailable
from veritas.reading.web.destination import Destinations, Refused, is_public, literal_address


@pytest.fixture(autouse=True)
def no_packet_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here connects to anything; what tries to fails before a packet is sent."""

    def refuse(self: socket.socket, address: object) -> int:
        raise AssertionError(f"a test tried to connect to {address}")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)


LOOPBACK = [
    "http://127.0.0.1/", "http://127.1/", "http://127.0.1/", "http://2130706433/", "http://0x7f000001/",
    "http://0x7f.0.0.1/", "http://0177.0.0.1/", "http://017700000001/", "http://0x7F.1/", "http://127.0.0.1./",
    "http://127.255.255.254/", "http://[::1]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/", "http://[::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/",
    "http://0/", "http://0.0.0.0/", "http://[::]/", "http://localhost/", "http://localhost./", "http://LOCALHOST/",
    "http://x.localhost/", "http://localhost.localdomain/", "http://127。0。0。1/",
]  # fmt: skip
INNER = [
    "http://169.254.169.254/latest/meta-data/", "http://2852039166/", "http://0xa9fea9fe/", "http://0xA9.254.0251.254/",
    "http://[::ffff:169.254.169.254]/", "http://[::ffff:a9fe:a9fe]/", "http://[64:ff9b::a9fe:a9fe]/",
    "http://[fd00:ec2::254]/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[fec0::1]/", "http://[ff02::1]/",
    "http://metadata.google.internal/computeMetadata/v1/", "http://metadata/", "http://intranet/", "http://printer.local/",
    "http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.1.1/", "http://100.64.0.1/", "http://192.0.2.1/",
    "http://198.18.0.1/", "http://224.0.0.1/", "http://240.0.0.1/", "http://255.255.255.255/", "http://[2001:db8::1]/",
    "http://[2001:0:7f00:1::]/", "http://[2002:c0a8:101::1]/",
    "http://192.0.0.0/", "http://192.0.0.8/", "http://192.0.0.9/", "http://192.0.0.10/", "http://192.0.0.192/",
    "http://192.0.0.255/", "http://192.88.99.1/", "http://192.88.99.2/", "http://168.63.129.16/", "http://0xa83f8110/",
    "http://2822734096/", "http://192.9/", "http://0300.0.0.011/", "http://[::ffff:192.0.0.9]/",
    "http://[64:ff9b::c000:9]/", "http://[2002:c058:6301::]/", "http://[::ffff:168.63.129.16]/",
    "http://[2002:a83f:8110::1]/",
]  # fmt: skip


@pytest.mark.parametrize("url", LOOPBACK + INNER)
def test_an_inner_address_is_refused_in_every_notation(url: str) -> None:
    with pytest.raises(Refused):
        Destinations().check(url)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "ftp://example.org/", "gopher://example.org:70/", "javascript:alert(1)", "data:,",
        "//example.org/", "example.org", "", "http://", "http:///x", "http://example.org:22/", "http://example.org:25/",
        "http://example.org:99999/", "http://example.org:0/", "http://user:secret@example.org/", "http://example.org@127.0.0.1/",
        "http://[::1/", "http://exa mple.org/", "http://example.org\\@127.0.0.1/", "http://a" + "b" * 9000 + ".org/",
        "http://①②⑦.⓪.⓪.①/", "http://\ud800.org/", "http://ex\x00ample.org/", "corpus://x/y",
    ],
)  # fmt: skip
def test_what_is_no_public_web_address_is_refused(url: str) -> None:
    with pytest.raises(Refused):
        Destinations().check(url)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://example.org/", "example.org"),
        ("https://example.org:443/x?q=1", "example.org"),
        ("https://bücher.example/ä b", "xn--bcher-kva.example"),
        ("http://93.184.215.14/", "93.184.215.14"),
        ("http://[2606:4700::1111]/", "2606:4700::1111"),
        ("http://192.0.1.1/", "192.0.1.1"),
        ("http://192.88.98.255/", "192.88.98.255"),
        ("http://168.63.129.15/", "168.63.129.15"),
        ("http://168.63.129.17/", "168.63.129.17"),
        ("http://191.255.255.255/", "191.255.255.255"),
    ],
)
def test_public_addresses_pass(url: str, host: str) -> None:
    assert Destinations().check(url).raw_host.decode() == host


def destinations(*addresses: str, allowed: frozenset[str] = frozenset()) -> Destinations:
    async def resolver(host: str, port: int) -> Sequence[str]:
        return addresses

    return Destinations(allowed=allowed, resolver=resolver)


async def test_a_name_that_resolves_inwards_is_refused() -> None:
    for address in ("127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fd12::1", "0.0.0.0"):
        with pytest.raises(Refused, match="no public address"):
            await destinations(address).addresses("rebound.example.org", 80)


@pytest.mark.parametrize("address", ["192.0.0.9", "192.88.99.1", "168.63.129.16", "::ffff:168.63.129.16"])
async def test_a_name_that_resolves_to_what_is_called_global_and_is_not_is_refused(address: str) -> None:
    with pytest.raises(Refused):
        await destinations("93.184.215.14", address).addresses("rebound.example.org", 80)


async def test_one_inner_address_among_public_ones_refuses_the_name() -> None:
    with pytest.raises(Refused):
        await destinations("93.184.215.14", "192.168.0.1").addresses("mixed.example.org", 80)


async def test_a_name_without_address_is_unavailable_and_not_refused() -> None:
    with pytest.raises(Unavailable, match="its server was not found") as caught:
        await destinations().addresses("gone.example.org", 80)
    assert not isinstance(caught.value, Refused)


async def test_the_list_for_tests_opens_loopback_only_and_only_that_port() -> None:
    allowed = frozenset({"127.0.0.1:8123", "10.0.0.1:80"})
    opened = destinations("127.0.0.1", allowed=allowed)
    opened.check("http://127.0.0.1:8123/")
    assert await opened.addresses("any.example.org", 8123) == ("127.0.0.1",)
    with pytest.raises(Refused):
        await opened.addresses("any.example.org", 80)
    for url in ("http://127.0.0.1:8124/", "http://10.0.0.1/", "http://127.0.0.1/"):
        with pytest.raises(Refused):
            opened.check(url)
    with pytest.raises(Refused):
        await destinations("10.0.0.1", allowed=allowed).addresses("inner.example.org", 80)


@given(st.ip_addresses(v=4))
def test_an_address_is_known_in_every_notation_and_judged_alike(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    a, b, c, d = address.packed
    mixed = f"{a:#x}.{b:#o}.{c}.{d}".replace("0o", "0")
    spellings = [str(number), hex(number), f"0{number:o}", f"{a}.{b}.{c * 256 + d}", mixed]
    for spelling in spellings:
        assert literal_address(spelling) == address
    carried = [f"::ffff:{address}", f"[64:ff9b::{address}]", f"2002:{a:02x}{b:02x}:{c:02x}{d:02x}::1"]
    for spelling in carried:
        found = literal_address(spelling)
        assert found is not None
        assert is_public(found) == is_public(address)


INNER = ("10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "224.0.0.0/4", "0.0.0.0/8")
# Hosts with what must become of them: addresses in several notations, and names.
spelled = st.sampled_from([str, lambda a: str(int(a)), lambda a: hex(int(a)), lambda a: f"[::ffff:{a}]"])
inner = st.sampled_from(INNER).flatmap(lambda network: st.ip_addresses(network=network))
label = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True)
hosts = st.one_of(
    st.builds(lambda spell, address: (spell(address), False), spelled, inner),
    st.builds(lambda spell, address: (spell(address), True), spelled, st.ip_addresses(network="93.184.0.0/16")),
    label.map(lambda name: (name, False)),
    st.builds(lambda name, end: (name + end, False), label, st.sampled_from([".localhost", ".local", ".home.arpa"])),
    label.map(lambda name: (f"{name}.example.org", True)),
)


@given(
    st.sampled_from(["http", "http", "https", "HTTPS", "ftp"]),
    st.sampled_from(["", "", "", "@", "user:secret@"]),
    hosts,
    st.sampled_from(["", ":80", ":443", ":0", ":22", ":65536"]),
    st.text(alphabet="abc/.?=#@:%", max_size=12),
)
def test_exactly_web_addresses_of_public_hosts_pass(
    scheme: str, user: str, host: tuple[str, bool], port: str, rest: str
) -> None:
    name, public = host
    fetched = scheme.lower() in ("http", "https") and user in ("", "@") and port in ("", ":80", ":443")
    url = f"{scheme}://{user}{name}{port}/{rest}"
    if fetched and public:
        assert Destinations().check(url).host == name.strip("[]").lower()
    else:
        with pytest.raises(Refused):
            Destinations().check(url)


@given(st.sampled_from(["", "http:", "http://", "https://x@", "http://10.", "http://["]), st.text(max_size=60))
def test_any_text_is_either_refused_or_names_no_inner_host(start: str, text: str) -> None:
    try:
        url = Destinations().check(start + text)
    except Refused:
        return
    assert (url.scheme in ("http", "https"), url.userinfo, url.port in (None, 80, 443)) == (True, b"", True)
    address = literal_address(url.host)
    assert "." in url.host if address is None else is_public(address)
