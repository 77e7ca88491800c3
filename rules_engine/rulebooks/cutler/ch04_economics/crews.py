"""Chapter 4.2.4.8: a better crew for a ship that is built is a refit."""

from fractions import Fraction
from math import ceil

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice
from rules_engine.rulebooks.cutler.ch04_economics.docks import Dock
from rules_engine.rulebooks.cutler.ch04_economics.permits import Reason, lies_at, why_not_here
from rules_engine.rulebooks.cutler.ch04_economics.repairs import damage, in_words
from rules_engine.rulebooks.cutler.records.accessories.catalogue import QUALITIES, CrewQuality
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.yards import LEAST_REFIT

CREW, FOR = "crew ", " for "
"""``crew normal for hydran-1`` orders a new crew."""


@rule("4.2.4.8", "4.2.3.2")
def crew_cost(state: CutlerState, ship: Unit, quality: CrewQuality) -> int:
    """CPV of a whole crew of that quality, at least those of any refit. 4.2.4.8, 4.2.3.2, CU-N70"""
    prices = [item.price for item in state.accessories.values() if item.quality == quality and item.price is not None]
    return max(LEAST_REFIT, ceil(min(prices, default=Fraction(0)) * ship.record.crew_units))


@rule("4.2.4.8", "4.2.3", "4.3.1")
def why_no_crew(state: CutlerState, race: Side, dock: Dock, ship: Unit, quality: CrewQuality) -> Reason:
    """Why a ship does not get a crew of that quality in a bay. 4.2.4.8, 4.2.3, 4.3.1"""
    if ship.is_station:
        return f"{ship.name} is a base", "4.2.4.8", "a ship"
    if not lies_at(dock, ship):
        return f"{ship.name} is not docked at {dock.base.name}", "4.2.3", f"a ship in {dock.base.hex}"
    if dock.base.record.base_type not in ("SB", "BATS"):
        return f"{dock.base.name} trains nobody", "4.2.4.8", "a starbase or a battle station"
    better = QUALITIES.index(quality) < QUALITIES.index(ship.crew_quality)
    if not better and not (ship.penalties_doubled and quality == ship.crew_quality):
        return f"the crew of {ship.name} is {ship.crew_quality}", "4.2.4.8", "a better crew"
    if hurt := damage(ship):
        return f"{ship.name} has lost {in_words(hurt)}", "4.2.3.3, 4.3.1, CU-R86", "a refit in a turn after its repair"
    return why_not_here(state, race, dock, ship.record.model_copy(update={"empire": "any"}))


def crew_choices(state: CutlerState, race: Side, dock: Dock, ships: list[Unit]) -> list[Choice]:
    """The crews that a bay's line offers."""
    return [
        Choice(
            f"{CREW}{quality}{FOR}{ship.id}",
            f"New crew: {ship.name}, {quality}",
            f"{crew_cost(state, ship, quality)} CPV",
        )
        for ship in ships
        for quality in QUALITIES
        if why_no_crew(state, race, dock, ship, quality) is None
    ]


def read_crew(text: str) -> tuple[CrewQuality | None, str]:
    """The quality and the unit that an order for a crew names; None if it is none."""
    word, _, ship = text.removeprefix(CREW).partition(FOR)
    if text.startswith(CREW):
        for quality in QUALITIES:
            if quality == word:
                return quality, ship
    return None, ""
