"""What the pictures of battles show, and what they do not."""

import pytest

from rules_engine.core.knowledge.battle_scene import BattleScene, notes_from
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import BattleSetup
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.ch02_sorties.test_sorties import phase
from tests.rulebooks.cutler.ch03_combat.terrain.test_features import DEEP, FORCE, THERE
from tests.rulebooks.cutler.ch03_combat.terrain.test_terrain import SIEGE, at, fought
from tests.rulebooks.cutler.ch03_combat.test_combat import TWO, combat, only_battle
from tests.rulebooks.cutler.ch03_combat.test_surround import FIGHT, surrounded
from tests.rulebooks.cutler.worlds import Run, kind_of, put_aboard, table_of, world


def setups(run: Run) -> list[BattleSetup]:
    return [ask.setup for ask in run.asks if ask.kind == "battle" and ask.setup is not None]


def scene_of(setup: BattleSetup | None) -> BattleScene:
    assert setup is not None
    assert setup.scene is not None
    return setup.scene


def stations(scene: BattleScene) -> list[tuple[str, str, tuple[str, ...], int, int]]:
    assert scene.start is not None
    return [(one.side, one.spot, one.codes, one.step, one.way) for one in scene.start.stations]


def said(scene: BattleScene) -> list[str]:
    return [f"{step.side}: {step.says}" for step in scene.steps]


@pytest.mark.rule("cutler", "3.4.3")
def test_in_open_space_who_sets_up_first_stands_left() -> None:
    setup = only_battle(combat(TWO, {("card", "hydran"): FIGHT})).setup
    assert setup is not None
    scene = scene_of(setup)
    first, second = (force.sides[0] for force in scene.forces)
    name = {"hydran": "Hydran", "lyran": "Lyran"}[first]
    assert setup.panels[0].rows[0].startswith(f"{name} sets up first")
    assert [force.does for force in scene.forces] == ["first", "second"]
    assert scene.start is not None
    assert (scene.start.ground, scene.start.distance) == ("space", "40–45")
    assert stations(scene) == [(first, "middle", (), 1, 0), (second, "far", (), 2, 0)]
    assert said(scene) == [f"{first}: all within 10 hexes", f"{second}: likewise, 40 to 45 off, one at exactly 40"]
    assert {party.label.key: party.seat for party in scene.parties} == {"hydran": 0, "lyran": 1}
    assert {unit.code for unit in scene.units} == {"H1", "H2", "L1", "L2"}


@pytest.mark.rule("cutler", "3.5.9")
def test_at_a_feature_the_defender_stands_left_within_twenty_hexes_of_it(kept: Kept) -> None:
    scene = scene_of(setups(fought(SIEGE, {("allocate", "hydran"): at(CA="planet", DD="planet", PF="planet")}))[-1])
    assert [(force.sides, force.does) for force in scene.forces] == [(("hydran",), "defends"), (("lyran",), "attacks")]
    assert scene.start is not None
    assert (scene.start.ground, scene.start.distance, scene.start.feature) == ("point", "40–45", "the planet Rock")
    assert said(scene) == kept()
    assert "at the planet Rock" in scene.when
    status = "Weapon status 1. Defenders had speed 6, attackers their maximum."
    assert scene.remark == f"{status} Nobody can accelerate away."


@pytest.mark.rule("cutler", "3.5.9")
@pytest.mark.parametrize(("depth", "ground", "place"), [("edge", "edge", "at"), ("deep", "space", "deep within")])
def test_at_a_location_it_is_fought_at_the_edge_or_deep_within(depth: str, ground: str, place: str) -> None:
    text = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]"
    answers = {("allocate", "hydran"): at(CA="asteroids"), ("depth", "hydran"): {"battle": {"depth": depth}}}
    scene = scene_of(setups(fought(text, answers))[-1])
    assert scene.start is not None
    assert scene.start.ground == ground
    assert place in scene.when
    assert (scene.forces[0].sides, scene.start.distance) == (("hydran",), "40–45")
    if depth == "edge":
        assert said(scene) == [
            "hydran: within 10 of the edge and each other",
            "lyran: outside, 40 to 45 off, one at exactly 40",
        ]
    else:  # as in open space, where a die says who is first
        first, second = (step.side for step in scene.steps)
        assert {first, second} == {"hydran", "lyran"}
        assert said(scene) == [f"{first}: all within 10 hexes", f"{second}: likewise, 40 to 45 off, one at exactly 40"]


