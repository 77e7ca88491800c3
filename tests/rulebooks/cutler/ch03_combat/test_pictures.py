"""What the pictures of battles show, and what they do not."""

from typing import Any

import pytest

from rules_engine.core.knowledge.battle_scene import BattleScene, notes_from
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import BattleSetup
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.ch02_sorties.test_sorties import phase
from tests.rulebooks.cutler.ch03_combat.terrain.test_features import DEEP, FORCE, THERE
from tests.rulebooks.cutler.ch03_combat.terrain.test_terrain import SIEGE, at, fought
from tests.rulebooks.cutler.ch03_combat.test_combat import TWO, combat, only_battle
from tests.rulebooks.cutler.ch03_combat.test_surround import FIGHT, surrounded
from tests.rulebooks.cutler.worlds import Run, kind_of, put_aboard, world


def setups(run: Run) -> list[BattleSetup]:
    return [ask.setup for ask in run.asks if ask.kind == "battle" and ask.setup is not None]


def scene_of(setup: BattleSetup | None) -> BattleScene:
    assert setup is not None
    assert setup.scene is not None
    return setup.scene


def drawn(setup: BattleSetup) -> dict[str, Any]:
    """All that a picture shows of how a battle begins, and the first row of the sheet beside it."""
    scene = scene_of(setup)
    return {
        "says": [scene.title, scene.when, scene.remark, setup.panels[0].rows[0]],
        "start": (scene.start.ground, scene.start.distance, scene.start.feature),
        "forces": [(force.sides, force.does, force.title) for force in scene.forces],
        "stations": [(one.side, one.spot, one.codes, one.units, one.step, one.way) for one in scene.start.stations],
        "steps": [f"{step.side}: {step.says}" for step in scene.steps],
        "units": " ".join(unit.code for unit in scene.units),
        "parties": {party.label.key: party.seat for party in scene.parties},
    }
FIRST = {"set-up, Hydran": [6], "set-up, Lyran": [1]}
LAST = {"set-up, Hydran": [1], "set-up, Lyran": [6]}
BELT = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]"
PARTNERS = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC\nklingon F1 0404 CW\ntogether hydran klingon\n"
CHASED = "turn 1 impulse 3\nhydran F1 0404 FF+FF\nlyran F1 0404 CC+CW\nklingon F1 0404 DD\ntogether lyran klingon\n"
HUNT = {
    ("card", "lyran"): FIGHT, ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-FF", "hydran-F1-FF2"]}}],
    ("pursuit", "lyran"): {"lyran-F1-CC": {"group": 1}, "lyran-F1-CW": {"group": 1}},
    ("pursuit", "klingon"): {"klingon-F1-DD": {"group": 1}}, ("surround", "lyran"): {"lyran-F1-CW": {"group": 1}},
    ("surround", "klingon"): {"klingon-F1-DD": {"group": 1}},
}  # fmt: skip


def belt(depth: str) -> Run:
    return fought(BELT, {("allocate", "hydran"): at(CA="asteroids"), ("depth", "hydran"): {"battle": {"depth": depth}}})


def partners(dice: dict[str, list[int]], **terrain: Any) -> Run:
    """The Hydran and the Klingon against the Lyran in 0404, with these kinds of terrain by the names of hexes."""
    state = world(PARTNERS)
    state.terrain |= {hex_id.removeprefix("at"): kind for hex_id, kind in terrain.items()}
    return combats.met(state, {("card", "hydran"): FIGHT}, dice)


NOTATION = {
    "FIRST": FIRST, "LAST": LAST, "CHASED": CHASED, "HUNT": HUNT, "SIEGE": SIEGE, "TWO": TWO, "FIGHT": FIGHT, "at": at,
    "FORCE": FORCE, "THERE": THERE, "DEEP": DEEP, "belt": belt, "partners": partners, "fought": fought, "phase": phase,
    "met": combats.met, "surrounded": surrounded,
}  # fmt: skip


@cases("case, proves, run, number", "")
def test_how_the_picture_of_a_battle_begins(run: str, number: int, kept: Kept) -> None:
    assert drawn(setups(evaluated(run, NOTATION))[number]) == kept()


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
    stations = [(side, spot, units, step) for side, spot, _, units, step, _ in drawn(setup)["stations"]]
    assert stations == [("hydran", "middle", 5, 1), ("lyran", "far", 3, 2)]
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
