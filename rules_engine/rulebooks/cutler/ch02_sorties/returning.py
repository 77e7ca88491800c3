"""Chapter 2.9.6: after all combat of the impulse sorties fly back, or land where they are."""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch04_accessories.aces import rescue_aces
from rules_engine.rulebooks.cutler.records.accessories.flown import fighters_in, flown, without
from rules_engine.rulebooks.cutler.records.parts.craft import free_boxes, land
from rules_engine.rulebooks.cutler.records.parts.sorties import Sortie
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit


@rule("2.9.6", "2.9.6.1", "2.9.6.2")
def return_sorties(turn: CutlerTurn) -> None:
    """Fighters with boosters fly back to the hex from which they came, those that are to stay, or cannot fly, land
    where they are; who finds no box of its own race's is lost, but for legendary aces. All of it is its owner's alone.

    2.9.6, 2.9.6.1, 2.9.6.2, CU-R44, CU-R46, CU-N93
    """
    state = turn.state
    sorties, state.sorties = state.sorties, []
    for sortie in sorties:
        fighters = sortie.fighters
        stranded = flown(sortie.holds, fighters - sortie.booster_sets, 0)
        able = without(sortie.holds, stranded)
        here, home = _boxes(state, sortie.race, sortie.target), _boxes(state, sortie.race, sortie.origin)
        left = land(here, stranded)  # without boosters they can only land here
        ways = (here, home) if sortie.land else (home, here)
        for carriers in ways:
            able = land(carriers, able)
        lost = fighters_in(left) + fighters_in(able)
        if lost:
            text = f"No box for {counted(lost, 'fighter')} of the sortie into {sortie.target}: lost."
            why = because("2.9.6, 2.9.6.2, CU-R44", {"sortie": f"{sortie.origin} → {sortie.target}"})
            turn.tell([sortie.race], text, kind="movement", why=why)
            rescue_aces(turn, sortie.race, (sortie.origin, sortie.target), left, able)
        if came := fighters - lost:
            text = f"Landed after the sortie into {sortie.target}: {counted(came, 'fighter')}."
            turn.tell([sortie.race], text, kind="movement", why=because("2.9.6, 2.9.6.1"))


def _boxes(state: CutlerState, race: Side, hex_id: HexId) -> list[Unit]:
    """A race's units in a hex that have room for fighters."""
    return [unit for unit in state.units_in(hex_id, race) if free_boxes(unit)]


def sortie_defects(state: CutlerState) -> list[str]:
    """No sortie has more booster packs than fighters. How many fighters a unit may have is part of what it carries."""
    return [f"a sortie of {one.race} has no number" for one in state.sorties if not _is_sound(one)]


def _is_sound(sortie: Sortie) -> bool:
    return 0 <= sortie.booster_sets <= sortie.fighters
