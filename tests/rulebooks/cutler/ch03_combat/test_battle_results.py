"""Chapter 3.4: what a battle's sheet asks and tells of each kind of unit, what is refused, and what it changes."""

from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler.ch03_combat.battle import force_out, main_battle_steps, sortie_battle_steps
from rules_engine.rulebooks.cutler.ch03_combat.battle_results import UnitResult
from rules_engine.rulebooks.cutler.ch03_combat.combat import close_fights
from rules_engine.rulebooks.cutler.ch03_combat.fighter_results import judge_fighters, lose_fighters, most_fighters
from rules_engine.rulebooks.cutler.records.parts.craft import squadron, take_off
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Moment
from tests.expected.kept import Kept, cases
from tests.rulebooks.accounts import said, taken_over
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.worlds import Run, kind_of, on_sheet, put_aboard, refusal_words, table_of, world

TEXT = """
turn 1 impulse 3
hydran F1 0404 CA+PF
hydran base 0404 Fort[type=SB]
lyran F1 0404 CC+FF
klingon F1 0404 DD
together lyran klingon
"""
OK = {"fate": "intact"}
WHOLE = dict.fromkeys(("H1", "H2", "H3", "H4", "L1", "L2", "K1"), OK)


def rich() -> CutlerState:
    """A Hydran force with something of everything, against two races that fight as one."""
    state = world(TEXT)
    cruiser = state.units["hydran-F1-CA"]
    cruiser.record = kind_of("CA", cargo=5, boarding_parties=10, fighters=6)
    cruiser.boarding_parties = 11
    put_aboard(cruiser, 6, 9)
    return state


def fought(
    state: CutlerState,
    result: Any = None,
    *,
    sides: tuple[str, str] = ("hydran", "lyran"),
    sortie: bool = False,
    dice: dict[str, list[int]] | None = None,
) -> Run:
    """The main battle of all in 0404; two of the cruiser's fighters fight apart."""
    here = state.fights["0404"] = Fight(forces=[list(force) for force in state.coordination.forces])
    forces = {side: [unit for unit in state.alive() if unit.race in here.force_of(side)] for side in sides}
    cruiser = state.units.get("hydran-F1-CA")
    if cruiser is not None and cruiser.fighters > 4:
        flight = squadron("flight", "hydran", "Wing", "0404", take_off(cruiser, 2))
        here.flights[flight.id] = flight
        forces["hydran"].append(flight)
        if sortie:
            flight.entered_from = "0403"
    turn = table_of(state, dice)
    steps = sortie_battle_steps if sortie else main_battle_steps
    return Run(turn, steps(turn.at("main"), "0404", sides, forces), {("battle", ""): result})


def battle_ask(run: Run) -> AnyAsk:
    return next(ask for ask in run.asks if ask.kind == "battle")


FATES = "Still there, engines as before, Still there, damaged, Disengaged, Destroyed, Captured"
LIFE = "- Life support, if no engine works: Full, Emergency only, None; 'full'"
BY = "- If captured, by: Lyran, Klingon; 'lyran'"


@pytest.mark.rule("cutler", "3.4", "2.9.8", "4.1.8", "4.2.4.8", "2.10")
def test_a_sheet_asks_of_each_unit_what_its_kind_can_lose(kept: Kept) -> None:
    ask = battle_ask(fought(rich()))
    assert on_sheet(ask)[2:] == kept()


def line(**values: Any) -> dict[str, Any]:
    return {"fate": "damaged", **values}


NOBODY = "nobody was left to take {} (5.1). Legal: intact, damaged, disengaged or destroyed."
LEFT = "intact, damaged, disengaged or destroyed"


@cases("lines, expected")
def test_what_may_be_reported_of_a_unit(lines: dict[str, Any], expected: list[str]) -> None:
    assert refusal_words(battle_ask(fought(rich())), WHOLE | lines) == expected


@pytest.mark.rule("cutler", "4.2.1.1")
def test_a_docking_module_is_lost_by_a_starbase_with_bays_alone(kept: Kept) -> None:
    state = rich()
    fort = state.units["hydran-base-0404"]
    fort.record = kind_of("base", base_type="SB", repair=8, docking_bays=(4,))
    ask = battle_ask(fought(state))
    fields = {one.key: [field.key for field in one.fields] for one in ask.form.lines}
    assert [key for key, names in fields.items() if "module_lost" in names] == ["H1"]
    assert refusal_words(ask, WHOLE | {"H1": line(module_lost=True)}) == []
    assert refusal_words(ask, WHOLE | {"H1": {"fate": "intact", "module_lost": True}}) == kept("#1")
    assert ask.read_back(ask.answer_from(WHOLE | {"H1": line(module_lost=True)}))[0] == kept("#2")
    without = {key: OK for key in WHOLE if key != "H4"}  # whose fighters have not come back
    fought(state, without | {"H1": line(module_lost=True)})
    assert fort.module_lost
    fought(state, without)
    assert fort.module_lost, "what is lost stays lost"


