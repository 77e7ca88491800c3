"""A race's economy at a glance: figures from the rules, worked out by hand."""

import pytest

from rules_engine.core.knowledge.economy.holdings import Economy, QueuedWork
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept
from tests.rulebooks.cutler.worlds import world
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
    assert place(found, "0205")[:2] == (
        "P0205, Yard",
        {"Makes": "100", "Stores": "12 of 50", "Repair boxes": "50"},
    )
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
    assert place(economy(state), "0902")[1] == {}
    assert place(economy(state, is_ahead=False), "0902")[1] == {"Makes": "50"}
    assert figures(economy(state, is_ahead=False))["Income in turn 4"] == "175 CPV"


@pytest.mark.rule("cutler", "4.2.1", "4.2.1.3")
@pytest.mark.parametrize(("paid", "turns"), [(0, 2), (29, 2), (30, 1), (59, 1)])
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
