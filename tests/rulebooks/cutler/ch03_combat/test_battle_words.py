"""Chapter 3: every word of a combat: what is asked, refused, read back and told, in battles from end to end."""

from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch02_sorties.phase import sorties_steps
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import features_of
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.economy import DockWork
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.rulebooks.cutler.armed import rearmed
from tests.rulebooks.cutler.ch03_combat import test_hydraxx, test_surround
from tests.rulebooks.cutler.ch03_combat.terrain import test_terrain
from tests.rulebooks.cutler.ch03_combat.test_fighters import FIGHT as HYDRAN_FIGHTS
from tests.rulebooks.cutler.shown import battles_of, panels
from tests.rulebooks.cutler.worlds import Run, kind_of, on_sheet, refusal_words, table_of, world
from tests.rulebooks.cutler.yards import yard

LOCATION = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]"
PLACE = {("allocate", "hydran"): test_terrain.at(CA="asteroids")}
DEEP = {("depth", "hydran"): {"battle": {"depth": "deep"}}}


def texts(run: Run, side: str) -> list[str]:
    """What a side was told, in order."""
    return [one.text for one in run.told(side)]


def fought(state: CutlerState | str, answers: dict[Any, Any] | None = None, **dice: list[int]) -> Run:
    """A combat phase in which the Hydran show combat."""
    turn = table_of(world(state) if isinstance(state, str) else state, dice)
    return Run(turn, combat_phase_steps(turn.at("combat")), {**HYDRAN_FIGHTS, **(answers or {})})


@pytest.mark.rule("cutler", "3.8")
def test_all_that_the_hydran_is_asked_and_told_at_hydraxx() -> None:
    run = test_hydraxx.played()
    assert texts(run, "hydran") == [
        (
            "In 0404: 16 Klingon units (size 2: DN; size 3: CA ×2; size 3: CC; size 3: CW ×2; size 4: DD ×2; "
            "size 4: DW; size 4: FF; size 5: PF ×6)."
        ),
        "Cards in 0404: Hydran bypass; Klingon combat. Potential combat.",
        "In 0404 the Hydran was here first and defends.",
        "The Hydran forces an approach battle in 0404.",
        ("Escape wave 1 in 0404: 3 Klingon units (size 3: CA; size 3: CW; size 4: DD). Towards the gas giant."),
        ("Escape wave 2 in 0404: 3 Klingon units (size 2: DN; size 3: CW; size 4: DW). Towards the planet Hydraxx."),
        "Wave 2 of the Klingon in 0404 is caught by group 1.",
        ("The Hydran tries to surround in 0404: group 1 comes up in direction 4, group 2 comes up in direction 6."),
        (
            "The battle in 0404 is over. K1 Klingon F1 Dn: intact; K2 Klingon F1 Cw2: destroyed; K3 Klingon "
            "F2 Dw: intact; H1 Hydran F1 Cc: disengaged; H2 Hydran F1 Cw: destroyed; H3 Batsf's fighters: "
            "destroyed."
        ),
        "Disengaged, and off to 0304 at the next opportunity: Hydran F1 Cc.",
        "Battle in 0404. The Hydran sets up first.",
        (
            "The battle in 0404 is over. H1 Hydran F1 Ca: disengaged; H2 Hydran F1 Dd: disengaged; H3 Hydran "
            "F1 Ff: disengaged; H4 Hydran F2 Ff: disengaged; K1 Klingon F1 Ca2: disengaged; K2 Klingon F1 "
            "Cc: intact; K3 Klingon F2 Sc: disengaged; K4 Klingon F4 Pft: disengaged; K5 Klingon F2 Pf: "
            "destroyed; K6 Klingon F2 Pf2: destroyed; K7 Klingon F2 Pf3: intact; K8 Klingon F2 Pf4: intact; "
            "K9 Klingon F3 Pf: intact; K10 Klingon F3 Pf2: intact."
        ),
        (
            "Disengaged, and off to 0304 at the next opportunity: Hydran F1 Ca, Hydran F1 Dd, Hydran F1 Ff, "
            "Hydran F2 Ff."
        ),
        ("At the planet Hydraxx in 0404: 7 Klingon units (size 2: DN; size 3: CC; size 4: DW; size 5: PF ×4)."),
        "At the gas giant in 0404: 3 Klingon units (size 3: CA; size 3: CW; size 4: DD).",
        "Battle at the gas giant in 0404.",
        (
            "The battle in 0404 is over. H1 Sams: intact; H2 Hydran F2 Dw: intact; H3 hydran police: intact; "
            "K1 Klingon F1 Ca: disengaged; K2 Klingon F1 Cw: disengaged; K3 Klingon F1 Dd: disengaged."
        ),
        "Battle at the planet Hydraxx in 0404.",
        (
            "The battle in 0404 is over. H1 Batsf: destroyed; H2 Hydran F1 Cw2's fighters: damaged, lost 2 "
            "fighters; K1 Klingon F1 Dn: intact; K2 Klingon F1 Cc: intact; K3 Klingon F2 Dw: intact; K4 "
            "Klingon F2 Pf3: intact; K5 Klingon F2 Pf4: intact; K6 Klingon F3 Pf: intact; K7 Klingon F3 Pf2: "
            "intact."
        ),
        (
            "In 0404: 13 Klingon units (size 2: DN; size 3: CA ×2; size 3: CC; size 3: CW; size 4: DD ×2; "
            "size 4: DW; size 4: FF; size 5: PF ×4)."
        ),
    ]
    first = {ask.kind: ask for ask in reversed(run.asks) if "hydran" in ask.parties}
    assert {kind: on_sheet(first[kind])[:14] for kind in ("allocate", "wave", "pursuit", "surround", "flank")} == {
        "allocate": [
            "0404: your defence",
            (
                "You defend 0404. Send each unit to a feature or to the approach battle; the Klingon learns of "
                "neither. Who fights the approach battle does not come back."
            ),
            (
                "Hydran F1 Ca to the approach battle; Hydran F1 Cc to the approach battle; Hydran F1 Cw to the "
                "approach battle; Hydran F1 Cw2 to the approach battle; Hydran F1 Dd to the approach battle; "
                "Hydran F1 Ff to the approach battle; Hydran F2 Dw to the approach battle; Hydran F2 Ff to the "
                "approach battle; Batsf to the planet Hydraxx; hydran police to the approach battle; Sams to the "
                "gas giant."
            ),
            "Hydran F1 Ca (CA)",
            (
                "- Goes to: The approach battle, The planet Hydraxx, The gas giant, Moon 1 of the gas giant, The "
                "sun; 'approach'"
            ),
            "Hydran F1 Cc (CC)",
            (
                "- Goes to: The approach battle, The planet Hydraxx, The gas giant, Moon 1 of the gas giant, The "
                "sun; 'approach'"
            ),
            "Hydran F1 Cw (CW)",
            (
                "- Goes to: The approach battle, The planet Hydraxx, The gas giant, Moon 1 of the gas giant, The "
                "sun; 'approach'"
            ),
            "Hydran F1 Cw2 (CW)",
            (
                "- Goes to: The approach battle, The planet Hydraxx, The gas giant, Moon 1 of the gas giant, The "
                "sun; 'approach'"
            ),
            "- Of its fighters: 0 to 6; 0",
            (
                "- go apart to: The approach battle, The planet Hydraxx, The gas giant, Moon 1 of the gas giant, "
                "The sun; None"
            ),
            "Hydran F1 Dd (DD)",
        ],
        "wave": [
            "0404: escape wave 1",
            "Which ships try to get away? An empty wave is your last; the rest stand for the main battle.",
            "Nobody runs.",
            "Wave 1",
            (
                "- Ships that run: Hydran F1 Ca (CA), Hydran F1 Cc (CC), Hydran F1 Cw (CW), Hydran F1 Dd (DD), "
                "Hydran F1 Ff (FF), Hydran F2 Ff (FF); []"
            ),
        ],
        "pursuit": [
            "0404: pursuit of wave 1",
            (
                "3 Klingon units (size 3: CA; size 3: CW; size 4: DD) try to reach the gas giant. Ships sent "
                "after them fight nobody else of that race; it cannot be called off."
            ),
            "Nobody pursues.",
            "Hydran F1 Ca (CA)",
            (
                "- Pursuit: Stays, Pursuit group 1, Pursuit group 2, Pursuit group 3, Pursuit group 4, Pursuit "
                "group 5, Pursuit group 6, Pursuit group 7; '0'"
            ),
            "Hydran F1 Cc (CC)",
            (
                "- Pursuit: Stays, Pursuit group 1, Pursuit group 2, Pursuit group 3, Pursuit group 4, Pursuit "
                "group 5, Pursuit group 6, Pursuit group 7; '0'"
            ),
            "Hydran F1 Cw (CW)",
            (
                "- Pursuit: Stays, Pursuit group 1, Pursuit group 2, Pursuit group 3, Pursuit group 4, Pursuit "
                "group 5, Pursuit group 6, Pursuit group 7; '0'"
            ),
            "Hydran F1 Dd (DD)",
            (
                "- Pursuit: Stays, Pursuit group 1, Pursuit group 2, Pursuit group 3, Pursuit group 4, Pursuit "
                "group 5, Pursuit group 6, Pursuit group 7; '0'"
            ),
            "Hydran F1 Ff (FF)",
            (
                "- Pursuit: Stays, Pursuit group 1, Pursuit group 2, Pursuit group 3, Pursuit group 4, Pursuit "
                "group 5, Pursuit group 6, Pursuit group 7; '0'"
            ),
            "Hydran F2 Ff (FF)",
        ],
        "surround": [
            "0404: surrounding those you caught",
            (
                "Each group that tries to surround succeeds on 1 to 3; a second die is its direction. Directions "
                "count from the facing of the escaping ships, which is 1; 4 is behind them."
            ),
            "Nobody surrounds; your force is set up in direction 1, in their path.",
            "Your force",
            (
                "- Direction: Direction 1, in their path, Direction 2, Direction 3, Direction 4, behind them, "
                "Direction 5, Direction 6; '1'"
            ),
            "Hydran F1 Cc (CC)",
            "- Surround: Does not surround, Surrounding group 1, Surrounding group 2, Surrounding group 3; '0'",
            "Hydran F1 Cw (CW)",
            "- Surround: Does not surround, Surrounding group 1, Surrounding group 2, Surrounding group 3; '0'",
            "Batsf's fighters (Fighters)",
            "- Surround: Does not surround, Surrounding group 1, Surrounding group 2, Surrounding group 3; '0'",
        ],
        "flank": [
            "0404: flanking",
            "Flanking groups arrive late and one by one, from any direction, 30 hexes or more from the enemy.",
            "Nobody flanks.",
            "Hydran F1 Ca (CA)",
            "- Flank: Main force, Flank group 1, Flank group 2, Flank group 3, Flank group 4; '0'",
            "Hydran F1 Dd (DD)",
            "- Flank: Main force, Flank group 1, Flank group 2, Flank group 3, Flank group 4; '0'",
            "Hydran F1 Ff (FF)",
            "- Flank: Main force, Flank group 1, Flank group 2, Flank group 3, Flank group 4; '0'",
            "Hydran F2 Ff (FF)",
            "- Flank: Main force, Flank group 1, Flank group 2, Flank group 3, Flank group 4; '0'",
        ],
    }
    assert panels(battles_of(run)[0], "hydran") == [
        "Escape battle in 0404: Klingon and Hydran",
        "Set-up (3.6)",
        ("- Klingon (escaping): within 10 hexes of each other, all facing one way, maximum speed, weapon status 0."),
        "- Hydran (pursuing): 30 to 34 hexes from the nearest enemy, in any direction, one at exactly 30.",
        "- Pursuers within 10 hexes of each other, maximum speed, facing the enemy, weapon status 2.",
        ("- A surrounding group that rolled 1-3 is set up in the direction of its second die, on its own (3.6.1.1)."),
        "- Nobody may escape from an escape battle; disengaging is allowed (3.3.2, 3.3.7.8).",
        "Where the pursuers stand (3.6.1.1)",
        "- Direction 1: H1 Hydran F1 Cc",
        "- Direction 4: H2 Hydran F1 Cw",
        "- Direction 6: H3 Batsf's fighters",
        "- Directions count from the escaping ships, which face 1 (CU-N94).",
        "Leaving (3.4.5)",
        "- No disengagement by acceleration. Sublight disengagement as in the tactical rules (3.4.5).",
        "- By separation, once no internals came for 20 turns, no shield damage for 10, no closing for 20.",
        "- A held tractor or a boarding action counts as internal damage (3.4.5.1.1).",
        (
            "- Announce it at the start of an impulse (3.4.5.2). Who disengages must leave the hex at the "
            "next opportunity."
        ),
        "Your accessories",
        "- H3 Batsf's fighters: 6 x Fighter, 6 x WBP Set, 6 of the fighters without heavy weapons",
    ]
    assert panels(battles_of(run)[1], "hydran") == [
        "Battle in 0404: Hydran and Klingon",
        "Set-up (3.4.3)",
        "- Hydran sets up first, all its units within 10 hexes of each other (3.4.3).",
        "- Klingon sets up next, likewise within 10 hexes of each other.",
        (
            "- No unit nearer than 40 hexes to any enemy, none farther than 45 from the nearest, at least "
            "one at exactly 40."
        ),
        "- A floating map is used (3.4.5).",
        "At the start (3.4.4)",
        "- Speed last turn: that of the slowest ship or undocked PF of the force, forward.",
        "- All may turn or sideslip with their first movement.",
        "- Weapon status 1; no guards assigned.",
        "- Facing the enemy; may be turned towards it after it has set up.",
        "Leaving (3.4.5)",
        "- No disengagement by acceleration. Sublight disengagement as in the tactical rules (3.4.5).",
        "- By separation, once no internals came for 20 turns, no shield damage for 10, no closing for 20.",
        "- A held tractor or a boarding action counts as internal damage (3.4.5.1.1).",
        (
            "- Announce it at the start of an impulse (3.4.5.2). Who disengages must leave the hex at the "
            "next opportunity."
        ),
        "Your flanking groups",
        "- Arrives on turn 6: Hydran F1 Ff, Hydran F2 Ff",
        ("- Within 10 hexes of each other, 30 or more from the enemy, weapon status 2, maximum speed (3.7.2, 3.7.6)."),
        "If two flanks arrive together (3.7.4)",
        "- Turn 6: your die is 1.",
        "- If an enemy group arrives on the same turn, tell each other your dice: the higher sets up first.",
    ]
    assert panels(battles_of(run)[2], "hydran") == [
        "Battle at the gas giant in 0404: Hydran and Klingon",
        "Set-up (3.5.9)",
        "- Hydran (defending) sets up first, within 20 hexes of the gas giant, facing any way.",
        "- Defenders: speed 6 last turn, weapon status 1.",
        "- Klingon (attacking) enters at 40 to 45 hexes from the nearest enemy, at least one at exactly 40.",
        "- Attackers: maximum speed forward, weapon status 1, facing the feature.",
        "- Attackers need not be within 10 hexes of each other: they may surround the feature.",
        "- Nobody flanks here (3.7).",
        "- The gas giant is of size 3.",
        "Leaving (3.4.5)",
        "- No disengagement by acceleration. Sublight disengagement as in the tactical rules (3.4.5).",
        "- By separation, once no internals came for 20 turns, no shield damage for 10, no closing for 20.",
        "- A held tractor or a boarding action counts as internal damage (3.4.5.1.1).",
        (
            "- Announce it at the start of an impulse (3.4.5.2). Who disengages must leave the hex at the "
            "next opportunity."
        ),
        "Your accessories",
        "- H2 Hydran F2 Dw: 12 x Fighter, 36 x WBP Set",
        "Your fighters",
        "- H2 Hydran F2 Dw: 12 of 12 fighters aboard, 36 sets of warp booster packs",
    ]


