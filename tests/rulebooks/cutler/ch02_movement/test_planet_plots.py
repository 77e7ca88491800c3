"""5.2.2, 4.2.4.8: what a fleet's line asks and says of planets: what stands, what is filled in, and what is refused."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch02_movement.planet_plots import planet_fields
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost, with_more
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import cases
from tests.rulebooks.cutler.armed import armed, mooned, rearmed, taken
from tests.rulebooks.cutler.worlds import refusal_words, world

# --- steps of courses ------------------------------------------------------------------------------------------------
FLEETS = "hydran F1 0404 CA\nhydran F3 0205 CA+FF course 0206\nlyran F1 0707 CA\n"


def typed(text: str) -> tuple[list[str], list[str]]:
    """What is read back of the Hydran's fleets, and the warnings."""
    ask = turn_ask(world(FLEETS), "hydran")
    answer = ask.answer_from(read_sheet(ask.form, text, ask.refusals_of))  # type: ignore[arg-type]
    return [one for one in ask.read_back(answer) if one.startswith("F")], list(ask.warn(answer))


def refused(text: str) -> str:
    with pytest.raises(Refused) as fault:
        typed(text)
    return str(fault.value)


@pytest.mark.rule("cutler", "2.2")
@pytest.mark.parametrize("text", ["F3: 0206 > 0207", "F3: 0206>0207", "F3 0206 > 0207", "F3: 0205 > 0206 > 0207"])
def test_a_course_is_written_step_by_step(text: str) -> None:
    assert typed(text)[0][1] == "F3 (Hydran F3 Ca, Hydran F3 Ff): 0205 → 0206 → 0207."


@pytest.mark.rule("cutler", "2.2")
def test_steps_that_are_no_neighbours_are_filled_in_and_said() -> None:
    said, warned = typed("F3: 0206 > 0209 > 0309")
    assert said[1] == "F3 (Hydran F3 Ca, Hydran F3 Ff): 0205 → 0206 → 0207 → 0208 → 0209 → 0309."
    assert warned[0] == "F3: 0206 and 0209 are no neighbours; it goes by 0207 0208."
    assert not [one for one in typed("F3: to 0209")[1] if "neighbours" in one]  # which asks for just that
    assert not [one for one in typed("F3: 0206 > 0207")[1] if "neighbours" in one]


@cases("text, said")
def test_what_cannot_be_flown_is_refused_with_what_was_meant(text: str, said: str) -> None:
    assert said in refused(text)


@pytest.mark.rule("cutler", "2.2", "2.7")
def test_stored_courses_and_those_of_convoys_are_on_their_owners_map_alone() -> None:
    state = world(FLEETS + "hydran V1 0204 FL+FL course 0304 0404\n")

    def drawn(side: str) -> dict[str, tuple[str, ...]]:
        board = RULEBOOK.side_board(state, side, Knowledge())
        return {one.counter: one.hexes for one in board.courses if one.kind == "plotted"}

    assert drawn("hydran") == {"F3": ("0205", "0206"), "V1": ("0204", "0304", "0404")}
    assert drawn("lyran") == drawn("klingon") == {}


# --- planet plots ----------------------------------------------------------------------------------------------------
DD = "hydran-F1-DD"
LANDS = "lands 4 boarding parties and 3 crew units on Cub"


def held(crew: int = 4, **cub: Any) -> CutlerState:
    """A CA and a DD with ten boarding parties, two shuttles and so many crew units each over Cub, which is Hydran and
    has five ground bases with a box each."""
    state = armed()
    state.ground_base_cost = GroundBaseCost(shuttles=1)
    taken(state, "cub", "hydran", 1, boarding_parties=16, ground=with_more({}, 5), **cub)
    for unit in state.alive("hydran"):
        unit.crew_units = crew
    return state


def stored(state: CutlerState, kept: tuple[Any, ...]) -> None:
    fleet = state.fleets["hydran/F1"]
    fleet.raze, fleet.land, fleet.parties, fleet.crews, fleet.shuttles = kept


def orders(state: CutlerState, key: str = "F1") -> tuple[Any, ...]:
    fleet = state.fleets[f"hydran/{key}"]
    return fleet.raze, fleet.land, fleet.parties, fleet.crews, fleet.shuttles


# --- what stands -----------------------------------------------------------------------------------------------------
@cases("line, said, kept")
def test_what_a_line_leaves_out_stays_as_it_was_but_for_another_landing(line, said, kept) -> None:
    state = held()
    stored(state, ("den", "cub", 4, 3, 2))
    ask = plot_ask(state, "hydran")
    sheet = ask.answer_from({"F1": line})
    assert ask.read_back(sheet)[0] == f"F1 (Hydran F1 Ca, Hydran F1 Dd): holds in 0404{said}."
    carry_out_plot(state, "hydran", sheet)
    assert orders(state) == kept


@cases("line, said, kept")
def test_ships_that_are_split_off_take_no_orders_of_their_fleet_along(line, said, kept) -> None:
    state = held()
    stored(state, ("den", "cub", 4, 3, 2))
    ask = plot_ask(state, "hydran")
    sheet = ask.answer_from({"new": {"ships": [DD], **line}})
    assert ask.read_back(sheet)[1] == f"New fleet (Hydran F1 Dd): holds in 0404{said}."
    carry_out_plot(state, "hydran", sheet)
    assert (orders(state), orders(state, "F2")) == (("den", "cub", 4, 3, 2), kept)


