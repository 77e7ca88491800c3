"""What a race looks up: its economy at a glance and its odds, worked out by hand, and what it may know alone."""

from fractions import Fraction

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.economy.holdings import Economy, QueuedWork
from rules_engine.core.knowledge.odds import Odds
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch03_combat.combat import exchange
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.shown.odds import escape_chance
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.standing.test_answers import given
from tests.rulebooks.cutler.worlds import table_of, world
from tests.rulebooks.cutler.yards import HOME, YARD, turn, yard


def economy(state: CutlerState, *, is_ahead: bool = True) -> Economy:
    """The Hydran's."""
    return RULEBOOK.economy(state, "hydran", Knowledge(), is_ahead=is_ahead)


def figures(found: Economy) -> dict[str, str]:
    return {one.name: one.value for one in found.figures}


def place(found: Economy, hex_id: str) -> tuple[str, dict[str, str], list[QueuedWork]]:
    one = next(one for one in found.places if one.hex == hex_id)
    return one.name, {figure.name: figure.value for figure in one.figures}, list(one.queue)


@pytest.mark.rule("cutler", "4.1.4", "4.1.5", "4.1.6", "4.4.1", "6.3")
def test_income_stores_and_reserves(kept: Kept) -> None:
    state = yard(HOME + "hydran F1 0404 FL\nreserve hydran 40\n")
    state.empires["hydran"].base_pool = 7
    state.units[YARD].cargo_cpv = 12
    found = economy(state)
    # A capital makes 100 and a minor planet 25; the yard has 50 cargo boxes, the freighter 25.
    assert figures(found) == kept()
    assert place(found, "0205")[:2] == ("P0205, Yard", {"Makes": "100", "Stores": "12 of 50", "Repair boxes": "50"})
    assert place(found, "0307") == ("P0307", {"Makes": "25"}, [])
    assert place(found, "0404") == ("", {"Stores": "0 of 25"}, [])
    assert [one.hex for one in found.places] == ["0205", "0307", "0404"]


@pytest.mark.rule("cutler", "4.1.4.1", "5.3.1")
def test_a_captured_planet_pays_half_from_the_turn_after_its_first_whole_one() -> None:
    state = yard(HOME)
    state.turn = 3
    captured = state.planets["p0902"]
    captured.owner, captured.captured_turn = "hydran", 2
    # Captured in turn 2, held for the whole of turn 3, paid from turn 4 on: half of 100.
    assert (place(economy(state), "0902")[1], place(economy(state, is_ahead=False), "0902")[1]) == ({}, {"Makes": "50"})
    assert figures(economy(state, is_ahead=False))["Income in turn 4"] == "175 CPV"


@cases("paid, turns")
def test_when_a_bay_can_be_done(paid: int, turns: int) -> None:
    """A frigate of 60 CPV in a bay of 30 repair boxes, one CPV a turn through each."""
    state = yard()
    turn(state, D1={"work": "build ff", "cpv": 0, "name": "Sprite"})
    state.works[f"{YARD}/1"].paid = paid
    state.turn = 5
    work = QueuedWork(key="D1", what="Sprite (FF)", done=f"{paid} of 60 CPV", ready=5 + turns - 1)
    assert place(economy(state), "0205")[2][0] == work
    assert place(economy(state, is_ahead=False), "0205")[2][0] == work.model_copy(update={"ready": 5 + turns})
    assert place(economy(state), "0205")[2][1] == QueuedWork(key="D2", what="Yard, bay 2", done="free, 20 repair boxes")


@pytest.mark.rule("cutler", "4.2.3", "4.3.1")
def test_a_refit_rests_while_its_ship_is_damaged() -> None:
    state = yard(HOME + "hydran F1 0205 CA\n")
    turn(state, D1={"work": "refit hydran-F1-CA into cc", "cpv": 5})
    state.units["hydran-F1-CA"].warp_ok -= 1
    (work, _) = place(economy(state), "0205")[2]
    assert (work.done, work.ready) == ("5 of 20 CPV, rests for damage (4.3.1)", None)


