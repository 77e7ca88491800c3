"""Campaigns with written sheets, entered as the bot enters them: what captains at random seldom come to."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.jump_lanes.records.units import JumpTransit
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.written import WrittenVoyage

NEAR_VEIL = ["almach", "botein", "hamal", "mesarthim", "mirach", "sheratan"]


def _early_pathfinders(document: Any) -> None:
    """The ship with Intergalactic equipment comes in turn 2."""
    reserve = next(one for one in document["forces"]["reinforcement"] if one["name"] == "Terran Pathfinders")
    reserve["turn"] = 2


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.1.4")
def test_a_ship_crosses_to_a_sector_of_another_galaxy_and_to_a_system_that_is_drawn():
    """Normal costs 1 and the Argo makes 1, so it comes to one of the six systems of Near Veil in the same turn; who has
    no Intergalactic stays."""
    sheets = {"terran": ["", "Terran Pathfinders: route sector Near Veil"]}
    game = WrittenVoyage("long-frontier", sheets, _early_pathfinders)
    game.turns()
    (refused,) = game.refused("terran", "Terran Survey One: route sector Near Veil")
    assert "Aegis, Bantam have no Intergalactic for intergalactic lanes (13.1.4)" in refused
    (refused,) = game.refused("terran", "Terran Pathfinders: route Sol > sector Orion Reach")
    assert "a sector is named only where the route leads to another galaxy (13.1.4)" in refused
    game.turns()
    (roll,) = (roll for step in game.steps for roll in step.rolls if roll.purpose == "system of arrival")
    arrived = NEAR_VEIL[roll.total - 1]
    assert game.state.units["quest"].squadron
    assert game.state.squadrons[game.state.units["quest"].squadron].at == arrived
    assert f"Terran Pathfinders comes to {game.state.systems[arrived].name}." in game.told("terran", "movement")
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.1.4")
def test_a_ship_comes_back_from_another_galaxy_to_a_system_that_is_known():
    sheets = {"terran": ["", "Terran Pathfinders: route sector Near Veil", "Terran Pathfinders: route Wolf 359"]}
    game = WrittenVoyage("long-frontier", sheets, _early_pathfinders)
    game.turns(3)
    assert game.state.squadrons[game.state.units["quest"].squadron].at == "wolf-359"
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.1.4", "13.1.6")
def test_a_jump_to_another_galaxy_may_take_turns_and_is_on_the_map_until_then():
    """Minor costs 2, and the Argo makes 1 a turn."""

    def minor(document: Any) -> None:
        _early_pathfinders(document)
        next(one for one in document["file"]["lane"] if one["type"] == "intergalactic")["lane_class"] = "minor"

    game = WrittenVoyage("long-frontier", {"terran": ["", "Terran Pathfinders: route sector Near Veil"]}, minor)
    game.turns(2)
    board = game.adjudicator.view("terran").board
    (transit,) = board.transits
    assert (transit.start, transit.end, transit.done, transit.arrives) == ("sol", "sector Near Veil", 50, "turn 3")
    counter = next(one for one in board.counters if one.id == transit.counter)
    assert board.places.called(counter.hex) == "The Spiral–The Veil lane"
    game.turns()
    assert game.state.squadrons[transit.counter].at in NEAR_VEIL
    assert game.adjudicator.view("terran").board.transits == ()
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.1.2", "13.1.3")
def test_other_systems_are_reached_from_the_outskirts_and_by_lanes_alone(kept: Kept):
    game = WrittenVoyage("intro", {"terran": ["Terran Picket: route Alphard", "Terran Merchants: route Earth > Sol"]})
    assert game.refused("terran", "Terran Merchants: route Earth > Wolf 359") == kept("#1")
    assert game.refused("terran", "Terran Survey: route Sol > Alphard") == kept("#2")
    game.turns(2)
    assert (game.state.squadrons["T4"].at, game.state.squadrons["T1"].at) == ("alphard", "sol")
    assert game.replayed().digest() == game.adjudicator.digest()


def _freighters_side_by_side(document: Any) -> None:
    """Iris is a squadron of her own; the survey shuttle is aboard the merchants, and its ship at Earth with them."""
    forces = document["forces"]
    merchants = next(one for one in forces["squadron"] if one["id"] == "T1")
    forces["squadron"].append(merchants | {"id": "T5", "name": "Second Merchants"})
    for unit in forces["unit"]:
        if unit["id"] == "iris":
            unit["squadron"] = "T5"
        if unit["id"] == "lens":
            unit |= {"squadron": None, "based_on": None, "aboard": "T1"}
    for squadron in forces["squadron"]:
        if squadron["id"] == "T2":
            squadron["at"] = "sol/earth"


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_cargo_goes_from_squadron_to_squadron_and_a_flight_to_its_carrier(kept: Kept):
    """A Hermes has Cargo 20: with the shuttle, SIZ 1, aboard there is room for one census point, which takes 10; the
    other Hermes takes two. The Probe has basing capacity for one."""
    sheets = {
        "terran": [
            "Terran Merchants: load 1 census; unload Lens to Probe",
            "Terran Merchants: unload census to Second Merchants",
        ]
    }
    game = WrittenVoyage("intro", sheets, _freighters_side_by_side)
    (refused,) = game.refused("terran", "Terran Merchants: unload Lens to Achilles")
    assert refused.startswith("T1.unload: Achilles has basing capacity for 0, and Lens takes 1 (13.3.3).")
    (refused,) = game.refused("terran", "Terran Merchants: unload Lens to Terran Picket")
    assert refused.startswith("T1.unload: Terran Picket is no other squadron at Earth (13.3.3).")
    game.turns()
    lens, first = game.state.units["lens"], game.state.squadrons["T1"]
    assert (lens.squadron, lens.based_on, lens.aboard) == ("T2", "probe", "")
    assert [(lot.kind, lot.amount) for lot in first.hold] == [("census", 1)]
    game.turns()
    second = game.state.squadrons["T5"]
    assert (first.hold, [(lot.kind, lot.amount) for lot in second.hold]) == ([], [("census", 1)])
    assert game.told("terran", "cargo") == kept()
    assert game.replayed().digest() == game.adjudicator.digest()


def _transport_at_haft(document: Any) -> None:
    """The merchants are at Haft, a colony of Kraz where nobody else is, with the guard aboard."""
    forces = document["forces"]
    next(one for one in forces["squadron"] if one["id"] == "T1")["at"] = "izar/haft"
    guard = next(one for one in forces["unit"] if one["id"] == "terran-guard")
    guard |= {"at": None, "aboard": "T1"}


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_a_colony_without_defenders_is_taken_by_who_lands_there():
    game = WrittenVoyage("intro", {"terran": ["Terran Merchants: invade yes"]}, _transport_at_haft)
    haft = next(one for one in game.state.colonies.values() if one.at == "izar/haft")
    assert haft.owner == "kraz"
    game.turns()
    guard = game.state.units["terran-guard"]
    assert (haft.owner, guard.at, guard.aboard) == ("terran", "izar/haft", "")
    assert game.told("kraz", "invasion") == game.told("terran", "invasion") == [f"Terran Union takes {haft.name}."]
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.3.3-loss", "13.5.2")
def test_cargo_that_no_longer_fits_after_a_battle_is_chosen_by_its_owner():
    """Two Hermes of Cargo 20 carry three census points of 10 and a guard. With one of them destroyed two points fit, or
    one and the guard."""

    def kraz_at_sol(document: Any) -> None:
        forces = document["forces"]
        next(one for one in forces["squadron"] if one["id"] == "K4")["at"] = "sol"
        next(one for one in forces["unit"] if one["id"] == "terran-guard").update(at=None, aboard="T1")

    sheets = {"terran": ["Terran Merchants: load 3 census; route to Sol"], "kraz": ["terran: stance war"]}
    game = WrittenVoyage("intro", sheets, kraz_at_sol, {"Hermes": "destroyed"})
    odds = game.adjudicator.odds("terran", "T2", "sol?1")
    assert odds.lines[0] == "Chance 23 of 100: easy 10, Science 13, gained before 0"
    while not any(one.kind == "cargo_loss" for one in game.adjudicator.asks_for("terran")):
        game.round()
    (refused,) = game.refused("terran", "T1: census 1")
    assert "what is left is 2 above the Cargo rating of Terran Merchants (13.3.3)" in refused
    (refused,) = game.refused("terran", "T1: census 3")
    assert "could stay aboard" in refused
    game.losses["terran"] = "T1: units Terran Guard; census 1"
    game.round()
    (lot,) = game.state.squadrons["T1"].hold
    assert (lot.kind, lot.amount, "terran-guard" in game.state.units) == ("census", 2, False)
    assert game.replayed().digest() == game.adjudicator.digest()


Change = Callable[[Any], None]
MERCHANTS = ("Hermes", "Iris", "Achilles")


def at(**squadrons: str) -> Change:
    """Squadrons of the file that begin elsewhere."""

    def change(document: Any) -> None:
        for one in document["forces"]["squadron"]:
            one["at"] = squadrons.get(one["id"], one["at"])

    return change


def longer(change: Change, turns: int, lane_class: str) -> Change:
    """More turns, and the lane from Sol to Wolf 359 of another class."""

    def changed(document: Any) -> None:
        change(document)
        document["file"]["turns"] = turns
        lane = next(one for one in document["file"]["lane"] if (one["a"], one["b"]) == ("sol", "wolf-359"))
        lane["lane_class"] = lane_class

    return changed


def ask_of(game: WrittenVoyage, side: str) -> AnyAsk:
    (ask,) = game.adjudicator.asks_for(side)
    return ask


def rows(ask: AnyAsk) -> list[str]:
    """What the sheet of a turn asks its captain to look at, as it stands."""
    assert ask.default is not None
    return [*ask.warn(ask.default)]


def game_sheet(ask: AnyAsk, text: str) -> Any:
    """What a text sets of a sheet."""
    return read_sheet(ask.form, text, ask.refusals_of)


# --- 13.2: stopped by others (JL-R44) ---------------------------------------------------------------------------------
STOPPED = {"terran": ["Terran Picket: route Alphard > Solace"], "kraz": ["Kraz Picket: route Alphard"]}


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.2", "13.1.5")
def test_stopped_squadrons_route_stands_is_shown_and_goes_on_when_nothing_is_said(kept: Kept):
    """Both make 3 and come to Alphard after a third of the turn; Solace is an Engine's point farther."""
    game = WrittenVoyage("intro", STOPPED)
    game.turns()
    picket = game.state.squadrons["T4"]
    assert (picket.at, picket.orders.stopped_at) == ("alphard", "alphard")
    assert game.told("terran", "movement") == kept()
    assert game.told("kraz", "movement") == ["Kraz Picket comes to Alphard, and is stopped there by others."]
    row = "T4: stopped at Alphard; goes on to Solace"
    ask = ask_of(game, "terran")
    assert (rows(ask), ask.says_now(ask.default, ["T4"])["T4"].doubts) == ([row], (row,))
    notes = {line.key: line.note for line in ask.form.lines}
    assert notes["T4"].endswith("; stopped at Alphard; goes on to Solace")
    assert "stopped" not in notes["T2"]
    assert rows(ask_of(game, "kraz")) == []
    game.turns()
    assert (game.state.squadrons["T4"].at, game.state.squadrons["T4"].orders.stopped_at) == ("alphard/solace", "")
    assert rows(ask_of(game, "terran")) == []
    assert game.replayed().digest() == game.adjudicator.digest()