@pytest.mark.rule("cutler", "3.8")
def test_all_that_the_klingon_is_asked_and_told_at_hydraxx() -> None:
    run = test_hydraxx.played()
    assert texts(run, "klingon") == [
        (
            "In 0404: 11 Hydran units (size 1: base ×2; size 3: CA; size 3: CC; size 3: CW ×2; size 4: DD; "
            "size 4: DW; size 4: FF ×2; size 4: police)."
        ),
        "Cards in 0404: Hydran bypass; Klingon combat. Potential combat.",
        "In 0404 the Hydran was here first and defends.",
        "The Hydran forces an approach battle in 0404.",
        "Pursuit of wave 2 in 0404, group 1: 8 Hydran units (size 3: CC; size 3: CW; size 6: fighters ×6).",
        "Wave 2 of the Klingon in 0404 is caught by group 1.",
        ("The Hydran tries to surround in 0404: group 1 comes up in direction 4, group 2 comes up in direction 6."),
        (
            "The battle in 0404 is over. K1 Klingon F1 Dn: intact; K2 Klingon F1 Cw2: destroyed; K3 Klingon "
            "F2 Dw: intact; H1 Hydran F1 Cc: disengaged; H2 Hydran F1 Cw: destroyed; H3 Batsf's fighters: "
            "destroyed."
        ),
        "Battle in 0404. The Hydran sets up first.",
        (
            "The battle in 0404 is over. H1 Hydran F1 Ca: disengaged; H2 Hydran F1 Dd: disengaged; H3 Hydran "
            "F1 Ff: disengaged; H4 Hydran F2 Ff: disengaged; K1 Klingon F1 Ca2: disengaged; K2 Klingon F1 "
            "Cc: intact; K3 Klingon F2 Sc: disengaged; K4 Klingon F4 Pft: disengaged; K5 Klingon F2 Pf: "
            "destroyed; K6 Klingon F2 Pf2: destroyed; K7 Klingon F2 Pf3: intact; K8 Klingon F2 Pf4: intact; "
            "K9 Klingon F3 Pf: intact; K10 Klingon F3 Pf2: intact."
        ),
        ("Disengaged, and off to 0505 at the next opportunity: Klingon F1 Ca2, Klingon F2 Sc, Klingon F4 Pft."),
        "Escape wave 1 in 0404 from the planet Hydraxx: 1 Hydran unit (size 3: CW).",
        "Battle at the gas giant in 0404.",
        (
            "The battle in 0404 is over. H1 Sams: intact; H2 Hydran F2 Dw: intact; H3 hydran police: intact; "
            "K1 Klingon F1 Ca: disengaged; K2 Klingon F1 Cw: disengaged; K3 Klingon F1 Dd: disengaged."
        ),
        "Disengaged, and off to 0505 at the next opportunity: Klingon F1 Ca, Klingon F1 Cw, Klingon F1 Dd.",
        "Battle at the planet Hydraxx in 0404.",
        (
            "The battle in 0404 is over. H1 Batsf: destroyed; H2 Hydran F1 Cw2's fighters: damaged, lost 2 "
            "fighters; K1 Klingon F1 Dn: intact; K2 Klingon F1 Cc: intact; K3 Klingon F2 Dw: intact; K4 "
            "Klingon F2 Pf3: intact; K5 Klingon F2 Pf4: intact; K6 Klingon F3 Pf: intact; K7 Klingon F3 Pf2: "
            "intact."
        ),
        (
            "In 0404: 9 Hydran units (size 1: base; size 3: CA; size 3: CC; size 3: CW; size 4: DD; size 4: "
            "DW; size 4: FF ×2; size 4: police)."
        ),
    ]
    first = {ask.kind: ask for ask in reversed(run.asks) if "klingon" in ask.parties}
    assert {kind: on_sheet(ask)[:12] for kind, ask in first.items() if kind != "battle"} == {
        "order": [
            "0404: the order of your battles",
            "In which order are the battles at the features fought? Equal numbers keep the order of the sheet.",
            "In this order: the planet Hydraxx, the gas giant.",
            "the planet Hydraxx",
            "- Fought as number: 1 to 2; 1",
            "the gas giant",
            "- Fought as number: 1 to 2; 2",
        ],
        "pursuit": [
            "0404: pursuit of wave 1",
            (
                "1 Hydran unit (size 3: CW) tries to get away. Ships sent after them fight nobody else of that "
                "race; it cannot be called off."
            ),
            "Nobody pursues.",
            "Klingon F1 Cc (CC)",
            (
                "- Pursuit: Stays, Pursuit group 1, Pursuit group 2, Pursuit group 3, Pursuit group 4, Pursuit "
                "group 5, Pursuit group 6, Pursuit group 7; '0'"
            ),
            "Klingon F1 Dn (DN)",
            (
                "- Pursuit: Stays, Pursuit group 1, Pursuit group 2, Pursuit group 3, Pursuit group 4, Pursuit "
                "group 5, Pursuit group 6, Pursuit group 7; '0'"
            ),
            "Klingon F2 Dw (DW)",
            (
                "- Pursuit: Stays, Pursuit group 1, Pursuit group 2, Pursuit group 3, Pursuit group 4, Pursuit "
                "group 5, Pursuit group 6, Pursuit group 7; '0'"
            ),
            "Klingon F2 Pf3 (PF)",
            (
                "- Pursuit: Stays, Pursuit group 1, Pursuit group 2, Pursuit group 3, Pursuit group 4, Pursuit "
                "group 5, Pursuit group 6, Pursuit group 7; '0'"
            ),
            "Klingon F2 Pf4 (PF)",
        ],
        "allocate": [
            "0404: your attack",
            "Send each unit to a terrain feature of 0404. A ship fights at one feature in an impulse (3.5.6).",
            (
                "Klingon F1 Cc to the planet Hydraxx; Klingon F2 Pf3 to the planet Hydraxx; Klingon F2 Pf4 to "
                "the planet Hydraxx; Klingon F3 Pf to the planet Hydraxx; Klingon F3 Pf2 to the planet Hydraxx."
            ),
            "Klingon F1 Cc (CC)",
            "- Goes to: The planet Hydraxx, The gas giant, Moon 1 of the gas giant, The sun; 'planet'",
            "Klingon F2 Pf3 (PF)",
            "- Goes to: The planet Hydraxx, The gas giant, Moon 1 of the gas giant, The sun; 'planet'",
            "Klingon F2 Pf4 (PF)",
            "- Goes to: The planet Hydraxx, The gas giant, Moon 1 of the gas giant, The sun; 'planet'",
            "Klingon F3 Pf (PF)",
            "- Goes to: The planet Hydraxx, The gas giant, Moon 1 of the gas giant, The sun; 'planet'",
            "Klingon F3 Pf2 (PF)",
        ],
        "flank": [
            "0404: flanking",
            "Flanking groups arrive late and one by one, from any direction, 30 hexes or more from the enemy.",
            "Nobody flanks.",
            "Klingon F1 Ca2 (CA)",
            (
                "- Flank: Main force, Flank group 1, Flank group 2, Flank group 3, Flank group 4, Flank group 5, "
                "Flank group 6, Flank group 7, Flank group 8, Flank group 9, Flank group 10; '0'"
            ),
            "Klingon F1 Cc (CC)",
            (
                "- Flank: Main force, Flank group 1, Flank group 2, Flank group 3, Flank group 4, Flank group 5, "
                "Flank group 6, Flank group 7, Flank group 8, Flank group 9, Flank group 10; '0'"
            ),
            "Klingon F2 Pf (PF)",
            (
                "- Flank: Main force, Flank group 1, Flank group 2, Flank group 3, Flank group 4, Flank group 5, "
                "Flank group 6, Flank group 7, Flank group 8, Flank group 9, Flank group 10; '0'"
            ),
            "Klingon F2 Pf2 (PF)",
            (
                "- Flank: Main force, Flank group 1, Flank group 2, Flank group 3, Flank group 4, Flank group 5, "
                "Flank group 6, Flank group 7, Flank group 8, Flank group 9, Flank group 10; '0'"
            ),
            "Klingon F2 Pf3 (PF)",
        ],
        "wave": [
            "0404: escape wave 1",
            (
                "Which ships try to get away? An empty wave is your last; the rest stand for the main battle. A "
                "wave that tries to reach a terrain feature fights there; this cannot be taken back (3.5.5)."
            ),
            "Nobody runs.",
            "Wave 1",
            (
                "- Ships that run: Klingon F1 Ca (CA), Klingon F1 Ca2 (CA), Klingon F1 Cc (CC), Klingon F1 Cw "
                "(CW), Klingon F1 Cw2 (CW), Klingon F1 Dd (DD), Klingon F1 Dn (DN), Klingon F2 Dw (DW), Klingon "
                "F2 Pf (PF), Klingon F2 Pf2 (PF), Klingon F2 Pf3 (PF), Klingon F2 Pf4 (PF), Klingon F2 Sc (SC), "
                "Klingon F3 Pf (PF), Klingon F3 Pf2 (PF), Klingon F4 Pft (Pft); []"
            ),
            (
                "- Where to: To avoid all combat, To the planet Hydraxx, To the gas giant, To moon 1 of the gas "
                "giant, To the sun; 'away'"
            ),
        ],
        "card": [
            "0404: bypass or combat",
            "You share 0404 with: Hydran. The cards are shown together; one combat card opens combat.",
            "Your card is bypass.",
            "Your force in 0404",
            "- Card: Bypass, Combat; 'bypass'",
        ],
    }
    assert panels(battles_of(run)[3], "klingon") == [
        "Battle at the planet Hydraxx in 0404: Hydran and Klingon",
        "Set-up (3.5.9)",
        "- Hydran (defending) sets up first, within 20 hexes of the planet Hydraxx, facing any way.",
        "- Defenders: speed 6 last turn, weapon status 1.",
        "- Klingon (attacking) enters at 40 to 45 hexes from the nearest enemy, at least one at exactly 40.",
        "- Attackers: maximum speed forward, weapon status 1, facing the feature.",
        "- Attackers need not be within 10 hexes of each other: they may surround the feature.",
        "- Nobody flanks here (3.7).",
        "Leaving (3.4.5)",
        "- No disengagement by acceleration. Sublight disengagement as in the tactical rules (3.4.5).",
        "- By separation, once no internals came for 20 turns, no shield damage for 10, no closing for 20.",
        "- A held tractor or a boarding action counts as internal damage (3.4.5.1.1).",
        (
            "- Announce it at the start of an impulse (3.4.5.2). Who disengages must leave the hex at the "
            "next opportunity."
        ),
        "Your work before this battle (3.9)",
        (
            "- K1, K2, K3, K4, K5, K6, K7: one turn of emergency damage repair, or one of damage control on "
            "shields; one turn of reloading drone racks. No special shuttle is prepared."
        ),
    ]
    assert [ask.setup.scene.when for ask in battles_of(run)] == [
        "Turn 3, impulse 1 · open space · escape battle",
        "Turn 3, impulse 1 · open space",
        "Turn 3, impulse 1 · at the gas giant",
        "Turn 3, impulse 1 · at the planet Hydraxx",
    ]  # type: ignore[union-attr]
    assert [ask.setup.scene.remark for ask in battles_of(run)] == [
        ("Weapon status 0 for those who flee, 2 for the others; all at maximum speed. Nobody can accelerate away."),
        "Weapon status 1, facing the enemy. Nobody can accelerate away.",
        "Weapon status 1. Defenders had speed 6, attackers their maximum. Nobody can accelerate away.",
        "Weapon status 1. Defenders had speed 6, attackers their maximum. Nobody can accelerate away.",
    ]  # type: ignore[union-attr]


