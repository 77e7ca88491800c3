"""Threads share the C library's heaps, so that what one of them has freed is not lost to the others."""

import platform
import subprocess
import sys

import pytest

COUNTED = """
import ctypes, os, sys, tempfile, threading
from bot.processes import share_heaps

if sys.argv[1] == "shared":
    share_heaps()
together = threading.Barrier(6)


def work():
    held = [bytearray(20_000) for _ in range(20)]
    together.wait()
    return held


threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
library = ctypes.CDLL(None)
library.fopen.restype = ctypes.c_void_p
path = tempfile.mktemp()
file = ctypes.c_void_p(library.fopen(path.encode(), b"w"))
library.malloc_info(0, file)
library.fclose(file)
print(open(path).read().count("<heap nr="))
os.unlink(path)
"""


def heaps(how: str) -> int:
    """How many heaps a process has in which six threads have worked side by side."""
    command = [sys.executable, "-c", COUNTED, how]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library has no such heaps")
def test_threads_share_two_heaps_when_they_are_told_to() -> None:
    assert heaps("shared") <= 2
    assert heaps("apart") > 2
