"""Ground combat and landing at their bounds: who fights where, what the sheet shows, and what is carried out."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler.ch05_planets import prizes
from rules_engine.rulebooks.cutler.ch05_planets.assault import AssaultResult, assaults_steps, judge_assault, places_of
from rules_engine.rulebooks.cutler.ch05_planets.capture import capture_planets, fighting_for, hand_over, holds_out
from rules_engine.rulebooks.cutler.ch05_planets.landing import land_troops
from rules_engine.rulebooks.cutler.ch05_planets.razing import raze_planets, razers_of, recover_from_razing
from rules_engine.rulebooks.cutler.ch05_planets.rebellion import note_revolts, rebellion_segment, why_major
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.orders import SalvageLine
from rules_engine.rulebooks.cutler.records.parts.troops import Landed
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Planet
from tests.expected.kept import Kept, cases
from tests.rulebooks.accounts import said, taken_over
from tests.rulebooks.cutler.armed import armed, mooned, rearmed, taken, valued
from tests.rulebooks.cutler.worlds import Run, kind_of, table_of, texts, world

CA, DD, CW = "hydran-F1-CA", "hydran-F1-DD", "klingon-F1-CW"


def fight(**values: Any) -> tuple[CutlerState, Planet]:
    """Cub, with these values."""
    state = armed(cub=values)
    return state, state.planets["cub"]


def fought(state: CutlerState, **result: dict[str, int]) -> Run:
    return Run(table := table_of(state), assaults_steps(table), {("assault", ""): result})


# --- who fights ------------------------------------------------------------------------------------------------------
@cases("values, parties")
def test_troops_fight_where_several_races_have_some(values: dict[str, Any], parties: tuple[str, ...]) -> None:
    state, cub = fight(**values)
    lines = {"planet" if race == "klingon" else race[0].upper(): {"boarding_parties": 0} for race in parties}
    lines |= {"planet": {"boarding_parties": 0}}
    assert [ask.parties for ask in fought(state, **lines).asks] == ([parties] if parties else [])
    assert holds_out(state, cub) is bool(cub.boarding_parties)
    cub.landed = {"lyran": 2, "hydran": 1, "klingon": 0}
    assert fighting_for(state, cub) == ["hydran", "lyran"]


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_who_is_in_ground_bases_holds_out() -> None:
    state, cub = fight(ground={"A": 1})
    assert holds_out(state, cub) is False
    next(unit for unit in state.units.values() if unit.kind == "ground_base").boarding_parties = 1
    assert holds_out(state, cub) is True


@pytest.mark.rule("cutler", "5.3")
def test_strands_of_fights_are_named_by_hex_and_number(kept: Kept) -> None:
    texts = ["planet minor 0404 klingon c", "planet minor 0404 klingon a", "planet minor 0202 klingon z"]
    state = world("\n".join([*texts, "planet minor 0404 klingon b"]))
    assert {name: planet.key for name, planet in places_of(state.planets.values()).items()} == kept()


# --- what the sheet shows --------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "5.3")
def test_a_fight_for_a_planet_is_pictured_with_all_troops(kept: Kept) -> None:
    state, cub = fight(
        boarding_parties=12, squads={"heavy": 2, "commando": 1}, gcv=1, crew_units=3, ground={"A": 1},
        landed={"hydran": 20, "lyran": 5}, landed_with={"hydran": Landed(squads={"commando": 4}, gcv=2)},
    )  # fmt: skip
    next(unit for unit in state.units.values() if unit.kind == "ground_base").boarding_parties = 6
    result = {"planet": {"boarding_parties": 1}, "H": {"boarding_parties": 1}, "L": {"boarding_parties": 0}}
    (ask,) = fought(state, **result).asks
    assert ask.setup is not None
    scene = ask.setup.scene
    assert (scene.title, scene.when, scene.remark) == kept("#1")
    assert [(force.sides, force.does) for force in scene.forces] == kept("#2")
    assert [(unit.code, unit.kind, unit.under) for unit in scene.units] == kept("#3")
    assert [line.label for line in ask.form.lines] == kept()
    assert [field.key for field in ask.form.lines[2].fields] == ["boarding_parties"]
    assert (cub.landed, list(cub.landed_with)) == ({"hydran": 1}, ["hydran"])
    (base,) = [key for key, unit in state.units.items() if unit.kind == "ground_base"]
    assert ask.set_up_from == {"planets.cub", f"units.{base}"}
    assert [unit.destroyed for unit in state.units.values() if unit.kind == "ground_base"] == [True]


@pytest.mark.rule("cutler", "5.3")
def test_a_fight_for_a_moon_is_called_one() -> None:
    state = mooned(armed(), "0404", system=StarSystem(moons=(4,)))
    valued(state, state.moons["moon1_0404"], boarding_parties=2, landed={"hydran": 3})
    (ask,) = fought(state, planet={"boarding_parties": 2}, H={"boarding_parties": 0}).asks
    assert ask.setup is not None
    scene = ask.setup.scene
    assert [force.does for force in scene.forces] == ["holds the moon", "has landed"]
    assert scene.remark == "The moon falls as soon as its holder has no boarding party left."
    assert [line.label for line in ask.form.lines] == ["Klingon (holds the moon)", "Hydran (landed)"]
    assert ask.set_up_from == {"moons.moon1_0404"}
    assert state.moons["moon1_0404"].landed == {}


# --- accounts --------------------------------------------------------------------------------------------------------


@cases("planet, invader, found")
def test_no_more_is_left_than_there_was(planet: dict[str, int], invader: dict[str, int], found: list[str]) -> None:
    state, cub = fight(
        boarding_parties=12, squads={"heavy": 2, "commando": 1}, gcv=1, ground={"A": 2}, landed={"hydran": 20},
        landed_with={"hydran": Landed(gcv=2)},
    )  # fmt: skip
    bases = [unit for unit in state.units.values() if unit.kind == "ground_base"]
    bases[0].boarding_parties, bases[1].boarding_parties = 3, 2
    result = AssaultResult.model_validate({"planet": planet, "H": invader})
    assert [str(one) for one in judge_assault(state, cub, result)] == found
    if not found:
        fought(state, planet=planet, H=invader)
        left = [unit.boarding_parties for unit in bases if not unit.destroyed]
        assert (len(left), sum(left)) == (planet.get("ground_bases", 0), planet.get("in_bases", 0))
        assert cub.boarding_parties == planet.get("boarding_parties", 0)


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_people_in_ground_bases_are_lost_where_most_of_them_are() -> None:
    state, _ = fight(boarding_parties=1, ground={"A": 2}, landed={"hydran": 20})
    bases = [unit for unit in state.units.values() if unit.kind == "ground_base"]
    bases[0].boarding_parties, bases[1].boarding_parties = 1, 4
    fought(state, planet={"ground_bases": 2, "in_bases": 3}, H={"boarding_parties": 1})
    assert [unit.boarding_parties for unit in bases] == [1, 2]


@pytest.mark.rule("cutler", "5.3")
def test_accounts_are_compared_line_by_line(kept: Kept) -> None:
    state, _ = fight(boarding_parties=12, landed={"hydran": 20})
    (ask,) = fought(state, planet={"boarding_parties": 12}, H={"boarding_parties": 0}).asks
    state.planets["cub"].landed = {"hydran": 20}
    one = ask.answer_from({"planet": {"boarding_parties": 3}, "H": {"boarding_parties": 0}})
    other = ask.answer_from({"planet": {"boarding_parties": 4}, "H": {"boarding_parties": 0}})
    assert ask.agree({"hydran": one, "klingon": other}).differences == kept()
    assert ask.read_back(one) == ["Klingon 3 boarding parties left", "Hydran nothing left"]
    lone = {"planet": {"in_bases": 0, "boarding_parties": 1}, "H": {"boarding_parties": 0}}
    assert ask.warn(ask.answer_from(lone)) == []


@pytest.mark.rule("cutler", "5.3")
def test_the_account_of_a_fight_for_a_planet_asks_for_boarding_parties_and_is_taken_over_field_by_field(kept):
    state, _ = fight(boarding_parties=12, crew_units=4, landed={"hydran": 20, "lyran": 3})
    (ask,) = next(assaults_steps(table_of(state))).asks
    assert ask.guide is not None
    assert ask.setup is not None
    assert ask.setup.scene is not None
    form, sheet = ask.form, ask.form.prefilled()
    assert [(field.key, field.value) for field in ask.guide.short.line(0, form, sheet).fields] == kept()
    changes = ask.guide.short.put_in(0, form, sheet, {"planet.boarding_parties": 0, "H.boarding_parties": 7})
    assert changes == {"planet": {"boarding_parties": 0}, "H": {"boarding_parties": 7}}
    after = {key: {**line, **changes.get(key, {})} for key, line in sheet.items()}
    outcome = ask.guide.outcome(ask.setup.scene, after).units
    assert [(one.side, one.says, one.ending) for one in outcome] == kept("outcome")
    mine = ask.answer_from({"planet": {"crew_units": 2}, "H": {"boarding_parties": 1}, "L": {}})
    theirs = ask.answer_from({"planet": {"crew_units": 3}, "H": {"boarding_parties": 1}, "L": {"boarding_parties": 1}})
    assert said(ask, mine, theirs, "hydran", "klingon") == kept("#2")
    taken_over(ask, mine, theirs, "hydran", "klingon")


# --- landing ---------------------------------------------------------------------------------------------------------
def landing(code: str = "cub", parties: int = 10, **fleet: Any) -> tuple[CutlerState, list[str]]:
    """The Hydran's force lands on a planet; what it is told."""
    holder, heard = fleet.pop("holder", None), fleet.pop("heard", {})
    state = armed(parties=parties)
    if holder:
        taken(state, code, holder, 1)
    for name, value in {"land": code, **fleet.pop("planet", {}), **fleet}.items():
        setattr(state.fleets["hydran/F1"], name, value)
    land_troops(table := table_of(state))
    heard |= {side: texts(table, side) for side in ("klingon", "lyran")}
    return state, texts(table)