@pytest.mark.rule("cutler", "4.4.2", "4.4.3")
def test_a_base_at_its_site_takes_as_many_cpv_a_turn_as_its_builder_has_cargo_boxes() -> None:
    state = yard(HOME + "hydran F1 0404 AUX\n")
    values = {"key": "B1", "race": "hydran", "hex": "0404", "into": state.classes["bs"], "named": "Post", "cost": 152}
    state.sites["hydran/B1"] = BaseSite(**values, set_aside=100)
    # 52 are paid; a tug of 40 boxes takes 100 more in three turns.
    assert place(economy(state), "0404")[2] == [
        QueuedWork(key="B1", what="Post (BS)", done="52 of 152 CPV, Hydran F1 Aux builds", ready=3)
    ]
    state.units["hydran-F1-AUX"].hex = "0405"
    (work,) = place(economy(state), "0404")[2]
    assert (work.done, work.ready) == ("52 of 152 CPV, no tug or large freighter is there (4.4.2)", None)


@pytest.mark.rule("cutler", "2.7", "4.1.6.1")
def test_freight_is_told_where_it_arrives() -> None:
    state = yard(HOME + "hydran V1 0404 FL+FS course 0305 0205\nhydran V2 0404 FS course 0305 0205\n")
    ship = state.units["hydran-V1-FL"]
    ship.cargo_cpv, ship.unload = 10, True
    # Two hexes at speed 3: within this turn. The other convoy carries nothing.
    assert place(economy(state), "0205")[2][2:] == [QueuedWork(key="V1", what="10 CPV by convoy", ready=1)]
    ship.unload = False
    assert place(economy(state), "0205")[2][2].what == "10 CPV by convoy, stays aboard"


@pytest.mark.rule("cutler", "4.1.6.1", "4.1.6.2", "4.2.2", "7.1")
def test_what_will_be_lost_is_told_with_its_rule(kept: Kept) -> None:
    state = yard(HOME + "hydran F1 0404 CA[maintained=-6]\n")
    ask = turn_ask(state, "hydran")
    due = "Due in turn 2, so must end this turn with a base: Hydran F1 Ca (7.1, 7.3)."
    idle = "Nothing is done in D1, D2: 50 repair boxes stand idle, and starts are not saved (4.2.2)."
    assert ask.losses(ask.default) == [idle, due]
    sheet = ask.answer_from({"economy": {"pool": 0}, "H0205": {"repair": 30}, "D1": {"work": "build ff", "cpv": 25}})
    assert ask.losses(sheet) == kept()
    assert economy(state).losses == (due,)
    state.units[YARD].repair_cpv = 5
    unspent = "5 CPV lie unspent in repair boxes in 0205 and are lost with this turn (4.1.6.2)."
    assert economy(state, is_ahead=False).losses == (unspent, due)


def test_it_holds_nothing_of_others() -> None:
    """What others make, store and build does not change a letter."""
    plain = yard(HOME + "hydran F1 0205 CA\n")
    other = yard(HOME + "hydran F1 0205 CA\nlyran base 0902 Den\nlyran F1 0205 CA+FL\nklingon waits 0307 FL\n")
    other.empires["lyran"].reserve = 200
    for unit in other.alive("klingon"):
        unit.cargo_cpv = 20
    assert economy(plain) == economy(other)


def test_what_would_be_built_by_nobody_is_nothing() -> None:
    assert RULEBOOK.economy(world(""), "hydran", Knowledge(), is_ahead=True).places == ()


# --- tables of side --------------------------------------------------------------------------------------------------
TEXT = """
turn 1 impulse 3
planet capital 0205 hydran throne
hydran F1 0404 CA[warp=15]+DD course 0405
hydran base 0205 Rock
lyran F1 0606 CC
reserve hydran 40
"""


def tables(state: CutlerState, side: str = "hydran") -> dict[str, SideTable]:
    return {one.key: one for one in RULEBOOK.side_tables(state, side, Knowledge())}


