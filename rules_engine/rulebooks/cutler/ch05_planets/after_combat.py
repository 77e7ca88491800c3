"""What follows combat in each impulse: repairs, mines, landing, planets fought for, captured, razed. CU 1.1 step 3f"""

from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.cutler.ch04_accessories.minefields import lay_mines
from rules_engine.rulebooks.cutler.ch04_economics.battle_repairs import repair_after_combat
from rules_engine.rulebooks.cutler.ch05_planets.assault import assaults_steps
from rules_engine.rulebooks.cutler.ch05_planets.capture import capture_planets
from rules_engine.rulebooks.cutler.ch05_planets.landing import land_troops
from rules_engine.rulebooks.cutler.ch05_planets.razing import raze_planets
from rules_engine.rulebooks.cutler.records.state import CutlerTurn


def after_combat_steps(turn: CutlerTurn) -> Steps[None]:
    """Repair, lay mines, land troops, fight for planets, capture, raze. 3.9, 4.2.4.5.1, 4.2.4.8, 5.3, 5.2.2"""
    repair_after_combat(turn)
    lay_mines(turn)
    land_troops(turn)
    capture_planets(turn)  # where nobody holds out
    yield from assaults_steps(turn.at("ground"))
    capture_planets(turn)
    raze_planets(turn)