@cases("wanted, landed, left")
def test_as_many_land_as_are_wanted_and_there_are(wanted: int | None, landed: int, left: list[int]) -> None:
    """The holder learns of it, and not how many they are."""
    state, told = landing(parties=10, planet={"parties": wanted}, heard=(heard := {}))
    assert [state.units[key].boarding_parties for key in (CA, DD)] == left
    assert state.planets["cub"].landed == ({"hydran": landed} if landed else {})
    words = f"{landed} boarding part{'y' if landed == 1 else 'ies'}"
    assert told == ([f"F1 lands {words} on Cub (0404)."] if wanted != 0 else [])
    assert heard == {"klingon": ["Hydran troops land on Cub (0404)."] if landed else [], "lyran": []}
    assert (state.fleets["hydran/F1"].land, state.fleets["hydran/F1"].parties) == ("", None)
    assert state.empires["klingon"].alerts == (["Cub is attacked"] if landed else [])


@pytest.mark.rule("cutler", "4.2.4.8")
def test_crews_vehicles_and_shuttles_go_to_ones_own_planet_as_far_as_there_is_room(kept: Kept) -> None:
    state = armed(parties=0)
    cub = taken(state, "cub", "hydran", 1, boarding_parties=15, crew_units=145, ground={"A": 1})
    ca, dd = state.units[CA], state.units[DD]
    rearmed(ca, cargo=2)
    for unit, crew in ((ca, 5), (dd, 4)):
        unit.crew_units = crew
    ca.stowed, dd.holds["gcv"] = {"gcv": Lot(item=STANDARD["gcv"], count=2)}, Lot(item=STANDARD["gcv"], count=1)
    fleet = state.fleets["hydran/F1"]
    fleet.land, fleet.crews, fleet.shuttles = "cub", 9, 3
    land_troops(table := table_of(state))
    # One vehicle for fifteen parties; five crew units for which there is room; a box for one shuttle.
    assert (cub.gcv, cub.crew_units, cub.shuttles, cub.boarding_parties) == (1, 150, 1, 15)
    assert [ca.crew_units, dd.crew_units] == [1, 3]
    assert [one.text for one in table.shared.reports] == kept()
    assert (fleet.land, fleet.crews, fleet.shuttles) == ("", None, 0)


