"""Campaigns by written orders in which what seldom happens does: prizes that only a base can take, orders that are
refused, figures in standing orders, supply that is turned into other goods as a turn ends. Expected values are worked
out by hand from the rules."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.rulebooks.pq17.playing.ordered import BOTH, HERE, Force, Order, OrderedPlay, files, targets, won

pytestmark = pytest.mark.headless

DOCK = Force("A9", {"dock": "FRD"}, base="Dock")
HELPER = Force("A1", {"helper": "RS"}, port="A9")
FOE = Force("C1", {"foe": "CA"})
LOGISTICS = {"posture": ["logistics"]}


def refusals(game: OrderedPlay, ask: AnyAsk, **lines: dict[str, Any]) -> list[str]:
    """The rules by which an ask's sheet with these lines changed is refused."""
    sheet = ask.form.prefilled()
    changed: Any = {**sheet, **{key: {**sheet.get(key, {}), **line} for key, line in lines.items()}}
    with pytest.raises(Refused) as caught:
        game.adjudicator.try_answer(ask.parties[0], ask.id, changed)
    return [one.rule for one in caught.value.refusals]


@pytest.mark.rule("pq17", "6.5.3", "8.5.5.6")
def test_a_prize_that_only_a_base_has_won_gets_a_task_force_of_its_own_at_id3() -> None:
    """Ruling CMB-13: bases stay as they are. Its former owner knows it as all that fought."""
    game = OrderedPlay(
        files(DOCK, Force("C1", {"raider": "CA", "other": "CA"}), turns=2),
        Order(1, "coalition", "attack", {"C1": {"target": "Dock"}}),
        Order(1, BOTH, "battle", won("alliance", AT1={"fate": "destroyed"}, AT2={"fate": "captured"})),
    ).play(1)
    (prize,) = [tf for tf in game.state.all_task_forces("alliance") if not tf.is_base]
    (unit,) = game.state.units_of(prize)
    assert (prize.hex, unit.side, unit.captured_from) == (HERE, "alliance", "coalition")
    seen = [text for text in game.told("coalition", "contact") if "ID3: 1 ship" in text or "MC 1 Tester CA" in text]
    assert seen, game.told("coalition", "contact")


# --- orders that are refused ------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "1.6.5.1", "1.6.7.1", "5.3.2", "5.3.3", "5.2.3.4", "10.3.8.1")
def test_orders_for_what_a_side_cannot_do_are_refused_by_their_rules() -> None:
    """No ship joins a base, or a force elsewhere; a plot is for a force with a movement point and one step; a ship that
    is not in Logistics posture docks nowhere."""
    found: dict[str, list[str]] = {}

    def planning(ask: AnyAsk) -> Sheet:
        sheet = ask.form.prefilled()
        if ask.parties == ("alliance",):
            found["joins a base"] = refusals(game, ask, ship={"task_force": "A9"})
            found["joins nobody"] = refusals(game, ask, ship={"task_force": "C1"})
            sheet["side"]["ask"] = "always"
            sheet["A1"] |= {"speed": "2"}
            sheet["A2"]["posture"] = ["logistics"]
            sheet["stores"]["sheet"] = "always"
        return sheet

    def logistics(ask: AnyAsk) -> Sheet:
        assert list(ask.warn(ask.default)) == []
        found["docks"] = refusals(game, ask, **{"dock-ship": {"ships": []}})
        return ask.form.prefilled()

    def plot(ask: AnyAsk) -> Sheet:
        found.setdefault("two steps", refusals(game, ask, A1={"move": "0405 0406"}))
        found.setdefault("has no point", refusals(game, ask, A2={"move": "0405"}))
        return ask.form.prefilled()

    game = OrderedPlay(
        files(DOCK, Force("A1", {"ship": "CA"}), Force("A2", {"helper": "RS"}, port="A9"), FOE, turns=1),
        habits={"planning": planning, "logistics": logistics, "plot": plot},
    )
    game.play(1)
    assert found == {
        "joins a base": ["PQ-17 1.6.7.1"],
        "joins nobody": ["PQ-17 1.6.5.1"],
        "docks": ["PQ-17 5.2.3.4"],
        "two steps": ["PQ-17 5.3.2"],
        "has no point": ["PQ-17 5.3.3"],
    }


