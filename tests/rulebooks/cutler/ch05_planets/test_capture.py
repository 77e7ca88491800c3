"""5.3 and 4.2.4.8: troops are landed, fight for a planet by hand, and take it."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.knowledge.views import STANDING_ORDERS, Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler.boards import public_board, side_board
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch04_economics.income import income_of, public_rate
from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from rules_engine.rulebooks.cutler.ch05_planets.capture import hand_over
from rules_engine.rulebooks.cutler.ch05_planets.landing import land_troops
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_on, ground_units
from rules_engine.rulebooks.cutler.records.planetary import can_land, most_parties, room_for, vehicles_for
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import decide_who_is_out, turn_steps
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.armed import SIEGE, armed, rearmed, taken, valued
from tests.rulebooks.cutler.combats import whole_turn
from tests.rulebooks.cutler.worlds import Run, alike, refusal_words, refusals, table_of, world

Sheet = dict[str, dict[str, Any]]


def landing(state: CutlerState, parties: int | None = None, fleet: str = "hydran/F1", planet: str = "cub") -> Run:
    """The landing of a fleet's troops, and nothing else."""
    state.fleets[fleet].land, state.fleets[fleet].parties = planet, parties
    land_troops(table := table_of(state))
    return Run(table, iter(()))  # type: ignore[arg-type]


def assault(*results: Sheet | None, state: CutlerState | None = None, **planet: Any) -> Run:
    """What follows combat when a Hydran force lands all its 20 boarding parties on Cub, impulse by impulse."""
    state = armed(cub={"boarding_parties": 12, "gcv": 1, "crew_units": 7, **planet}) if state is None else state
    state.fleets["hydran/F1"].land = "cub"
    table = table_of(state)
    run = Run(table.at("one"), after_combat_steps(table.at("one")), {("assault", ""): results[0]})
    for number, result in enumerate(results[1:], 2):
        later = Run(place := table.at(number), after_combat_steps(place), {("assault", ""): result})
        run.asks += later.asks
    return run


def ends(state: CutlerState, *results: Sheet) -> Run:
    """What follows combat in one impulse."""
    table = table_of(state)
    return Run(table.at("one"), after_combat_steps(table.at("one")), {("assault", ""): list(results)})


def left(holder: int, landed: int, **more: int) -> Sheet:
    """An account of the fight for Cub."""
    return {"planet": {"boarding_parties": holder, **more}, "H": {"boarding_parties": landed}}


# --- landing ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.8")
def test_a_shuttle_is_needed_to_land() -> None:
    state = armed(shuttles=0)
    assert not can_land(state.alive("hydran"))
    assert landing(state).table.state.planets["cub"].landed == {}
    rearmed(state.units["hydran-F1-DD"], shuttles=1)  # one is enough for the whole fleet
    assert landing(state).table.state.planets["cub"].landed == {"hydran": 20}


@cases("kind, limit")
def test_a_planet_has_room_for_so_many(kind: str, limit: int) -> None:
    state = armed(cub={"kind": kind, "boarding_parties": limit - 5})
    planet = state.planets["cub"]
    assert (room_for(planet, "klingon"), room_for(planet, "hydran")) == (5, limit)
    planet.landed = {"hydran": limit - 3}
    landing(state)
    assert planet.landed == {"hydran": limit}
    assert state.units["hydran-F1-CA"].boarding_parties + state.units["hydran-F1-DD"].boarding_parties == 17
    state.units["klingon-F1-CW"].hex = "0404"
    landing(state, fleet="klingon/F1")
    assert planet.boarding_parties == limit


@cases("name, value")
def test_who_left_lands_nobody(name: str, value: Any) -> None:
    state = armed()
    setattr(state.units["hydran-F1-CA"], name, value)
    assert landing(state).table.state.planets["cub"].landed == {"hydran": 10}


def test_troops_are_landed_only_where_the_fleet_is() -> None:
    run = landing(armed(), planet="den")
    assert run.table.state.planets["den"].landed == {}
    assert run.table.state.fleets["hydran/F1"].land == "den"  # it may come there yet