@pytest.mark.rule("cutler", "4.2.4.8")
def test_vehicles_follow_troops_that_fight_and_none_land_without_them() -> None:
    state = armed(parties=10)
    cub = state.planets["cub"]
    state.units[CA].holds["gcv"] = Lot(item=STANDARD["gcv"], count=3)
    state.fleets["hydran/F1"].land = "cub"
    land_troops(table_of(state))
    assert (cub.landed, cub.landed_with["hydran"].gcv) == ({"hydran": 20}, 2)
    state.fleets["hydran/F1"].land = "cub"
    cub.landed["hydran"] = 30
    land_troops(table_of(state))
    assert (cub.landed, cub.landed_with["hydran"].gcv) == ({"hydran": 30}, 3), "those that are there already make room"
    other = armed(parties=0)
    other.units[CA].holds["gcv"] = Lot(item=STANDARD["gcv"], count=3)
    other.fleets["hydran/F1"].land = "cub"
    land_troops(table := table_of(other))
    assert (other.planets["cub"].landed, other.planets["cub"].landed_with, table.shared.reports) == ({}, {}, [])


@pytest.mark.rule("cutler", "4.2.4.8")
@pytest.mark.parametrize("able", [True, False])
@pytest.mark.parametrize("holder", ["hydran", "klingon"])
def test_nothing_lands_without_a_shuttle_or_a_transporter(able: bool, holder: str) -> None:
    state = armed(parties=10, shuttles=1 if able else 0)
    cub = state.planets["cub"]
    valued(state, cub, owner=holder, boarding_parties=20, landed={"hydran": 30} if holder == "klingon" else {})
    for key in (CA, DD):
        state.units[key].holds["gcv"] = Lot(item=STANDARD["gcv"], count=1)
        state.units[key].crew_units = 5
    state.fleets["hydran/F1"].land, state.fleets["hydran/F1"].crews = "cub", 3
    land_troops(table := table_of(state))
    report = next(one for one in table.shared.reports if one.is_for("hydran"))
    assert report.why is not None
    assert dict(report.why.inputs) == {"wanted": "20", "shuttles or transporters": "yes" if able else "none"}
    own, landed = holder == "hydran", 20 if able else 0
    gcv, crews = 2 if able else 0, 3 if able and holder == "hydran" else 0
    assert (cub.boarding_parties, cub.crew_units) == (20 + (landed if own else 0), crews)
    assert cub.landed == ({} if own else {"hydran": 30 + landed})
    assert (cub.gcv if own else cub.landed_with["hydran"].gcv) == gcv