# --- stores -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "10.2.3", "10.2.5", "10.3.5", "10.3.7.5", "10.2.7.2")
def test_supply_becomes_other_goods_as_its_owner_says_at_the_turns_end() -> None:
    """The repair ship has 10 supply points and 8 boxes of fuel of which a search took one; one point becomes one of
    fuel. The dock receives 60 points a turn; its stores are full, and the ship in its port takes the one it lacks."""
    economies: list[Economy] = []

    def conversions(ask: AnyAsk) -> Sheet:
        assert refusals(game, ask, helper={"make": "30 fuel"}) == ["PQ-17 10.2.3"]
        sheet = ask.form.prefilled()
        economies.append(game.adjudicator.economy("alliance"))
        return {**sheet, "helper": {"make": "1 fuel"}}

    supplied = files(DOCK, HELPER, FOE, turns=2)
    supplied["scenario.toml"] = supplied["scenario.toml"].replace("known = true", "known = true\nsupply = 60")
    game = OrderedPlay(
        supplied,
        Order(1, "alliance", "planning", {"A1": LOGISTICS, "stores": {"sheet": "always"}}),
        Order(1, "alliance", "search", {"A1": {"target": "E1"}}, place="I1/A"),
        Order(1, "alliance", "logistics", {"stores": {"convert": True}}),
        habits={"conversions": conversions},
    )
    game.play(1)
    helper = game.state.units["helper"]
    assert (helper.fuel, helper.supply) == (Fraction(8), 10)
    assert "Helper makes 1 fuel of its supply." in game.told("alliance", "supply")
    assert any(text.startswith("Dock received 60 supply points") for text in game.told("alliance", "supply"))
    assert any("Dock receives 60 supply points in a turn" in text for text in economies[0].losses)


@pytest.mark.rule("pq17", "T4", "10.3.9.2", "10.2.6.6", "10.2.6.8", "11.2.4.4")
def test_ships_docked_underway_pass_on_sixty_points_and_supply_becomes_drones() -> None:
    """A search has cost the cruiser two points of fuel. By the routine the freighter, which has 50 supply points, fills
    the cruiser's engines with two of them; then one more makes 8 spaces of drones. In port the helper's DAMCON track
    is full: what it would stow there stays where it is."""
    found: list[list[str]] = []

    def logistics(ask: AnyAsk) -> Sheet:
        sheet = ask.form.prefilled()
        if game.adjudicator.turn == 2:
            found.append(refusals(game, ask, tanker={"give": "> cruiser 61 supply"}))
            assert sheet["dock-tanker"]["ships"] == ["cruiser"]
            assert sheet["tanker"]["give"] == "> cruiser 2 supply as fuel"
            sheet["helper"]["give"] = "self 2 repair points"
            sheet["stores"]["convert"] = True
        return sheet

    def conversions(ask: AnyAsk) -> Sheet:
        return {**ask.form.prefilled(), "tanker": {"make": "8 drones"}}

    game = OrderedPlay(
        files(DOCK, HELPER, Force("A2", {"tanker": "FT", "cruiser": "CA"}), FOE, turns=3),
        Order(1, "alliance", "search", {"A2": {"target": "E1"}}, place="I1/A"),
        Order(2, "alliance", "planning", {"A1": LOGISTICS, "A2": LOGISTICS, "stores": {"sheet": "always"}}),
        habits={"logistics": logistics, "conversions": conversions},
    )
    game.play(2)
    cruiser, tanker, helper = (game.state.units[key] for key in ("cruiser", "tanker", "helper"))
    assert found == [["PQ-17 10.3.7.4", "PQ-17 T4"]]
    assert (cruiser.fuel, tanker.supply, tanker.cargo_goods) == (34, 47, {Goods.DRONES: 8})
    assert (helper.rp_damcon, helper.rp_repair) == (4, 30)


