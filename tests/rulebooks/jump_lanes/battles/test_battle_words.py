"""What is said before a battle, in it and after it, word for word."""

from collections.abc import Callable

from rules_engine.core.forms.short_forms import WhichLines
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.jump_lanes.battles.ground import invasions_steps
from rules_engine.rulebooks.jump_lanes.battles.losses import CargoLosses
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.records.orders import RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing
from tests.rulebooks.jump_lanes.turns import Answer, Play, begin, fates

INTACT, CRIPPLED = "Still there, as before", "Still there, crippled"


def contact() -> LanesState:
    """At Barnard merchants with all their holds full, a tug with a base in tow, and raiders, one of them hurt."""
    state = frontier()
    hermes = squadron(state, "T1", "barnard", ship("Hermes", cargo=10), ship("Zeus", cargo=8, ftl=2))
    hermes.hold = [HoldLot(kind="census", amount=1), HoldLot(kind="experience", amount=30)]
    state.put(ship("Guards", kind="troop", siz=3, worth=9), aboard="T1")
    state.put(ship("Crates", kind="satellite", siz=2, worth=1), aboard="T1")
    squadron(state, "T2", "barnard", ship("Tug", towing=4, mobility=3, basing=1), ship("Base", kind="starbase", ftl=0))
    state.units["Base"].engines = 0
    state.units["Tug"].tows = state.units["Base"].towed = True
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI, siz=3), ship("Wolf", CENTAURI, engines=0))
    state.units["Wolf"].crippled = state.units["Wolf"].out_of_supply = True
    return state


def fought(state: LanesState, change: Callable[[AnyAsk], Answer | None] = lambda ask: None, **units: str) -> Play:
    """A turn in which nobody moves, with the fates of units."""
    play, base = begin(state), fates(**units)
    play.run(movement_steps(play.turn, ()), lambda ask: change(ask) or base(ask))
    return play


def asked(play: Play, kind: str) -> AnyAsk:
    """What was asked of a kind."""
    (ask,) = (one for one in play.asked if one.kind == kind)
    return ask


def test_what_is_asked_of_a_battle(kept: Kept):
    ask = asked(fought(contact()), "battle")
    assert (ask.title, ask.rule, ask.pace) == ("Result of the battle at Barnard", "G-6", "battle")
    assert ask.text == (
        "Fight it out by the sheet. Then all parties report every unit; the reports must agree line by line."
    )
    assert ask.question is not None
    assert (ask.question.heading, ask.question.situation) == (
        "Battle",
        "At Barnard. Fight it out by the sheet, then say how it ended.",
    )
    lines = {line.label: line.fields for line in ask.form.lines}
    assert list(lines) == kept()
    raider, wolf = lines["CU1: Raider (Centauri)"], lines["CU2: Wolf (Centauri)"]
    assert [(one.label, [choice.label for choice in one.choices], one.value) for one in raider] == kept("#2")
    assert [[choice.label for choice in one.choices] for one in wolf] == [[INTACT, "Withdrew", "Destroyed"]]


def test_the_short_way_to_an_account(kept: Kept):
    ask = asked(fought(contact()), "battle")
    assert ask.guide is not None
    page, tows = ask.guide.short.pages
    assert (page.title, tows.title) == ("How it ended", "What is in tow at the end")
    questions = [one for one in page.questions if isinstance(one, WhichLines)]
    assert [(one.label, [line.value for line in one.lines]) for one in questions] == kept()
    sheet = {
        "TU1": {"fate": "destroyed"}, "TU2": {"fate": "crippled"}, "TU3": {"fate": "withdrew"},
        "CU1": {"fate": "odd"}, "CU2": {"fate": None},
    }  # fmt: skip
    found = [(one.code, one.side, one.says, one.ending) for one in ask.guide.units(sheet)]
    assert found == [
        ("TU1", TERRAN, "destroyed", "lost"), ("TU2", TERRAN, "crippled", "hurt"),
        ("TU3", TERRAN, "withdrew", "left"), ("TU4", TERRAN, "still there", "there"),
        ("CU1", CENTAURI, "still there", "there"), ("CU2", CENTAURI, "still there", "there"),
    ]  # fmt: skip


