"""Jump lanes: for every kind of report and ask that the book has, worlds that must look alike to an empire do."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.records.places import LaneSystem
from rules_engine.rulebooks.jump_lanes.records.state import LaneReinforcement, LanesState
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane, ship, squadron, standing
from tests.rulebooks.jump_lanes.turns import TurnsPlayed
from tests.secrecy.kinds import kinds_compared, kinds_of, pictures_of

BOOK = "jump_lanes"
CORE = {"referee", "waiting", "doctrine"}
"""Kinds of the core's own commands, and of standing orders in words; the other books' cases compare them."""


def test_every_kind_of_report_and_ask_has_a_case_of_two_worlds() -> None:
    made, compared = kinds_of(BOOK), kinds_compared(BOOK)
    assert len(made.reports) > 10
    for ones, others in ((made.reports, compared.reports), (made.asks, compared.asks)):
        assert {kind: ones[kind] for kind in ones.keys() - CORE if kind not in others} == {}
        assert set(others) <= set(ones)


def test_every_kind_of_picture_has_a_case_of_two_worlds() -> None:
    drawn, compared = pictures_of(BOOK), kinds_compared(BOOK).pictures
    assert {kind: drawn[kind] for kind in drawn if kind not in compared} == {}


def unseen_by(side: str, *games: TurnsPlayed) -> None:
    """Every game looks the same to this empire, and something in them does differ."""
    first, *others = games
    rest = [other for other in first.state.empires if other != side]
    for game in others:
        assert first.seen_by(side) == game.seen_by(side)
        assert any(first.seen_by(one) != game.seen_by(one) for one in rest) or first.state != game.state


def world(change: Callable[[LanesState], None] = lambda _: None) -> LanesState:
    """Terran has a freighter, a tug, a survey ship and a base at Sol, Centauri a raider at Ross; before turn 1."""
    made = frontier()
    made.turn = 0
    squadron(made, "T1", "sol", ship("Hermes", cargo=30, ftl=2), ship("Iris", cargo=10, ftl=2))
    squadron(made, "T2", "sol", ship("Ox", towing=4, ftl=2))
    squadron(made, "T3", "sol", ship("Probe", science=10, ftl=2))
    standing(made, ship("Base", kind="starbase", ftl=0, engines=0), "sol")
    standing(made, ship("Guard", kind="troop", ftl=0, engines=0), "sol")
    squadron(made, "C1", "ross", ship("Raider", CENTAURI, ftl=2))
    for empire in made.empires.values():
        empire.squadrons_made = 3
        empire.bases = ["sol"]
    # a lane at Sol that nobody has explored, to a system that nobody knows
    made.systems["hidden"] = LaneSystem(id="hidden", name="Hidden", x=Fraction(9), y=Fraction(9), sector="orion")
    made.lanes["L20"] = lane("L20", "sol", "hidden", None)
    made.empires[TERRAN].sights.append("sol?1")
    change(made)
    made.index()
    return made


def played(text: str = "", change: Callable[[LanesState], None] = lambda _: None, **more: object) -> TurnsPlayed:
    """A turn with this sheet of Terran's."""
    return TurnsPlayed(world(change), {TERRAN: [text]}, **more)  # type: ignore[arg-type]


@pytest.mark.unseen("jump_lanes", reports=("turn", "cargo", "movement", "score"), asks=("plot",))
def test_what_others_carry_and_where_they_go_is_unseen() -> None:
    unseen_by(
        CENTAURI, played("T1: load 2 census; route Barnard"), played("T1: load 1 census, Guard; route Wolf 359"),
        played("T1: take census; route Wolf 359\nT2: tow Base; route Barnard"), played(),
    )  # fmt: skip


@pytest.mark.unseen("jump_lanes", reports=("movement",), asks=("plot",), pictures=("course route",))
def test_who_is_in_a_lane_is_unseen_by_those_who_do_not_enter_it() -> None:
    def slow(state: LanesState) -> None:
        for key in ("Hermes", "Iris"):
            state.units[key].ftl = 1

    one = TurnsPlayed(world(slow), {TERRAN: ["T1: route Wolf 359"]}, turns=2)
    other = TurnsPlayed(world(slow), {TERRAN: ["T1: route loop Sol > Barnard"]}, turns=2)
    unseen_by(CENTAURI, one, other, TurnsPlayed(world(slow), {}, turns=2))