@pytest.mark.rule("cutler", "3.6", "3.6.1.1")
def test_pursuers_are_drawn_in_their_directions_around_those_who_flee(kept: Kept) -> None:
    scene = scene_of(setups(surrounded(die=3, way=6))[-1])
    assert scene.start is not None
    assert (scene.start.ground, scene.start.distance) == ("around", "30–34")
    assert [force.does for force in scene.forces] == ["flees", "pursues"]
    assert stations(scene) == kept("stations(scene)")
    assert said(scene) == kept("said(scene)")
    status = "Weapon status 0 for those who flee, 2 for the others; all at maximum speed."
    assert scene.remark == f"{status} Nobody can accelerate away."


@cases("secret")
def test_what_is_left_of_a_ship_is_in_no_picture_that_its_enemy_sees(secret: str) -> None:
    whole = scene_of(only_battle(combat(TWO, {("card", "hydran"): FIGHT})).setup)
    hurt = scene_of(only_battle(combat(TWO.replace("hydran F1 0404 CA+DD", secret), {("card", "hydran"): FIGHT})).setup)
    assert "warp" not in whole.columns
    assert hurt == whole
    assert all(unit.left is None and unit.whole is None for unit in whole.units)


@pytest.mark.rule("cutler", "3.7.1")
def test_who_flanks_is_in_no_picture() -> None:
    flanks = {"hydran-F1-CA": {"group": 2}, "hydran-F1-DD": {"group": 1}}
    dice = {"flank 1, hydran": [4], "flank 2, hydran": [2]}
    open_ = only_battle(combat(TWO, {("card", "hydran"): FIGHT})).setup
    secret = only_battle(combat(TWO, {("card", "hydran"): FIGHT, ("flank", "hydran"): flanks}, dice)).setup
    assert open_ is not None
    assert secret is not None
    assert secret.secret["hydran"] != open_.secret["hydran"]
    assert scene_of(secret) == scene_of(open_)


def test_the_rule_at_the_end_of_a_sentence_stands_apart(kept: Kept) -> None:
    rows = (
        "A sets up first (3.4.3).", "Nobody flanks.", "Held (as a tractor).", "They face 1 (CU-N94).",
        "x (3.3.2, 3.3.7.8).",
    )  # fmt: skip
    notes = notes_from(Panel(title="Set-up (3.4)", rows=rows))
    assert notes.title == "Set-up"
    assert [(note.says, note.rule) for note in notes.notes] == kept()


@pytest.mark.rule("cutler", "3.4")
def test_a_race_alone_sees_what_is_left_of_its_own_ships() -> None:
    text = TWO.replace("hydran F1 0404 CA+DD", "hydran F1 0404 CA[warp=12,imp=1]+DD")
    setup = only_battle(combat(text, {("card", "hydran"): FIGHT})).setup
    assert setup is not None
    hurt = setup.own["hydran"].units[0]
    assert (hurt.code, hurt.left, hurt.whole, hurt.of) == ("H1", 12, 30, "warp")
    shown = dict(zip(setup.own["hydran"].columns, hurt.cells, strict=True))
    assert [name for name, cell in shown.items() if cell.differs] == ["warp", "impulse"]
    assert {unit.side for unit in setup.own["lyran"].units} == {"lyran"}
    assert (setup.common().own, list(setup.seen_by("lyran").own)) == ({}, ["lyran"])


# --- forces of several races, and all that is said of units ----------------------------------------------------------
FIRST = {"set-up, Hydran": [6], "set-up, Lyran": [1]}
LAST = {"set-up, Hydran": [1], "set-up, Lyran": [6]}
PARTNERS = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC\nklingon F1 0404 CW\ntogether hydran klingon\n"


def numbers(scene: BattleScene) -> list[tuple[str, str, int, int]]:
    """Of each station: whose, where, how many units, and when it is set up."""
    assert scene.start is not None
    return [(one.side, one.spot, one.units, one.step) for one in scene.start.stations]


def does(scene: BattleScene) -> list[tuple[tuple[str, ...], str, str]]:
    return [(force.sides, force.does, force.title) for force in scene.forces]