@pytest.mark.rule("cutler", "5.3")
def test_who_holds_a_planet_after_it_changed_hands(kept: Kept) -> None:
    state, cub = fight(
        boarding_parties=3, crew_units=4, shuttles=2, gcv=1, landed={"hydran": 19, "lyran": 2},
        landed_with={"hydran": Landed(squads={"heavy": 3}, gcv=2)},
    )  # fmt: skip
    state.revolts = ["cub", "x"]
    state.fleets["hydran/F1"].raze = "cub"
    state.fleets["lyran/F1"].raze = "cub"
    hand_over(state, cub, "hydran")
    assert (cub.owner, cub.captured_turn, cub.boarding_parties, cub.squads, cub.gcv) == kept("#1")
    assert (cub.crew_units, cub.shuttles, cub.landed, cub.landed_with) == (0, 0, {"lyran": 2}, {})
    assert (state.revolts, state.fleets["hydran/F1"].raze, state.fleets["lyran/F1"].raze) == (["x"], "", "cub")
    hand_over(state, cub, "klingon")
    assert (cub.owner, cub.captured_turn, cub.boarding_parties, cub.gcv, state.revolts) == kept("#2")


@cases("values, told")
def test_a_planet_is_captured_by_who_is_there_alone(values: dict[str, Any], told: list[str]) -> None:
    state, _ = fight(razed=2.5, **values)
    capture_planets(table := table_of(state))
    assert [one.text for one in table.shared.reports if one.is_for("hydran")] == told
    assert state.empires["hydran"].alerts == (["Cub changed hands"] if told else [])
    assert state.empires["klingon"].alerts == state.empires["hydran"].alerts