def test_ships_have_what_is_left_of_them(kept: Kept) -> None:
    table = tables(world(TEXT))["ships"]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [(row["Unit"], row["Fleet"], row["Hex"], row["Speed"], row["Warp"]) for row in rows] == kept()


def test_forces_have_their_courses_and_orders(kept: Kept) -> None:
    state = given(world(TEXT), hydran_F1="combat x1.5; go on")
    assert tables(state)["forces"].rows == kept()
    state.standing["hydran/F1"].loop = ["0405", "0404"]
    assert tables(state)["forces"].rows[0][4] == "loop 0404 0405" or tables(state)["forces"].rows[0][4].startswith(
        "0405"
    )


def test_stores_and_planets(kept: Kept) -> None:
    found = tables(world(TEXT))
    assert found["stores"].rows == kept()
    assert [row[:4] for row in found["planets"].rows] == [("Throne", "capital", "0205", "100")]


def test_nothing_of_the_others_stands_in_them() -> None:
    one, other = world(TEXT), given(world(TEXT + "lyran F2 0404 CW\nreserve lyran 77"), lyran="bypass")
    assert tables(one) == tables(other)


# --- odds ------------------------------------------------------------------------------------------------------------
MET = "turn 1 impulse 3\nhydran F1 0404 CA+DD+SC\nhydran base 0505 Rock[sensors=1]\nlyran F1 0404 CC+FF+FF\n"


def odds(own: str, target: str, text: str = MET, state: CutlerState | None = None) -> Odds:
    """The Hydran's odds, who has met whom it shares 0404 with: that is C1."""
    state = state or world(text)
    turn = table_of(state)
    for race in ("lyran",):
        if units := [unit for unit in state.units_in("0404", race) if not unit.cloaked]:
            exchange(turn, "hydran", race, "0404", units)
    return RULEBOOK.odds(state, "hydran", turn.knowledge("hydran"), own, target)


def refused(own: str, target: str) -> str:
    with pytest.raises(Refused) as found:
        odds(own, target)
    return str(found.value.refusals[0])


# --- escapes (3.3.7.1: a die of 3 or less escapes) --------------------------------------------------------------------
@cases("modifiers, sixths")
def test_the_chance_of_an_escape_by_hand(modifiers: int, sixths: int) -> None:
    assert escape_chance(modifiers) == Fraction(sixths, 6)


@pytest.mark.rule("cutler", "3.3.7.1")
def test_a_fleet_runs_from_a_contact_and_the_contact_from_it(kept: Kept) -> None:
    # Three ships: +1 for each two. Die 1-2 of 6 for pursuers as fast; for pursuers of speed 5 one more.
    lines = odds("F1", "C1").lines
    assert lines[1:6] == kept()
    assert lines[6:8] == kept("lines(6:8)")
    assert lines[8] == "• runners of speed 5: **17 %** (33 % if they have a navigator)"  # 6 less their speed is added


@cases("ships, terrain, said")
def test_what_is_added_is_said(ships: str, terrain: str, said: str) -> None:
    text = f"turn 1 impulse 3\nhydran F1 0404 {ships}\nlyran F1 0404 CC\n{terrain}"
    (line,) = [one for one in odds("F1", "C1", text).lines if one.startswith("F1 runs")]
    assert line.endswith(said)


def test_a_navigator_that_nobody_can_have_is_not_spoken_of() -> None:
    state = world(MET)
    state.accessories = {}
    assert "• pursuers of speed 6: **33 %**" in odds("F1", "C1", state=state).lines


def test_who_cannot_run_is_told_so() -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 CA[warp=0]\nlyran F1 0404 CC\n"
    assert "None of F1's ships can run (3.3.2)." in odds("F1", "C1", text).lines


# --- scans (8.4: 1-3; 8.4.1: a hex farther, 1) ------------------------------------------------------------------------
@cases("own, target, said")
def test_a_scan_by_hand(own: str, target: str, said: str) -> None:
    assert odds(own, target).lines[0] == said


