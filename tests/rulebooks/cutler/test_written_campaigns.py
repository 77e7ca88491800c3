"""Campaigns with written sheets, entered as the bot enters them: what random players seldom come to. Expected values
are worked out by hand from the rules."""

import pytest

from rules_engine.core.protocol.seats import seated
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.ch01_setup.ring import ring_files
from tests.rulebooks.cutler.written import WrittenMatch, load_dice, scenario

pytestmark = pytest.mark.headless

HOMES = "ash capital 0101 Hearth 5\nbirch capital 1101 Grove 5\n"
FIRST, SECOND = 10, 20
"""Steps of a turn at which its first two impulses stand."""


def lost(game: WrittenMatch, letter: str) -> str:
    """The account of the open battle in which all units of a side are destroyed, by the letter of their lines."""
    ask = next(ask for ask in game.adjudicator.open_asks() if ask.kind == "battle")
    return "\n".join(f"{line.key}: fate destroyed" for line in ask.form.lines if line.key[0] == letter)


# --- setting up ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "1.1.1.2", "1.1.2.1")
def test_a_referee_is_told_what_is_amiss_with_a_map_and_a_player_of_a_race_that_is_not_recommended() -> None:
    """Two empires of 66 and 60 hexes, 9 % apart, and six hexes wide."""
    files = ring_files()
    west = [f"{column:02}{row:02}" for column in range(1, 7) for row in range(1, 12)]
    east = [f"{column:02}{row:02}" for column in range(21, 27) for row in range(1, 11)]
    own = f"[map]\ncolumns = 26\nrows = 11\n[setup]\nempires = {[west, east]}\n"
    files["scenario.toml"] = files["scenario.toml"].replace("[setup]\n", own).replace("turn = 12", "turn = 1")
    document = seated(RULEBOOK, RULEBOOK.read_scenario(files), 2)
    game = WrittenMatch(document, {"0 seat-1 race": "race: first Tholian"})
    game.round()
    assert game.warned == ["The Tholian is not recommended as a player's race (1.1.1.2)."]
    assert any("the empires have 60 to 66 hexes: they should be of one size within 5 %" in one for one in game.texts())


# --- movement --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.7.2", "4.1.6.1")
def test_a_convoy_under_way_is_neither_broken_off_nor_diverted_and_its_freight_is_on_its_way() -> None:
    """Four hexes at speed 3, in impulses 2, 4 and 6: at the beginning of turn 2 it is in 0104, a hex short."""
    world = HOMES + "ash minor 0105 Farside 5\nash - 0101 large_freighter Barge\nash - 0101 large_freighter Hulk\n"
    game = WrittenMatch(scenario(world, turns=2), {"1 ash turn": "E0101: to 0105; ships barge"})
    game.corrects("units.barge.cargo_cpv", 10)
    game.round()
    assert (game.state.turn, game.state.units["barge"].hex) == (2, "0104")
    freight = [work for place in game.adjudicator.economy("ash").places for work in place.queue]
    assert [(work.key, work.what, work.ready) for work in freight] == [("V1", "10 CPV by convoy", 2)]
    for sheet, said in (
        ({"V1": {"to": "0101"}}, "V1.to: V1 is under way, and its plot is neither broken off nor changed (2.7.2)."),
        (
            {"E0101": {"to": "0105", "ships": ["barge"]}},
            "E0101.ships: Barge is under way in V1, whose plot is neither broken off nor changed (2.7.2).",
        ),
    ):
        (refused,) = game.refused("ash", "turn", sheet)
        assert refused.startswith(said)
    game.whole()
    assert game.state.units["barge"].hex == "0105"


CLOUD = '[map.terrain]\n0403 = "nebula"\n0405 = "dust"\n'