@cases("key, values, says")
def test_a_line_is_read_back_in_words(key: str, values: dict[str, Any], says: str) -> None:
    ask = battle_ask(fought(rich()))
    assert dict(zip(WHOLE, ask.read_back(ask.answer_from(WHOLE | {key: values})), strict=True))[key] == says


@pytest.mark.rule("cutler", "2.10")
def test_two_accounts_agree_but_for_what_matters_of_nothing(kept: Kept) -> None:
    ask = battle_ask(fought(rich()))

    def differences(one: dict[str, Any], other: dict[str, Any]) -> tuple[str, ...]:
        verdict = ask.agree({"hydran": ask.answer_from(WHOLE | one), "lyran": ask.answer_from(WHOLE | other)})
        assert (verdict.settled is None) == bool(verdict.differences)
        return verdict.differences

    assert differences({}, {}) == ()
    gone = {"fate": "destroyed"}
    assert differences({"H2": gone}, {"H2": {**gone, "warp_lost": 4}}) == ()
    assert differences({"H2": gone}, {"H2": {"fate": "captured"}}) == kept("#1")
    assert differences({"H2": line(warp_lost=1)}, {"H2": line(warp_lost=2), "K1": gone}) == kept("#2")


@pytest.mark.rule("cutler", "2.10")
def test_each_place_in_which_accounts_differ_can_be_taken_over_by_itself(kept: Kept) -> None:
    ask = battle_ask(fought(rich()))
    mine = ask.answer_from(WHOLE | {"H2": line(warp_lost=1, parties_lost=2), "K1": {"fate": "destroyed"}})
    theirs = ask.answer_from(WHOLE | {"H2": line(warp_lost=2), "K1": {"fate": "damaged", "warp_lost": 3}})
    assert said(ask, mine, theirs, "hydran", "lyran") == kept()
    taken_over(ask, mine, theirs, "hydran", "lyran")
    taken_over(ask, theirs, mine, "lyran", "hydran")
    led_away = ask.answer_from(WHOLE | {"H2": {"fate": "captured", "captor": "klingon"}})
    taken_over(ask, led_away, ask.answer_from(WHOLE | {"H2": {"fate": "captured"}}), "hydran", "lyran")


@pytest.mark.rule("cutler", "3.4.5")
def test_a_battle_is_accounted_for_in_one_short_form(kept: Kept) -> None:
    ask = battle_ask(fought(rich()))
    assert ask.setup.scene is not None
    short, form = ask.guide.short, ask.form
    asked = {field.label: [one.value for one in field.choices] for field in short.line(0, form, WHOLE).fields}
    assert list(asked) == ["Destroyed", "Still there, damaged", "Disengaged", "Captured"]
    assert set(asked["Destroyed"]) == set(WHOLE)
    assert set(asked["Destroyed"]) - set(asked["Disengaged"]) == {"H1"}, "a base cannot leave"
    changes = short.put_in(0, form, WHOLE, {"destroyed": ["H2"], "disengaged": ["K1"], "damaged": ["L1"]})
    sheet = {key: {**values, **changes.get(key, {})} for key, values in WHOLE.items()}
    said = [one.partition(": ")[2] for one in ask.read_back(ask.answer_from(sheet)) if "intact" not in one]
    assert said == kept("#1")
    outcome = ask.guide.outcome(ask.setup.scene, sheet)
    assert sorted(map(sorted, outcome.forces)) == [["hydran"], ["klingon", "lyran"]]
    assert {one.code: (one.side, one.ending) for one in outcome.units if one.ending != "there"} == kept("#2")