@pytest.mark.rule("cutler", "3.8", "3.3.2", "3.5.5", "3.5.6", "3.5.8", "3.7.1")
def test_what_is_refused_of_waves_and_groups_and_how_they_read() -> None:
    run = test_hydraxx.played()
    wave = run.asked("klingon", "wave")[0]
    goes = {"wave": {"ships": ["klingon-F1-CA", "klingon-F1-CW"], "to": "giant"}}
    assert [wave.read_back(wave.answer_from(one)) for one in (goes, {"wave": {"ships": ["klingon-F1-CA"]}}, {})] == [
        [
            "Runs to the gas giant: Klingon F1 Ca (CA), Klingon F1 Cw (CW).",
        ],
        [
            "Runs: Klingon F1 Ca (CA).",
        ],
        [
            "Nobody runs.",
        ],
    ]
    sheets: tuple[dict[str, Any], ...] = (
        {"ships": ["klingon-F1-CA", "klingon-F1-CA"], "to": "moon"},
        {"ships": ["klingon-F9-CA"]},
        {"ships": ["klingon-F1-CA"], "left": ["klingon-F1-CA"]},
    )
    assert [refusal_words(wave, {"wave": one}) for one in sheets] == [
        [
            "wave.ships: a ship is named twice",
            "wave.to: there is no such feature here (3.5.5). Legal: away, planet, giant, giantmoon1, sun.",
            "wave.ships: this ship has fought at another feature in this impulse (3.5.6). Legal: giant.",
            "wave.ships: this ship has fought at another feature in this impulse (3.5.6). Legal: giant.",
        ],
        [
            (
                "wave.ships: this unit cannot escape now (3.3.2, CU-R53). Did you mean klingon-F1-CA or "
                "klingon-F1-CA2 or klingon-F2-SC?"
            ),
        ],
        [
            "wave.left: only a carrier that runs from a terrain feature leaves fighters there (3.5.8, CU-R75)",
        ],
    ]
    leaves = next(ask for ask in run.asked("hydran", "wave") if "from the planet" in ask.title)
    assert on_sheet(leaves) == [
        "0404: escape wave 1 from the planet Hydraxx",
        "Which ships try to get away? An empty wave is your last; the rest stand for the main battle.",
        "Nobody runs.",
        "Wave 1",
        "- Ships that run: Hydran F1 Cw2 (CW); []",
        "- Carriers that leave their fighters here: Hydran F1 Cw2 (CW); []",
    ]
    sheet = {"wave": {"ships": ["hydran-F1-CW2"], "left": ["hydran-F1-CW2"]}}
    assert leaves.read_back(leaves.answer_from(sheet)) == [
        "Runs: Hydran F1 Cw2 (CW).",
        "Hydran F1 Cw2 (CW) leaves its fighters behind.",
    ]
    again = {"wave": {"ships": ["hydran-F1-CW2"], "left": ["hydran-F1-CW2", "hydran-F1-CW2"], "to": "giant"}}
    assert refusal_words(leaves, again) == [
        "wave.to: these ships may escape to avoid all combat only (3.5.10). Legal: away.",
        "wave.left: a ship is named twice",
    ]
    order = run.asked("klingon", "order")[0]
    wrong = ({"sun": {"place": 1}}, {"giant": {"place": 3}}, {"giant": {"place": 2}, "planet": {"place": 1}})
    assert [refusal_words(order, one) or order.read_back(order.answer_from(one)) for one in wrong] == [
        [
            "sun: no battle is fought there. Legal: planet, giant.",
        ],
        [
            "giant.place: there is no such place. Legal: 1 to 2.",
        ],
        [
            "In this order: the planet Hydraxx, the gas giant.",
        ],
    ]
    allocate = run.asked("hydran", "allocate")[0]
    posts: tuple[dict[str, Any], ...] = (
        {"hydran-F9-CA": {"place": "giant"}},
        {"hydran-F1-CA": {"place": "moon"}},
        {"hydran-base-0404": {"place": "giant"}},
        {"hydran-base-0404": {"fighters": 13, "fighters_to": "giant"}},
        {"hydran-base-0404": {"fighters": 2}},
        {"hydran-base-0404": {"fighters": 2, "fighters_to": "moon"}},
    )
    assert [refusal_words(allocate, one) for one in posts] == [
        [
            (
                "hydran-F9-CA: no such unit can be sent. Legal: hydran-F1-CA, hydran-F1-CC, hydran-F1-CW, "
                "hydran-F1-CW2, hydran-F1-DD, hydran-F1-FF, hydran-F2-DW, hydran-F2-FF, hydran-base-0404, "
                "hydran-police-0404, hydran-sams. Did you mean hydran-F1-CA or hydran-F1-CW or hydran-F1-CC?"
            ),
        ],
        [
            (
                "hydran-F1-CA.place: there is no such feature here (3.5.4.2). Legal: approach, planet, giant, "
                "giantmoon1, sun."
            ),
        ],
        [
            "hydran-base-0404.place: a base is at its own feature (3.5, CU-R67). Legal: planet.",
        ],
        [
            "hydran-base-0404.fighters: Batsf has 12 fighters aboard (3.5.8). Legal: 0 to 12.",
        ],
        [
            (
                "hydran-base-0404.fighters_to: say where the fighters go. Legal: approach, planet, giant, "
                "giantmoon1, sun."
            ),
        ],
        [
            (
                "hydran-base-0404.fighters_to: there is no such feature here (3.5.4.2). Legal: approach, planet, "
                "giant, giantmoon1, sun."
            ),
        ],
    ]
    sheet = {"hydran-base-0404": {"fighters": 2, "fighters_to": "giant"}}
    assert [one for one in allocate.read_back(allocate.answer_from(sheet)) if "Batsf" in one] == [
        "Batsf (Base): the planet Hydraxx.",
        "2 fighters of Batsf: the gas giant.",
    ]
    flank = run.asked("hydran", "flank")[0]
    groups: tuple[dict[str, Any], ...] = (
        {"hydran-F1-CA": {"group": 1, "early": True}},
        {"hydran-F1-CA": {"group": 99}},
        {"hydran-F9-CA": {"group": 1}},
        {"hydran-base-0404-fighters1": {"group": 1}},
        {"hydran-F2-DW/fighters": {"group": 1}},
        {"hydran-F1-CA": {"group": 1}, "hydran-F1-DD": {"group": 2}},
    )
    assert [refusal_words(flank, one) or flank.read_back(flank.answer_from(one)) for one in groups] == [
        [
            (
                "hydran-F1-CA.early: no legendary navigator brings a flanking group (3.7.7, CU-R72). Legal: not "
                "a turn sooner."
            ),
        ],
        [
            "hydran-F1-CA.group: there is no such group. Legal: 0 to 4.",
        ],
        [
            (
                "hydran-F9-CA: this unit cannot be sent (3.7.1). Did you mean hydran-F1-CA or hydran-F2-FF or "
                "hydran-F1-FF?"
            ),
        ],
        [
            "hydran-base-0404-fighters1: only fighters with warp booster packs can be sent (3.7.5)",
        ],
        [
            (
                "hydran-F2-DW/fighters: only fighters with warp booster packs can be sent (3.7.5). Did you mean "
                "hydran-F2-FF or hydran-F1-FF or hydran-F1-DD?"
            ),
        ],
        [
            "Hydran F1 Ca (CA) flanks in group 1.",
            "Hydran F1 Dd (DD) flanks in group 2.",
        ],
    ]


