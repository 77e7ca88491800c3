"""Chapter 4.2.4.8: who goes with a new ship, its crew and its legendary officers; officers and aces for older ones."""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import with_article
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field
from rules_engine.rulebooks.cutler.ch04_economics.docks import Dock
from rules_engine.rulebooks.cutler.ch04_economics.permits import Reason, lies_at, why_not_here
from rules_engine.rulebooks.cutler.ch04_economics.repairs import damage, in_words
from rules_engine.rulebooks.cutler.records.accessories.catalogue import LEGENDS, QUALITIES, Accessory, CrewQuality
from rules_engine.rulebooks.cutler.records.accessories.legends import NO_HULL, why_not_serving
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.conditions.officers import OFFICER_WORDS, Officer
from rules_engine.rulebooks.cutler.records.economy_lines import DockLine
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.yards import LEAST_REFIT

TRAIN, FOR = "train ", " for "
"""``train officer_navigator for hydran-1`` orders an officer, ``train ace for hydran-1`` an ace."""


@rule("4.2.4.8")
def trains(dock: Dock) -> bool:
    """Whether people are trained at a bay's base. 4.2.4.8"""
    return dock.base.record.base_type in ("SB", "BATS")


def for_sale(state: CutlerState, race: Side) -> dict[str, Accessory]:
    """The legendary officers, and the ace, that a race may have trained."""
    return {
        key: item
        for key, item in state.accessories.items()
        if item.kind in LEGENDS and item.price is not None and item.empire in ("any", race)
    }


def officers_for_sale(state: CutlerState, race: Side) -> dict[Officer, Accessory]:
    """The officers among them, by their office."""
    return {item.officer: item for item in for_sale(state, race).values() if item.officer is not None}


# --- along with a new ship -------------------------------------------------------------------------------------------


@rule("4.2.4.8")
def extra_for_crew(items: Mapping[str, Accessory], item: UnitClass, quality: CrewQuality) -> Fraction:
    """CPV that a crew of that quality adds to a new ship's price, or takes from it: for each crew unit as much as it
    costs more than a normal one. 4.2.4.8, CU-N120"""

    def each(wanted: CrewQuality) -> Fraction:
        prices = [one.price for one in items.values() if one.quality == wanted and one.price is not None]
        return min(prices, default=Fraction(0))

    return (each(quality) - each("normal")) * item.crew_units if quality != "normal" else Fraction(0)


@rule("4.2.4.8", "4.2.1")
def price_of_new(
    state: CutlerState, race: Side, item: UnitClass, quality: CrewQuality, officers: tuple[Officer, ...]
) -> int:
    """CPV of a new ship with its crew and officers, rounded up; a crew takes no more from it than leaves one.
    4.2.4.8, 4.2.1, CU-N120"""
    offered = officers_for_sale(state, race)
    dear = sum((offered[one].price or Fraction(0) for one in officers), Fraction(0))
    return max(1, ceil(item.cpv + extra_for_crew(state.accessories, item, quality) + dear))


CREWS: dict[str, CrewQuality] = {f"{quality}_crew": quality for quality in QUALITIES if quality != "normal"}
"""What names a crew among the people of a new ship."""


def people_fields(state: CutlerState, race: Side, dock: Dock) -> tuple[Field, ...]:
    """What a free bay's line asks of a new ship's people: nothing where nobody is trained, and of crews where those of
    all classes are in no record."""
    if not trains(dock):
        return ()
    ways: list[Choice] = []
    if any(item.crew_units and why_not_here(state, race, dock, item) is None for item in state.classes.values()):
        ways += [Choice(key, f"{quality.capitalize()} crew") for key, quality in CREWS.items()]
    ways += [
        Choice(officer, f"Legendary {OFFICER_WORDS[officer]}", f"{float(item.price or 0):g} CPV, {item.source}")
        for officer, item in officers_for_sale(state, race).items()
    ]
    label, text = "People of a new ship", "none: a normal crew"
    return (Field("people", label, "many", tuple(ways), optional=True, help=text, none="none"),) if ways else ()