@cases("text, row")
def test_row_of_a_stopped_squadron_ends_when_its_captain_gives_another_route(text: str, row: list[str]):
    game = WrittenVoyage("intro", STOPPED)
    game.turns()
    ask = ask_of(game, "terran")
    assert [*ask.warn(ask.answer_from(dict(game_sheet(ask, text))))] == row


def withdrawing(turns: int = 6, lane_class: str = "minor") -> WrittenVoyage:
    """Terran Merchants (FTL 1) jump from Sol to Wolf 359, where Kraz Picket has come to in the first turn."""
    everything = longer(at(T1="sol"), turns, lane_class)
    sheets = {
        "terran": ["Terran Merchants: route Wolf 359 > Alphard"],
        "kraz": ["Kraz Picket: route Alphard > Wolf 359"],
    }
    return WrittenVoyage("intro", sheets, everything)


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.1.6", "13.2")
@pytest.mark.parametrize(("lane_class", "cost", "arrives", "out"), [("minor", 2, 2, 3), ("restricted", 4, 4, 7)])
def test_squadron_that_withdraws_out_of_an_extended_jump_is_in_the_lane_for_as_many_turns_as_it_had_travelled(
    lane_class: str, cost: int, arrives: int, out: int
):
    game = withdrawing(turns=9, lane_class=lane_class)
    game.turns(arrives - 1)
    game.fates = dict.fromkeys(MERCHANTS, "withdrew")
    game.turns()
    back = game.state.squadrons["T1"]
    expected = JumpTransit(
        lane=back.transit.lane if back.transit else "",
        origin="wolf-359",
        goal="sol",
        cost=Fraction(cost),
        paid=Fraction(1),  # of what is before it the last turn's point is not travelled
        turns_left=arrives - 1,
    )
    assert (back.at, back.transit, back.jumped, back.orders.legs) == ("", expected, None, [])
    assert game.told("terran", "movement")[-1] == (
        f"Terran Merchants withdrew into the lane to Sol, and arrives in turn {out}; its route is over."
    )
    (transit,) = game.adjudicator.view("terran").board.transits
    assert (transit.start, transit.end, transit.arrives) == ("wolf-359", "sol", f"turn {out}")
    with pytest.raises(Refused, match=f"Terran Merchants is in transit until turn {out} and out of communication"):
        game_sheet(ask_of(game, "terran"), "Terran Merchants: route Sol")
    game.fates = {}
    game.turns(out - arrives - 1)
    assert game.state.squadrons["T1"].at == ""
    game.turns()
    assert (game.state.squadrons["T1"].at, game.state.squadrons["T1"].transit) == ("sol", None)
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.rule("jump_lanes", "13.1.6", "13.2")
def test_squadron_on_its_way_back_is_met_by_others_that_enter_the_lane():
    game = withdrawing()
    game.turns()
    game.fates = dict.fromkeys(MERCHANTS, "withdrew")
    game.turns()
    game.fates = {}
    game.sheets["kraz"] = ["Kraz Picket: route Sol"]
    game.turns()
    assert any("Battle in the lane Sol to Wolf 359" in text for text in game.told("kraz", "battle"))
    assert (game.state.squadrons["T1"].at, game.state.squadrons["K4"].at) == ("sol", "sol")


