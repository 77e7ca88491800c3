"""Chapter 5.3.2 to 5.3.6: captured planets rebel at the end of each turn. CU 1.1 step 4"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch05_planets.capture import hand_over
from rules_engine.rulebooks.cutler.records.planetary import (
    GARRISON,
    REBEL_DICE,
    SHIPS,
    garrison,
    in_words,
    lose_garrison,
)
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Planet

GROUP = 10
"""Rebels that roll one die together. CU-R102"""


@rule("5.3.5")
def note_revolts(state: CutlerState) -> None:
    """At an impulse's end: note the captured planets where a ship of the first owner stands and none of the conqueror;
    cloaked ones count for neither. 5.3.5, CU-R103, CU-N36, CU-N73
    """
    for key in sorted(state.planets):
        planet = state.planets[key]
        if planet.captured_turn is None or key in state.revolts:
            continue
        there = {unit.race for unit in state.units_in(planet.hex) if unit.kind in SHIPS and not unit.cloaked}
        if planet.race in there and planet.owner not in there:
            state.revolts.append(key)


@rule("5.3.2", "5.3.4")
def rebellion_segment(turn: CutlerTurn) -> None:
    """Every captured planet rebels once, be it in a normal rebellion or in a major revolt. 5.3.2, 5.3.4, CU-R103"""
    state = turn.state
    for key in sorted(state.planets):
        planet = state.planets[key]
        if planet.captured_turn is not None:
            _rebel(turn.at(key), planet)
    state.revolts = []
    state.rebels = {}


@rule("5.3.3", "5.3.5")
def why_major(state: CutlerState, planet: Planet) -> str:
    """Why a captured planet is in major revolt, or "" if it is not: its garrison as it is now is too small, or a
    friendly ship stood there alone. 5.3.3, 5.3.5, CU-R101"""
    needed = GARRISON[planet.kind]
    if garrison(planet) < needed:
        return f"the garrison counts {garrison(planet)}, and {needed} are needed"
    return "a friendly ship was there and none of yours" if planet.key in state.revolts else ""


@rule("5.3.2", "5.3.3", "6.4.1.7", "5.3.6")
def _rebel(turn: CutlerTurn, planet: Planet) -> None:
    """Roll the rebels and what the garrison loses to them; rebels lose nothing, and none are left for the next turn.

    5.3.2, 5.3.3, 6.4.1.7, 5.3.6, CU-R100, CU-R102, CU-N35
    """
    state, holder = turn.state, planet.owner
    dice = turn.roll("rebels", faces=6, count=REBEL_DICE[planet.kind], seen_by=[holder])
    major = why_major(state, planet)
    stirred = state.rebels.get(planet.key, 0)
    rebels = dice.total * (2 if major else 1) + stirred
    fight = turn.roll("losses to rebels", faces=6, count=-(-rebels // GROUP), seen_by=[holder])
    losses = min(planet.boarding_parties, losses_to(rebels, fight.dice))
    lose_garrison(planet, losses)
    inputs = {"rebels": rebels, "raised by missions": stirred, "garrison left": garrison(planet)}
    kind, cause = ("Major revolt", f", for {major}") if major else ("Rebellion", "")
    text = f"{kind} on {planet.name} ({planet.hex}){cause}: {rebels} rebels, {in_words(losses)} lost."
    why = because("5.3.2, 5.3.3, 5.3.6, CU-R100, CU-R102", inputs, [dice, fight])
    turn.tell([holder], text, kind="planet", why=why)
    if not planet.boarding_parties:
        _liberate(turn, planet)


@rule("5.3.6")
def losses_to(rebels: int, dice: tuple[int, ...]) -> int:
    """Boarding parties that a garrison loses: for each ten rebels as many as a die shows, for the rest of them the same
    share of it, rounded down. 5.3.6, CU-R102"""
    sizes = [min(GROUP, rebels - start) for start in range(0, rebels, GROUP)]
    return sum(die * size // GROUP for die, size in zip(dice, sizes, strict=True))


@rule("5.3.6", "5.3")
def _liberate(turn: CutlerTurn, planet: Planet) -> None:
    """Give a planet without a garrison back to its first owner. 5.3.6, 5.3, CU-R102"""
    state, loser = turn.state, planet.owner
    hand_over(state, planet, planet.race)
    text = f"{planet.name} ({planet.hex}) rises against the {state.name_of(loser)}: the {state.name_of(planet.race)} "
    text += "has it back."
    turn.tell_all(text, kind="planet", why=because("5.3, CU-R102"))
    for race in (planet.race, loser):
        state.empires[race].alerts.append(f"{planet.name} changed hands")