@pytest.mark.rule("cutler", "5.3")
def test_what_is_said_of_a_planet_that_is_freed_and_of_a_moon(kept: Kept) -> None:
    state = mooned(armed(), "0404", system=StarSystem(moons=(4,)))
    taken(state, "cub", "lyran", 1, landed={"klingon": 1}, razed=1)
    state.moons["moon1_0404"].landed = {"hydran": 2}
    capture_planets(table := table_of(state))
    assert [one.text for one in table.shared.reports] == kept()


# --- rebellion -------------------------------------------------------------------------------------------------------
@cases("garrisoned, revolt, die, told, left")
def test_how_many_rebel_and_what_they_take(garrisoned, revolt, die, told, left):
    """So many boarding parties against so many rebels that missions raised, and the dice."""
    state, (parties, stirred) = armed(), garrisoned
    cub = taken(state, "cub", "hydran", 1, boarding_parties=parties)
    state.revolts, state.rebels = ["cub"] if revolt else [], {"cub": stirred}
    assert bool(why_major(state, cub)) is told.startswith("Major")
    rebellion_segment(table := table_of(state, {"losses": [5, 5], "rebels": [die]}))
    assert [one.text for one in table.shared.reports] == [told]
    assert (cub.boarding_parties, cub.owner, state.revolts, state.rebels) == (left, "hydran", [], {})


@cases("there, revolts")
def test_a_ship_of_the_first_owner_alone_calls_to_revolt(there: dict[str, str], revolts: list[str]) -> None:
    state = armed()
    for key, hex_id in there.items():
        state.units[key].hex = hex_id
    note_revolts(state)
    assert state.revolts == [], "it is in its first owner's hands"
    taken(state, "cub", "hydran", 1)
    note_revolts(state)
    note_revolts(state)
    assert state.revolts == revolts
    state.revolts, state.units[CW].cloaked = [], True
    note_revolts(state)
    assert state.revolts == []


# --- razing ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "5.2", "5.2.2", "5.2.3", "5.2.3.2")
def test_each_force_that_no_ground_base_hinders_razes(kept: Kept) -> None:
    state = armed()
    cub = state.planets["cub"]
    state.fleets["hydran/F1"].raze = state.fleets["lyran/F1"].raze = "cub"
    state.units["lyran-F1-CC"].hex = "0404"
    assert [unit.id for unit in razers_of(state, cub, "hydran")] == [CA, DD]
    raze_planets(table := table_of(state))
    told = [one.text for one in table.shared.reports]
    assert told == ["Cub (0404) is razed by the Hydran and Lyran: 8 points, 8 CPV in all."]  # 3 and 2, and 3
    assert (state.empires["klingon"].alerts, cub.news_turn) == (["Cub is razed"], 2)
    raze_planets(table)
    assert (cub.razed, state.empires["klingon"].alerts) == (16, ["Cub is razed"])
    raze_planets(table)
    raze_planets(table)
    assert cub.razed == 25
    state.turn, cub.razed = 3, Fraction(20)
    raze_planets(table)
    assert state.empires["klingon"].alerts == ["Cub is razed"] * 2
    valued(state, cub, razed=0, ground={"A": 1})
    raze_planets(table := table_of(state))
    assert [(one.to, one.text) for one in table.shared.reports] == kept()
    cub.owner = "hydran"
    assert razers_of(state, cub, "hydran") == []


@cases("razed, captured, left")
def test_a_planet_recovers_a_tenth_or_a_twentieth(razed: float, captured: bool, left: float) -> None:
    state = armed(cub={"razed": razed})
    if captured:
        taken(state, "cub", "hydran", 1)
    recover_from_razing(table := table_of(state))
    assert state.planets["cub"].razed == left
    share = "1.25" if captured else "2.5"
    said = [f"Cub (0404) recovers {share} CPV: {left:g} CPV razed in all."] if razed else []
    assert [one.text for one in table.shared.reports] == said