@cases("order, leaves")
def test_a_navigator_is_asked_whether_to_add_1_to_a_4_on_which_its_ships_would_drift_out_of_a_nebula(
    monkeypatch: pytest.MonkeyPatch, order: str, leaves: bool
) -> None:
    """With 1 more they leave as plotted."""
    load_dice(monkeypatch, {"/nebula": [4]})
    world = HOMES + 'ash F1 0403 heavy_cruiser Ember | officers = ["navigator"]\n'
    orders = {"1 ash turn": "F1: course 0404 0405", "1.1 ash navigator": order}
    game = WrittenMatch(scenario(world, more=CLOUD), orders)
    odds = game.adjudicator.odds("ash", "F1", "nebula")
    assert "• 5 or 6, or 4 with its navigator: it leaves as plotted, **50 %**" in odds.lines
    game.round()
    assert "the die shows 4" in game.ask("ash", "navigator").text
    assert [text.split(": ")[0].partition(" goes ")[2] for text in game.warned if " goes through " in text] == [
        "through dust in 0405",
        "through a nebula in 0403",
    ]
    game.whole()
    moved = [one for step in game.steps for one in step.reports if one.text.startswith("Your moves: F1 ")]
    assert moved[0].when.step == (FIRST if leaves else SECOND)
    assert moved[0].text == "Your moves: F1 0403→0404." or not leaves


@pytest.mark.rule("cutler", "2.8", "6.4.1.3")
def test_a_spy_reads_where_a_new_police_ship_goes_in_impulse_1(monkeypatch: pytest.MonkeyPatch, kept: Kept) -> None:
    """A cutter of 50 CPV takes a bay of 30 boxes two turns. It is for Farside, which has none; Hearth's stays. The
    Ash has no fleet: asked for scans, it reads that all stays as it was."""
    load_dice(monkeypatch, {"M1/mission": [1]})
    world = HOMES + "ash minor 0105 Farside 5\nash - 0101 starbase Yard\nash - 0101 police_cutter Sentry\n"
    orders = {
        "1 ash turn": "D1: work build police_cutter",
        "2 birch turn": "M1: kind movement; against ash; other 0101; ip 30",
    }
    game = WrittenMatch(scenario(world, turns=2), orders).whole()
    assert [text.rpartition(": ")[2] for text in game.told("birch", "intelligence")] == kept()
    (ask,) = {ask.id: ask for step in game.steps for ask in step.opened if ask.kind == "plot"}.values()
    assert ask.read_back(ask.default) == ["All stays as it was."]


@pytest.mark.rule("cutler", "2.10", "5.2", "5.3")
def test_razing_and_landing_on_a_partners_planet_are_warned_of(kept: Kept) -> None:
    world = HOMES + "ash F1 1101 heavy_cruiser Ember\n"
    orders = {"1 ash turn": "coordination: partners birch", "1 birch turn": "coordination: partners ash"}
    game = WrittenMatch(scenario(world, turns=2), orders)
    game.until("ash", "turn", turn=2)
    warned = game.warns_of("ash", "turn", "F1: raze grove; land grove")
    assert [text for text in warned if "partner" in text] == kept()
    game.whole()


# --- combat ----------------------------------------------------------------------------------------------------------


@cases("case, proves, dice, stage, orders, told, left", "", made="stage")
def test_a_campaign_by_written_sheets(monkeypatch: pytest.MonkeyPatch, dice, stage, *, orders, told, left) -> None:
    """``told`` are the ends of what sides were told; ``left`` is what is so at the end."""
    load_dice(monkeypatch, dice)
    world, more = stage if isinstance(stage, tuple) else (stage, {})
    game = WrittenMatch(scenario(world, **more), orders).whole()
    for side, texts in told.items():
        found = {said: [one for one in game.told(side) if one.endswith(said)] for said in texts}
        assert all(found.values()), found
    there = {"units": game.state.units, "planets": game.state.planets, "unsurveyed": game.state.unsurveyed}
    assert {asked: evaluated(asked, there) for asked in left} == left


FULL = " | holds = { fighter = 12, wbp = 36 }\n"