def test_who_has_no_sensors_or_is_under_cloak_does_not_scan() -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nhydran F2 0404 SC[cloak=up]\nlyran F1 0404 CC\n"
    assert odds("F1", "0404", text).lines == ("No scan: no special sensor there works (8.1).",)
    assert odds("F2", "0404", text).lines[0] == "No scan: under cloak nobody scans (8.1)."


# --- missions (6.5.2: 10 to 20 net need 1-4, more 1-5, fewer fail) ----------------------------------------------------


@cases("points, cases")
def test_a_mission_by_hand(points: str, cases: list[str]) -> None:
    assert [line.removeprefix("• ") for line in odds("spies", points).lines[1:]] == cases


# --- nebulae (2.4.1.10) -----------------------------------------------------------------------------------------------
CLOUD = "turn 1 impulse 3\nnebula 0404\nhydran F1 0404 CA\nhydran F2 0404 CW[officers=navigator]\nhydran F3 0405 FF\n"


@pytest.mark.rule("cutler", "2.4.1.10")
def test_leaving_a_nebula_by_hand(kept: Kept) -> None:
    assert odds("F1", "nebula", CLOUD).lines[1] == "• 5 or 6: it leaves as plotted, **33 %**"
    assert odds("F2", "Nebula", CLOUD).lines[1] == "• 5 or 6, or 4 with its navigator: it leaves as plotted, **50 %**"
    for own in ("F1", "F2"):  # every result of the die is told of once
        shares = [line.rsplit(", ", 1)[1].strip("*") for line in odds(own, "nebula", CLOUD).lines[1:]]
        assert sum({"17 %": 1, "33 %": 2, "50 %": 3}[one] for one in shares) == 6
    assert odds("F1", "nebula", CLOUD).lines[2:] == kept()
    with pytest.raises(Refused, match="F3 is in no nebula"):
        odds("F3", "nebula", CLOUD)


# --- what may be asked ------------------------------------------------------------------------------------------------
def test_the_menu_has_what_is_ones_own_and_what_one_knows() -> None:
    state = world(MET + "klingon F1 0606 CW\n")
    exchange(turn := table_of(state), "hydran", "lyran", "0404", state.units_in("0404", "lyran"))
    menu = RULEBOOK.odds_menu(state, "hydran", turn.knowledge("hydran"))
    assert [one.value for one in menu.own] == ["F1", "S1", "spies"]
    offered = ["C1", *(f"{points} IP" for points in (10, 15, 20, 25, 30, 40, 50))]
    assert [one.value for one in menu.targets] == offered
    assert menu.targets[0].label == "C1, Lyran in 0404"
    for own in menu.own:
        for target in menu.targets:
            if (own.value == "spies") is (" IP" in target.value):
                assert all(RULEBOOK.odds(state, "hydran", turn.knowledge("hydran"), own.value, target.value).lines)
            else:  # spies are no use against a counter, nor points to a fleet
                with pytest.raises(Refused) as found:
                    RULEBOOK.odds(state, "hydran", turn.knowledge("hydran"), own.value, target.value)
                assert all(one.legal for one in found.value.refusals)


@cases("own, target, said")
def test_what_cannot_be_asked_is_refused_in_a_sentence(own: str, target: str, said: str) -> None:
    assert refused(own, target).startswith(said)


def test_odds_tell_nothing_of_what_is_hidden() -> None:
    """Two worlds that differ in the others' engines, crews and hidden ships."""
    one = world(MET)
    other = world(MET + "lyran F2 0404 CW[cloak=up]\n")
    for unit in other.alive("lyran"):
        unit.warp_ok, unit.crew_quality = unit.warp_ok // 2, "poor"
    for own, target in (("F1", "C1"), ("S1", "C1"), ("F1", "0404")):
        told, again = odds(own, target, state=one), odds(own, target, state=other)
        assert told.lines[:1] == again.lines[:1]
        assert [line for line in again.lines if line not in told.lines] in (
            [],
            ["It finds who is under cloak with 17 % (8.6)."],  # whether there are cloaks at all, all know
        )