def test_the_sheet_of_a_battle(kept: Kept):
    ask = asked(fought(contact()), "battle")
    assert ask.setup is not None
    setup = ask.setup
    assert (setup.title, setup.where) == ("Battle at Barnard: Terran against Centauri", "Barnard, turn 1")
    assert {panel.title: panel.rows for panel in setup.panels} == kept("#1")
    assert {side: [(panel.title, panel.rows) for panel in panels] for side, panels in setup.secret.items()} == kept(
        "#2"
    )
    scene = setup.scene
    assert scene is not None
    assert (scene.title, scene.when) == ("Battle at Barnard", "Turn 1")
    assert [(one.code, one.kind, one.under) for one in scene.units][4:] == kept("#3")
    assert [(force.sides, force.does) for force in scene.forces] == [((TERRAN,), "fights"), ((CENTAURI,), "fights")]
    assert [one.title for one in scene.notes] == ["Tows"]


def test_units_alone_are_carried_too():
    state = contact()
    state.squadrons["T1"].hold = []
    setup = asked(fought(state), "battle").setup
    assert setup is not None
    assert setup.secret[TERRAN][0].rows[-1] == "Squadron T1 carries Crates, Guards: 5 of 18"


def test_without_tows_nothing_is_said_of_them():
    state = contact()
    state.units["Tug"].tows = state.units["Base"].towed = False
    state.put(state.units["Base"], at="barnard")
    setup = asked(fought(state), "battle").setup
    assert setup is not None
    assert [panel.title for panel in setup.panels] == ["Terran", "Centauri"]


def test_what_is_asked_of_cargo_that_does_not_fit(kept: Kept):
    """Without Hermes there is room for 8 of 18: the census point is enough."""
    ask = asked(fought(contact(), Hermes="destroyed"), "cargo_loss")
    assert (ask.title, ask.rule, ask.pace) == ("Cargo that does not fit any more", "13.3.3, JL-R28", "decision")
    assert ask.text == "These squadrons carry more than their Cargo rating after the battle. Choose what is lost."
    assert ask.question is not None
    assert ask.question.heading == "Cargo is lost"
    (line,) = ask.form.lines
    assert (line.key, line.label, line.note) == ("T1", "Squadron T1", "10 above its Cargo rating")
    assert [(one.label, one.value, one.least, one.most) for one in line.fields] == kept()
    assert [choice.label for choice in line.fields[0].choices] == ["Crates", "Guards"]


@cases("given, says")
def test_what_is_refused_of_cargo_that_is_given_up(given: dict[str, dict[str, object]], says: list[str]):
    found: list[list[str]] = []

    def look(ask: AnyAsk) -> None:
        if ask.kind == "cargo_loss":
            found.append([str(one) for one in ask.check(CargoLosses.model_validate(given))])

    fought(contact(), look, Hermes="destroyed")
    assert found == [says]


def test_what_is_read_back_of_cargo_that_is_given_up(kept: Kept):
    ask = asked(fought(contact(), Hermes="destroyed"), "cargo_loss")
    given = {"units": ["Crates", "Guards"], "census": 1, "experience": 2}
    assert list(ask.read_back(CargoLosses.model_validate({"T1": given}))) == kept()
    assert list(ask.read_back(CargoLosses.model_validate({}))) == ["T1: loses nothing"]