# --- standing orders --------------------------------------------------------------------------------------------------

FIGURES = "attack id1 x1.5 fuel>2/3; search fuel>1; shadow never; regroup keep; pursue shadow; power full"


@pytest.mark.rule("pq17", "1.5", "8.5.6.1", "8.5.6.7")
def test_standing_orders_with_figures_stand_on_the_next_sheet_as_they_were_typed() -> None:
    written: list[str] = []

    def planning(ask: AnyAsk) -> Sheet:
        sheet = ask.form.prefilled()
        if ask.parties == ("alliance",):
            written.append(str(sheet["A1"].get("doctrine") or ""))
            sheet["A1"]["doctrine"] = FIGURES
        return sheet

    game = OrderedPlay(files(Force("A1", {"ship": "CA"}), FOE, turns=2), habits={"planning": planning})
    game.play(2)
    assert written[0] == ""
    assert {"attack id1 x1.5 fuel>2/3", "search fuel>1"} <= {one.strip() for one in written[1].split(";")}


# --- searches ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "12.4.1", "12.4.4", "12.4.3")
def test_a_search_of_a_minefield_tells_its_present_strength() -> None:
    """The scenario announces a minefield of strength 3, which is only known to be there until a search succeeds. Five
    forces search it in each half impulse, with a minesweeper in each."""
    mines = f'minefield_hexes = ["{HERE}"]\n'
    field = f'[[minefield]]\nside = "alliance"\nhex = "{HERE}"\nstrength = 3\n'
    forces = [Force(f"C{number}", {f"sweeper-{number}": "MS"}) for number in range(1, 6)]
    game = OrderedPlay(
        files(Force("A9", {"dock": "FRD"}, base="Dock"), *forces, turns=2, more=mines, tables=field),
        habits={"search": search_for_mines, "mine damage": lambda ask: ask.form.prefilled()},
    ).play(1)
    (known,) = game.state.mines.fields.values()
    assert (known.known_strength, known.seen_laid) == (3, False)
    assert any("Strength 3 when last searched" in text for text in game.told("coalition", "contact"))


def search_for_mines(ask: AnyAsk) -> Sheet:
    """Search the minefield, which alone is offered with a number of its own."""
    sheet = ask.form.prefilled()
    for key, offered in targets(ask).items() if ask.parties == ("coalition",) else ():
        for number in [one for one in offered if one.startswith("E")][-1:]:
            sheet[key]["target"] = number
    return sheet


# --- in pursuit -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "8.5.6.1", "8.5.6.2", "8.5.6.7")
def test_standing_orders_pursue_who_withdraws_at_its_announced_speed_or_faster() -> None:
    """The dock's ship disengages and withdraws at the speed it announces, which both cruisers can fly."""
    game = OrderedPlay(
        files(DOCK, Force("A1", {"ship": "CA"}, port="A9"), Force("C1", {"raider": "CA"}), turns=2),
        Order(1, "coalition", "planning", {"C1": {"doctrine": "regroup keep; pursue shadow"}}),
        Order(1, "coalition", "attack", {"C1": {"target": "Dock"}}),
        Order(1, BOTH, "battle", won("coalition", DF1={"fate": "destroyed"}, DF2={"fate": "disengaged", "turn": 2})),
    )
    game.play(1)
    said = [text for text in game.told("coalition", "doctrine") if "pursues" in text]
    assert said, game.told("coalition", "doctrine")
    assert said[0].startswith("C1 pursues E")
    assert said[0].endswith(" to shadow it.")