@pytest.mark.rule("cutler", "3.5.8", "3.5.10")
def test_a_carrier_that_breaks_away_from_a_feature_leaves_its_fighters_there() -> None:
    world = HOMES + f"ash minor 0403 Rock 5\nash F1 0403 strike_carrier Nest{FULL}birch F1 0403 heavy_cruiser Reed\n"
    orders = {
        "1.1 birch card": "force: card combat",
        "1.1 ash allocate": "nest: place planet",
        "1.1 birch allocate": "reed: place planet",
        "1.1 ash wave": "wave: ships nest; left nest",
    }
    game = WrittenMatch(scenario(world), orders)
    ask = game.until("birch", "battle")
    assert "Nest's fighters" in " ".join(line.label for line in ask.form.lines)
    game.orders["1 battle"] = lost(game, "A")
    game.whole()
    assert (game.state.units["nest"].destroyed, game.state.units["nest"].fighters) == (False, 0)


@pytest.mark.rule("cutler", "2.9.1", "3.5.4")
def test_a_sortie_into_a_planets_hex_comes_last_so_that_whom_it_attacks_defends() -> None:
    world = HOMES + f"birch minor 0404 Rock 5\nash F1 0403 strike_carrier Nest{FULL}birch F1 0404 war_cruiser Reed\n"
    orders = {
        "1.1 ash sortie": "nest: target 0404",
        "1.1 ash attack": "birch: fighters 12",
        "1.1 birch allocate": "reed: place planet",
        "1.1 ash allocate": "ash-fighters-1: place planet",
    }
    game = WrittenMatch(scenario(world), orders)
    game.until("birch", "battle")
    game.orders["1 battle"] = lost(game, "A")
    game.whole()
    assert "In 0404 the Birch was here before the sortie and defends." in game.told("birch", "combat")
    assert game.state.units["nest"].fighters == 0


@pytest.mark.rule("cutler", "3.6.1.1", "3.6.1.1.1")
def test_a_navigator_among_pursuers_shifts_the_direction_of_a_group_that_surrounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A 4 surrounds with a navigator's help, and direction 6 becomes 1."""
    load_dice(monkeypatch, {"escape from": [6], "surround, group": [4], "direction, group": [6]})
    world = HOMES + 'ash F1 0403 frigate Spark\nbirch F1 0403 heavy_cruiser Reed | officers = ["navigator"]\n'
    world += "birch F1 0403 heavy_cruiser Rush\n"
    orders = {
        "1.1 birch card": "force: card combat",
        "1.1 ash wave": "wave: ships spark",
        "1.1 birch pursuit": "reed: group 1\nrush: group 1",
        "1.1 birch surround": "reed: group 1",
        "1.1 birch steer": "G1: shift 1",
    }
    game = WrittenMatch(scenario(world), orders)
    game.until("ash", "battle")
    assert any("group 1 comes up in direction 1" in text for text in game.told("ash", "combat"))
    game.orders["1 battle"] = lost(game, "A")
    game.whole()


# --- economy ---------------------------------------------------------------------------------------------------------

WORKS = HOMES + "ash - 0101 starbase Yard\nash F1 0101 frigate Spark\nash F2 0101 destroyer Cinder\n"
WORKS += 'ash F3 0101 heavy_cruiser Ember | crew_quality = "poor" | officers = ["engineer"]\nash F4 0103 tug Ox\n'


@pytest.mark.rule("cutler", "4.2.3", "4.3", "4.2.4.8", "4.2.2")
def test_a_bay_refits_and_another_repairs_a_crew_is_replaced_and_an_officer_goes_aboard_another_ship() -> None:
    """A frigate into a scout costs 30. Four warp boxes of ten points each are repaired for 20 CPV."""
    game = WrittenMatch(scenario(WORKS, turns=4), {"1 ash turn": 'D1: work "refit spark into scout"'})
    game.round()
    assert game.state.units["spark"].record.class_id == "scout"
    game.orders["2 ash turn"] = 'D1: work "crew normal for ember"\nA1: item officer_engineer; origin ember; to cinder'
    game.corrects("units.cinder.warp_ok", 14)
    game.round()
    assert (game.state.units["ember"].officers, game.state.units["cinder"].officers) == ((), ("engineer",))
    game.orders["3 ash turn"] = 'D2: work "repair cinder"'
    game.whole()
    assert (game.state.units["cinder"].warp_ok, game.state.units["ember"].crew_quality) == (18, "normal")
    assert any("stand idle, and starts are not saved (4.2.2)" in text for text in game.warned)


