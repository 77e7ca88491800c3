"""Chapter 3: the words of the sheets of a combat, and of the panels by which a battle is set up and left."""

import pytest

from tests.rulebooks.cutler.ch03_combat import test_combat, test_hydraxx, test_surround, test_transfers
from tests.rulebooks.cutler.ch03_combat.terrain import test_terrain
from tests.rulebooks.cutler.shown import battles_of, heads, panels
from tests.rulebooks.cutler.worlds import on_sheet

LOCATION = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]"
PLACE = {("allocate", "hydran"): test_terrain.at(CA="asteroids")}
DEEP = {("depth", "hydran"): {"battle": {"depth": "deep"}}}


@pytest.mark.rule("cutler", "3.3.2", "3.3.4", "3.6.1.1")
def test_what_the_sheets_of_a_pursuit_say() -> None:
    run = test_surround.surrounded("", test_surround.NAVIGATOR)
    assert heads(run, "lyran") == [
        "card: 0404: bypass or combat | You share 0404 with: Hydran. The cards are shown together; one "
        "combat card opens combat. | Your card is bypass. | Your card in 0404: bypass.",
        "wave: 0404: escape wave 1 | Which ships try to get away? An empty wave is your last; the rest "
        "stand for the main battle. | Nobody runs. | Nobody runs.",
        "pursuit: 0404: pursuit of wave 1 | 1 Hydran unit (size 4: FF) tries to get away. Ships sent "
        "after them fight nobody else of that race; it cannot be called off. | Nobody pursues. | Nobody "
        "pursues.",
        "surround: 0404: surrounding those you caught | Each group that tries to surround succeeds on 1 "
        "to 4; a second die is its direction. Directions count from the facing of the escaping ships, "
        "which is 1; 4 is behind them. | Nobody surrounds; your force is set up in direction 1, in their "
        "path. | Your force is set up in direction 1.",
        "steer: 0404: your navigator and the groups that surround | Your legendary navigator may shift "
        "the direction of each group that surrounds by 1; next to 6 is 1. | The directions stay as they "
        "were rolled. | Group 1: direction 6.",
        "battle: Result of the battle in 0404 | Fight it out by the sheet. Then both sides report every "
        "unit; the reports must agree line by line.",
    ]


@pytest.mark.rule("cutler", "3.6", "3.6.1", "3.6.1.1", "3.4.5")
def test_how_an_escape_battle_is_set_up() -> None:
    run = test_surround.surrounded()
    assert panels(battles_of(run)[0], "hydran") == [
        "Escape battle in 0404: Hydran and Lyran",
        "Set-up (3.6)",
        "- Hydran (escaping): within 10 hexes of each other, all facing one way, maximum speed, weapon status 0.",
        "- Lyran (pursuing): 30 to 34 hexes from the nearest enemy, in any direction, one at exactly 30.",
        "- Pursuers within 10 hexes of each other, maximum speed, facing the enemy, weapon status 2.",
        "- A surrounding group that rolled 1-3 is set up in the direction of its second die, on its own (3.6.1.1).",
        "- Nobody may escape from an escape battle; disengaging is allowed (3.3.2, 3.3.7.8).",
        "Where the pursuers stand (3.6.1.1)",
        "- Direction 1: L1 Lyran F1 Cc",
        "- Direction 6: L2 Lyran F1 Cw",
        "- Directions count from the escaping ships, which face 1 (CU-N94).",
        "Leaving (3.4.5)",
        "- No disengagement by acceleration. Sublight disengagement as in the tactical rules (3.4.5).",
        "- By separation, once no internals came for 20 turns, no shield damage for 10, no closing for 20.",
        "- A held tractor or a boarding action counts as internal damage (3.4.5.1.1).",
        "- Announce it at the start of an impulse (3.4.5.2). Who disengages must leave the hex at the "
        "next opportunity.",
    ]


