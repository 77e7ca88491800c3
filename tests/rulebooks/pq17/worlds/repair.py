"""Worlds for chapter 11: repair ships, docks and bases with repair boxes, and what is docked to what."""

from typing import Any

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.ch08_combat import battle as ch08_battle
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.damage import RepairOrder
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.worlds.notation import CLASSES, run, ship_class, table, world

COSTS = {"warp": 10, "awr": 8, "hull": 1, "damcon": 4, "sensors": 6, "cargo": 1, "shield": 2, "excess": 3}
"""Cost of Repair of these tests: a warp box is 50 CDR points in the logistics step, a hull box 5."""

YARD: dict[str, Any] = dict(CLASSES) | {
    one.class_id: one
    for one in (
        ship_class(
            "CA",
            "1",
            warp=30,
            awr=4,
            hull=12,
            excess_damage=4,
            het_bonus=1,
            shields=(20,) * 6,
            damcon_track=(4, 2, 2, 0),
        ),
        ship_class("RS", "1/2", warp=8, repair=30, cargo=10, service="civilian"),
        ship_class("CB", "1/2", warp=8, cargo=50, service="civilian"),
        ship_class("TG", "1", warp=30, is_tug=True, pod_slots=2),
        ship_class("RP", "1/4", unit_kind="pod", repair=10, cargo=4, impulse=0, damcon_track=()),
        ship_class("KP", "1/4", unit_kind="pod", cargo=25, impulse=0, damcon_track=()),
        ship_class("PT", "1/2", warp=12, special_kind="PFT", repair=12, mech_links=6),
        ship_class("PF", "1/5", warp=4, hull=4, table8_category="PF"),
        ship_class("BATS", "0", unit_kind="base", base_type="BATS", impulse=0, awr=12, cargo=25, repair=9, hull=20),
        ship_class("SB", "0", unit_kind="base", base_type="SB", impulse=0, awr=30, cargo=100, repair=20).model_copy(
            update={"repair_pods": (2, 2, 2, 2, 0, 0), "repair_modules": (0, 12)}
        ),
        ship_class("FRD", "0", unit_kind="base", base_type="FRD", impulse=0, awr=4, cargo=10, repair=20),
    )
}


def yard(text: str, **settings: Any) -> State:
    """A world whose units can be repaired; damage by type is given to :func:`hurt`."""
    return world(text, classes=YARD, **{"repair_costs": COSTS} | settings)


def docked(state: State, *groups: str, port: str = "") -> LogisticsPlan:
    """The alliance's plan with groups ``host>ship+ship`` (``host>>pf`` for links), in port with ``port``."""
    plan = LogisticsPlan()
    for text in groups:
        host, _, ships = text.partition(">")
        links = ships.startswith(">")
        group = DockedGroup(host=host, docked=ships.removeprefix(">").split("+"), links=links)
        plan.groups.append(group)
        if port:
            plan.in_port |= dict.fromkeys(group.members(), port)
    state.logistics["alliance"] = plan
    return plan


def order(state: State, unit: str, by: str, *boxes: str, **fields: Any) -> None:
    """Add a repair order to the alliance's plan."""
    plan = state.logistics.setdefault("alliance", LogisticsPlan())
    plan.repairs.append(RepairOrder(unit=unit, by=by, boxes=list(boxes), **fields))


def unit(state: State, unit_id: str, **fields: Any) -> Unit:
    """A unit, with fields set on it first."""
    found = state.units[unit_id]
    for key, value in fields.items():
        setattr(found, key, value)
    return found


# --- battles ----------------------------------------------------------------------------------------------------------


class Fight:
    """A whole battle sequence of A1 against C1 in one hex, fought with the sheets it is given.

    ``asked`` are all asks of it by kind, in order; a battle's sheet is checked like a player's.
    """

    def __init__(self, state: State, *sheets: dict[str, Any], **answers: Any) -> None:
        state.turn, state.impulse, state.half = 2, 1, "A"
        self.at = table(state, by_label={"surprise": 1, "pursu": 1})
        self.sheets = list(sheets)
        self.answers = answers
        self.asked: list[AnyAsk] = []
        self.battle = Battle(
            key="1",
            hex="0405",
            attacker="alliance",
            defender="coalition",
            original=["C1"],
            attackers=["A1"],
            conditions=1,
        )
        announce_detections(self.at)
        self.at.shared.reports.clear()
        state.battles = [self.battle]
        self.steps = ch08_battle.battle_sequence_steps(self.at, self.battle)

    def play(self) -> "Fight":
        """Play it to the end."""
        run(self.steps, self._answer)
        return self

    def result_ask(self) -> AnyAsk:
        """The form of the first battle, unanswered."""
        batch = next(self.steps)
        while batch.asks[0].kind != "battle":
            batch = self.steps.send({ask.id: ask.default for ask in batch.asks})
        return batch.asks[0]

    def _answer(self, ask: AnyAsk) -> object:
        self.asked.append(ask)
        if ask.kind == "battle":
            return self.sheets.pop(0)
        return self.answers.get(f"{ask.title} {ask.parties[0]}".replace(" ", "_"))


def after(side: str) -> str:
    """The key of a side's post-combat sheet among a fight's answers."""
    return f"After_the_battle_{side}"