@pytest.mark.rule("cutler", "3.4.3", "2.10")
@pytest.mark.parametrize("terrain", ["", "nebula", "dust", "heat", "asteroids"])
def test_a_force_of_two_races_is_set_up_race_by_race_and_first_or_last(terrain: str) -> None:
    for dice, hydrans_first in ((FIRST, True), (LAST, False)):
        state = world(PARTNERS)
        state.terrain |= {"0404": terrain} if terrain in ("nebula", "dust", "heat") else {"0405": "nebula"}  # type: ignore[dict-item]
        scene = scene_of(only_battle(combat_in(state, dice)).setup)
        covered = terrain in ("nebula", "dust", "heat")
        where = f"the whole map is {terrain}" if covered else "open space"
        assert (scene.title, scene.when) == ("Battle in 0404", f"Turn 1, impulse 3 · {where}")
        spots = ("middle", 1, "far", 2) if hydrans_first else ("far", 2, "middle", 1)
        both = [("hydran", spots[0], 2, spots[1]), ("klingon", spots[0], 1, spots[1])]
        alone = [("lyran", spots[2], 1, spots[3])]
        assert numbers(scene) == (both + alone if hydrans_first else alone + both)
        force = (("hydran", "klingon"), ("lyran",))
        sides = force if hydrans_first else force[::-1]
        assert does(scene) == [(sides[0], "first", "sets up first"), (sides[1], "second", "sets up next")]
        near, far = "all within 10 hexes", "likewise, 40 to 45 off, one at exactly 40"
        assert said(scene) == (
            [f": Hydran and Klingon: {near}", f"lyran: {far}"]
            if hydrans_first
            else [f"lyran: {near}", f": Hydran and Klingon: {far}"]
        )
        codes = ["H1", "H2", "K1"]
        assert [unit.code for unit in scene.units] == ([*codes, "L1"] if hydrans_first else ["L1", *codes])
        assert [(party.label.key, party.seat) for party in scene.parties] == [
            ("hydran", 0),
            ("lyran", 1),
            ("klingon", 2),
        ]
        assert scene.start is not None
        assert scene.start.feature == ""


def combat_in(state: CutlerState, dice: dict[str, list[int]]) -> Run:
    turn = table_of(state, dice)
    return Run(turn, combat_phase_steps(turn.at("combat")), {("card", "hydran"): FIGHT})


@pytest.mark.rule("cutler", "3.5.9", "2.10")
def test_deep_within_a_location_the_defender_stands_left_whoever_is_first() -> None:
    for dice, steps in ((FIRST, (1, 2)), (LAST, (2, 1))):
        scene = scene_of(setups(fought(FORCE, THERE | DEEP, dice))[-1])
        assert does(scene) == [(("hydran", "klingon"), "defend", "defender"), (("lyran",), "attacks", "attacker")]
        assert numbers(scene) == [
            ("hydran", "middle", 1, steps[0]),
            ("klingon", "middle", 1, steps[0]),
            ("lyran", "far", 1, steps[1]),
        ]
        assert scene.when == "Turn 2, impulse 3 · deep within the asteroid belt"
        assert scene.start is not None
        assert (scene.start.feature, scene.start.ground) == ("", "space")
        assert scene.remark == "Weapon status 1, facing the enemy. Nobody can accelerate away."


@pytest.mark.rule("cutler", "3.5.9", "2.10")
def test_at_the_edge_a_force_defends_and_a_race_of_it_that_is_not_there_is_not_drawn(kept: Kept) -> None:
    scene = scene_of(setups(fought(FORCE, THERE))[-1])
    assert said(scene) == kept()
    assert scene.when == "Turn 2, impulse 3 · at the asteroid belt"
    assert scene.remark == "Weapon status 1. Nobody flanks here. Nobody can accelerate away."
    assert scene.start is not None
    assert scene.start.feature == "the asteroid belt"
    scenes = [scene_of(one) for one in setups(fought(FORCE, {**THERE, ("allocate", "klingon"): {}}))]
    assert [numbers(one) for one in scenes[1:]] == [[("hydran", "middle", 1, 1), ("lyran", "far", 1, 2)]]