@pytest.mark.rule("cutler", "3.4.3", "3.4.4", "3.4.5", "3.7.2", "3.7.4", "3.7.6")
def test_how_a_battle_in_open_space_with_flanks_is_set_up() -> None:
    run = test_surround.flanked({"flank": [3]})
    assert panels(battles_of(run)[0], "hydran") == [
        "Battle in 0404: Hydran and Lyran",
        "Set-up (3.4.3)",
        "- Lyran sets up first, all its units within 10 hexes of each other (3.4.3).",
        "- Hydran sets up next, likewise within 10 hexes of each other.",
        "- No unit nearer than 40 hexes to any enemy, none farther than 45 from the nearest, at least "
        "one at exactly 40.",
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
        "- Announce it at the start of an impulse (3.4.5.2). Who disengages must leave the hex at the "
        "next opportunity.",
        "Your flanking groups",
        "- Arrives on turn 4: Hydran F1 Dd",
        "- Within 10 hexes of each other, 30 or more from the enemy, weapon status 2, maximum speed (3.7.2, 3.7.6).",
        "If two flanks arrive together (3.7.4)",
        "- Turn 4: your die is 4.",
        "- If an enemy group arrives on the same turn, tell each other your dice: the higher sets up first.",
    ]


@pytest.mark.rule("cutler", "3.7", "3.3.2")
def test_what_the_sheets_of_a_battle_in_open_space_say() -> None:
    run = test_surround.flanked({})
    assert heads(run, "hydran") == [
        "card: 0404: bypass or combat | You share 0404 with: Lyran. The cards are shown together; one "
        "combat card opens combat. | Your card is bypass. | Your card in 0404: bypass.",
        "wave: 0404: escape wave 1 | Which ships try to get away? An empty wave is your last; the rest "
        "stand for the main battle. | Nobody runs. | Nobody runs.",
        "flank: 0404: flanking | Flanking groups arrive late and one by one, from any direction, 30 "
        "hexes or more from the enemy. | Nobody flanks. | Nobody flanks.",
        "battle: Result of the battle in 0404 | Fight it out by the sheet. Then both sides report every "
        "unit; the reports must agree line by line.",
    ]


@pytest.mark.rule("cutler", "3.5.3", "3.5.5", "3.5.6")
def test_what_the_defender_of_a_planet_is_asked() -> None:
    run = test_terrain.fought()
    assert heads(run, "hydran") == [
        "card: 0404: bypass or combat | You share 0404 with: Lyran. The cards are shown together; one "
        "combat card opens combat. | Your card is bypass. | Your card in 0404: bypass.",
        "allocate: 0404: your defence | You defend 0404. Send each unit to a feature or to the approach "
        "battle; the Lyran learns of neither. Who fights the approach battle does not come back. | "
        "Hydran F1 Ca to the approach battle; Hydran F1 Dd to the approach battle; Hydran F1 Pf to the "
        "approach battle; Fort to the planet Rock. | Hydran F1 Ca (CA): the approach battle. | Hydran F1 "
        "Dd (DD): the approach battle. | Hydran F1 Pf (PF): the approach battle. | Fort (Base): the "
        "planet Rock.",
        "wave: 0404: escape wave 1 | Which ships try to get away? An empty wave is your last; the rest "
        "stand for the main battle. | Nobody runs. | Nobody runs.",
        "flank: 0404: flanking | Flanking groups arrive late and one by one, from any direction, 30 "
        "hexes or more from the enemy. | Nobody flanks. | Nobody flanks.",
        "battle: Result of the battle in 0404 | Fight it out by the sheet. Then both sides report every "
        "unit; the reports must agree line by line.",
    ]


@pytest.mark.rule("cutler", "3.5.3", "3.5.5", "3.5.6")
def test_what_the_attacker_of_a_planet_is_asked() -> None:
    run = test_terrain.fought()
    assert heads(run, "lyran") == [
        "card: 0404: bypass or combat | You share 0404 with: Hydran. The cards are shown together; one "
        "combat card opens combat. | Your card is bypass. | Your card in 0404: bypass.",
        "wave: 0404: escape wave 1 | Which ships try to get away? An empty wave is your last; the rest "
        "stand for the main battle. A wave that tries to reach a terrain feature fights there; this "
        "cannot be taken back (3.5.5). | Nobody runs. | Nobody runs.",
        "flank: 0404: flanking | Flanking groups arrive late and one by one, from any direction, 30 "
        "hexes or more from the enemy. | Nobody flanks. | Nobody flanks.",
        "battle: Result of the battle in 0404 | Fight it out by the sheet. Then both sides report every "
        "unit; the reports must agree line by line.",
        "allocate: 0404: your attack | Send each unit to a terrain feature of 0404. A ship fights at one "
        "feature in an impulse (3.5.6). | Lyran F1 Cc to the planet Rock; Lyran F1 Cw to the planet "
        "Rock; Lyran F1 Ff to the planet Rock. | Lyran F1 Cc (CC): the planet Rock. | Lyran F1 Cw (CW): "
        "the planet Rock. | Lyran F1 Ff (FF): the planet Rock.",
    ]


