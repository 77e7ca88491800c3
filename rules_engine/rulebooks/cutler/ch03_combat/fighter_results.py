"""What a battle's report says of fighters: those outside their carriers, and those aboard."""

from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.state import Unit
from rules_engine.rulebooks.cutler.records.tables import PACKS_A_FIGHTER


@rule("4.2.4.3")
def most_fighters(record: UnitClass) -> int:
    """The most fighters that a unit of the class carries: in shuttle boxes only where that is noted. 4.2.4.3"""
    return record.fighters + (record.shuttles if "fighter_in_shuttle_box" in record.noted else 0)


@rule("2.9.8")
def fighter_losses(unit: Unit) -> dict[str, tuple[str, int]]:
    """The fields of a unit's line about fighters, with their labels and the most that can be lost: of fighters outside
    a carrier their number, of others what their class carries, so that it tells nothing of earlier losses. 2.9.8"""
    outside = unit.kind == "fighters"
    fighters = unit.fighters if outside else most_fighters(unit.record)
    boosters = unit.booster_sets if outside else PACKS_A_FIGHTER * fighters
    fields = {
        "fighters_lost": ("Fighters lost in this battle", fighters),
        "boosters_lost": ("Sets of warp booster packs lost or dropped", boosters),
    }
    return {key: (label, most) for key, (label, most) in fields.items() if most}


@rule("2.9.5", "2.9.8")
def judge_fighters(unit: Unit, key: str, fate: str, fighters: int, boosters: int) -> list[Refusal]:
    """Fighters and boosters are lost within what there can be; a squadron of which nothing is left is destroyed, and
    none is captured. 2.9.5, 2.9.8, CU-N93"""
    most = {what: limit for what, (_, limit) in fighter_losses(unit).items()}
    refusals = [
        illegal(f"{unit.name} cannot lose so many", "2.9, G-6", f"{key}.{what}", legal=f"0 to {most.get(what, 0)}")
        for what, lost in (("fighters_lost", fighters), ("boosters_lost", boosters))
        if lost > most.get(what, 0)
    ]
    if unit.kind != "fighters":
        return refusals
    if fate == "captured":
        legal = "intact, damaged, disengaged or destroyed"
        refusals.append(illegal("fighters are not captured", "2.9, CU-N93", f"{key}.fate", legal=legal))
    if fate == "intact" and 0 < fighters < unit.fighters:
        text = f"{unit.name} lost fighters, so they are not as before"
        refusals.append(illegal(text, "G-6", f"{key}.fate", legal="damaged", nearest=("damaged",)))
    if fighters == unit.fighters and fate != "destroyed":
        text = "its only fighter is lost" if fighters == 1 else f"all {fighters} fighters are lost"
        refusals.append(illegal(text, "2.9, G-6", f"{key}.fate", legal="destroyed", nearest=("destroyed",)))
    return refusals


@rule("2.9.5", "2.9.6")
def lose_fighters(unit: Unit, fighters: int, boosters: int) -> None:
    """Take what a battle has cost. A fighter that is lost outside its carrier takes its boosters along; a squadron of
    which nothing is left is no more. 2.9.5, 2.9.6"""
    unit.lose_fighters(fighters, boosters)
    if unit.kind == "fighters":
        unit.lose_fighters(0, max(0, unit.booster_sets - unit.fighters))
        unit.destroyed = not unit.fighters