def test_what_came_of_a_battle_is_told_to_those_who_fought_and_losses_to_their_owner():
    play = fought(contact(), Hermes="destroyed", Raider="crippled")
    over = (
        "The battle at Barnard is over. TU1 Base: intact; TU2 Hermes: destroyed; TU3 Tug: intact; TU4 Zeus: intact; "
        "CU1 Raider: crippled; CU2 Wolf: intact."
    )
    reports = [one for one in play.turn.shared.reports if one.kind in ("battle", "loss")]
    assert [(one.text, one.to) for one in reports] == [
        ("Battle at Barnard.", (CENTAURI, TERRAN)),
        (over, (CENTAURI, TERRAN)),
        ("Squadron T1: cargo lost: 1 census point.", (TERRAN,)),
    ]
    whys = [one.why for one in reports if one.why is not None]
    assert [one.rule for one in whys] == ["13.2", "G-6", "13.3.3, 13.4.1"]
    assert whys[1].inputs == (("both sides agree", ""),)


def test_what_is_let_go_and_what_is_lost_is_told_of_each_squadron():
    state = contact()
    state.put(ship("Spare", kind="troop", siz=2), aboard="T2")
    state.units["Tug"].cargo = 2
    play = fought(state, Tug="crippled")
    assert play.told(TERRAN, "loss") == ["Squadron T2: let go: Base; cargo lost: Spare."]
    assert play.told(CENTAURI, "loss") == []


def test_part_of_a_squadron_withdraws(kept: Kept):
    ask = asked(fought(contact()), "battle")
    lines = {**ask.form.prefilled(), "CU1": {"fate": "withdrew"}}
    assert [str(one) for one in ask.check(ask.model.model_validate(lines))] == kept("#1")
    missing = {key: line for key, line in ask.form.prefilled().items() if key != "CU1"}
    assert [str(one) for one in ask.check(ask.model.model_validate(missing))] == kept("#2")
    strange = {**ask.form.prefilled(), "CU9": {"fate": "intact"}}
    (told,) = ask.check(ask.model.model_validate(strange))
    assert str(told).startswith("CU9: no such unit took part. Legal: TU1, TU2, TU3, TU4, CU1, CU2. Did you mean CU")


def crossing() -> LanesState:
    """Two who come towards each other in the lane between Sol and Wolf 359, in which one is under way."""
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes")).orders.legs = [RouteLegOrder(lane="L1", to="wolf")]
    squadron(state, "C1", "wolf", ship("Raider", CENTAURI, ftl=2)).orders.legs = [RouteLegOrder(lane="L1", to="sol")]
    return state


def test_a_battle_in_a_lane(kept: Kept):
    play = fought(crossing())
    ask = asked(play, "battle")
    assert ask.title == "Result of the battle in the lane Sol to Wolf 359"
    assert ask.question is not None
    assert ask.question.situation.startswith("In the lane Sol to Wolf 359. ")
    assert ask.setup is not None
    assert ask.setup.scene is not None
    assert (ask.setup.title, ask.setup.scene.title) == (
        "Battle in the lane Sol to Wolf 359: Terran against Centauri",
        "Battle in the lane Sol to Wolf 359",
    )
    assert play.told(TERRAN, "battle") == kept("#1")
    gone = {**ask.form.prefilled(), "CU1": {"fate": "withdrew"}}
    assert [str(one) for one in ask.check(ask.model.model_validate(gone))] == kept("#2")


def test_on_the_ground_the_invader_comes_first_whoever_is_first_elsewhere():
    state = frontier()
    squadron(state, "C1", "sol", ship("Hold", CENTAURI, cargo=9)).orders.invade = True
    state.put(ship("Team", CENTAURI, kind="troop"), aboard="C1")
    standing(state, ship("Guards", kind="troop"), "sol")
    play = begin(state)
    play.run(invasions_steps(play.turn), fates())
    ask = asked(play, "battle")
    assert ask.parties == (CENTAURI, TERRAN)
    assert ask.setup is not None
    assert ask.setup.title == "Battle at Sol: Centauri against Terran"
    assert ask.setup.scene is not None
    assert [(force.sides, force.does) for force in ask.setup.scene.forces] == [
        ((CENTAURI,), "lands"),
        ((TERRAN,), "defends"),
    ]
    assert play.told(TERRAN, "battle")[0] == "Ground battle at Sol."
    assert play.told(CENTAURI, "invasion") == ["Terran holds Sol."]
