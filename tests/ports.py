"""A port of this machine for a server that is to start later, or again: kept so that nobody else is given it."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def kept_port() -> Iterator[int]:
    """A free port. While nobody serves there, connections are refused; a server of ours may serve there, once or again
    and again."""
    with socket.socket() as keeper:
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers set it, who then may have it, too
        keeper.bind(("127.0.0.1", 0))
        yield keeper.getsockname()[1]