@pytest.mark.rule("cutler", "2.9.6")
def test_a_sortie_ends_when_one_side_is_gone() -> None:
    ask = battle_ask(fought(rich(), WHOLE | {"H4": {"fate": "disengaged"}}, sortie=True))
    says = (
        "a sortie ends when one side is lost or has left: fighters return by driving off their enemies or disengaging"
    )
    problems = refusal_words(ask, WHOLE)
    assert [one.partition(": ")[2].partition(" (")[0] for one in problems] == [says]
    assert problems[0].startswith("H4.fate")
    left = {key: {"fate": "disengaged"} for key in ("L1", "L2", "K1")}
    assert refusal_words(ask, WHOLE | left) == []
    assert len(refusal_words(ask, WHOLE | left | {"K1": OK})) == 1
    main = battle_ask(fought(rich()))
    assert refusal_words(main, WHOLE) == [], "fighters that are apart from a carrier fly no sortie"


WARNING = "Both sides still have units that neither left nor were lost; as a rule one side is gone (3.4.5)."


@cases("fates, warned", "")
def test_a_warning_says_that_both_sides_have_units_left(fates: dict[str, str], warned: bool) -> None:
    ask = battle_ask(fought(rich()))
    sheet = ask.answer_from(WHOLE | {key: {"fate": fate} for key, fate in fates.items()})
    assert ask.warn(sheet) == [WARNING] * warned


# --- what it changes -------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.4", "4.1.8", "5.1", "5.1.2", "2.10")
def test_losses_are_taken_and_prizes_go_to_the_captor_that_was_named(kept: Kept) -> None:
    state = rich()
    state.units["hydran-F1-PF"].retreat_hex = "0403"
    lines = {
        "H2": line(warp_lost=3, impulse_lost=1, parties_lost=4, fighters_lost=1, boosters_lost=2),
        "H3": {"fate": "captured", "captor": "klingon"}, "H4": line(fighters_lost=1), "L1": {"fate": "disengaged"},
        "L2": {"fate": "captured"}, "K1": {"fate": "destroyed"},
    }  # fmt: skip
    run = fought(state, WHOLE | lines)
    here, cruiser, flight = state.fights["0404"], state.units["hydran-F1-CA"], state.fights["0404"].flights["flight"]
    assert (cruiser.warp_ok, cruiser.impulse_ok, cruiser.boarding_parties) == (27, 3, 7)
    assert (flight.fighters, flight.booster_sets) == (1, 1)
    assert {
        "races": {key: unit.race for key, unit in state.units.items()}, "known": here.known, "prizes": here.prizes,
        "driven off": here.driven_off, "in battle": here.in_battle, "battle": here.battle,
        "last": {key: (one.kind, one.against) for key, one in here.work.last.items()},
    } == kept()  # fmt: skip
    assert combats.account(run) == kept("account")
    (over,) = [one for one in run.told("klingon") if one.text.startswith("The battle in 0404 is over. ")]
    assert over.kind == "battle"


def test_engines_and_units_that_leave_are_never_less_than_nothing() -> None:
    state = rich()
    state.units["hydran-F1-CA"].warp_ok, state.units["hydran-F1-CA"].impulse_ok = 2, 1
    run = fought(state, WHOLE | {"H2": line(warp_lost=3, impulse_lost=2), "H4": {"fate": "disengaged"}})
    cruiser = state.units["hydran-F1-CA"]
    assert (cruiser.warp_ok, cruiser.impulse_ok) == (0, 0)
    here = state.fights["0404"]
    assert here.flights["flight"].disengaged_from == ["lyran", "klingon"]
    assert here.driven_off == [], "fighters go back to their carrier"
    assert [one.text for one in run.told("hydran", "movement")] == []


@pytest.mark.rule("cutler", "3.4.5.4")
def test_who_is_driven_off_goes_back_or_at_random_by_fleets_prizes_and_freighters(kept: Kept) -> None:
    state = world(
        "turn 2 impulse 3\nhydran F1 0404 CA+DD\nhydran F2 0404 FF\nhydran waits 0404 FL+FS\nhydran F3 0404 CW\n"
        "hydran F4 0404 SC[warp=0,imp=0]\nhydran F5 0404 DW[from=0304]\nlyran F1 0404 CC\n"
    )
    late = state.units["hydran-F3-CW"]
    late.entered_from, late.entered_at = "0304", Moment(turn=2, impulse=2)
    late.last_opportunity = Moment(turn=2, impulse=3)
    state.units["lyran-F1-CC"].retreat_hex = "0909"  # has been told already where it goes
    faces = {"F1": 1, "F2": 2, "freighters": 3, "prize 2": 4, "F3": 5}
    turn = table_of(state, {f"{group}/retreat": [face] for group, face in faces.items()})
    units = [unit for key, unit in state.units.items() if key != "hydran-waits-FS"]
    force_out(turn, [*units, state.units["hydran-waits-FS"]], ["nobody", "hydran-F2-FF"])
    goes = {unit.name.removeprefix("Hydran "): unit.retreat_hex for unit in state.units.values()}
    assert goes == kept()
    assert sorted(roll.label.split("/")[-2] for roll in turn.shared.rolls) == ["F1", "F3", "freighters", "prize 2"]
    texts = [report.text for report in turn.shared.reports]
    assert "Disengaged, and off to 0403 at the next opportunity: Hydran F1 Ca, Hydran F1 Dd." in texts
    assert all(report.to == ("hydran",) for report in turn.shared.reports)


