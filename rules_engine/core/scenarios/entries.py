"""What entries of scenarios' files are made of: where figures come from, and texts that a screen can show."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.plain_text import unfit_character
from rules_engine.core.catalogues.catalogue import INVENTED


class Marked(Frozen):
    """What says where its figures come from: a text and its page, or ``invented`` (also ``invented: why``)."""

    source: Annotated[str, Field(min_length=1, max_length=80)] = INVENTED

    @property
    def invented(self) -> bool:
        """Whether the figures are made up."""
        return self.source.partition(":")[0].strip().casefold() == INVENTED


def _shown(text: str) -> str:
    """A text that a screen can show on one line."""
    unfit = unfit_character(text)
    if unfit is not None:
        raise ValueError(f"may not hold {unfit}")
    if not text.strip() or len(text.splitlines()) > 1:
        raise ValueError("must be one line, and not blank")
    return " ".join(text.split())


EntryKey = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,23}$")]
EntryName = Annotated[str, Field(max_length=40), AfterValidator(_shown)]
EntryTitle = Annotated[str, Field(max_length=80), AfterValidator(_shown)]
UnsettledBattles = Annotated[Literal["all stay", "arrivals leave"], Field(exclude_if=lambda how: how == "all stay")]
"""How a battle ends, without losses, on whose account nobody agrees within the time that the campaign sets: everybody
stays, or who came to its place last leaves it."""
