"""What the pictures of battles show, and what they do not."""

import pytest

from rules_engine.core.knowledge.battle_scene import BattleScene, notes_from
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import BattleSetup
from tests.rulebooks.cutler.ch03_combat.test_combat import TWO, combat, only_battle
from tests.rulebooks.cutler.ch03_combat.test_surround import FIGHT, surrounded
from tests.rulebooks.cutler.ch03_combat.test_terrain import SIEGE, at, fought
from tests.rulebooks.cutler.worlds import Run


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
def test_at_a_feature_the_defender_stands_left_within_twenty_hexes_of_it() -> None:
    run = fought(SIEGE, {("allocate", "hydran"): at(CA="planet", DD="planet", PF="planet")})
    scene = scene_of(setups(run)[-1])
    assert [(force.sides, force.does) for force in scene.forces] == [(("hydran",), "defends"), (("lyran",), "attacks")]
    assert scene.start is not None
    assert (scene.start.ground, scene.start.distance, scene.start.feature) == ("point", "40–45", "the planet Rock")
    assert said(scene) == [
        "hydran: within 20 hexes of the planet Rock",
        "lyran: 40 to 45 off, one at exactly 40",
    ]
    assert "at the planet Rock" in scene.when
    status = "Weapon status 1. Defenders had speed 6, attackers their maximum."
    assert scene.remark == f"{status} Nobody can accelerate away."


@pytest.mark.rule("cutler", "3.5.9")
@pytest.mark.parametrize(("depth", "ground", "place"), [("edge", "edge", "at"), ("deep", "space", "deep within")])
def test_at_a_location_it_is_fought_at_the_edge_or_deep_within(depth: str, ground: str, place: str) -> None:
    text = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]"
    answers = {("allocate", "hydran"): at(CA="asteroids"), ("depth", "hydran"): {"battle": {"depth": depth}}}
    run = fought(text, answers)
    scene = scene_of(setups(run)[-1])
    assert scene.start is not None
    assert scene.start.ground == ground
    assert place in scene.when
    assert scene.forces[0].sides == ("hydran",)
    assert scene.start.distance == "40–45"
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
def test_pursuers_are_drawn_in_their_directions_around_those_who_flee() -> None:
    scene = scene_of(setups(surrounded(die=3, way=6))[-1])
    assert scene.start is not None
    assert (scene.start.ground, scene.start.distance) == ("around", "30–34")
    assert [force.does for force in scene.forces] == ["flees", "pursues"]
    assert stations(scene) == [
        ("hydran", "middle", (), 1, 0),
        ("lyran", "far", ("L1",), 2, 1),
        ("lyran", "far", ("L2",), 2, 6),
    ]
    assert said(scene) == [
        "hydran: within 10 hexes, all facing one way",
        "lyran: 30 to 34 off, one at exactly 30",
        ": Each group in its direction; ahead is 1",
    ]
    status = "Weapon status 0 for those who flee, 2 for the others; all at maximum speed."
    assert scene.remark == f"{status} Nobody can accelerate away."


@pytest.mark.rule("cutler", "3.4.3", "3.7.1")
@pytest.mark.parametrize(
    "secret",
    [
        "hydran F1 0404 CA[warp=3,imp=1]+DD",
        "hydran F1 0404 CA[crew=poor,officers=navigator]+DD",
    ],
)
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


def test_the_rule_at_the_end_of_a_sentence_stands_apart() -> None:
    rows = (
        "A sets up first (3.4.3).",
        "Nobody flanks.",
        "Held (as a tractor).",
        "They face 1 (CU-N94).",
        "x (3.3.2, 3.3.7.8).",
    )
    notes = notes_from(Panel(title="Set-up (3.4)", rows=rows))
    assert notes.title == "Set-up"
    assert [(note.says, note.rule) for note in notes.notes] == [
        ("A sets up first", "3.4.3"),
        ("Nobody flanks", "3.4"),
        ("Held (as a tractor)", "3.4"),
        ("They face 1", "CU-N94"),
        ("x", "3.3.2, 3.3.7.8"),
    ]


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
    assert setup.common().own == {}
    assert list(setup.seen_by("lyran").own) == ["lyran"]