@pytest.mark.rule("jump_lanes", "13.1.6", "13.2")
def test_others_lose_a_squadron_from_sight_that_is_back_in_the_lane():
    game = withdrawing()
    game.turns()
    game.fates = dict.fromkeys(MERCHANTS, "withdrew")
    game.turns()
    seen = [one for one in game.adjudicator.view("kraz").board.counters if one.owner == "terran" and one.live]
    assert not any("Hermes" in str(one) for one in seen)
    assert all(one.hex != "sol" for one in seen)


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.2")
def test_flights_put_off_a_crippled_carrier_keep_their_names_for_who_fought_them():
    game = WrittenVoyage("intro", {}, at(T2="izar"))
    game.fates = {"Probe": "crippled"}
    game.turns()
    assert game.state.units["lens"].at == "izar"
    assert game.told("kraz", "contact")[-1] == "E1 at Izar: Terran Union, Probe; E2 at Izar: Terran Union, Lens."
    seen = [one for one in game.adjudicator.view("kraz").board.counters if one.owner == "terran" and one.live]
    assert sorted((one.form, one.hex) for one in seen) == [("force", "izar"), ("station", "izar")]
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.5.2", "13.5.2-peril")
def test_survey_in_peril_twice_has_a_ship_crippled_and_then_no_supply():
    """With this seed both checks fail badly, and the dice of the peril table show 7 and then 1 to 5."""
    explores = "Terran Survey: explore sol?1"
    game = WrittenVoyage("intro", {"terran": [explores, explores]}, seed=17)
    game.turns(2)
    rolled = [roll.total for step in game.steps for roll in step.rolls if roll.purpose == "peril"]
    assert (rolled[0], rolled[1] in range(1, 6), len(rolled)) == (7, True, 2)
    assert game.told("terran", "peril") == [
        "Systems failure: Lens is crippled.",
        "Out of supply: the whole force is out of supply.",
    ]
    units = game.state.units
    assert [units[one].crippled for one in ("lens", "probe")] == [True, False]
    assert game.told("kraz", "peril") == []
    assert game.replayed().digest() == game.adjudicator.digest()