@pytest.mark.rule("cutler", "3.7.7", "3.7.1", "3.3.2")
def test_how_groups_and_navigators_read() -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 CA[officers=navigator]+DD\nlyran F1 0404 CC+FF\n"
    run = fought(text)
    flank = run.asked("hydran", "flank")[0]
    assert on_sheet(flank) == [
        "0404: flanking",
        "Flanking groups arrive late and one by one, from any direction, 30 hexes or more from the enemy.",
        "Nobody flanks.",
        "Hydran F1 Ca (CA)",
        "- Flank: Main force, Flank group 1, Flank group 2; '0'",
        "- Navigator: a turn sooner: flag; True",
        "Hydran F1 Dd (DD)",
        "- Flank: Main force, Flank group 1, Flank group 2; '0'",
    ]
    groups: tuple[dict[str, Any], ...] = (
        {"hydran-F1-CA": {"group": 1, "early": True}, "hydran-F1-DD": {"group": 1}},
        {"hydran-F1-CA": {"group": 1, "early": False}},
        {"hydran-F1-DD": {"group": 1, "early": True}},
    )
    assert [refusal_words(flank, one) or flank.read_back(flank.answer_from(one)) for one in groups] == [
        [
            "Hydran F1 Ca (CA) flanks in group 1.",
            "Hydran F1 Dd (DD) flanks in group 1.",
            "Group 1 comes a turn sooner by its navigator.",
        ],
        [
            "Hydran F1 Ca (CA) flanks in group 1.",
        ],
        [
            (
                "hydran-F1-DD.early: no legendary navigator brings a flanking group (3.7.7, CU-R72). Legal: not "
                "a turn sooner."
            ),
        ],
    ]
    caught = test_surround.surrounded("", test_surround.NAVIGATOR)
    asks = {ask.kind: ask for ask in caught.asks if "lyran" in ask.parties}
    pursuit = asks["pursuit"]
    hunts = ({"lyran-F1-CC": {"group": 1}}, {"lyran-F1-CC": {"group": 1, "early": True}})
    assert on_sheet(pursuit) == [
        "0404: pursuit of wave 1",
        (
            "1 Hydran unit (size 4: FF) tries to get away. Ships sent after them fight nobody else of that "
            "race; it cannot be called off."
        ),
        "Nobody pursues.",
        "Lyran F1 Cc (CC)",
        "- Pursuit: Stays, Pursuit group 1, Pursuit group 2; '0'",
        "Lyran F1 Cw (CW)",
        "- Pursuit: Stays, Pursuit group 1, Pursuit group 2; '0'",
    ]
    assert [refusal_words(pursuit, one) or pursuit.read_back(pursuit.answer_from(one)) for one in hunts] == [
        [
            "Lyran F1 Cc (CC) pursues in group 1.",
        ],
        [
            (
                "lyran-F1-CC.early: no legendary navigator brings a flanking group (3.7.7, CU-R72). Legal: not a "
                "turn sooner."
            ),
        ],
    ]
    assert on_sheet(asks["surround"]) == [
        "0404: surrounding those you caught",
        (
            "Each group that tries to surround succeeds on 1 to 4; a second die is its direction. Directions "
            "count from the facing of the escaping ships, which is 1; 4 is behind them."
        ),
        "Nobody surrounds; your force is set up in direction 1, in their path.",
        "Your force",
        (
            "- Direction: Direction 1, in their path, Direction 2, Direction 3, Direction 4, behind them, "
            "Direction 5, Direction 6; '1'"
        ),
        "Lyran F1 Cc (CC)",
        "- Surround: Does not surround, Surrounding group 1, Surrounding group 2; '0'",
        "Lyran F1 Cw (CW)",
        "- Surround: Does not surround, Surrounding group 1, Surrounding group 2; '0'",
    ]
    assert on_sheet(asks["steer"]) == [
        "0404: your navigator and the groups that surround",
        ("Your legendary navigator may shift the direction of each group that surrounds by 1; next to 6 is 1."),
        "The directions stay as they were rolled.",
        "Group 1 in direction 6",
        "- Direction: One lower, As rolled, One higher; '0'",
    ]
    assert asks["surround"].read_back(asks["surround"].answer_from({"lyran-F1-CW": {"group": 1}})) == [
        "Your force is set up in direction 1.",
        "Group 1 surrounds: Lyran F1 Cw (CW).",
    ]
    assert texts(caught, "lyran") == [
        "In 0404: 1 Hydran unit (size 4: FF).",
        "Cards in 0404: Hydran bypass; Lyran combat. Potential combat.",
        "Escape wave 1 in 0404: 1 Hydran unit (size 4: FF).",
        "Wave 1 of the Hydran in 0404 is caught by group 1.",
        "The Lyran tries to surround in 0404: group 1 comes up in direction 6.",
        ("The battle in 0404 is over. H1 Hydran F1 Ff: intact; L1 Lyran F1 Cc: intact; L2 Lyran F1 Cw: intact."),
        "In 0404 nobody is left for a main battle.",
    ]


