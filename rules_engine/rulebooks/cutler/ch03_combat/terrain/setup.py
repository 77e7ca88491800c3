"""How battles at terrain features are set up, as their sheets say it. 3.5.9"""

from collections.abc import Sequence
from typing import Literal

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.ch03_combat.battle_setup import open_setup
from rules_engine.rulebooks.cutler.ch03_combat.pictures import Placing, TerrainSetup
from rules_engine.rulebooks.cutler.ch03_combat.terrain.sheets import DepthLine, DepthSheet
from rules_engine.rulebooks.cutler.records.combat.terrain import SUN, TerrainFeature
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn
from rules_engine.rulebooks.cutler.standing.decisions import ask_details_steps

Depth = Literal["deep", "edge"]
TITLE = "Set-up (3.5.9)"


class _Side:
    """A side as a sheet speaks of it: its name, and the verbs that go with one race or several."""

    def __init__(self, state: CutlerState, force: Sequence[Side]) -> None:
        self.name = state.names_of(force)
        self.sets = verb(len(force), "sets", "set")
        self.enters = verb(len(force), "enters", "enter")


@rule("3.5.9")
def setup_steps(
    turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], feature: TerrainFeature
) -> Steps[TerrainSetup]:
    """How the battle at a feature is set up. At a location the defender says whether it is fought deep within it or at
    its edge; nobody fights within a sun. ``pair`` is (defender, attacker). 3.5.9"""
    state, here = turn.state, turn.state.fights[hex_id]
    sides = (_Side(state, here.force_of(pair[0])), _Side(state, here.force_of(pair[1])))
    extra = [feature.says] if feature.says else []
    terrain = state.terrain.get(hex_id)
    if terrain in ("nebula", "dust", "heat"):
        extra.append(f"The {terrain} covers the whole map (3.5.10, CU-R68).")
    if feature.kind == "point":
        return TerrainSetup((_point(sides, feature, extra),), Placing("point", pair[0]))
    depth: Depth = "edge"
    if feature.key != SUN:
        (sheet,) = yield from ask_details_steps(turn, [_ask(here.force_of(pair[0]), hex_id, feature)])
        depth = sheet.depth
    if depth == "edge":
        return TerrainSetup((_edge(sides, feature, extra),), Placing("edge", pair[0]))
    order, rolls = roll_order(turn, list(pair), "set-up", seen_by=here.races_of(*pair))
    first = here.force_of(order[0])
    does = verb(len(first), "sets", "set")
    text = f"Battle within {feature.name} in {hex_id}. The {state.names_of(first)} {does} up first."
    turn.tell(here.races_of(*pair), text, kind="battle", why=because("3.4.3, 3.5.9", dice=rolls))
    within = Panel(title=TITLE, rows=(f"Deep within {feature.name}, which covers all maps of the battle.", *extra))
    return TerrainSetup((within, *open_setup(state, hex_id, pair, order[0])), Placing("deep", order[0]))


def _point(sides: tuple[_Side, _Side], feature: TerrainFeature, extra: list[str]) -> Panel:
    defender, attacker = sides
    rows = (
        f"{defender.name} (defending) {defender.sets} up first, within 20 hexes of {feature.name}, facing any way.",
        "Defenders: speed 6 last turn, weapon status 1.",
        f"{attacker.name} (attacking) {attacker.enters} at 40 to 45 hexes from the nearest enemy, at least one at "
        "exactly 40.",
        "Attackers: maximum speed forward, weapon status 1, facing the feature.",
        "Attackers need not be within 10 hexes of each other: they may surround the feature.",
        "Nobody flanks here (3.7).",
    )
    return Panel(title=TITLE, rows=(*rows, *extra))


def _edge(sides: tuple[_Side, _Side], feature: TerrainFeature, extra: list[str]) -> Panel:
    defender, attacker = sides
    rows = (
        f"At the edge of {feature.name}.",
        f"{defender.name} (defending) {defender.sets} up first, within 10 hexes of the edge and of each other.",
        f"{attacker.name} (attacking) {attacker.sets} up outside, 40 hexes or more from the edge, within 10 hexes of "
        "each other.",
        "No attacker nearer than 40 hexes to any enemy, none farther than 45 from the nearest, at least one at exactly "
        "40 (3.4.3).",
        "Speed last turn: that of the slowest ship or undocked PF of the force, forward; weapon status 1 (3.4.4).",
        "Nobody flanks here (3.7).",
    )
    return Panel(title=TITLE, rows=(*rows, *extra))


def _ask(defenders: tuple[Side, ...], hex_id: HexId, feature: TerrainFeature) -> Ask[DepthSheet]:
    ways = (Choice("edge", "At its edge"), Choice("deep", "Deep within it"))
    field = Field("depth", "Where", "one", choices=ways, value="edge")
    return Ask(
        kind="depth",
        parties=defenders,
        forces=(defenders,),
        title=f"{hex_id}: where you fight at {feature.name}",
        text=f"You defend {feature.name}: at its edge, or deep within it, where it covers all maps of the battle?",
        question=Question(
            f"Where to fight in {hex_id}?", f"You defend {feature.name}: at its edge, or deep within it?", (hex_id,)
        ),
        model=DepthSheet,
        form=Form((Line("battle", feature.name, (field,)),)),
        rule="3.5.9",
        default=DepthSheet({"battle": DepthLine()}),
        default_says="You fight at its edge.",
        pace="decision",
        read_back=lambda sheet: [f"You fight {'at its edge' if sheet.depth == 'edge' else 'deep within it'}."],
    )