def test_troops_on_a_planet_of_ones_own_strengthen_its_garrison() -> None:
    state = armed()
    taken(state, "cub", "hydran", 1, boarding_parties=3)
    run = landing(state)
    assert (state.planets["cub"].boarding_parties, state.planets["cub"].landed) == (23, {})
    assert "F1 lands 20 boarding parties on Cub (0404)." in run.texts("hydran")
    assert run.texts("klingon") == ""


# --- plotting it -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_landing_is_plotted_and_what_cannot_be_landed_is_refused(kept: Kept) -> None:
    state = armed()
    ask = plot_ask(state, "hydran")
    assert refusals(ask, {"F1": {"land": "cub", "parties": 20}}) == []
    assert refusals(ask, {"F1": {"land": "throne"}}) == []
    wrong = [{"land": "cub", "parties": parties} for parties in (21, 0, -5)] + [{"land": "moon"}]
    assert [refusal_words(ask, {"F1": one}) for one in wrong] == kept("wrong")
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"land": "cub", "parties": 4}}))
    fleet = state.fleets["hydran/F1"]
    carry_out_plot(state, "hydran", FleetPlots())
    assert (fleet.land, fleet.parties) == ("cub", 4)
    assert "lands 4 boarding parties on Cub" in " ".join(plot_ask(state, "hydran").read_back(FleetPlots()))
    assert refusal_words(plot_ask(state, "hydran"), {"F1": {"parties": 21}}) == kept("stored")
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"parties": 7}}))
    assert (fleet.land, fleet.parties) == ("cub", 7)
    (row,) = side_board(state, "hydran", Knowledge()).panel(STANDING_ORDERS).rows[2:]
    assert row == "F1, when it ends an impulse there: lands 7 boarding parties on Cub."
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"land": "cub"}}))
    assert (fleet.land, fleet.parties) == ("cub", None)
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"land": "none", "parties": 4}}))
    assert (fleet.land, fleet.parties) == ("", None)


@cases("parties, shuttles, words")
def test_without_troops_or_shuttles_there_is_nothing_to_plot(parties: int, shuttles: int, words: list[str]) -> None:
    ask = plot_ask(armed(parties=parties, shuttles=shuttles), "hydran")
    assert refusal_words(ask, {"F1": {"land": "cub"}}) == words
    assert "land" not in {field.key for field in ask.form.line("F1").fields}


def test_a_landing_is_unseen_until_it_happens() -> None:
    text = SIEGE.replace("hydran F1 0404 CA+DD", "hydran F1 0101 CA+DD")
    one, other = (whole_turn(armed(text), hydran={"F1": {"land": lands}}) for lands in ("none", "cub"))
    alike(one, other, "lyran", "klingon")


# --- the fight on the surface ----------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "5.3")
def test_the_surface_is_fought_for_by_hand_and_all_accounts_must_agree(kept: Kept) -> None:
    run = assault(left(4, 9, gcv=0, crew_units=2))
    (ask,) = run.asked("klingon", "assault")
    assert (ask.parties, ask.pace, ask.default) == (("hydran", "klingon"), "battle", None)
    assert {line.key: line.filled_in() for line in ask.form.lines} == kept("#1")
    planet = run.table.state.planets["cub"]
    assert (planet.boarding_parties, planet.gcv, planet.crew_units, planet.landed) == (4, 0, 2, {"hydran": 9})
    assert planet.owner == "klingon"
    assert "Klingon 4 boarding parties, 2 crew units left; Hydran 9 boarding parties left" in run.texts("hydran")
    assert run.texts("lyran") == ""
    one, other = (ask.answer_from(left(4, count, gcv=0, crew_units=2)) for count in (9, 8))
    assert ask.agree({"hydran": one, "klingon": one}).settled == one
    differ = ask.agree({"hydran": one, "klingon": other})
    assert differ.settled is None
    assert differ.differences == kept("differ.differences")


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_an_account_holds_everybody_and_no_more_than_there_was(kept: Kept) -> None:
    (ask,) = assault(left(4, 9)).asked("klingon", "assault")
    # The form is asked again, of the world as it was.
    state = armed(cub={"boarding_parties": 12, "gcv": 1, "crew_units": 7})
    state.planets["cub"].landed = {"hydran": 20}
    (ask,) = Run(table := table_of(state), after_combat_steps(table), {}).asks
    state.planets["cub"].landed = {"hydran": 20}
    assert refusals(ask, left(12, 20, gcv=1, crew_units=7)) == []
    wrong = [left(13, 20), left(12, 21), left(12, 20, crew_units=8), left(9, 20, gcv=1)]
    wrong += [{"planet": {"boarding_parties": 0}}, {**left(1, 1), "L": {"boarding_parties": 0}}]
    assert [refusal_words(ask, one) for one in wrong] == kept()
    assert [vehicles_for(parties) for parties in (9, 10, 19, 20)] == [0, 1, 1, 2]
    assert ask.warn(ask.answer_from(left(1, 1)))
    assert not ask.warn(ask.answer_from(left(0, 1)))