@pytest.mark.rule("cutler", "3.1.1", "3.2", "2.10")
def test_cards_and_challenges_of_forces_in_words() -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF\nklingon F1 0404 DN+CW\ntogether hydran lyran\n"
    run = fought(text, {("card", "lyran"): {"force": {"card": "bypass", "stay": False}}})
    card = run.asked("hydran", "card")[0]
    assert on_sheet(card) == [
        "0404: bypass or combat",
        (
            "You share 0404 with: Lyran, Klingon. The cards are shown together; one combat card opens "
            "combat. You are one force with the Lyran: its card is combat if one of you names it."
        ),
        "Your card is bypass.",
        "Your force in 0404",
        "- Card: Bypass, Combat; 'bypass'",
        "- Stay one force with the Lyran: flag; True",
    ]
    sheets = ({"force": {"card": "combat"}}, {"force": {"card": "bypass", "stay": False}})
    assert [card.read_back(card.answer_from(one)) for one in sheets] == [
        [
            "Your card in 0404: combat.",
        ],
        [
            "Your card in 0404: bypass.",
            "You end the coordination: your card is your own.",
        ],
    ]
    assert [(race, texts(run, race)) for race in ("hydran", "lyran", "klingon")] == [
        (
            "hydran",
            [
                "In 0404: 2 Lyran units (size 3: CC; size 4: FF).",
                "In 0404: 2 Klingon units (size 2: DN; size 3: CW).",
                "The Lyran is one force with you no longer, from this phase on.",
                "Cards in 0404: Hydran combat; Lyran bypass; Klingon bypass. Potential combat.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Klingon acts and passes.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Hydran acts and passes.",
                "The Lyran ends the coordination with you.",
            ],
        ),
        (
            "lyran",
            [
                "In 0404: 1 Hydran unit (size 3: CA).",
                "In 0404: 2 Klingon units (size 2: DN; size 3: CW).",
                "Cards in 0404: Hydran combat; Lyran bypass; Klingon bypass. Potential combat.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Klingon acts and passes.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Hydran acts and passes.",
                "You are one force with the Hydran no longer.",
            ],
        ),
        (
            "klingon",
            [
                "In 0404: 3 Hydran and Lyran units (size 3: CA; size 3: CC; size 4: FF).",
                "Cards in 0404: Hydran combat; Lyran bypass; Klingon bypass. Potential combat.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Klingon acts and passes.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Lyran acts and passes.",
                "In 0404 the Hydran acts and passes.",
            ],
        ),
    ]
    challenge = next(ask for ask in run.asks if ask.kind == "challenge")
    options = [one.value for one in challenge.form.lines[0].fields[0].choices]
    given = [{"challenge": {"race": one}} for one in (options[0], challenge.parties[0])]
    assert [refusal_words(challenge, one) or challenge.read_back(challenge.answer_from(one)) for one in given] == [
        [
            "You challenge the Hydran.",
        ],
        [
            (
                "challenge.race: this race cannot be challenged by you now (3.2, CU-R51). Legal: pass, or Hydran "
                "or Klingon."
            ),
        ],
    ]
    again = fought(text, {("card", "lyran"): {"force": {"card": "bypass"}}})
    found = [ask for ask in again.asks if ask.kind == "card"]
    late = fought(text.replace("together hydran lyran\n", ""))
    assert refusal_words(late.asked("hydran", "card")[0], {"force": {"card": "combat", "stay": False}}) == [
        "force.stay: you are one force with nobody here (2.10, CU-R33). Legal: stay.",
    ]
    assert len(found) == 3
    state = run.table.state
    assert [state.empires[race].alerts for race in state.races()] == [
        [
            "you met others in 0404",
            "the Lyran ended the coordination with you",
        ],
        [
            "you met others in 0404",
        ],
        [
            "you met others in 0404",
        ],
    ]


def manned() -> CutlerState:
    """A starbase with docking bays, a carrier, a minesweeper, and a prize; against two races in one force."""
    state = world(
        "turn 1 impulse 3\nhydran base 0404 Fort\nhydran F1 0404 CV[fighters=6]+MS+DD\nlyran F1 0404 CC+PF\n"
        "klingon F1 0404 CW\ntogether lyran klingon\n"
    )
    fort = state.units["hydran-base-0404"]
    fort.record = kind_of("base", repair=30, docking_bays=(20, 10))
    for key in ("hydran-F1-MS", "hydran-F1-DD"):
        rearmed(state.units[key], boarding_parties=4, shuttles=2, crew_units=5, cargo=3)
    state.units["hydran-F1-DD"].captured_from = "lyran"
    return state


def result(ask: AnyAsk, **lines: dict[str, Any]) -> dict[str, Any]:
    """All as before but for these lines."""
    return {line.key: {"fate": "intact", **lines.get(line.key, {})} for line in ask.form.lines}