@pytest.mark.unseen("jump_lanes", reports=("exploration", "peril"))
@pytest.mark.parametrize("peril", range(1, 11))
def test_how_others_explore_and_what_befalls_them_is_unseen(peril: int) -> None:
    def laden(state: LanesState) -> None:
        state.put(ship("Mule", cargo=10, ftl=2, science=1), squadron="T3")
        state.units["Probe"].cargo = 10

    rows = [played("T3: explore sol?1", laden, dice={"check": [rolled], "peril": [peril]}) for rolled in (30, 90, 95)]
    unseen_by(CENTAURI, *rows, played("", laden))
    unseen_by(CENTAURI, _losing(1), _losing(2))


def _losing(struck: int) -> TurnsPlayed:
    """A peril that costs a unit and what it carried."""

    def laden(state: LanesState) -> None:
        state.put(ship("Mule", cargo=10, ftl=2, science=1), squadron="T3")

    sheets = {TERRAN: ["T3: load 1 census", "T3: explore sol?1"]}
    return TurnsPlayed(world(laden), sheets, turns=2, dice={"check": [95], "peril": [7], "struck": [struck]})


@pytest.mark.unseen("jump_lanes", reports=("survey",))
def test_a_survey_tells_the_lane_and_nothing_of_the_explorers() -> None:
    def strong(state: LanesState) -> None:
        state.units["Probe"].science = 60

    def surveys(text: str, change: Callable[[LanesState], None]) -> TurnsPlayed:
        return TurnsPlayed(world(change), {TERRAN: [text]}, dice={"check": [1], "class": [3]})

    one = surveys("T3: explore sol?1", lambda _: None)
    unseen_by(CENTAURI, one, surveys("T3: explore sol?1\nT2: tow Base", strong))
    assert "hidden" in one.state.empires[CENTAURI].places


@pytest.mark.unseen("jump_lanes", reports=("turn",), asks=("plot",))
def test_systems_that_nobody_knows_are_nowhere_not_even_their_number() -> None:
    def more(state: LanesState) -> None:
        for number in range(4):
            key = f"far-{number}"
            state.systems[key] = LaneSystem(id=key, name=f"Far {number}", x=Fraction(99), y=Fraction(number))
            state.lanes[f"L3{number}"] = lane(f"L3{number}", "hidden" if not number else f"far-{number - 1}", key, None)

    for side in (TERRAN, CENTAURI):
        text = "T3: explore sol?1"
        unseen_by(side, played(text, dice={"check": [90]}), played("T3: explore sol?1", more, dice={"check": [90]}))


@pytest.mark.unseen("jump_lanes", reports=("reinforcements", "supply", "colony"))
def test_reinforcements_supply_and_new_colonies_are_their_empires_own_business() -> None:
    def hidden_base(state: LanesState) -> None:
        standing(state, ship("Fort", kind="starbase", ftl=0), "barnard")

    def more(state: LanesState) -> None:
        hidden_base(state)
        squad = LaneReinforcement(turn=1, empire=TERRAN, at="sol", name="Reserve", units=[ship("Nest")])
        state.reinforcements.append(squad)
        state.units["Hermes"].out_of_supply = True

    unseen_by(CENTAURI, played(), played("", hidden_base), played("", more))


@pytest.mark.unseen("jump_lanes", reports=("contact", "battle"), asks=("battle",), pictures=("counter battle",))
def test_what_a_squadron_carries_and_will_do_is_unseen_even_by_those_who_meet_it() -> None:
    def meets(text: str) -> TurnsPlayed:
        sheets = {TERRAN: [text, "T1: route Barnard"], CENTAURI: ["", "C1: route Barnard"]}
        return TurnsPlayed(world(), sheets, turns=2, fates={"Iris": "crippled"})

    unseen_by(CENTAURI, meets("T1: load 1 census"), meets("T1: load Guard"), meets(""))


@pytest.mark.unseen("jump_lanes", reports=("loss",), asks=("cargo_loss",))
def test_which_cargo_is_lost_is_its_owners_business() -> None:
    def meets(text: str) -> TurnsPlayed:
        sheets = {TERRAN: [text, "T1: route Barnard"], CENTAURI: ["", "C1: route Barnard"]}
        return TurnsPlayed(world(), sheets, turns=2, fates={"Hermes": "crippled"})

    one, other = meets("T1: load 3 census, Guard"), meets("T1: load 2 census, Guard")
    assert one.told(TERRAN, "loss")
    unseen_by(CENTAURI, one, other)


@pytest.mark.unseen("jump_lanes", reports=("invasion",))
def test_what_others_would_invade_in_vain_is_unseen() -> None:
    def went(text: str) -> TurnsPlayed:
        return TurnsPlayed(world(), {TERRAN: [text]})

    one = went("T1: load Guard; route Barnard; invade yes")
    assert one.told(TERRAN, "invasion")
    unseen_by(CENTAURI, one, went("T1: load Guard; route Barnard"))


