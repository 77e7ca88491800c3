"""Duels in a few words, for tests of what is reached and who wins: ``"C1 courier 0412 6A | H1 hunter 0513 6A+2B"``."""

from rules_engine.rulebooks.vector.records.aims import Aim, DuelRules, FarEdge
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import VectorCaptain, VectorState
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalTerrain
from rules_engine.rulebooks.vector.records.vectors import Vector

AIMS: dict[str, Aim] = {"courier": "courier", "hunter": "hunter", "racer": "racer", "squadron": "squadron"}


def duel(
    written: str,
    *,
    turn: int = 1,
    impulse: int = 16,
    edge: FarEdge | None = None,
    buoys: tuple[str, ...] = (),
    line: tuple[str, ...] = (),
    rules: DuelRules | None = None,
    turns: int = 12,
) -> VectorState:
    """A duel that is revealed, with a captain for each letter. A ship's words: code, aim, hex, vector, and perhaps why
    it is out (``out:caught``) or when it comes (``from:3``)."""
    captains: dict[str, VectorCaptain] = {}
    units: dict[str, VectorShip] = {}
    for one in written.split("|"):
        code, aim, at, vector, *more = one.split()
        said = dict(word.split(":") for word in more)
        side = code[0].lower()
        captains.setdefault(side, VectorCaptain(id=side, name=f"Captain {code[0]}", emblem=code[0], aim=AIMS[aim]))
        units[code] = VectorShip(
            id=code, side=side, name=f"Ship {code}", at=at, vector=Vector(says=vector), trail=[at],
            waits_for=int(said.get("from", 0)),
        )  # fmt: skip
        if why := said.get("out"):
            units[code].out = {"caught": "caught", "left": "left the map"}.get(why, "destroyed")  # pyright: ignore[reportAttributeAccessIssue]
            if why == "left":
                captains[side].away.append(code)
    terrain = [
        TacticalTerrain(id=f"buoy-{number}", kind="buoy", hexes=(at,), number=number)
        for number, at in enumerate(buoys, 1)
    ]
    if line:
        terrain.append(TacticalTerrain(id="home", kind="line", hexes=line))
    battle = Tactical(turn=turn, impulse=impulse, sides=list(captains), units=units, terrain=terrain)
    return VectorState(
        title="Duel", turns=turns, rules=rules or DuelRules(), edge=edge, battle=battle, captains=captains,
        revealed=True,
    )  # fmt: skip