@pytest.mark.rule("cutler", "3.5.9")
def test_how_a_battle_at_a_planet_is_set_up() -> None:
    run = test_terrain.fought()
    assert panels(battles_of(run)[-1], "lyran") == [
        "Battle at the planet Rock in 0404: Hydran and Lyran",
        "Set-up (3.5.9)",
        "- Hydran (defending) sets up first, within 20 hexes of the planet Rock, facing any way.",
        "- Defenders: speed 6 last turn, weapon status 1.",
        "- Lyran (attacking) enters at 40 to 45 hexes from the nearest enemy, at least one at exactly 40.",
        "- Attackers: maximum speed forward, weapon status 1, facing the feature.",
        "- Attackers need not be within 10 hexes of each other: they may surround the feature.",
        "- Nobody flanks here (3.7).",
        "Leaving (3.4.5)",
        "- No disengagement by acceleration. Sublight disengagement as in the tactical rules (3.4.5).",
        "- By separation, once no internals came for 20 turns, no shield damage for 10, no closing for 20.",
        "- A held tractor or a boarding action counts as internal damage (3.4.5.1.1).",
        "- Announce it at the start of an impulse (3.4.5.2). Who disengages must leave the hex at the "
        "next opportunity.",
        "Your work before this battle (3.9)",
        "- L1, L2, L3: one turn of emergency damage repair, or one of damage control on shields; one "
        "turn of reloading drone racks. No special shuttle is prepared.",
    ]


@pytest.mark.rule("cutler", "3.5.9")
def test_how_a_battle_at_the_edge_of_a_location_is_set_up() -> None:
    run = test_terrain.fought(LOCATION, PLACE)
    assert panels(battles_of(run)[-1], "lyran") == [
        "Battle at the asteroid belt in 0404: Hydran and Lyran",
        "Set-up (3.5.9)",
        "- At the edge of the asteroid belt.",
        "- Hydran (defending) sets up first, within 10 hexes of the edge and of each other.",
        "- Lyran (attacking) sets up outside, 40 hexes or more from the edge, within 10 hexes of each other.",
        "- No attacker nearer than 40 hexes to any enemy, none farther than 45 from the nearest, at "
        "least one at exactly 40 (3.4.3).",
        "- Speed last turn: that of the slowest ship or undocked PF of the force, forward; weapon status 1 (3.4.4).",
        "- Nobody flanks here (3.7).",
        "Leaving (3.4.5)",
        "- No disengagement by acceleration. Sublight disengagement as in the tactical rules (3.4.5).",
        "- By separation, once no internals came for 20 turns, no shield damage for 10, no closing for 20.",
        "- A held tractor or a boarding action counts as internal damage (3.4.5.1.1).",
        "- Announce it at the start of an impulse (3.4.5.2). Who disengages must leave the hex at the "
        "next opportunity.",
    ]


@pytest.mark.rule("cutler", "3.5.9")
def test_how_a_battle_deep_within_a_location_is_set_up() -> None:
    run = test_terrain.fought(LOCATION, PLACE | DEEP)
    assert panels(battles_of(run)[-1], "lyran") == [
        "Battle at the asteroid belt in 0404: Hydran and Lyran",
        "Set-up (3.5.9)",
        "- Deep within the asteroid belt, which covers all maps of the battle.",
        "Set-up (3.4.3)",
        "- Lyran sets up first, all its units within 10 hexes of each other (3.4.3).",
        "- Hydran sets up next, likewise within 10 hexes of each other.",
        "- No unit nearer than 40 hexes to any enemy, none farther than 45 from the nearest, at least "
        "one at exactly 40.",
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
        "- Announce it at the start of an impulse (3.4.5.2). Who disengages must leave the hex at the "
        "next opportunity.",
    ]