@pytest.mark.rule("cutler", "4.2.1", "4.4.3", "4.1.6.2", "4.1.4")
def test_an_owner_looks_up_its_docks_sites_stores_ships_and_planets() -> None:
    """125 CPV in a bay of 30 boxes, begun in turn 1, take until turn 5. A base station of 100 where none stood costs
    150, of which a tug with 50 cargo boxes builds 50 a turn: until turn 3."""
    orders = {
        "1 ash turn": "D1: work build heavy_cruiser; cpv 30\nH0101: repair 35\nbase: type base_station; at 0103\n"
        "standing: impulses each"
    }
    game = WrittenMatch(scenario(WORKS), orders)
    game.until("ash", "plot")
    economy = game.adjudicator.economy("ash")
    works = {work.key: (work.done, work.ready) for place in economy.places for work in place.queue}
    assert works["D1"] == ("30 of 125 CPV", 5)
    assert [done for key, done in works.items() if key[0] not in "D"] == [("50 of 150 CPV, Ox builds", 3)]
    assert "5 CPV lie unspent in repair boxes in 0101 and are lost with this turn (4.1.6.2)." in economy.losses
    tables = {table.key: table.rows for table in game.adjudicator.side_tables("ash")}
    assert [row[0] for row in tables["planets"]] == ["Hearth"]
    assert {row[0] for row in tables["ships"]} == {"Yard", "Spark", "Cinder", "Ember", "Ox"}
    assert [row[2] for row in tables["stores"] if row[1] == "Base Pool"] == [str(game.state.empires["ash"].base_pool)]
    game.whole()


# --- spies, surveys, chances -----------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "6.5.2", "8.4", "3.3.7.1", "3.3.2")
def test_an_owner_looks_up_the_odds_of_missions_scans_and_escapes() -> None:
    """30 IP against nothing need 1 to 5. A frigate of speed 6 with 2 ships adds 1: 1 or 2 on the die, a third."""
    world = HOMES + "ash F1 0403 scout Eye\nash F1 0403 frigate Spark\nbirch F1 0403 frigate Reed\n"
    game = WrittenMatch(scenario(world), {"1 ash turn": "standing: impulses each"})
    assert "• nothing against it: **83 %**, 1-5 on a die" in game.adjudicator.odds("ash", "spies", "30 IP").lines
    game.until("ash", "plot", impulse=2)
    contact = next(one.value for one in game.adjudicator.odds_menu("ash").targets if one.value.startswith("C"))
    lines = game.adjudicator.odds("ash", "F1", contact).lines
    assert lines[0].startswith("Scan of 0403 from 0403, 0 hexes away: each of up to 2 scans succeeds with **50 %**")
    assert any(line.startswith("• pursuers of speed 6: **33 %**") for line in lines)
    game.whole()


@pytest.mark.rule("cutler", "6.4.1.3")
def test_a_spied_fleet_lodges_another_hex_than_its_course_began_with_and_goes_on_from_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its course was 0504, 0604, 0704. It lodges 0505, which is next to 0604 as well, so that its course goes on to
    there and on to 0704."""
    load_dice(monkeypatch, {"M1/mission": [1]})
    world = HOMES + "ash F1 0404 heavy_cruiser Ember\n"
    orders = {
        "1 birch turn": "M1: kind movement; against ash; other 0404; ip 30",
        "1 ash turn": "F1: course 0504 0604 0704",
        "1 ash counter": "F1: to 0505",
    }
    game = WrittenMatch(scenario(world), orders)
    ask = game.until("ash", "counter")
    lodged = ask.answer_from(game.typed(ask, "F1: to 0505"))
    assert "F1 goes to 0505 in impulse 1; its course goes on after that: 0604 0704." in ask.read_back(lodged)
    game.whole()
    (known,) = game.told("birch", "intelligence")
    assert known.endswith("go to 0505.")
    moves = [text for text in game.told("ash", "movement") if text.startswith("Your moves")]
    assert moves == ["Your moves: F1 0404→0505.", "Your moves: F1 0505→0604.", "Your moves: F1 0604→0704."]
    assert game.state.units["ember"].hex == "0704"
