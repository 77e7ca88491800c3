"""The defence of Hydraxx 7, the book's example of a whole combat (3.8), in the notation of small worlds.

Who is who: of the Klingons DN is the C9, CC the D7C, CA the D7, CA2 the D7D, CW and CW2 the D5s, DD the F5L, DW the
F5CVL, SC the F5S, PFT the D6PFT and PF to PF6 its G-1s. Of the Hydrans CC is the BCH, CA the BCC, CW the CM(T), CW2
the CM(M), DD the FFL, FF and FF2 the FF(H)s, DW the CVU. The CA(D) is not there (CU-R74).
"""

from typing import Any

from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Moment
from tests.rulebooks.cutler.worlds import put_aboard, world

HEX = "0404"
TEXT = """
turn 3 impulse 1
planet minor 0404 hydran hydraxx
hydran base 0404 Batsf[type=BATS,fighters=12]
hydran police 0404
hydran F1 0404 CC[from=0304]+CA[from=0304]+CW[from=0304]+CW[from=0304,fighters=6]+DD[from=0304]+FF[from=0304]
hydran F2 0404 FF[from=0304]+DW[from=0304,fighters=12]
klingon F1 0404 DN[from=0505]+CC[from=0505]+CA[from=0505]+CA[from=0505]+CW[from=0505]+CW[from=0505]+DD[from=0505]
klingon F2 0404 DW[from=0505]+SC[from=0505]+PF[from=0505]+PF[from=0505]+PF[from=0505]+PF[from=0505]
klingon F3 0404 PF[from=0505]+PF[from=0505]
klingon F4 0404 PFT[from=0505]
"""
PFS = [f"klingon-F2-PF{number or ''}" for number in ("", 2, 3, 4)] + ["klingon-F3-PF", "klingon-F3-PF2"]
BATSF, SAMS, POLICE = "hydran-base-0404", "hydran-sams", "hydran-police-0404"


def hydraxx() -> CutlerState:
    """All who are at Hydraxx 7 after the moves of the impulse. The base has been there since before."""
    state = world(TEXT)
    state.systems = {HEX: StarSystem(gas_giant=3, giant_moons=(8,))}
    sams = state.units[BATSF].copied()
    sams.id, sams.name, sams.orbit = SAMS, "Sams", "giant"
    sams.record = sams.record.model_copy(update={"base_type": "SAMS", "fighters": 0})
    state.units[SAMS] = put_aboard(sams, 0, 0)
    state.presence = {HEX: {"hydran": Moment(turn=1, impulse=0), "klingon": Moment(turn=3, impulse=1)}}
    return state


ALLOCATION: dict[str, dict[str, Any]] = {
    POLICE: {"place": "giant"},
    "hydran-F2-DW": {"place": "giant"},
    "hydran-F1-CW2": {"place": "planet"},
    BATSF: {"fighters": 6, "fighters_to": "approach"},
    **{f"hydran-F1-{ship}": {"place": "approach"} for ship in ("CC", "CA", "CW", "DD", "FF")},
    "hydran-F2-FF": {"place": "approach"},
}
"""Step B of the example."""