# --- what is asked ---------------------------------------------------------------------------------------------------
def filled_in(state: CutlerState, key: str = "F1") -> dict[str, Any]:
    fields = plot_ask(state, "hydran").form.line(key).fields
    return {one.key: one.value for one in fields if one.key in ("raze", "land", "parties", "crews", "shuttles")}


@cases("kept, there, values")
def test_what_stands_is_filled_in_as_far_as_it_can_be_done(kept, there, values) -> None:
    state = held(shuttles=there)
    stored(state, kept)
    assert filled_in(state) == dict(zip(("raze", "land", "parties", "crews", "shuttles"), values, strict=True))
    # Ships that would be split off have nothing stored.
    new = {"raze": "none", "land": "none", "parties": None, "crews": None, "shuttles": 0}
    assert filled_in(state, "new") == new


OWN = "turn 2 impulse 3\nplanet minor 0404 hydran cub\nhydran F1 0404 CA+DD"


def manned(
    text: str = "",
    *,
    parties: int = 0,
    crew: int = 0,
    shuttles: int = 1,
    vehicles: int = 0,
    grounds: bool = False,
    **figures: Any,
) -> CutlerState:
    """The force with that aboard of each ship, and ground bases of its race on a planet of its own if so."""
    state = armed(text) if text else armed()
    if grounds:
        taken(state, "throne", "hydran", 1, ground={"A": 1})
    for unit in state.alive("hydran"):
        if unit.in_fleets:
            rearmed(unit, boarding_parties=10, shuttles=2, **figures)
            unit.boarding_parties, unit.crew_units = parties, crew
            unit.holds = {"shuttle": Lot(item=STANDARD["shuttle"], count=shuttles)} if shuttles else {}
            unit.stowed = {"gcv": Lot(item=STANDARD["gcv"], count=vehicles)} if vehicles else {}
    return state


NOBODY = "F1.land: none of these ships has anybody to land (5.3, 4.2.4.8). Legal: none. Did you mean none?"
NO_WAY = (
    "F1.land: none of these ships has a shuttle or a working transporter to land with (4.2.4.8, CU-N32). "
    "Legal: none. Did you mean none?"
)


@cases("aboard, asked, refused")
def test_a_line_asks_what_its_ships_can_do_to_planets(aboard, asked, refused) -> None:
    state = manned(**aboard)
    assert list(filled_in(state)) == asked.split()
    assert refusal_words(plot_ask(state, "hydran"), {"F1": {"land": "cub"}}) == refused


def test_where_there_are_no_planets_nothing_is_asked_of_them() -> None:
    assert filled_in(manned("turn 2 impulse 3\nhydran F1 0404 CA+DD", parties=1, crew=2, vehicles=1)) == {}


def test_moons_are_offered_where_planets_leave_room_on_the_menu() -> None:
    """A menu holds no planet and 24 bodies, of which one may be a moon that was stored. The numbers are the book's own
    and are here so that nobody changes them by accident."""
    hexes = [f"{column:02}{row:02}" for column in (1, 4, 7) for row in range(1, 9)]
    for planets, nearest in (
        (21, ["giantmoon1_0404", "giantmoon2_0404"]),
        (22, ["giantmoon1_0404"]),
        (23, []),
        (24, []),
    ):
        lines = [f"planet minor {hex_id} klingon p{hex_id}" for hex_id in hexes[:planets]]
        state = armed("\n".join(["turn 2 impulse 3", *lines, "hydran F1 0404 CA"]))
        mooned(state, "0101", "0404")  # those of 0101 come first by their keys, and are farther away
        fleet, units = state.fleets["hydran/F1"], state.alive("hydran")
        for stored_moon in ("", "moon1_0101"):
            fleet.land = stored_moon
            (field,) = [one for one in planet_fields(state, "hydran", units, fleet) if one.key == "land"]
            kept = [stored_moon] if stored_moon else []
            assert [one.value for one in field.choices if "moon" in one.value] == [*nearest, *kept]


# --- what is refused -------------------------------------------------------------------------------------------------
@cases("land, line, refused")
def test_how_many_may_land_and_only_where_somebody_lands(land, line, refused) -> None:
    state = held()
    state.fleets["hydran/F1"].land = land
    assert refusal_words(plot_ask(state, "hydran"), {"F1": line}) == refused


@pytest.mark.rule("cutler", "4.2.4.8")
def test_ships_that_have_vehicles_alone_may_say_how_many_boarding_parties() -> None:
    assert refusal_words(plot_ask(manned(vehicles=1), "hydran"), {"F1": {"land": "cub", "parties": 1}}) == []


@cases("text, figures, raze, refused")
def test_what_may_be_razed(text, figures, raze, refused) -> None:
    state = mooned(manned(text, **figures), "0404")
    assert refusal_words(plot_ask(state, "hydran"), {"F1": {"raze": raze}}) == [f"F1.raze: {one}" for one in refused]