@pytest.mark.rule("cutler", "3.4", "3.4.5", "4.2.1.1", "4.2.4.8", "2.9.8", "4.2.4.5.1", "5.1")
def test_what_the_result_of_a_battle_asks_refuses_and_says() -> None:
    """The ships fight an approach battle, the starbase the next one."""
    run = fought(manned(), {("battle", ""): [lambda ask: result(ask, L1={"fate": "damaged"})]})
    ask, at_fort = battles_of(run)
    assert on_sheet(ask)[2:34] == [
        "H1: Hydran Hydran F1 Cv (CV)",
        ("- Fate: Still there, engines as before, Still there, damaged, Disengaged, Destroyed, Captured; 'intact'"),
        "- Warp boxes lost in this battle: 0 to 30; 0",
        "- Impulse boxes lost in this battle: 0 to 4; 0",
        "- Points of D9.4 for these after combat: 0 to 320; 0",
        "- Fighters lost in this battle: 0 to 6; 0",
        "- Sets of warp booster packs lost or dropped: 0 to 18; 0",
        "- If captured, by: Lyran, Klingon; 'lyran'",
        "H2: Hydran Hydran F1 Dd (DD)",
        ("- Fate: Still there, engines as before, Still there, damaged, Disengaged, Destroyed, Captured; 'intact'"),
        "- Warp boxes lost in this battle: 0 to 18; 0",
        "- Impulse boxes lost in this battle: 0 to 2; 0",
        "- Cargo boxes lost in this battle: 0 to 3; 0",
        "- Points of D9.4 for these after combat: 0 to 193; 0",
        "- Boarding parties lost in this battle: 0 to 5; 0",
        "- Shuttles lost in this battle: 0 to 2; 0",
        "- Crew units lost in this battle: 0 to 6; 0",
        "- CPV of mines dropped in this battle: 0 to 12; 0",
        "- If captured, by: Lyran, Klingon; 'lyran'",
        "H3: Hydran Hydran F1 Ms (MS)",
        ("- Fate: Still there, engines as before, Still there, damaged, Disengaged, Destroyed, Captured; 'intact'"),
        "- Warp boxes lost in this battle: 0 to 12; 0",
        "- Impulse boxes lost in this battle: 0 to 2; 0",
        "- Cargo boxes lost in this battle: 0 to 3; 0",
        "- Points of D9.4 for these after combat: 0 to 133; 0",
        "- Boarding parties lost in this battle: 0 to 5; 0",
        "- Shuttles lost in this battle: 0 to 2; 0",
        "- Crew units lost in this battle: 0 to 6; 0",
        "- CPV of mines dropped in this battle: 0 to 52; 0",
        "- If captured, by: Lyran, Klingon; 'lyran'",
        "L1: Lyran Lyran F1 Cc (CC)",
        ("- Fate: Still there, engines as before, Still there, damaged, Disengaged, Destroyed, Captured; 'intact'"),
    ]
    by_name = {line.label.split(": ", 1)[1].rsplit(" (", 1)[0]: line.key for line in ask.form.lines}
    carrier, sweeper, prize = (by_name[f"Hydran Hydran F1 {one}"] for one in ("Cv", "Ms", "Dd"))
    cruiser = by_name["Lyran Lyran F1 Cc"]
    wrong = [
        (cruiser, {"module_lost": True, "fate": "damaged"}),
        (cruiser, {"warp_lost": 31, "fate": "damaged"}),
        (cruiser, {"impulse_lost": 5, "fate": "damaged"}),
        (sweeper, {"cargo_lost": 4, "fate": "damaged"}),
        (sweeper, {"cargo_lost": 1}),
        (sweeper, {"repair_points": 999}),
        (sweeper, {"parties_lost": 9}),
        (sweeper, {"shuttles_lost": 9}),
        (sweeper, {"crew_lost": 9}),
        (sweeper, {"mines_dropped": 999}),
        (carrier, {"fighters_lost": 99}),
        (carrier, {"boosters_lost": 99}),
        (cruiser, {"fate": "captured", "captor": "klingon"}),
        (cruiser, {"fate": "gone"}),
    ]
    assert [refusal_words(ask, result(ask, **{key: line})) for key, line in wrong] == [
        [
            "L1.module_lost: Lyran F1 Cc is no starbase with docking bays (4.2.1.1, G-6). Legal: no.",
        ],
        [
            "L1.warp_lost: Lyran F1 Cc has 30 warp boxes, 31 are reported lost (2.4.1.6, G-6). Legal: 0 to 30.",
        ],
        [
            ("L1.impulse_lost: Lyran F1 Cc has 4 impulse boxes, 5 are reported lost (2.4.1.6, G-6). Legal: 0 to 4."),
        ],
        [
            "H3.cargo_lost: Hydran F1 Ms has 3 cargo boxes, 4 are reported lost (4.1.8, G-6). Legal: 0 to 3.",
        ],
        [
            ("H3.fate: Hydran F1 Ms lost boxes, so it is not as before (G-6). Legal: damaged. Did you mean damaged?"),
        ],
        [
            (
                "H3.repair_points: 133 points repair all engines and cargo boxes of Hydran F1 Ms (3.9, CU-R76, "
                "CU-N12). Legal: 0 to 133."
            ),
        ],
        [
            (
                "H3.parties_lost: Hydran F1 Ms has room for 5 boarding parties, 9 are reported lost (4.2.4.8, "
                "G-6). Legal: 0 to 5."
            ),
        ],
        [
            "H3.shuttles_lost: Hydran F1 Ms carries at most 2, 9 are reported (4.2.4.2.1, G-6). Legal: 0 to 2.",
        ],
        [
            "H3.crew_lost: Hydran F1 Ms carries at most 6, 9 are reported (4.2.4.8, G-6). Legal: 0 to 6.",
        ],
        [
            ("H3.mines_dropped: Hydran F1 Ms carries at most 52, 999 are reported (4.2.4.5.1, G-6). Legal: 0 to 52."),
        ],
        [
            "H1.fighters_lost: Hydran F1 Cv cannot lose so many (2.9, G-6). Legal: 0 to 6.",
        ],
        [
            "H1.boosters_lost: Hydran F1 Cv cannot lose so many (2.9, G-6). Legal: 0 to 18.",
        ],
        [
            "L1.captor: Lyran F1 Cc is taken by an enemy (5.1, 2.10). Legal: hydran.",
        ],
        [
            "L1.fate: no such fate. Legal: intact, damaged, disengaged, destroyed, captured.",
        ],
    ]
    strange = {key: line for key, line in result(ask).items() if key != cruiser} | {"X1": {"fate": "intact"}}
    assert refusal_words(ask, strange) == [
        "L1: Lyran F1 Cc is not accounted for. Legal: intact, damaged, disengaged, destroyed, captured.",
        "X1: no such unit took part. Legal: H1, H2, H3, L1, L2, K1.",
    ]
    gone = {key: {"fate": "destroyed"} for key in by_name.values() if key[0] == "H"}
    assert refusal_words(ask, result(ask, **gone | {cruiser: {"fate": "captured"}})) == [
        ("L1.fate: nobody was left to take Lyran F1 Cc (5.1). Legal: intact, damaged, disengaged or destroyed."),
    ]
    lost = {"shuttles_lost": 1, "crew_lost": 1, "mines_dropped": 3, "parties_lost": 1, "cargo_lost": 1}
    lines: dict[str, Any] = {
        carrier: {"fate": "damaged", "fighters_lost": 1, "boosters_lost": 1},
        sweeper: {"fate": "damaged", "warp_lost": 2, "impulse_lost": 1, "repair_points": 1, **lost},
        prize: {"fate": "captured", "captor": "klingon", "warp_lost": 1, "repair_points": 2, "parties_lost": 2}
        | {"shuttles_lost": 2, "crew_lost": 2},
        cruiser: {"fate": "disengaged", "impulse_lost": 1},
    }
    sheet = ask.answer_from(result(ask, **lines))
    assert ask.read_back(sheet) == [
        "H1 Hydran F1 Cv: damaged, lost 1 fighter, lost 1 set of booster packs",
        (
            "H2 Hydran F1 Dd: captured by the Klingon, lost 1 warp box, 2 points of D9.4, lost 2 boarding "
            "parties, lost 2 shuttles, lost 2 crew units"
        ),
        (
            "H3 Hydran F1 Ms: damaged, lost 2 warp and 1 impulse and 1 cargo box, 1 point of D9.4, lost 1 "
            "boarding party, lost 1 shuttle, lost 1 crew unit, dropped 3 CPV of mines"
        ),
        "L1 Lyran F1 Cc: disengaged, lost 1 impulse box",
        "L2 Lyran F1 Pf: intact",
        "K1 Klingon F1 Cw: intact",
    ]
    assert ask.warn(sheet) == [
        "Both sides still have units that neither left nor were lost; as a rule one side is gone (3.4.5).",
    ]
    assert panels(ask, "hydran")[16:] == [
        "Your accessories",
        "- H1 Hydran F1 Cv: 6 x Fighter, 18 x WBP Set",
        "- H2 Hydran F1 Dd: 2 x Shuttle",
        "- H3 Hydran F1 Ms: 2 x Shuttle",
        "Your fighters",
        "- H1 Hydran F1 Cv: 6 of 6 fighters aboard, 18 sets of warp booster packs",
    ]
    assert ask.setup is not None
    assert [[panel.title, *panel.rows] for panel in ask.setup.panels if panel.title.endswith("force")] == [
        [
            "Hydran force",
            "H1 Hydran F1 Cv: CV (CA, size 3, BPV 140, invented)",
            "H2 Hydran F1 Dd: DD (DD, size 4, BPV 80, invented); captured, weapons barred (5.1.2)",
            "H3 Hydran F1 Ms: MS (FF, size 4, BPV 65, invented)",
        ],
        [
            "Lyran and Klingon force",
            "L1 Lyran F1 Cc: CC (CC, size 3, BPV 145, invented)",
            "L2 Lyran F1 Pf: PF (PF, size 5, BPV 35, invented)",
            "K1 Klingon F1 Cw: CW (CW, size 3, BPV 100, invented)",
        ],
    ]
    assert on_sheet(at_fort)[2:8] == [
        "H1: Hydran Fort (Base)",
        "- Fate: Still there, engines as before, Still there, damaged, Destroyed, Captured; 'intact'",
        "- Cargo boxes lost in this battle: 0 to 50; 0",
        "- Points of D9.4 for these after combat: 0 to 50; 0",
        "- Every internal on its docking module destroyed: flag; False",
        "- If captured, by: Lyran, Klingon; 'lyran'",
    ]
    assert [
        refusal_words(at_fort, result(at_fort, H1=line)) for line in ({"fate": "disengaged"}, {"module_lost": True})
    ] == [
        [
            "H1.fate: Fort is a base and cannot leave (3.5, 3.4.5)",
        ],
        [
            "H1.fate: Fort lost boxes, so it is not as before (G-6). Legal: damaged. Did you mean damaged?",
        ],
    ]
    assert (
        at_fort.read_back(at_fort.answer_from(result(at_fort, H1={"fate": "damaged", "module_lost": True})))[0]
        == "H1 Fort: damaged, lost its docking module"
    )
    over = fought(manned(), {("battle", ""): [result(ask, **lines)]})
    assert texts(over, "hydran")[-8:] == [
        "In 0404 the Hydran has the higher die and defends.",
        "The Hydran forces an approach battle in 0404.",
        "Battle in 0404. The Hydran sets up first.",
        (
            "The battle in 0404 is over. H1 Hydran F1 Cv: damaged, lost 1 fighter, lost 1 set of booster "
            "packs; H2 Hydran F1 Dd: captured by the Klingon, lost 1 warp box, 2 points of D9.4, lost 2 "
            "boarding parties, lost 2 shuttles, lost 2 crew units; H3 Hydran F1 Ms: damaged, lost 2 warp and "
            "1 impulse and 1 cargo box, 1 point of D9.4, lost 1 boarding party, lost 1 shuttle, lost 1 crew "
            "unit, dropped 3 CPV of mines; L1 Lyran F1 Cc: disengaged, lost 1 impulse box; L2 Lyran F1 Pf: "
            "intact; K1 Klingon F1 Cw: intact."
        ),
        "At the base 1 of the Hydran in 0404: 2 Lyran and Klingon units (size 3: CW; size 5: PF).",
        "Battle at the base 1 of the Hydran in 0404.",
        "The battle in 0404 is over. H1 Fort: intact; L1 Lyran F1 Pf: intact; K1 Klingon F1 Cw: intact.",
        "In 0404: 4 Lyran and Klingon units (size 3: CC; size 3: CW; size 4: DD; size 5: PF).",
    ]
    assert plot_ask(over.table.state, "hydran").text == (
        "You are asked because you met others in 0404; there was a battle in 0404. Stored courses are "
        "filled in; change what you like."
    )


@pytest.mark.rule("cutler", "3.3.5", "3.4", "2.9.5", "2.9.8")
def test_what_is_told_where_nobody_is_left_and_of_contacts_that_are_no_more() -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 FF\n"
    away = fought(text, {("wave", "lyran"): [{"wave": {"ships": ["lyran-F1-FF"]}}]}, escape=[1])
    assert texts(away, "lyran") == [
        "In 0404: 1 Hydran unit (size 3: CA).",
        "Cards in 0404: Hydran combat; Lyran bypass. Potential combat.",
        "In 0404 nobody is left for a main battle.",
    ]
    lost = fought(text, {("battle", ""): {"H1": {"fate": "intact"}, "L1": {"fate": "destroyed"}}})
    assert texts(lost, "hydran") == [
        "In 0404: 1 Lyran unit (size 4: FF).",
        "Cards in 0404: Hydran combat; Lyran bypass. Potential combat.",
        "Battle in 0404. The Lyran sets up first.",
        "The battle in 0404 is over. H1 Hydran F1 Ca: intact; L1 Lyran F1 Ff: destroyed.",
        "C1 in 0404 is no more.",
    ]
    gone = fought(text, {("battle", ""): {"H1": {"fate": "disengaged"}, "L1": {"fate": "intact"}}})
    assert texts(gone, "hydran") == [
        "In 0404: 1 Lyran unit (size 4: FF).",
        "Cards in 0404: Hydran combat; Lyran bypass. Potential combat.",
        "Battle in 0404. The Lyran sets up first.",
        "The battle in 0404 is over. H1 Hydran F1 Ca: disengaged; L1 Lyran F1 Ff: intact.",
        "Disengaged, and off to 0403 at the next opportunity: Hydran F1 Ca.",
    ]


