"""Python's clocks, sleeps and waits are in simulated time."""

import asyncio
import concurrent.futures
import logging
import queue
import select
import subprocess
import sys
import threading
import time
from datetime import datetime, timezone

from mpi4py import MPI

comm = MPI.COMM_WORLD
clocks = {
    "Wtime": MPI.Wtime,
    "time": time.time,
    "monotonic": time.monotonic,
    "perf_counter": time.perf_counter,
    "monotonic_ns": lambda: time.monotonic_ns() / 1e9,
}


def takes(seconds, most, wait):
    """Calls a function whose simulated time is known, by all clocks."""
    begins = {name: clock() for name, clock in clocks.items()}
    wait()
    for name, clock in clocks.items():
        passed = clock() - begins[name]
        assert seconds - 1e-6 <= passed <= most, (wait, name, passed)


def raises(error, call):
    try:
        call()
    except error:
        return
    raise AssertionError(error)


takes(0, 5e-5, lambda: sum(range(100_000)))
takes(3600, 3600.0001, lambda: time.sleep(3600))
takes(0.25, 0.2501, lambda: select.select([], [], [], 0.25))
takes(0.05, 0.0501, lambda: threading.Event().wait(0.05))
lock = threading.Lock()
lock.acquire()
takes(0.05, 0.0501, lambda: lock.acquire(timeout=0.05))
takes(0.05, 0.0502, lambda: raises(queue.Empty, lambda: queue.Queue().get(timeout=0.05)))
takes(0.05, 0.06, lambda: asyncio.run(asyncio.sleep(0.05)))


def in_a_thread():
    begin = time.monotonic()
    time.sleep(0.02)
    raises(queue.Empty, lambda: queue.Queue().get(timeout=0.02))
    return time.monotonic() - begin


with concurrent.futures.ThreadPoolExecutor() as pool:  # other threads wait on the host
    future = pool.submit(in_a_thread)
    total = sum(number % 7 for number in range(1_000_000))
    assert future.result() < 1
assert comm.allreduce(1) == comm.size

today = datetime.now(timezone.utc)
assert (today.year, today.month, today.day) == (2026, 1, 1)
records = []
handler = logging.Handler()
handler.emit = records.append
logging.getLogger().addHandler(handler)
logging.warning("a record has the simulated date")
assert abs(records[0].created - today.timestamp()) < 0.01
if comm.rank == 0:  # a program that a rank starts is no rank
    other = subprocess.run(
        [sys.executable, "-S", "-c", "import time; begin = time.time(); time.sleep(0.05); print(begin, time.time())"],
        capture_output=True, text=True, check=True, timeout=50,
    )  # fmt: skip
    begin, end = map(float, other.stdout.split())
    assert begin > today.timestamp() + 86_400 and 0.05 <= end - begin < 10
    # The last wait for its end asks again and again, and sleeps between: not for longer than it runs.
    closing = "import os, time; os.close(1); os.close(2); time.sleep(0.2)"
    before = time.monotonic()
    subprocess.run([sys.executable, "-S", "-c", closing], capture_output=True, check=True, timeout=50)
    assert 0.05 < time.monotonic() - before < 45
print("ok", comm.rank)
