"""The share of memory in use is that of the tightest limit."""

import pytest

from indx_store_memory._pressure import share_in_use

MEMINFO = "MemTotal:       1000 kB\nMemFree:  1 kB\nMemAvailable:    250 kB\n"


@pytest.fixture
def mounted(tmp_path):
    """A function that writes files below a root, and the root."""

    def write(files):
        for name, text in ({"proc/meminfo": MEMINFO} | files).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


def test_without_a_limit_it_is_the_machines(mounted):
    assert share_in_use(mounted({"proc/self/cgroup": "0::/\n"})) == 0.75


def test_a_group_without_a_limit_is_the_machines(mounted):
    files = {"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"}
    assert share_in_use(mounted(files | {"sys/fs/cgroup/a/memory.current": "5\n"})) == 0.75


@pytest.mark.parametrize("inside", ["", "a/b/", "a/"])
def test_a_limit_of_a_group_or_one_around_it_counts_without_what_could_be_dropped(mounted, inside):
    base = f"sys/fs/cgroup/{inside}"
    files = {
        "proc/self/cgroup": "12:cpu:/x\n0::/a/b\n",
        f"{base}memory.max": "1000\n",
        f"{base}memory.current": "700\n",
        f"{base}memory.stat": "anon 400\ninactive_file 200\n",
    }
    assert share_in_use(mounted(files)) == 0.5


def test_the_older_layout_is_read(mounted):
    base = "sys/fs/cgroup/memory/a/"
    files = {
        "proc/self/cgroup": "4:memory:/a\n",
        f"{base}memory.limit_in_bytes": "1000\n",
        f"{base}memory.usage_in_bytes": "900\n",
        f"{base}memory.stat": "total_inactive_file 100\n",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        "sys/fs/cgroup/memory/memory.usage_in_bytes": "5000\n",
    }
    assert share_in_use(mounted(files)) == 0.8


def test_where_nothing_tells_it_is_none(tmp_path):
    assert share_in_use(tmp_path) == 0.0


def test_this_machine_tells_something_between_none_and_all():
    assert 0 <= share_in_use() <= 1.5