@pytest.mark.rule("cutler", "5.3")
def test_an_undecided_fight_goes_on_in_the_next_impulse() -> None:
    run = assault(left(4, 9), left(0, 2))
    assert len(run.asked("klingon", "assault")) == 2
    assert run.asks[1].form.line("planet").filled_in() == {"boarding_parties": 4}
    assert run.table.state.planets["cub"].owner == "hydran"


@cases("case, fought, owner, left, asks")
def test_who_holds_a_planet_after_a_fight(fought: str, owner: str, left: int, asks: int) -> None:
    run = evaluated(fought, globals())
    planet = run.table.state.planets["cub"]
    assert (planet.owner, planet.boarding_parties, planet.landed, len(run.asks)) == (owner, left, {}, asks)


@pytest.mark.rule("cutler", "5.3", "5.3.1")
def test_a_planet_without_boarding_parties_is_captured_at_once() -> None:
    run = assault(left(0, 11, crew_units=7))
    state = run.table.state
    planet = state.planets["cub"]
    assert (planet.owner, planet.captured_turn) == ("hydran", 2)
    assert (planet.boarding_parties, planet.gcv, planet.crew_units, planet.landed) == (11, 0, 0, {})
    assert "The Hydran captures Cub (0404) from the Klingon." in run.texts("lyran")
    assert "You hold Cub with 11 boarding parties; razed are 0 CPV." in run.texts("hydran")
    assert "You hold" not in run.texts("klingon")
    # Nothing in the turns 2 and 3, half of 25 from turn 4 on.
    assert [income_of(planet, turn) for turn in (2, 3, 4)] == [0, 0, 12]
    assert defects(state) == []


@pytest.mark.rule("cutler", "5.3")
def test_of_several_invaders_the_last_takes_it() -> None:
    state = armed(cub={"boarding_parties": 12})
    state.units["lyran-F1-CC"].hex = "0404"
    state.fleets["lyran/F1"].land = "cub"
    both = {"planet": {"boarding_parties": 0}, "H": {"boarding_parties": 3}, "L": {"boarding_parties": 2}}
    run = assault(both, {**both, "H": {"boarding_parties": 0}}, state=state)
    assert [ask.parties for ask in run.asks] == [("hydran", "lyran", "klingon")] * 2
    assert (state.planets["cub"].owner, state.planets["cub"].boarding_parties) == ("lyran", 2)


def test_its_first_owner_frees_a_planet() -> None:
    state = armed()
    taken(state, "cub", "lyran", 1, boarding_parties=1, razed=Fraction(5))
    state.units["klingon-F1-CW"].hex = "0404"
    state.fleets["klingon/F1"].land = "cub"
    run = ends(state, {"planet": {"boarding_parties": 0}, "K": {"boarding_parties": 6}})
    planet = state.planets["cub"]
    assert (planet.owner, planet.captured_turn, planet.razed) == ("klingon", None, 5)
    assert income_of(planet, 2) == 20
    assert "The Klingon frees Cub (0404) from the Lyran." in run.texts("hydran")


def test_who_takes_a_planet_razes_it_no_more() -> None:
    state = armed(cub={"boarding_parties": 0})
    fleet = state.fleets["hydran/F1"]
    fleet.raze = fleet.land = "cub"
    Run(table := table_of(state), after_combat_steps(table))
    assert state.planets["cub"].owner == "hydran"
    assert (state.planets["cub"].razed, fleet.raze) == (0, "")


