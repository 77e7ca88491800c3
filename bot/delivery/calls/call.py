"""One call to Discord."""

from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from bot import faults

_P = ParamSpec("_P")
_T = TypeVar("_T")


async def called(name: str, call: Callable[_P, Awaitable[_T]], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Make a call, with a point before and one after it at which tests can kill the process."""
    faults.point(f"{name}.before")
    result = await call(*args, **kwargs)
    faults.point(f"{name}.after")
    return result