@pytest.mark.rule("cutler", "5.1")
def test_a_prize_is_told_from_a_ship_of_its_captor_by_its_name() -> None:
    state = world("turn 2 impulse 3\nhydran F1 0404 CA\nhydran F2 0505 DD\nlyran F1 0404 CC+CW+FF")
    names = {"hydran-F1-CA": "Comet", "hydran-F2-DD": "comet (prize)", "lyran-F1-CC": "Comet", "lyran-F1-CW": "Meteor"}
    for key, name in names.items():
        state.units[key].name = name

    def taken(*keys: str, by: str) -> list[str]:
        state.fights["0404"] = Fight(prizes=list(keys))
        for key in keys:
            state.units[key].taken_by(by)
        close_fights(turn := table_of(state))
        return [report.text for report in turn.shared.reports if report.is_for(by)]

    told = taken("lyran-F1-CC", "lyran-F1-CW", by="hydran")
    assert state.units["lyran-F1-CC"].name == "Comet (prize 2)"
    assert state.units["lyran-F1-CW"].name == "Meteor"
    assert told == ["You have a Comet of your own: the prize of that name is called Comet (prize 2) from now on."]
    taken("lyran-F1-CC", by="lyran")  # back with those who built it
    assert state.units["lyran-F1-CC"].name == "Comet"


# --- fighters --------------------------------------------------------------------------------------------------------
@cases("fighters, packs, left")
def test_a_fighter_that_is_lost_outside_takes_its_boosters_along(fighters, packs, left):
    carrier = world("hydran F1 0404 CA[fighters=6,boosters=4]").units["hydran-F1-CA"]
    flight = squadron("flight", "hydran", "Wing", "0404", take_off(carrier, 4))
    lose_fighters(flight, fighters, packs)
    assert (flight.fighters, flight.booster_sets, flight.destroyed) == left
    lose_fighters(carrier, 2, 0)
    assert (carrier.fighters, carrier.destroyed) == (0, False)


@cases("ship, fate, lost, packs, words")
def test_what_may_be_reported_of_fighters(ship: str, fate: Any, lost: int, packs: int, words: list[str]) -> None:
    (unit,) = world(f"hydran F1 0404 {ship}").alive()
    if unit.fighters:
        unit = squadron("flight", "hydran", "Wing", "0404", take_off(unit, 2))
    assert [str(one) for one in judge_fighters(unit, "H1", fate, lost, packs)] == words


@pytest.mark.rule("cutler", "2.9.5", "4.2.4.3")
def test_fighters_are_bounded_by_the_class() -> None:
    boxes: list[list[Any]] = [[], ["fighter_in_shuttle_box"]]
    assert [most_fighters(kind_of("CA", fighters=6, shuttles=2, noted=one)) for one in boxes] == [6, 8]
    assert UnitResult().losses == {"warp": 0, "impulse": 0, "cargo": 0}


# --- the panels ------------------------------------------------------------------------------------------------------
def panels(ask: AnyAsk, side: str = "") -> dict[str, tuple[str, ...]]:
    """The panels that both sides read, or those of a race alone, by title."""
    return {one.title: one.rows for one in (ask.setup.secret[side] if side else ask.setup.panels)}


@pytest.mark.rule("cutler", "3.4.3", "3.4.4", "3.5.10", "5.1.2", "2.10")
@pytest.mark.parametrize("terrain", ["dust", "heat", "nebula", "asteroids", ""])
def test_what_both_sides_read_of_a_battle(terrain: Any, kept: Kept) -> None:
    state = rich()
    state.terrain |= {"0404": terrain} if terrain else {}
    units = state.units
    units["hydran-F1-CA"].captured_from = "klingon"
    units["klingon-F1-DD"].cloaked = True
    units["lyran-F1-FF"].record = kind_of("FF", source="printed")
    ask = battle_ask(fought(state))
    assert {"title": ask.setup.title, "where": ask.setup.where, **panels(ask)} == kept()
    assert ask.set_up_from >= {"fights.0404.battle", "units.hydran-F1-CA", "fights.0404.flights.flight"}