def test_a_revolt_is_against_the_holder_that_it_was_called_against() -> None:
    for holder in ("lyran", "klingon"):
        state = armed()
        taken(state, "cub", "hydran", 1, landed={holder: 3})
        state.revolts = ["cub"]
        hand_over(state, state.planets["cub"], holder)
        assert (state.revolts, defects(state)) == ([], [])


# --- what else knows of it -------------------------------------------------------------------------------------------
def test_everybody_sees_whose_planet_it_is_and_the_rates_without_razing() -> None:
    state = armed()
    taken(state, "cub", "hydran", 2, boarding_parties=20)
    (note,) = (note for note in public_board(state).hexes if note.hex == "0404")
    assert note.owner == "hydran"
    assert [public_rate(state, race) for race in ("hydran", "klingon")] == [100, 100]
    state.turn = 3
    assert public_rate(state, "hydran") == 112
    rows = "\n".join(side_board(state, "hydran", Knowledge()).panel("Planets").rows)
    assert "captured in turn 2, garrison 20 needed" in rows
    assert "20 boarding parties" not in side_board(state, "klingon", Knowledge()).model_dump_json()


def test_spies_look_for_a_planet_at_its_new_holder(kept: Kept) -> None:
    state = armed(SIEGE + "reserve klingon 100\n", cub={"ground": {"B": 2}})
    taken(state, "cub", "hydran", 1, boarding_parties=21)
    check = {"M1": {"kind": "planet", "against": "hydran", "other": "cub", "ip": 30}}
    run = Run(table := table_of(state, {"mission": [1]}), turn_steps(table), {("turn", "klingon"): check})
    assert "21 boarding parties, 0 crew units, 0 ground vehicles; 2 ground bases (hexside B 2), no ships" in run.texts(
        "klingon"
    )
    # Who fights there is there, too.
    state = armed(SIEGE + "reserve lyran 100\n", cub={"boarding_parties": 9, "landed": {"hydran": 3}})
    state.fleets["hydran/F1"].course = ["0405"]
    check = {"M1": {"kind": "planet", "against": "klingon", "other": "cub", "ip": 30}}
    run = Run(table := table_of(state, {"mission": [1]}), turn_steps(table), {("turn", "lyran"): check})
    assert "0 ground vehicles, 3 boarding parties of the Hydran; no ground bases" in run.texts("lyran")
    ask = turn_ask(armed(SIEGE + "reserve lyran 100\n"), "lyran")
    assert refusal_words(ask, {"M1": {"kind": "planet", "against": "hydran", "other": "cub", "ip": 30}}) == kept()


def test_troops_on_a_planet_keep_their_race_in_play() -> None:
    state = armed(SIEGE.replace("planet capital 0205 hydran throne\n", ""), cub={"boarding_parties": 9})
    for unit in state.alive("hydran"):
        unit.destroyed = True
    state.planets["cub"].landed = {"hydran": 3}
    decide_who_is_out(table := table_of(state))
    assert state.out == []
    state.planets["cub"].landed = {}
    decide_who_is_out(table)
    assert state.out == ["hydran"]
    hand_over(state, state.planets["cub"], "hydran")
    decide_who_is_out(table)
    assert state.out == []


@pytest.mark.rule("cutler", "4.2.4.8")
def test_a_ship_carries_a_quarter_more_than_its_complement_at_most() -> None:
    unit = armed().units["hydran-F1-CA"]
    assert [most_parties(rearmed(unit, boarding_parties=count)) for count in (10, 4, 7)] == [12, 5, 8]


@pytest.mark.rule("cutler", "5.3", "4.4.9")
def test_ground_bases_that_are_lost_in_ground_combat_leave_the_fullest_hexside_first() -> None:
    state = armed(SIEGE, cub={"boarding_parties": 12, "ground": {"B": 2, "E": 1}})
    run = assault(left(4, 9, ground_bases=1), state=state)
    assert ground_on(run.table.state, run.table.state.planets["cub"]) == {"E": 1}


