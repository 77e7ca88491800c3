"""A bound on how much work something is: what grows faster than its input passes it by far, a busy machine does not."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.everyday.limit import REFERENCE, fixed_work


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """What is done in here takes at most so many seconds of a processor.

    Seconds are those of the machine on which the limit of the everyday tests was set: a slower one, or one whose
    processors are shared with others just then, is given more.
    """
    began = time.process_time()
    yield
    took = time.process_time() - began
    if took > seconds:
        slower = max(1.0, fixed_work() / REFERENCE)
        assert took <= seconds * slower, f"{took:.2f} s, on a machine that is {slower:.1f} times slower than usual"