@pytest.mark.rule("cutler", "3.6.1.1", "2.10")
def test_pursuers_of_a_force_stand_race_by_race_in_each_direction(kept: Kept) -> None:
    state = world(
        "turn 1 impulse 3\nhydran F1 0404 FF+FF\nlyran F1 0404 CC+CW\nklingon F1 0404 DD\ntogether lyran klingon\n"
    )
    answers = {
        ("card", "lyran"): FIGHT,
        ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-FF", "hydran-F1-FF2"]}}],
        ("pursuit", "lyran"): {"lyran-F1-CC": {"group": 1}, "lyran-F1-CW": {"group": 1}},
        ("pursuit", "klingon"): {"klingon-F1-DD": {"group": 1}},
        ("surround", "lyran"): {"lyran-F1-CW": {"group": 1}},
        ("surround", "klingon"): {"klingon-F1-DD": {"group": 1}},
    }
    turn = table_of(state, {"escape from": [6], "surround, group 1": [3], "direction, group 1": [4]})
    scene = scene_of(setups(Run(turn, combat_phase_steps(turn.at("combat")), answers))[0])
    assert scene.when == "Turn 1, impulse 3 · open space · escape battle"
    assert does(scene) == [(("hydran",), "flees", "escaping"), (("lyran", "klingon"), "pursue", "pursuing")]
    assert stations(scene) == kept()
    assert numbers(scene)[0] == ("hydran", "middle", 2, 1)


@pytest.mark.rule("cutler", "2.9.5")
def test_a_sortie_is_named_in_the_picture_of_its_battle() -> None:
    scenes = [scene_of(one) for one in setups(phase(answers={("attack", "hydran"): {"klingon": {"fighters": 12}}}))]
    assert [scene.when for scene in scenes] == ["Turn 1, impulse 3 · open space · sortie"]


@pytest.mark.rule("cutler", "3.4", "3.5.8", "5.1.2")
def test_of_every_unit_its_kind_is_shown_and_of_its_own_what_is_left(kept: Kept) -> None:
    state = world(SIEGE.replace("CA+DD", "CA[fighters=6]+DD").replace("Fort", "Fort[fighters=2]"))
    destroyer, cruiser = state.units["hydran-F1-DD"], state.units["lyran-F1-CW"]
    destroyer.captured_from, destroyer.warp_ok = "klingon", 5
    cruiser.cloaked, cruiser.engaged = True, True
    destroyer.record = kind_of("DD", boarding_parties=10)
    destroyer.boarding_parties = 11
    put_aboard(state.units["hydran-F1-CA"], 6, 3)
    sheet: dict[str, dict[str, object]] = at(CA="planet", DD="planet", PF="planet")
    sheet["hydran-F1-CA"] |= {"fighters": 4, "fighters_to": "planet"}
    setup = setups(fought(state, {("allocate", "hydran"): sheet}))[-1]
    assert [(unit.code, unit.kind, unit.aside, unit.under) for unit in scene_of(setup).units] == kept("seen")
    cells = {unit.code: tuple(cell.says for cell in unit.cells) for unit in scene_of(setup).units}
    assert (cells["H1"], cells["H5"], cells["L3"]) == (("base", "1", "600"), (), ("FF", "4", "60"))
    assert numbers(scene_of(setup)) == [("hydran", "middle", 5, 1), ("lyran", "far", 3, 2)]
    own = setup.own["hydran"]
    assert own.columns == ("warp", "impulse", "parties", "fighters")
    assert [(unit.code, unit.kind, unit.aside, unit.left, unit.whole, unit.of) for unit in own.units] == kept("rows")
    cells = {unit.code: tuple(cell.says for cell in unit.cells) for unit in own.units}
    assert cells == kept("cells")
    assert [[cell.differs for cell in unit.cells] for unit in own.units] == kept("#1")


@pytest.mark.rule("cutler", "2.9.5")
def test_who_fights_with_fighters_alone_reads_of_no_ships_of_its_own() -> None:
    setup = setups(phase(answers={("attack", "hydran"): {"klingon": {"fighters": 12}}}))[0]
    assert (setup.own["hydran"].units, setup.own["hydran"].columns) == ((), ())
    assert setup.own["klingon"].columns == ("warp", "impulse", "parties", "fighters")