def manned(people: int = 3) -> CutlerState:
    """Cub with twelve boarding parties, and three ground bases with so many each."""
    state = armed()
    state.ground_base_cost = GroundBaseCost(boarding_parties=people)
    valued(state, state.planets["cub"], boarding_parties=12, ground={"B": 2, "E": 1})
    return state


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_a_planet_does_not_fall_before_those_in_its_ground_bases_are_beaten_too(kept: Kept) -> None:
    state = manned()

    def judged(ask: AnyAsk) -> Sheet:
        (holder,) = [line for line in ask.form.lines if line.key == "planet"]
        assert {field.key: field.value for field in holder.fields} == kept()
        assert refusals(ask, left(0, 9, ground_bases=2, in_bases=6)) == []
        # The second base on hexside B is lost first, with the three in it.
        assert refusal_words(ask, left(0, 9, ground_bases=2, in_bases=7)) == kept("#3")
        assert refusal_words(ask, left(0, 9, ground_bases=3, in_bases=10)) == kept("#4")
        result = left(0, 9, ground_bases=2, in_bases=5)
        assert "the fight goes on" in ask.warn(ask.answer_from(result))[0]
        return result

    run = assault(judged, state=state)
    planet = state.planets["cub"]
    assert (planet.owner, planet.boarding_parties, planet.landed) == ("klingon", 0, {"hydran": 9})
    assert (
        "Klingon 2 ground bases intact, 5 boarding parties in ground bases left; Hydran 9 boarding parties left."
        in (run.texts("klingon"))
    )
    assert [(unit.name, unit.boarding_parties) for unit in ground_units(state, planet)] == kept("#1")
    run = assault(left(0, 4, ground_bases=1, in_bases=0), state=state)
    assert (planet.owner, planet.boarding_parties) == ("hydran", 4)
    assert [(unit.race, unit.name, unit.boarding_parties) for unit in ground_units(state, planet)] == kept("#2")
    assert defects(state) == []


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_who_lands_where_people_are_in_ground_bases_alone_has_to_fight() -> None:
    for people, holder in ((1, "klingon"), (0, "hydran")):
        state = manned(people)
        state.planets["cub"].boarding_parties = 0
        run = assault(None, state=state)
        assert (state.planets["cub"].owner, len(run.asks)) == (holder, people)


@pytest.mark.rule("cutler", "6.4.1.10", "4.2.4.8")
def test_a_planet_check_counts_those_in_ground_bases_apart() -> None:
    state = manned()
    state.empires["lyran"].reserve = 100
    state.fleets["hydran/F1"].course = ["0405"]
    check = {"M1": {"kind": "planet", "against": "klingon", "other": "cub", "ip": 30}}
    run = Run(table := table_of(state, {"mission": [1]}), turn_steps(table), {("turn", "lyran"): check})
    assert "12 boarding parties, 0 crew units, 0 ground vehicles; 3 ground" in run.texts("lyran")
    assert "3 ground bases (hexsides B 2, E 1) with 9 boarding parties and 0 crew units, no ships" in run.texts("lyran")


# --- races that land as one force ------------------------------------------------------------------------------------


def together(landed: dict[str, int], *, parties: int = 0, put_ashore: dict[str, int] | None = None) -> CutlerState:
    """Hydran and Lyran troops, who are one force, on a Klingon planet with so many boarding parties."""
    state = world(f"{SIEGE}together hydran lyran\n")
    cub = state.planets["cub"]
    cub.boarding_parties, cub.landed, cub.put_ashore = parties, dict(landed), put_ashore or {}
    return state


@pytest.mark.rule("cutler", "2.10", "5.3", "5.3.1")
@pytest.mark.parametrize(
    ("landed", "put_ashore", "captor"),
    [
        ({"hydran": 5, "lyran": 8}, {}, "lyran"),
        ({"hydran": 8, "lyran": 5}, {}, "hydran"),
        ({"hydran": 5, "lyran": 5}, {}, "hydran"),  # named first in the agreement
        ({"hydran": 2, "lyran": 5}, {"hydran": 10, "lyran": 5}, "hydran"),  # landed most, and lost some
    ],
)
def test_a_planet_falls_to_the_race_of_a_force_that_landed_most(
    landed: dict[str, int], put_ashore: dict[str, int], captor: str
) -> None:
    state = together(landed, put_ashore=put_ashore)
    run, cub = ends(state), state.planets["cub"]
    partner = "lyran" if captor == "hydran" else "hydran"
    assert run.asks == []
    assert (cub.owner, cub.boarding_parties) == (captor, landed[captor])
    assert (cub.landed, cub.guests) == ({partner: landed[partner]}, [partner])  # each keeps its own people
    assert income_of(cub, 3) == 0
    assert defects(state) == []


