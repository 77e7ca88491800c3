"""Threads share the C library's heaps, so that what one of them has freed is not lost to the others."""

import platform
import subprocess
import sys

import pytest

from tests.expected.sections import section

COUNTED = section("counted")


def heaps(how: str) -> int:
    """How many heaps a process has in which six threads have worked side by side."""
    command = [sys.executable, "-c", COUNTED, how]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library has no such heaps")
def test_threads_share_two_heaps_when_they_are_told_to() -> None:
    assert heaps("shared") <= 2
    assert heaps("apart") > 2