@pytest.mark.rule("cutler", "3.5", "3.5.1", "3.5.2", "1.1.2.4")
def test_features_have_names_and_say_what_is_to_know_of_them() -> None:
    state = world("planet minor 0404 hydran rock\nasteroids 0707\nhydran base 0505 Post\nhydran base 0505")
    state.systems["0404"] = StarSystem(moons=(4,), gas_giant=2, giant_moons=(8,), asteroid_field=True, rings=True)
    names = ("black_hole", "neutron_star", "white_dwarf", "pulsar")
    state.terrain |= {f"060{number}": name for number, name in enumerate(names, 1)}  # type: ignore[misc]
    bases = [state.units["hydran-base-0505"]]
    found = [one for hex_id in ("0404", "0707", *state.terrain) for one in features_of(state, hex_id, [])]
    found += features_of(state, "0505", bases)
    assert [f"{one.key}: {one.name}. {one.says}" for one in found] == [
        "planet: the planet Rock. ",
        "moon1: moon 1 of Rock. The moon is 4 hexes from the planet.",
        "giant: the gas giant. The gas giant is of size 2, with rings.",
        "giantmoon1: moon 1 of the gas giant. The moon is 8 hexes from the gas giant.",
        "sun: the sun. ",
        "asteroids: the asteroid field. ",
        "asteroids: the asteroid belt. ",
        "asteroids: the asteroid belt. ",
        "black_hole: the black hole. ",
        "neutron_star: the neutron star. ",
        "white_dwarf: the white dwarf. ",
        "pulsar: the pulsar. ",
        "base1: the base 1 of the Hydran. ",
    ]
    state.systems["0404"] = StarSystem(gas_giant=3)
    assert [one.says for one in features_of(state, "0404", []) if one.key == "giant"] == [
        "The gas giant is of size 3.",
    ]


@pytest.mark.rule("cutler", "3.5.10", "3.5.9")
@pytest.mark.parametrize(
    ("terrain", "words"),
    [
        (
            "nebula",
            (
                "Turn 1, impulse 3 · the whole map is nebula | Weapon status 1, facing the enemy. Nobody can "
                "accelerate away. | Lyran sets up first, all its units within 10 hexes of each other (3.4.3). | "
                "Hydran sets up next, likewise within 10 hexes of each other. | No unit nearer than 40 hexes to "
                "any enemy, none farther than 45 from the nearest, at least one at exactly 40. | A floating map "
                "is used (3.4.5). | The nebula covers the whole map (3.5.10, CU-R68)."
            ),
        ),
        (
            "dust",
            (
                "Turn 1, impulse 3 · the whole map is dust | Weapon status 1, facing the enemy. Nobody can "
                "accelerate away. | Lyran sets up first, all its units within 10 hexes of each other (3.4.3). | "
                "Hydran sets up next, likewise within 10 hexes of each other. | No unit nearer than 40 hexes to "
                "any enemy, none farther than 45 from the nearest, at least one at exactly 40. | A floating map "
                "is used (3.4.5). | The dust covers the whole map (3.5.10, CU-R68)."
            ),
        ),
        (
            "heat",
            (
                "Turn 1, impulse 3 · the whole map is heat | Weapon status 1, facing the enemy. Nobody can "
                "accelerate away. | Lyran sets up first, all its units within 10 hexes of each other (3.4.3). | "
                "Hydran sets up next, likewise within 10 hexes of each other. | No unit nearer than 40 hexes to "
                "any enemy, none farther than 45 from the nearest, at least one at exactly 40. | A floating map "
                "is used (3.4.5). | The heat covers the whole map (3.5.10, CU-R68)."
            ),
        ),
    ],
)
def test_when_and_where_a_battle_is_fought(terrain: str, words: str) -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 FF")
    state.terrain["0404"] = terrain  # type: ignore[assignment]
    (ask,) = battles_of(fought(state))
    scene = ask.setup.scene  # type: ignore[union-attr]
    assert f"{scene.when} | {scene.remark} | {' | '.join(ask.setup.panels[0].rows)}" == words  # type: ignore[union-attr]


@pytest.mark.rule("cutler", "3.5.9", "3.5.4.1", "3.5.4")
def test_how_the_depth_of_a_battle_reads_and_why_who_defends() -> None:
    run = test_terrain.fought(LOCATION, PLACE)
    ask = run.asked("hydran", "depth")[0]
    sheets = ({"battle": {"depth": "edge"}}, {"battle": {"depth": "deep"}}, {})
    assert [ask.read_back(ask.answer_from(one)) for one in sheets] == [
        [
            "You fight at its edge.",
        ],
        [
            "You fight deep within it.",
        ],
        [
            "You fight at its edge.",
        ],
    ]
    one, force = "hydran F1 0404 CA", "hydran F1 0404 CA\nklingon F1 0404 CW\ntogether hydran klingon"
    why = {one: "Hydran has the higher die and defends.", force: "Hydran and Klingon have the higher die and defend."}
    for who, said in why.items():
        thrown = fought(f"turn 2 impulse 3\nasteroids 0404\nlyran F1 0404 CC\n{who}\n")
        assert [one for one in texts(thrown, "lyran") if "defend" in one] == [f"In 0404 the {said}"]


@pytest.mark.rule("cutler", "3.5.5.1")
def test_what_pursuers_are_asked_whom_a_wave_led_to_a_feature() -> None:
    answers = {
        ("allocate", "hydran"): test_terrain.at(CA="approach", DD="approach", PF="planet"),
        ("wave", "lyran"): [test_terrain.wave("lyran-F1-FF", to="planet"), test_terrain.wave()],
        ("pursuit", "hydran"): {"hydran-F1-CA": {"group": 1}, "hydran-F1-DD": {"group": 1}},
    }
    run = test_terrain.fought(answers=answers, dice={"escape from": [1]})
    ask = run.asked("hydran", "join")[0]
    assert on_sheet(ask) == [
        "0404: after the pursuit of wave 1",
        ("Your pursuers may go on to the planet Rock and fight there. Who does not fights them no more this impulse."),
        "All of them go on.",
        "At the planet Rock",
        "- Go on to it: Hydran F1 Ca (CA), Hydran F1 Dd (DD); ['hydran-F1-CA', 'hydran-F1-DD']",
    ]
    sheets: tuple[dict[str, Any], ...] = (
        {},
        {"join": {"ships": ["hydran-F1-DD"]}},
        {"join": {"ships": []}},
        {"join": {"ships": ["hydran-F1-PF", "hydran-F1-CA", "hydran-F1-CA"]}},
    )
    assert [refusal_words(ask, one) or ask.read_back(ask.answer_from(one)) for one in sheets] == [
        [
            "Hydran F1 Ca (CA) goes on to the planet Rock.",
            "Hydran F1 Dd (DD) goes on to the planet Rock.",
        ],
        [
            "Hydran F1 Dd (DD) goes on to the planet Rock.",
        ],
        [
            "Nobody goes on.",
        ],
        [
            "join.ships: a ship is named twice",
            "join.ships: this unit did not pursue them (3.5.5.1). Did you mean hydran-F1-DD or hydran-F1-CA?",
        ],
    ]
    assert texts(run, "hydran") == [
        "In 0404: 3 Lyran units (size 3: CC; size 3: CW; size 4: FF).",
        "Cards in 0404: Hydran bypass; Lyran combat. Potential combat.",
        "In 0404 the Hydran was here first and defends.",
        "The Hydran forces an approach battle in 0404.",
        "Escape wave 1 in 0404: 1 Lyran unit (size 4: FF). Towards the planet Rock.",
        "Wave 1 of the Lyran in 0404 gets away from group 1.",
        "In 0404 nobody is left for an approach battle.",
        "At the planet Rock in 0404: 3 Lyran units (size 3: CC; size 3: CW; size 4: FF).",
        "Battle at the planet Rock in 0404.",
        (
            "The battle in 0404 is over. H1 Fort: intact; H2 Hydran F1 Ca: intact; H3 Hydran F1 Dd: intact; "
            "H4 Hydran F1 Pf: intact; L1 Lyran F1 Cc: intact; L2 Lyran F1 Cw: intact; L3 Lyran F1 Ff: intact."
        ),
    ]


