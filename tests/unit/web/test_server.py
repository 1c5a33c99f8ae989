"""Sockets and addresses of the server."""

from __future__ import annotations

import socket

import pytest

from unisono.errors import SettingError
from unisono.web.server import address_of, bound_socket


def test_port_0_binds_a_free_port():
    with bound_socket("127.0.0.1", 0) as first, bound_socket("127.0.0.1", 0) as second:
        (host, port), (_, other) = first.getsockname(), second.getsockname()

        assert host == "127.0.0.1"
        assert 0 < port != other > 0
        assert address_of(first) == f"http://127.0.0.1:{port}/"


def test_port_in_use_is_reported():
    with bound_socket("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SettingError, match=f"^port {port} is in use; choose another"):
            bound_socket("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port"),
    [("x" * 70, 80), ("a..b", 80)],
)
def test_invalid_addresses_are_rejected(host, port):
    with pytest.raises(SettingError, match=f"^cannot listen on {host}:{port}: no such"):
        bound_socket(host, port)


def test_addresses_of_other_machines_are_rejected():
    # An address that RFC 5737 reserves for documentation.
    with pytest.raises(SettingError, match=r"^cannot listen on 192\.0\.2\.1:0: "):
        bound_socket("192.0.2.1", 0)


def test_printed_address_is_reachable_from_other_machines():
    with bound_socket("0.0.0.0", 0) as everywhere:  # noqa: S104
        port = everywhere.getsockname()[1]

        assert address_of(everywhere) == f"http://{socket.gethostname()}:{port}/"
        assert address_of(everywhere, host="0.0.0.0") == address_of(everywhere)  # noqa: S104
        assert address_of(everywhere, host="lab.example") == f"http://lab.example:{port}/"
        assert address_of(everywhere, host="::1") == f"http://[::1]:{port}/"