@rule("4.2.4.8")
def read_people(
    state: CutlerState, race: Side, dock: Dock, line: DockLine, item: UnitClass
) -> tuple[CrewQuality, tuple[Officer, ...], list[Refusal]]:
    """The crew and the officers of a new ship, by a bay's line, and what is wrong with them: they are trained at
    starbases and battle stations, and each officer is there once. 4.2.4.8, CU-N120"""
    path, offered = f"{dock.key}.people", officers_for_sale(state, race)
    crews = [one for one in line.people if one in CREWS]
    officers: tuple[Officer, ...] = tuple(one for one in offered if one in line.people)
    known = [*CREWS, *offered]
    refusals = [
        malformed("nobody like that is trained", path, legal=", ".join(known), nearest=nearest(one, known))
        for one in line.people
        if one not in known
    ]
    text = ""
    if len(set(line.people)) < len(line.people) or len(crews) > 1:
        text, law, legal = "a ship has one crew, and one officer of a kind", "4.2.4.8, CU-N122", "each of them once"
    elif line.people and not trains(dock):
        text, law, legal = f"{dock.base.name} trains nobody", "4.2.4.8", "a starbase or a battle station"
    elif officers and item.kind in NO_HULL:
        text, law, legal = f"{with_article(item.name)} has no room for officers", "4.2.4.8, CU-N122", "none"
    elif crews and not item.crew_units:
        text, law = f"the crew of {with_article(item.name)} is in no record", "4.2.4.8, CU-N120"
        legal = "a class with crew units"
    else:
        law = legal = ""
    refusals += [illegal(text, law, path, legal=legal)] if text else []
    crew: CrewQuality = CREWS[crews[0]] if crews else "normal"
    return crew, officers, refusals


@rule("4.2.4.8")
def only_with_a_new_ship(dock: Dock, line: DockLine) -> list[Refusal]:
    """Refusals of people on the line of a bay that begins no new ship. 4.2.4.8"""
    if not line.people:
        return []
    text, legal = "crew and officers are named for a new ship", "none, or training as a refit"
    return [illegal(text, "4.2.4.8", f"{dock.key}.people", legal=legal)]


# --- as a refit ------------------------------------------------------------------------------------------------------


@rule("4.2.4.8", "4.2.3.2")
def training_cost(item: Accessory) -> int:
    """CPV of training an officer or an ace as a refit, at least those of any refit. 4.2.4.8, 4.2.3.2"""
    return max(LEAST_REFIT, ceil(item.price or Fraction(0)))


@rule("4.2.4.8", "4.2.3", "4.3.1")
def why_not_trained(state: CutlerState, race: Side, dock: Dock, ship: Unit, item: Accessory) -> Reason:
    """Why an officer or an ace is not trained for a ship in a bay. 4.2.4.8, 4.2.3, 4.3.1"""
    if ship.is_station:
        return f"{ship.name} is a base", "4.2.4.8", "a ship"
    if not lies_at(dock, ship):
        return f"{ship.name} is not docked at {dock.base.name}", "4.2.3", f"a ship in {dock.base.hex}"
    if not trains(dock):
        return f"{dock.base.name} trains nobody", "4.2.4.8", "a starbase or a battle station"
    if reason := why_not_serving(ship, item, 1, state.accessories):
        return reason
    if hurt := damage(ship):
        return f"{ship.name} has lost {in_words(hurt)}", "4.2.3.3, 4.3.1, CU-R86", "a refit in a turn after its repair"
    return why_not_here(state, race, dock, ship.record.model_copy(update={"empire": "any"}))


def training_choices(state: CutlerState, race: Side, dock: Dock, ships: list[Unit]) -> list[Choice]:
    """The trainings that a bay's line offers."""
    return [
        Choice(f"{TRAIN}{key}{FOR}{ship.id}", f"{item.name}: {ship.name}", f"{training_cost(item)} CPV")
        for ship in ships
        for key, item in for_sale(state, race).items()
        if why_not_trained(state, race, dock, ship, item) is None
    ]


def read_training(state: CutlerState, race: Side, text: str) -> tuple[str, str]:
    """The officer or ace, by key, and the unit that an order to train names; "" if it is none."""
    key, _, ship = text.removeprefix(TRAIN).partition(FOR)
    return (key, ship) if text.startswith(TRAIN) and key in for_sale(state, race) else ("", "")
