import os

import pytest

from unisono.running import executor_at

psutil = pytest.importorskip("psutil", reason="comes with distributed")
pytest.importorskip("distributed")


def test_a_local_cluster_listens_on_this_machine_only():
    with executor_at("local", workers=1) as executor:
        assert executor.submit(abs, -1).result() == 1
        here = psutil.Process(os.getpid())
        listening = {
            each.laddr.ip
            for process in (here, *here.children(recursive=True))
            for each in process.net_connections(kind="inet")
            if each.status == psutil.CONN_LISTEN
        }

    assert listening == {"127.0.0.1"}
