from __future__ import annotations

import pytest

from indx_loader_http._addresses import is_public


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "100.63.0.1", "172.32.0.1", "2606:4700::1111", "64:ff9b::808:808"]
)
def test_addresses_of_the_open_internet_are_public(address: str) -> None:
    assert is_public(address)


NOT_PUBLIC = """
0.0.0.0 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.8.8.8 168.63.129.16 169.254.169.254 172.16.0.1
172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1
239.255.255.250 240.0.0.1 255.255.255.255
:: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 ::8.8.8.8 64:ff9b::7f00:1
64:ff9b::a9fe:a9fe 64:ff9b:1::808:808 100::1 2001::1 2001:0:53aa::1 2001:db8::1 2002:7f00:1:: 2002:808:808::1
3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 2606:4700::1111%eth0 fec0::1 ff02::1 no-address
"""


@pytest.mark.parametrize("address", [*NOT_PUBLIC.split(), ""])
def test_everything_else_is_not(address: str) -> None:
    assert not is_public(address)