# --- prizes ----------------------------------------------------------------------------------------------------------
def prized(base_type: str = "SB", **figures: Any) -> CutlerState:
    """A captured cruiser and a frigate beside a base, and two more bases in the hex."""
    state = world("hydran F1 0205 CA+FF\nhydran F2 0303 DD\nhydran base 0205 Yard\nlyran base 0902 Lair")
    state.units["hydran-base-0205"].record = kind_of("base", base_type=base_type, cargo=10)
    ship = state.units[CA]
    ship.record = kind_of("CA", **figures)
    ship.captured_from = state.units["hydran-F2-DD"].captured_from = "lyran"
    return state


@pytest.mark.rule("cutler", "5.1", "5.1.1", "4.2.1.1")
def test_prizes_beside_a_base_are_melted_down(kept: Kept) -> None:
    state = prized()
    assert [unit.id for unit in prizes.salvageable(state, "hydran")] == [CA]
    (line,) = prizes.salvage_lines(state, "hydran")
    assert [choice.label for choice in line.fields[0].choices] == ["Hydran F1 Ca (CA): 62 CPV"]
    assert prizes.salvage_lines(state, "lyran") == []
    wrong = SalvageLine(ships=(CA, CA, "hydran-F1-FF", "hydran-F2-DD", "ghost"))
    assert [str(one) for one in prizes.judge_salvage(state, "hydran", wrong, [CA])] == kept("refused")
    assert prizes.judge_salvage(state, "hydran", SalvageLine(ships=(CA,))) == []
    assert prizes.say_salvage(state, SalvageLine(ships=(CA, "hydran-F1-FF"))) == kept()
    assert prizes.say_salvage(state, SalvageLine()) == []
    state.units["hydran-base-0205"].captured_from = "lyran"
    assert [unit.id for unit in prizes.salvageable(state, "hydran")] == [CA], "no base is melted down"


@cases("warp, value, held, told", "")
def test_scrap_goes_into_cargo_boxes_as_far_as_there_is_room(warp: int, value: int, held: int, told: str) -> None:
    """Half of 125 less five for each lost warp box."""
    state = prized()
    state.units[CA].warp_ok, state.units["hydran-base-0205"].cargo_cpv = warp, held
    assert prizes.scrap_value(state, state.units[CA]) == value
    prizes.salvage_prizes(table := table_of(state), "hydran", SalvageLine(ships=(CA,)))
    assert [one.text for one in table.shared.reports] == [f"Hydran F1 Ca (CA) is melted down in 0205: {told}."]
    assert state.fleets["hydran/F1"].units == ["hydran-F1-FF"]
    state.units[CA].warp_ok = 0
    assert prizes.scrap_value(state, state.units[CA]) == 0


# --- fights that end by rule (5.3, CU-N187) --------------------------------------------------------------------------
def ended_by_rule(state: CutlerState) -> Run:
    """Fights for planets that end by rule."""
    table = table_of(state)

    def by_rule(ask: AnyAsk) -> Any:
        assert ask.ends is not None
        table.shared.settlements[ask.id] = "by rule"
        return ask.ends.account()

    return Run(table, assaults_steps(table), {("assault", ""): by_rule})


@pytest.mark.rule("cutler", "5.3")
def test_troops_fight_on_after_an_end_by_rule_only_when_some_have_come() -> None:
    state, cub = fight(boarding_parties=5, landed={"hydran": 3})
    (ask,) = ended_by_rule(state).asks
    assert ask.ends is not None
    assert ask.ends.says.endswith("They do not fight on until troops come, leave or are lost.")
    assert (cub.boarding_parties, cub.landed) == (5, {"hydran": 3})
    assert [ended_by_rule(state).asks for _ in range(2)] == [[], []]
    cub.landed["hydran"] = 4
    assert len(ended_by_rule(state).asks) == 1
    assert fought(state, planet={"boarding_parties": 5}, H={"boarding_parties": 4}).asks == []
