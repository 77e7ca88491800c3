"""Worlds for chapters 11 and 12: repair ships, docks and bases; minelayers, minesweepers and minefields."""

from typing import Any

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch08_combat import battle as ch08_battle
from rules_engine.rulebooks.pq17.contacts import detection, identification
from rules_engine.rulebooks.pq17.contacts.minefields import as_force
from rules_engine.rulebooks.pq17.records import battles, damage, forces, logistics
from rules_engine.rulebooks.pq17.records.minefields import Minefield, field_key
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.minefields import load_mines
from tests.rulebooks.pq17.worlds.notation import CLASSES, LEVELS, run, ship_class, table, world

COSTS = {"warp": 10, "awr": 8, "hull": 1, "damcon": 4, "sensors": 6, "cargo": 1, "shield": 2, "excess": 3}
"""Cost of Repair of these tests: a warp box is 50 CDR points in the logistics step, a hull box 5."""

SHIELDED: dict[str, Any] = {"shields": (20,) * 6, "damcon_track": (4, 2, 2, 0)}
YARD: dict[str, Any] = dict(CLASSES) | {
    one.class_id: one
    for one in (
        ship_class("CA", "1", warp=30, awr=4, hull=12, excess_damage=4, het_bonus=1, **SHIELDED),
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


def docked(state: State, *groups: str, port: str = "") -> logistics.LogisticsPlan:
    """The alliance's plan with groups ``host>ship+ship`` (``host>>pf`` for links), in port with ``port``."""
    plan = logistics.LogisticsPlan()
    for text in groups:
        host, _, ships = text.partition(">")
        links = ships.startswith(">")
        group = logistics.DockedGroup(host=host, docked=ships.removeprefix(">").split("+"), links=links)
        plan.groups.append(group)
        if port:
            plan.in_port |= dict.fromkeys(group.members(), port)
    state.logistics["alliance"] = plan
    return plan


def order(state: State, unit: str, by: str, *boxes: str, **fields: Any) -> None:
    """Add a repair order to the alliance's plan."""
    plan = state.logistics.setdefault("alliance", logistics.LogisticsPlan())
    plan.repairs.append(damage.RepairOrder(unit=unit, by=by, boxes=list(boxes), **fields))


def unit(state: State, unit_id: str, **fields: Any) -> forces.Unit:
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
        self.battle = battles.Battle(
            key="1", hex="0405", attacker="alliance", defender="coalition", original=["C1"], attackers=["A1"],
            conditions=1,
        )  # fmt: skip
        detection.announce_detections(self.at)
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


# --- worlds for chapter 12: minelayers with mines, minesweepers, ships whose shields are known, and minefields --------
# A line ``mines 0405 alliance 4 ID1`` puts a minefield on the map; without a level no enemy has met it.
SHIELDS = (30, 24, 20, 20, 20, 24)

MINERS: dict[str, Any] = dict(CLASSES) | {
    one.class_id: one
    for one in (
        ship_class("ML", "1/2", warp=15, awr=1, is_minelayer=True, mine_capacity=600),
        ship_class("RW", "1/2", warp=15, mine_deploy_large=4, mine_capacity=8),  # deploys large mines, no minelayer
        ship_class("CL", "2/3", warp=16, cargo=100),  # may carry mines and not lay them
        ship_class("MS", "1/3", warp=10, is_minesweeper=True),
        ship_class("SH", "1", warp=30, awr=4, hull=12, battery=3, shields=SHIELDS),
        ship_class("ND", "1", warp=30, shields=SHIELDS, battery=3, damcon_track=()),  # no damage control
        ship_class("CS", "1", warp=30, shields=SHIELDS, cloak=True, wps_cloaked=12),
    )
}

NOW = "\nturn 2 impulse 1 half A initiative alliance"


def mined(text: str, *, mines: dict[str, int] | None = None, **settings: Any) -> State:
    """A world with minefields; ``mines`` are large mines aboard, by unit."""
    lines = (text + ("" if "\nturn" in text else NOW)).replace(" / ", "\n").splitlines()
    state = world("\n".join(one for one in lines if not one.startswith("mines")), classes=MINERS, **settings)
    for line in lines:
        if line.startswith("mines"):
            _, hex_id, side, strength, *level = line.split()
            place(state, side, hex_id, int(strength), level[0] if level else "N")
    for unit_id, count in (mines or {}).items():
        unit = state.units[unit_id]
        load_mines(state.class_of(unit), unit, count)
    return state


def place(state: State, side: str, hex_id: str, strength: int, level: str = "N") -> Minefield:
    """Put a minefield on the map, known to the enemy at a level; from ID0 on with its strength."""
    known = strength if LEVELS[level] >= 0 else None
    field = Minefield(side=side, hex=hex_id, strength=strength, level=int(LEVELS[level]), known_strength=known)
    state.mines.fields[field_key(side, hex_id)] = field
    if field.level > -2:
        state.tracks[state.enemy_of(side)].issue(field_key(side, hex_id))
    return field


def field_of(state: State, side: str, hex_id: str) -> Minefield:
    """The minefield there; the test fails if there is none."""
    return state.mines.fields[field_key(side, hex_id)]


def track_of(state: State, side: str, hex_id: str) -> str | None:
    """The enemy's number for the minefield of ``side`` there."""
    return identification.held_track(state, state.enemy_of(side), as_force(field_of(state, side, hex_id)))


def number_of(state: State, tf_id: str) -> str:
    """The enemy's number for a task force."""
    tf = state.task_forces[tf_id]
    return identification.track_for(state, state.enemy_of(tf.side), tf)


def at_mines(text: str, *rolls: int, mines: dict[str, int] | None = None, **settings: Any) -> TurnContext[State]:
    """A turn context over :func:`mined`, with loaded dice."""
    return table(mined(text, mines=mines, **settings), *rolls)
