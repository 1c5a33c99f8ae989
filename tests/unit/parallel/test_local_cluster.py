import os
import subprocess
import sys

import pytest

from unisono.parallel.executors import executor_at

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


@pytest.mark.parametrize("place", ["processes", "local"])
def test_a_script_that_starts_itself_again_is_told_so_in_one_sentence(tmp_path, place):
    script = tmp_path / "script.py"
    script.write_text(
        "from unisono.parallel.executors import executor_at\n"
        f"with executor_at({place!r}, workers=1) as executor:\n"
        "    print(executor.submit(pow, 2, 5).result())\n"
    )
    command = [sys.executable, str(script)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    assert (ran.returncode, ran.stdout) == (1, "")
    told = ran.stderr.strip().splitlines()
    assert told[-1].endswith('below the line: if __name__ == "__main__":')
    assert ran.stderr.count("Traceback") == 1
