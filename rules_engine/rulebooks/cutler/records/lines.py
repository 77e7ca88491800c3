"""What every line of a sheet has in common."""

from pydantic import ConfigDict

from rules_engine.core.basics.base import Frozen


class PartialLine(Frozen):
    """A line of a sheet. Whatever is left out stays as it was."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)
