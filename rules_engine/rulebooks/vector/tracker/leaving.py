"""Who is out of play: a unit with all that is aboard it. VM-N41"""

from collections.abc import Iterable

from rules_engine.rulebooks.vector.records.ships import UnitEnd
from rules_engine.rulebooks.vector.records.tactical import Tactical


def put_out(battle: Tactical, units: Iterable[str], end: UnitEnd) -> None:
    """Take units out of play, with what is aboard them and what has landed on them, and so on. Whoever was out already
    stays so. VM-N41"""
    gone = list(dict.fromkeys(units))
    for code in gone:  # grows by what each carries
        gone += [
            one.id
            for one in battle.units.values()
            if code in (one.aboard, one.landed_on) and one.out in ("", "landed") and one.id not in gone
        ]
    for code in gone:
        unit = battle.units[code]
        if unit.out in ("", "landed"):
            unit.out = end