@pytest.mark.rule("cutler", "2.10", "5.3")
def test_partners_on_a_captured_planet_fight_each_other_only_when_they_are_one_force_no_longer() -> None:
    state = together({"hydran": 5, "lyran": 8})
    ends(state)
    assert ends(state).asks == []
    state.coordination.forces = []
    run = ends(state, {"planet": {"boarding_parties": 0}, "H": {"boarding_parties": 2}})
    assert [ask.parties for ask in run.asks] == [("hydran", "lyran")]
    assert (state.planets["cub"].owner, state.planets["cub"].landed) == ("hydran", {})


@pytest.mark.rule("cutler", "2.10", "5.3")
def test_races_that_are_no_force_keep_each_other_from_a_planet_that_nobody_holds() -> None:
    state = together({"hydran": 5, "lyran": 8})
    state.coordination.forces = []
    run = ends(state)
    assert [ask.parties for ask in run.asks] == [("hydran", "lyran", "klingon")]
    assert state.planets["cub"].owner == "klingon"


@pytest.mark.rule("cutler", "2.10", "5.3")
def test_a_force_fights_for_a_planet_as_one() -> None:
    state = together({"hydran": 5, "lyran": 8}, parties=3)
    lost: Sheet = {"planet": {"boarding_parties": 0}, "H": {"boarding_parties": 4}, "L": {"boarding_parties": 1}}
    held: Sheet = {**lost, "planet": {"boarding_parties": 1}}
    warned: list[int] = []

    def result(ask: AnyAsk) -> Sheet:
        warned.extend(len(list(ask.warn(ask.answer_from(sheet)))) for sheet in (lost, held))
        return lost

    table = table_of(state)
    run = Run(table.at("one"), after_combat_steps(table.at("one")), {("assault", ""): result})
    (ask,) = run.asks
    assert ask.forces == (("klingon",), ("hydran", "lyran"))
    assert warned == [0, 1]  # with their enemy gone, the fight does not go on
    assert state.planets["cub"].owner == "hydran"


@pytest.mark.rule("cutler", "2.10", "5.3")
def test_landing_on_a_partners_planet_is_an_attack_and_warned_of() -> None:
    state = armed(f"{SIEGE}together hydran klingon\n", cub={"boarding_parties": 12})
    ask = plot_ask(state, "hydran")
    warned = "F1 lands on Cub, which the Klingon holds: an attack on your partner (2.10)."
    assert warned in ask.warn(ask.answer_from({"F1": {"land": "cub"}}))
    assert not any("partner" in one for one in ask.warn(ask.answer_from({"F1": {"land": "none"}})))
    raze = ask.warn(ask.answer_from({"F1": {"raze": "cub"}}))
    assert "F1 razes Cub, which the Klingon holds: an attack on your partner (2.10)." in raze
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"land": "cub"}}))
    run = ends(state, left(4, 0))
    assert [one.forces for one in run.asks] == [(("klingon",), ("hydran",))]
    assert state.planets["cub"].boarding_parties == 4


@pytest.mark.rule("cutler", "2.10", "5.3")
def test_who_lands_more_on_a_planet_that_it_took_with_its_holder_attacks_it() -> None:
    state = armed(f"{SIEGE}together hydran lyran\n", cub={"boarding_parties": 8})
    cub = state.planets["cub"]
    cub.owner, cub.captured_turn, cub.landed, cub.guests = "lyran", 1, {"hydran": 3}, ["hydran"]
    state.fleets["hydran/F1"].land, state.fleets["hydran/F1"].parties = "cub", 2
    run = ends(state, {"planet": {"boarding_parties": 8}, "H": {"boarding_parties": 0}})
    assert [one.parties for one in run.asks] == [("hydran", "lyran")]
    assert cub.guests == []