@pytest.mark.unseen("jump_lanes", reports=("contact", "battle"), asks=("battle",))
def test_names_that_an_encounter_reveals_are_unseen_by_a_third_that_watches() -> None:
    """A carrier is crippled and puts its flight off, a base is let go: Argo has passage with both, and counts units."""

    def fought(flight: str, base: str) -> TurnsPlayed:
        state = frontier(empires=3)
        state.turn = 0
        for one in (TERRAN, CENTAURI):
            state.empires["argo"].stances[one] = state.empires[one].stances["argo"] = "passage"
        wasp, fort = ship("u1", kind="flight", ftl=0, name=flight), ship("u2", kind="starbase", ftl=0, name=base)
        squadron(
            state, "T1", "barnard", ship("u3", name="Carrier", basing=2), wasp, ship("u4", name="Ox", towing=4), fort
        )
        wasp.based_on = "u3"
        state.units["u4"].tows = fort.towed = True
        squadron(state, "C1", "barnard", ship("Raider", CENTAURI))
        squadron(state, "A1", "barnard", ship("Watcher", "argo"))
        return TurnsPlayed(state, {}, fates={"Carrier": "crippled", "Ox": "crippled"})

    one, other = fought("Wasp", "Fort"), fought("Hornet", "Keep")
    assert "Fort, Wasp" in one.told(CENTAURI, "contact")[-1].text
    unseen_by("argo", one, other)


@pytest.mark.unseen("jump_lanes", reports=("movement", "contact", "battle"), asks=("battle",))
def test_whether_who_withdrew_is_back_in_a_lane_or_at_a_place_is_unseen_by_who_fought_it() -> None:
    """At FTL 1 it came in an extended jump of two turns, at FTL 2 within the second turn; stored routes differ, too."""

    def came(ftl: int, *sheets: str) -> TurnsPlayed:
        state = frontier()
        state.turn = 0
        squadron(state, "T1", "sol", ship("Hermes", ftl=ftl))
        squadron(state, "C1", "wolf", ship("Raider", CENTAURI))
        return TurnsPlayed(state, {TERRAN: list(sheets)}, turns=3, fates={"Hermes": "withdrew"})

    jumped, moved = came(1, "T1: route Wolf 359 > Ross"), came(2, "", "T1: route Wolf 359")
    assert (jumped.state.squadrons["T1"].at, moved.state.squadrons["T1"].at) == ("sol", "sol")
    assert jumped.told(TERRAN, "movement") != moved.told(TERRAN, "movement")
    unseen_by(CENTAURI, jumped, moved)


@pytest.mark.unseen("jump_lanes", reports=("movement",), asks=("plot",))
def test_route_of_who_was_stopped_is_unseen_by_who_stopped_it() -> None:
    def stopped(route: str) -> TurnsPlayed:
        state = frontier()
        state.turn = 0
        squadron(state, "T1", "sol", ship("Hermes", ftl=3))
        squadron(state, "C1", "barnard", ship("Raider", CENTAURI))
        return TurnsPlayed(state, {TERRAN: [route, "T1: route stop"]}, turns=2)

    unseen_by(CENTAURI, stopped("T1: route Barnard > Ross"), stopped("T1: route Barnard"))


@pytest.mark.unseen("jump_lanes", reports=("treaty",))
def test_what_two_empires_grant_each_other_in_part_is_unseen_by_a_third() -> None:
    def granted(text: str) -> TurnsPlayed:
        state = frontier(empires=3)
        state.turn = 0
        return TurnsPlayed(state, {TERRAN: [text]})

    one, other = granted("centauri: stance passage"), granted("")
    assert one.told(CENTAURI, "treaty")
    unseen_by("argo", one, other)


@pytest.mark.unseen("jump_lanes", reports=("out of play",))
def test_who_is_out_of_play_is_public_and_not_how() -> None:
    def ended(units: int) -> TurnsPlayed:
        state = frontier(empires=3)
        state.turn = 0
        state.colonies["ross"].owner = ""
        squadron(state, "T1", "barnard", *(ship(f"T{number}") for number in range(units)))
        squadron(state, "C1", "ross", ship("Raider", CENTAURI, ftl=2))
        return TurnsPlayed(state, {CENTAURI: ["C1: route Barnard"]}, fates={"Raider": "destroyed"})

    one, other = ended(1), ended(4)
    assert one.told("argo", "out of play")
    unseen_by("argo", one, other)