@pytest.mark.rule("cutler", "3.4", "2.9.3", "3.7.8")
def test_what_a_race_alone_reads_of_its_own_units(kept: Kept) -> None:
    state = rich()
    cruiser = state.units["hydran-F1-CA"]
    cruiser.officers, cruiser.crew_quality = ("navigator",), "poor"
    ask = battle_ask(fought(state))
    assert panels(ask, "hydran") == kept()
    engines = {"Your engines": ("K1 Klingon F1 Dd: warp 18/18, impulse 2/2",)}
    assert panels(ask, "klingon") == engines
    alone = world("turn 1 impulse 3\nhydran base 0404 Fort\nlyran F1 0404 CC\n")
    assert panels(battle_ask(fought(alone)), "hydran") == {}


@pytest.mark.rule("cutler", "9.7")
def test_who_counts_as_the_hexs_owner_is_said(kept: Kept) -> None:
    state = rich()
    assert len(panels(battle_ask(fought(state)))["Set-up (3.4.3)"]) == 4
    state.last_through["0404"] = "lyran"
    assert panels(battle_ask(fought(state)))["Set-up (3.4.3)"][4:] == kept()


@pytest.mark.rule("cutler", "2.9.5")
@pytest.mark.parametrize("based", [True, False])
def test_what_a_sorties_battle_says_more(based: bool) -> None:
    state = rich()
    if not based:
        del state.units["hydran-base-0404"]
    keys = WHOLE if based else {key: OK for key in WHOLE if key != "H4"}
    ask = battle_ask(fought(state, keys | {"H4" if based else "H3": {"fate": "disengaged"}}, sortie=True))
    assert ask.setup.title == "Sortie battle in 0404: Hydran against Lyran and Klingon"
    base = "A base counts among its side's units and stays where it is set up."
    assert panels(ask)["Sortie (2.9)"] == (
        "Fighters of a sortie begin with booster packs mounted, which may be turned off (2.9.5).",
        *([base] if based else []),
    )
    if not based:
        assert "Sortie (2.9)" not in panels(battle_ask(fought(rich())))


@pytest.mark.rule("cutler", "3.7.2", "3.7.5", "3.7.6", "3.7.8")
@pytest.mark.parametrize("fighters", [True, False])
def test_flanking_groups_are_read_by_their_own_race_in_the_order_of_their_numbers(fighters: bool, kept: Kept) -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CV[fighters=6]+DD+FF\nlyran F1 0404 CC\n")
    sheet = {"hydran-F1-DD": {"group": 2}, "hydran-F1-FF": {"group": 1}}
    sheet |= {"hydran-F1-CV/fighters": {"group": 2}} if fighters else {}
    state.fights["0404"] = Fight()
    turn = table_of(state, {"flank 1, hydran": [6], "flank 2, hydran": [1]})
    forces = {race: state.alive(race) for race in ("hydran", "lyran")}
    steps = main_battle_steps(turn.at("main"), "0404", ("hydran", "lyran"), forces)
    assert combats.account(Run(turn, steps, {("flank", "hydran"): sheet})) == kept()
    assert {roll.faces for roll in turn.shared.rolls} == {6}
    assert [state.units[f"hydran-F1-{ship}"].sailed for ship in ("DD", "CV")] == [True, False]


@pytest.mark.rule("cutler", "3.4.3", "2.9.5", "2.10")
@pytest.mark.parametrize("sortie", [True, False])
@pytest.mark.parametrize("hydran", [6, 1])
def test_who_sets_up_first_is_told_on_the_sheet_and_in_the_picture(sortie: bool, hydran: int, kept: Kept) -> None:
    dice = {"set-up, Hydran": [hydran], "set-up, Lyran": [3]}
    run = fought(rich(), WHOLE | {"H4": {"fate": "disengaged"}}, sortie=sortie, dice=dice)
    ask = battle_ask(run)
    assert [one for one in run.texts("klingon").splitlines() if "up first" in one] == kept("told")
    assert panels(ask)["Set-up (3.4.3)"] == kept("panel")
    assert [force.sides for force in ask.setup.scene.forces] == kept("picture")
    assert [one.title for one in ask.setup.scene.notes] == kept("notes")