@pytest.mark.rule("cutler", "3.5.9")
def test_what_the_defender_of_a_location_is_asked() -> None:
    run = test_terrain.fought(LOCATION, PLACE)
    assert on_sheet(run.asked("hydran", "depth")[0]) == [
        "0404: where you fight at the asteroid belt",
        "You defend the asteroid belt: at its edge, or deep within it, where it covers all maps of the battle?",
        "You fight at its edge.",
        "the asteroid belt",
        "- Where: At its edge, Deep within it; 'edge'",
    ]


@pytest.mark.rule("cutler", "3.8", "3.5.6")
def test_what_the_attacker_of_several_features_is_asked() -> None:
    run = test_hydraxx.played()
    assert [one for one in heads(run, "klingon") if one.startswith(("order", "pursuit"))] == [
        "pursuit: 0404: pursuit of wave 1 | 1 Hydran unit (size 3: CW) tries to get away. Ships sent "
        "after them fight nobody else of that race; it cannot be called off. | Nobody pursues. | Nobody "
        "pursues.",
        "order: 0404: the order of your battles | In which order are the battles at the features fought? "
        "Equal numbers keep the order of the sheet. | In this order: the planet Hydraxx, the gas giant. "
        "| In this order: the planet Hydraxx, the gas giant.",
    ]


@pytest.mark.rule("cutler", "3.2")
def test_what_a_race_is_asked_that_acts_among_three() -> None:
    run = test_combat.combat(test_combat.THREE, {("card", "lyran"): test_combat.FIGHT}, {"acting player, Hydran": [6]})
    assert on_sheet(run.asked("hydran", "challenge")[0]) == [
        "0404: you act first",
        "You may challenge one race in 0404 to combat, or pass.",
        "You pass.",
        "Challenge",
        "- Challenge: Lyran, Klingon; None; blank passes",
    ]


@pytest.mark.rule("cutler", "3.4", "2.4.1.6")
def test_what_the_sheet_of_a_battle_asks_of_each_unit() -> None:
    run = test_combat.battle()
    assert on_sheet(battles_of(run)[0]) == [
        "Result of the battle in 0404",
        "Fight it out by the sheet. Then both sides report every unit; the reports must agree line by line.",
        "H1: Hydran Hydran F1 Ca (CA)",
        "- Fate: Still there, engines as before, Still there, damaged, Disengaged, Destroyed, Captured; 'intact'",
        "- Warp boxes lost in this battle: 0 to 30; 0",
        "- Impulse boxes lost in this battle: 0 to 4; 0",
        "- Points of D9.4 for these after combat: 0 to 320; 0",
        "H2: Hydran Hydran F1 Dd (DD)",
        "- Fate: Still there, engines as before, Still there, damaged, Disengaged, Destroyed, Captured; 'intact'",
        "- Warp boxes lost in this battle: 0 to 18; 0",
        "- Impulse boxes lost in this battle: 0 to 2; 0",
        "- Points of D9.4 for these after combat: 0 to 190; 0",
        "L1: Lyran Lyran F1 Cc (CC)",
        "- Fate: Still there, engines as before, Still there, damaged, Disengaged, Destroyed, Captured; 'intact'",
        "- Warp boxes lost in this battle: 0 to 30; 0",
        "- Impulse boxes lost in this battle: 0 to 4; 0",
        "- Points of D9.4 for these after combat: 0 to 320; 0",
        "L2: Lyran Lyran F1 Ff (FF)",
        "- Fate: Still there, engines as before, Still there, damaged, Disengaged, Destroyed, Captured; 'intact'",
        "- Warp boxes lost in this battle: 0 to 12; 0",
        "- Impulse boxes lost in this battle: 0 to 2; 0",
        "- Points of D9.4 for these after combat: 0 to 130; 0",
    ]


@pytest.mark.rule("cutler", "3.9")
def test_what_may_be_moved_after_combat_is_said() -> None:
    run = test_transfers.combat(test_transfers.stocked())
    assert on_sheet(run.asked("hydran", "transfer")[0])[:9] == [
        "0404: transfers after all combat",
        "You may move what lies in cargo boxes to ships in 0404 now.",
        "Nothing is moved.",
        "Transfer 1",
        "- What: Mines; None",
        "- How many: 1 to 200; None; blank: one",
        "- From: Cargo boxes of Yard (Base); None",
        "- Into: Hydran F1 Ca (CA), Hydran F1 Ms (MS); None",
        "Transfer 2",
    ]