@pytest.mark.rule("cutler", "3.9")
def test_what_may_be_moved_between_battles_is_said_and_refused() -> None:
    state = world(
        "turn 1 impulse 3\nhydran F1 0404 CA+DD+CV[fighters=6]\nlyran F1 0404 CC\nklingon F1 0404 CW\n"
        "hydran base 0404 Yard"
    )
    for key in ("hydran-F1-CA", "hydran-F1-DD"):
        rearmed(state.units[key], boarding_parties=4, shuttles=2, drones=6, crew_units=4, cargo=2)
        state.units[key].boarding_parties = state.units[key].crew_units = 4
    state.units["hydran-base-0404"].stowed["mines"] = Lot(item=STANDARD["mines"], count=5)
    challenges = {("challenge", one): {"challenge": {"race": "hydran"}} for one in ("lyran", "klingon")}
    run = fought(state, challenges | {("battle", ""): result})
    ask = run.asked("hydran", "transfer")[0]
    assert on_sheet(ask)[:8] == [
        "0404: transfers before you meet another race",
        "You may move people, shuttles and fighters among your ships in 0404 now.",
        "Nothing is moved.",
        "Transfer 1",
        ("- What: Shuttle, Fighter, WBP Set, Boarding Party, Outstanding Crew Unit, Crew Unit, Poor Crew Unit; None"),
        "- How many: 1 to 200; None; blank: one",
        "- From: Hydran F1 Ca (CA), Hydran F1 Cv (CV), Hydran F1 Dd (DD); None",
        "- Into: Hydran F1 Ca (CA), Hydran F1 Cv (CV), Hydran F1 Dd (DD); None",
    ]
    ca, dd, yard = "hydran-F1-CA", "hydran-F1-DD", "hydran-base-0404"
    moves: list[dict[str, Any]] = [
        {"item": "boarding_party", "count": 1, "origin": ca, "to": dd},
        {"item": "drone_1_slow", "count": 1, "origin": ca, "to": dd},
        {"item": "mines", "count": 1, "origin": f"{yard} cargo", "to": dd},
        {"item": "shuttle", "count": 1, "origin": ca, "to": yard},
        {"item": "shuttle", "count": 1, "to": dd},
        {"item": "shuttle", "count": 1, "origin": ca, "to": f"{dd} cargo"},
        {},
    ]
    assert [refusal_words(ask, {"A1": one}) or ask.read_back(ask.answer_from({"A1": one})) for one in moves] == [
        [
            "1 x Boarding Party from Hydran F1 Ca into Hydran F1 Dd in 0404.",
        ],
        [
            (
                "A1.item: Type I Slow Drone goes to no other ship between battles (3.9). Legal: boarding "
                "parties, crew units, shuttles, fighters and their packs."
            ),
        ],
        [
            (
                "A1.origin: between battles nothing inert comes out of cargo boxes, and ships give to ships "
                "(3.9). Legal: a ship's own boxes."
            ),
            (
                "A1.item: Mines goes to no other ship between battles (3.9). Legal: boarding parties, crew "
                "units, shuttles, fighters and their packs."
            ),
        ],
        [
            "A1.to: what is moved goes to ships, for use (3.9). Legal: a ship's own boxes.",
        ],
        [
            "A1.origin: nothing is bought between battles (3.9). Legal: boxes in 0404.",
        ],
        [
            "A1.to: what is moved goes to ships, for use (3.9). Legal: a ship's own boxes.",
        ],
        [
            "Nothing is moved.",
        ],
    ]


@pytest.mark.rule("cutler", "2.9.5", "2.9.8", "3.8")
def test_what_is_refused_of_fighters_in_a_battle() -> None:
    """Six fighters of a carrier are sent after a ship that flees, and catch it."""
    lines: tuple[dict[str, Any], ...] = (
        {"fate": "intact", "fighters_lost": 2},
        {"fate": "captured"},
        {"fate": "damaged", "fighters_lost": 6},
    )
    said: list[list[str]] = []

    def judged(ask: AnyAsk) -> dict[str, Any]:
        said.extend(refusal_words(ask, result(ask, H1=line)) for line in lines)
        return result(ask)

    answers = {
        ("wave", "lyran"): [{"wave": {"ships": ["lyran-F1-FF"]}}],
        ("pursuit", "hydran"): {"hydran-F1-CV/fighters": {"group": 1}},
        ("battle", ""): [judged],
    }
    run = fought("turn 1 impulse 3\nhydran F1 0404 CV[fighters=6]\nlyran F1 0404 FF\n", answers, escape=[6])
    (setup,) = (ask.setup for ask in battles_of(run)[:1])
    assert setup is not None
    assert setup.scene is not None
    drawn = [(one.kind, one.under) for one in setup.scene.units if one.code == "H1"]
    assert drawn == [("6 fighters", "warp booster packs for 6")]
    assert [line.label for line in battles_of(run)[0].form.lines] == [
        "L1: Lyran Lyran F1 Ff (FF)",
        "H1: Hydran Fighters of Hydran F1 Cv (Fighters)",
    ]
    assert said == [
        [
            (
                "H1.fate: Fighters of Hydran F1 Cv lost fighters, so they are not as before (G-6). Legal: "
                "damaged. Did you mean damaged?"
            ),
        ],
        [
            "H1.fate: fighters are not captured (2.9, CU-N93). Legal: intact, damaged, disengaged or destroyed.",
        ],
        [
            "H1.fate: all 6 fighters are lost (2.9, G-6). Legal: destroyed. Did you mean destroyed?",
        ],
    ]


@pytest.mark.rule("cutler", "4.2.1.1", "3.5.3")
def test_a_ship_that_leaves_its_dock_for_a_battle_is_warned() -> None:
    state = yard(
        "turn 2 impulse 3\nplanet capital 0205 hydran rock\nhydran base 0205 Yard\nhydran F1 0205 CA\n"
        "lyran F1 0205 CC[from=0204]\n"
    )
    work = DockWork(
        base="hydran-base-0205", bay=1, race="hydran", into=state.classes["cc"], named="A", cost=60, ship="hydran-F1-CA"
    )
    state.works[work.key] = work
    ask = fought(state).asked("hydran", "allocate")[0]
    sheets = ({}, {"hydran-F1-CA": {"place": "planet"}}, {"hydran-F1-CA": {"place": "approach"}})
    assert [ask.warn(ask.answer_from(one)) for one in sheets] == [
        [
            "Hydran F1 Ca leaves its dock, so that its refit is lost (CU-N47).",
        ],
        [],
        [
            "Hydran F1 Ca leaves its dock, so that its refit is lost (CU-N47).",
        ],
    ]


@pytest.mark.rule("cutler", "2.9.1", "2.9.5", "2.9.8", "3.5.9")
def test_how_a_sortie_against_a_base_of_a_force_is_set_up() -> None:
    text = (
        "turn 1 impulse 3\nhydran F1 0403 CV[fighters=12]\nklingon base 0404 Fort\nklingon F1 0404 CW\n"
        "lyran F1 0404 CC\ntogether klingon lyran\n"
    )
    turn = table_of(world(text))
    answers = {
        ("sortie", "hydran"): {"hydran-F1-CV": {"target": "0404"}},
        ("attack", "hydran"): {"lyran": {"fighters": 12}},
        ("allocate", "klingon"): {"klingon-F1-CW": {"place": "base1"}},
        ("battle", ""): lambda ask: {
            line.key: {"fate": "disengaged" if line.key[0] == "H" else "intact"} for line in ask.form.lines
        },
    }
    run = Run(turn, sorties_steps(turn.at("sortie")), answers)
    for ask in battles_of(run):
        assert ask.setup is not None
        assert ask.setup.scene is not None
    assert [panels(ask, "hydran")[:14] for ask in battles_of(run)] == [
        [
            "Sortie battle in 0404: Lyran and Klingon against Hydran",
            "Set-up (3.4.3)",
            "- Hydran sets up first, all its units within 10 hexes of each other (3.4.3).",
            "- Lyran and Klingon set up next, likewise within 10 hexes of each other.",
            (
                "- No unit nearer than 40 hexes to any enemy, none farther than 45 from the nearest, at least "
                "one at exactly 40."
            ),
            "- A floating map is used (3.4.5).",
            "At the start (3.4.4)",
            "- Speed last turn: that of the slowest ship or undocked PF of the force, forward.",
            "- All may turn or sideslip with their first movement.",
            "- Weapon status 1; no guards assigned.",
            "- Facing the enemy; may be turned towards it after it has set up.",
            "Sortie (2.9)",
            "- Fighters of a sortie begin with booster packs mounted, which may be turned off (2.9.5).",
            "Leaving (3.4.5)",
        ],
    ]
    assert [ask.setup.scene.when for ask in battles_of(run)] == [
        "Turn 1, impulse 3 · open space · sortie",
    ]  # type: ignore[union-attr]
    assert texts(run, "klingon") == [
        "Impulse 3, sorties: Hydran → 0404.",
        "The sortie of the Hydran into 0404 attacks the Lyran.",
        "Sortie against you in 0404: 12 Hydran units (size 6: fighters ×12).",
        "In 0404 the Lyran and Klingon were here before the sortie and defend.",
        "The Lyran and Klingon force an approach battle in 0404.",
        "Sortie battle in 0404. The Hydran sets up first.",
        "The battle in 0404 is over. L1 Lyran F1 Cc: intact; H1 Fighters 1: disengaged.",
    ]
    edge = battles_of(test_terrain.fought(LOCATION, PLACE))[-1]
    assert edge.setup.scene.remark == "Weapon status 1. Nobody flanks here. Nobody can accelerate away."  # type: ignore[union-attr]
    turn = table_of(world(text))
    at_base = Run(
        turn, sorties_steps(turn.at("sortie")), answers | {("allocate", "lyran"): {"lyran-F1-CC": {"place": "base1"}}}
    )
    assert [panels(ask, "hydran")[:13] for ask in battles_of(at_base)] == [
        [
            "Battle at the base 1 of the Klingon in 0404: Lyran and Klingon against Hydran",
            "Set-up (3.5.9)",
            (
                "- Lyran and Klingon (defending) set up first, within 20 hexes of the base 1 of the Klingon, "
                "facing any way."
            ),
            "- Defenders: speed 6 last turn, weapon status 1.",
            "- Hydran (attacking) enters at 40 to 45 hexes from the nearest enemy, at least one at exactly 40.",
            "- Attackers: maximum speed forward, weapon status 1, facing the feature.",
            "- Attackers need not be within 10 hexes of each other: they may surround the feature.",
            "- Nobody flanks here (3.7).",
            "Sortie (2.9)",
            "- Fighters of a sortie begin with booster packs mounted, which may be turned off (2.9.5).",
            "- A base counts among its side's units and stays where it is set up.",
            "Leaving (3.4.5)",
            "- No disengagement by acceleration. Sublight disengagement as in the tactical rules (3.4.5).",
        ],
    ]
