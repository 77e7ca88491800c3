"""What a side's commander should know before the first order: aim, length, own forces, and what letters stand for."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.briefing import Briefing, class_terms, forces_at_a_glance
from rules_engine.rulebooks.pq17.nations.victory_points import needed_to_win, signed, total_for
from rules_engine.rulebooks.pq17.records.calendar import day_label
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, State
from rules_engine.rulebooks.pq17.tables.operations import IMPULSES, TURNS_A_PERIOD

TO_KNOW = (
    "Both sides plot in secret for a whole turn, and all of it is carried out at once. What you do not change goes on "
    "as it stands.",
    "Of the enemy you see only what your task forces and bases find: that somebody is there (U), then better and "
    "better (ID0 to ID3) who and how many. It is lost again as they move.",
    "What your task forces do spends fuel, which they have aboard and get from bases and supply ships.",
)
TERMS = (("TF", "task force"), ("VP", "victory points"), ("U, ID0 to ID4", "how well a contact is known"))


def briefing(state: State, side: Side) -> Briefing:
    """What a commander of ``side`` should know."""
    turns, needed = state.settings.turns, signed(needed_to_win(state))
    periods = f" in {counted(turns // TURNS_A_PERIOD, 'period')}" if turns >= 2 * TURNS_A_PERIOD else ""
    names = {label.key: label.name for label in state.sides}
    mine = side == ALLIANCE
    return Briefing(
        objective=f"Bring the total to {needed} victory points by the end of turn {turns}."
        if mine
        else f"Keep the total below {needed} victory points until the end of turn {turns}.",
        victory=(
            f"At {needed} or more after the last turn the {names[ALLIANCE]} wins, else the {names[COALITION]}; the "
            f"total is {signed(total_for(state, side))} now.",
            "Points come from enemy units that are crippled, destroyed or captured, by their economic value, and "
            f"to the {names[COALITION]} from raids on settled hexes.",
        ),
        length=f"{counted(turns, 'turn')} of {len(IMPULSES)} impulses{periods}, two turns a day, to {day_label(turns)}",
        forces=forces_at_a_glance([_force(state, tf) for tf in state.all_task_forces(side)]),
        to_know=TO_KNOW,
        terms=(*TERMS, *class_terms(_classes(state, side))),
    )


def _force(state: State, tf: TaskForce) -> str:
    units = state.units_of(tf)
    what = units[0].name if len(units) == 1 else counted(len(units), "unit")
    return f"{tf.label}: {what} in {tf.hex}"


def _classes(state: State, side: Side) -> list[tuple[str, str]]:
    kinds = [state.class_of(unit) for tf in state.all_task_forces(side) for unit in state.units_of(tf)]
    return [(kind.class_id.partition("@")[0], kind.name) for kind in kinds]
