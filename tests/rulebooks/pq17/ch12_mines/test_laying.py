"""Chapter 12: laying mines, and scenes of minefields."""

from collections.abc import Callable, Generator
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.movement import destinations, move
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.ch12_mines import attacks, damage, removal
from rules_engine.rulebooks.pq17.ch12_mines.shields import Hit, Suffered
from rules_engine.rulebooks.pq17.contacts import detection, minefields
from rules_engine.rulebooks.pq17.contacts.minefield_identification import identify_field
from rules_engine.rulebooks.pq17.plotting import impulse_plots, routes
from rules_engine.rulebooks.pq17.records.forces import LAY, IdLevel, MarkName
from rules_engine.rulebooks.pq17.records.special_conditions import RolledCondition
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.sequence import impulse_steps
from rules_engine.rulebooks.pq17.special_conditions.minelaying import score_minelaying
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.written_scenes import refused_as_written, scene
from tests.rulebooks.pq17.worlds.notation import asked_in, run, told
from tests.rulebooks.pq17.worlds.repair import at_mines, field_of, mined
from tests.rulebooks.written_texts import compare

COLONY = "settled 0405 coalition Skarn\n"
LAYING = COLONY + "A1 0405 ML speed 2 route lay"
RACK = {"A1.ML": 300}


def impulse(at: TurnContext[State], number: int = 1, answers: dict[str, Any] | None = None) -> list[AnyAsk]:
    """Play one impulse whole with the Alliance's ``answers`` by kind; returns what was asked."""
    steps = impulse_steps(at.at(f"I{number}"), number)
    return asked_in(steps, lambda ask: (answers or {}).get(ask.kind) if ask.parties == ("alliance",) else None)


def plotted(at: TurnContext[State]) -> None:
    """Play the plot movement step and the movement of the side with the initiative."""
    at.state.impulse = 1
    run(impulse_plots.plot_movement_steps(at))
    at.state.half = "A"
    move(at.state, "alliance")


def after_laying(text: str, mines: dict[str, int] = RACK) -> TurnContext[State]:
    """The plot, the movement and the Minefield Step of an impulse in which mines are laid at a colony of the own."""
    at = at_mines(f"settled 0405 alliance\n{text}", mines=mines)
    plotted(at)
    removal.minefield_step(at)
    return at


def marked(text: str, *marks: MarkName, mines: dict[str, int] = RACK) -> TurnContext[State]:
    """A1 is at laying mines at a colony of its own, and has these marks besides."""
    at = at_mines(f"settled 0405 alliance\n{text}", mines=mines)
    for mark in ("laying", *marks):
        at.state.set_mark(at.state.task_forces["A1"], mark)
    return at


# --- the procedure ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "12.5.3", "12.5.3.1", "12.5.3.2", "12.5.3.3", "12.5.3.4", "12.5.3.8")
@pytest.mark.rule("pq17", "SOP.2.b.i.2", "SOP.2.b.ix.1", "12.2.1")
def test_a_minelayer_that_expends_its_point_in_place_adds_a_strength_point() -> None:
    at = at_mines("settled 0405 alliance\nA1 0405 ML speed 2 route lay", mines=RACK)
    plotted(at)
    assert at.state.task_forces["A1"].hex == "0405"
    assert at.state.mines.fields == {}  # nothing before the Minefield Step
    assert at.state.units["A1.ML"].fuel == Fraction(16) - Fraction(1, 2)  # the movement point: 1 x MC 1/2
    removal.minefield_step(at)
    assert field_of(at.state, "alliance", "0405").strength == 1
    assert minefields.mines_aboard(at.state.units["A1.ML"]) == 100
    assert at.state.units["A1.ML"].fuel == Fraction(16) - Fraction(1, 2) - 1  # laying: 2 x MC
    assert told(at, "alliance") == ["A1 laid 200 mines in 0405: your minefield there has strength 1."]
    assert told(at, "coalition") == []


@pytest.mark.rule("pq17", "12.5.3.3")
def test_every_ship_of_the_force_pays_for_the_laying() -> None:
    at = after_laying("A1 0405 ML+CA speed 2 route lay")
    assert at.state.units["A1.CA"].fuel == 34 - 1 - 2


@pytest.mark.rule("pq17", "SOP.2.b.ix.1", "12.5.3.1", "12.3.6")
def test_the_whole_impulse_lays_mines_without_asking_the_layer() -> None:
    # the settled hex of the enemy searches A1: conditions 5, then row 99 fails
    at = at_mines(LAYING, 5, 99, mines=RACK)
    assert impulse(at) == []
    assert field_of(at.state, "alliance", "0405").strength == 1
    assert defects(at.state) == []


@cases("marks, fuel, why")
def test_what_spoils_the_laying_costs_neither_mines_nor_fuel(marks: tuple[MarkName, ...], fuel: int | str, why: str):
    at = marked(f"A1 0405 ML[fuel={fuel}] speed 2", *marks)
    removal.minefield_step(at)
    (report,) = at.shared.reports
    start, end = "A1 laid no mines in 0405: ", ". No mines and no laying fuel were spent."
    said = report.text.removeprefix(start).removesuffix(end)
    assert (report.to, f"{said} ({report.why.rule})") == (("alliance",), why)
    assert (at.state.units["A1.ML"].fuel, minefields.mines_aboard(at.state.units["A1.ML"])) == (Fraction(fuel), 300)


@pytest.mark.rule("pq17", "12.5.3.2")
def test_who_shadows_has_not_expended_its_point_in_place() -> None:
    at = marked("A1 0405 ML speed 2\nC1 0405 CA ID2", "moved")
    at.state.task_forces["A1"].shadowing = "C1"
    removal.minefield_step(at)
    assert told(at, "alliance")[0].startswith("A1 laid no mines in 0405: it did not expend its point in place.")
    assert (at.state.mines.fields, minefields.mines_aboard(at.state.units["A1.ML"])) == ({}, 300)


@pytest.mark.rule("pq17", "12.5.3.4")
def test_only_the_mines_of_minelayers_are_counted_and_used() -> None:
    state = mined("A1 0405 CL+ML speed 2", mines={"A1.CL": 80, "A1.ML": 300})
    tf = state.task_forces["A1"]
    assert minefields.mines_to_lay(state, tf) == 300
    minefields.use_mines(state, tf, 200)
    assert [minefields.mines_aboard(state.units[one]) for one in ("A1.CL", "A1.ML")] == [80, 100]


@pytest.mark.rule("pq17", "12.5.3.9")
def test_mines_that_do_not_suffice_are_kept_until_two_hundred_lie_there() -> None:
    at = after_laying("A1 0405 ML speed 3 route lay,lay,lay", {"A1.ML": 120})
    assert (at.state.mines.fields, at.state.mines.loads) == ({}, {"alliance 0405": 120})
    assert told(at, "alliance")[-1] == "A1 laid 120 mines in 0405; 80 more make a strength point."
    assert minefields.mines_to_lay(at.state, at.state.task_forces["A1"]) == 0
    at.state.units["A1.ML"].stores |= at_mines("A1 0405 ML", mines={"A1.ML": 100}).state.units["A1.ML"].stores
    detection.start_impulse(at)
    plotted(at)
    removal.minefield_step(at)
    assert field_of(at.state, "alliance", "0405").strength == 1
    assert at.state.mines.loads == {}
    assert minefields.mines_aboard(at.state.units["A1.ML"]) == 20  # only what was missing is laid


@cases("units, mines, laid")
def test_mines_come_from_the_minelayers_of_the_force(units: str, mines: dict[str, int], laid: int) -> None:
    at = after_laying(f"A1 0405 {units} speed 2 route lay", mines)
    field = at.state.mines.fields.get("alliance 0405")
    assert (200 * field.strength if field else at.state.mines.loads["alliance 0405"]) == laid


@pytest.mark.rule("pq17", "12.5.2")
def test_ships_that_deploy_large_mines_lay_them_though_they_are_no_minelayers() -> None:
    state = mined("settled 0405 alliance\nA1 0405 RW speed 2\nturn 2 impulse 1", mines={"A1.RW": 8})
    assert LAY in destinations(state, state.task_forces["A1"])


@pytest.mark.rule("pq17", "12.5.3")
def test_two_forces_lay_one_after_the_other_into_one_minefield() -> None:
    at = after_laying("A1 0405 ML speed 2 route lay\nA2 0405 ML speed 2 route lay", {"A1.ML": 250, "A2.ML": 250})
    assert field_of(at.state, "alliance", "0405").strength == 2
    assert [minefields.mines_aboard(at.state.units[one]) for one in ("A1.ML", "A2.ML")] == [50, 50]


# --- what spoils it ---------------------------------------------------------------------------------------------------
@cases("mark, proves")
def test_a_search_or_an_attack_spoils_it_and_spends_neither_mines_nor_fuel(mark: MarkName) -> None:
    at = at_mines("settled 0405 alliance\nA1 0405 ML+CA speed 2 route lay", mines=RACK)
    plotted(at)
    at.state.set_mark(at.state.task_forces["A1"], mark)
    removal.minefield_step(at)
    assert at.state.mines.fields == {}
    assert minefields.mines_aboard(at.state.units["A1.ML"]) == 300
    assert at.state.units["A1.CA"].fuel == 34 - 1  # only the movement point
    assert "laid no mines in 0405" in told(at, "alliance")[-1]


@pytest.mark.rule("pq17", "12.5.3.5", "12.5.3.7")
def test_a_layer_that_searches_in_the_same_impulse_lays_nothing() -> None:
    # conditions 5; A1 searches C1 and rolls 99; nobody searches A1
    at = at_mines("A1 0405 ML speed 2 route lay\nC1 0405 CA", 5, 99, mines=RACK, minefield_hexes=("0405",))
    impulse(at, answers={"contact": {"A1": {"search": "yes"}}, "search": {"A1": {"target": "E1"}}})
    assert at.state.has_mark(at.state.task_forces["A1"], "searched")
    assert at.state.mines.fields == {}


@pytest.mark.rule("pq17", "12.5.3.6")
def test_an_attack_that_fails_against_the_layer_spoils_nothing() -> None:
    # C1 attacks A1, held at ID1 after its point: conditions 5, then 99 fails
    at = at_mines("A1 0405 ML speed 2 route lay ID2\nC1 0405 CA", 5, 99, mines=RACK, minefield_hexes=("0405",))

    def answer(ask: AnyAsk) -> Any:
        return {"C1": {"target": "E1"}} if ask.kind == "attack" and ask.parties == ("coalition",) else None

    at.state.doctrine["coalition"].ask_every_impulse = True
    run(impulse_steps(at.at("I1"), 1), answer)
    assert field_of(at.state, "alliance", "0405").strength == 1


@pytest.mark.rule("pq17", "12.5.3.3")
def test_without_fuel_at_the_impulses_end_nothing_is_laid() -> None:
    at = at_mines("settled 0405 alliance\nA1 0405 ML speed 2 route lay", mines=RACK)
    plotted(at)
    at.state.units["A1.ML"].fuel = Fraction(1, 2)
    removal.minefield_step(at)
    assert (at.state.mines.fields, at.state.units["A1.ML"].fuel) == ({}, Fraction(1, 2))


# --- what may be plotted ----------------------------------------------------------------------------------------------
@cases("text, mines, rule, words, proves", "words")
def test_a_route_that_could_not_lay_is_refused(text: str, mines: dict[str, int], rule: str, words: str) -> None:
    state = mined(text + "\nturn 2", mines=mines)
    tf = state.task_forces["A1"]
    (refusal,) = routes.read_route(state, tf, "lay", Speed.CRUISE, "A1.route").refusals
    assert refusal.rule == f"PQ-17 {rule}"
    assert words in refusal.problem
    assert LAY not in destinations(state, tf)


@pytest.mark.rule("pq17", "12.5.1", "12.5.3.1")
def test_a_route_may_lay_where_it_leads_over_several_impulses() -> None:
    state = mined(COLONY + "A1 0406 ML speed 2\nturn 2", mines=RACK)
    tf = state.task_forces["A1"]
    route = routes.read_route(state, tf, "0405 lay lay 0406", Speed.CRUISE, "A1.route")
    assert (route.steps, route.refusals) == (["0405", "lay", "lay", "0406"], [])
    assert routes.say_route(route.steps) == "0405 → lay mines → lay mines → 0406"
    (refusal,) = routes.read_route(state, tf, "lay 0405", Speed.CRUISE, "A1.route").refusals
    assert refusal.rule == "PQ-17 12.5.1"


@pytest.mark.rule("pq17", "12.5.1")
@pytest.mark.unseen("pq17")
def test_an_order_to_lay_at_a_base_that_nobody_has_met_tells_nothing_of_it() -> None:
    """The refusal is the same whether an undetected enemy base stands in the hex or not. Ruling FOG-4."""
    told_of: list[object] = []
    for base in ("", "\nC9 0405 BATS base Lair"):
        state = mined(f"A1 0405 ML{base}\nturn 2", mines=RACK)
        told_of.append(routes.read_route(state, state.task_forces["A1"], "lay", Speed.CRUISE, "A1.route").refusals)
        told_of.append(destinations(state, state.task_forces["A1"]))
    assert told_of[:2] == told_of[2:]


@cases("fuel, may")
def test_fuel_for_the_point_and_for_laying_is_needed_to_plot_it(fuel: str, may: bool) -> None:
    state = mined(COLONY + f"A1 0405 ML[fuel={fuel}] speed 2\nturn 2 impulse 1", mines=RACK)
    assert (LAY in destinations(state, state.task_forces["A1"])) is may


def test_who_shadows_lays_no_mines() -> None:
    state = mined(COLONY + "A1 0405 ML speed 2 shadows C1\nC1 0405 CA speed 2 ID1\nturn 2 impulse 1", mines=RACK)
    assert LAY not in destinations(state, state.task_forces["A1"])


# --- what the enemy learns --------------------------------------------------------------------------------------------
@cases("level, said", "")
def test_a_new_minefield_is_as_well_known_as_the_force_that_laid_it(level: str, said: str) -> None:
    at = at_mines(f"{COLONY}A1 0405 ML speed 2 {level}", mines=RACK)
    detection.announce_detections(at)
    for mark in ("laying", "moved"):
        at.state.set_mark(at.state.task_forces["A1"], mark)
    removal.minefield_step(at)
    assert told(at, "coalition")[-1] == f"E2 in 0405, {level}: Operational minefield{said}."


@pytest.mark.rule("pq17", "12.5.3.10", "12.4.1")
@pytest.mark.unseen("pq17", reports=("mines",))
def test_a_minefield_laid_by_a_force_that_nobody_knows_is_known_to_nobody() -> None:
    at = after_laying("A1 0405 ML speed 2 route lay")
    assert field_of(at.state, "alliance", "0405").level == -2
    assert (told(at, "coalition"), at.state.tracks["coalition"].current) == ([], {})


@cases("watcher, seen")
def test_a_minefield_that_grows_is_at_u_again_which_is_seen_only_on_the_spot(watcher: str, seen: list[str]) -> None:
    at = after_laying(f"mines 0405 alliance 4 ID2\nA1 0405 ML speed 2 route lay{watcher}")
    field = field_of(at.state, "alliance", "0405")
    assert (field.strength, field.level, field.known_strength) == (5, -1, None)
    assert told(at, "coalition") == seen
    assert defects(at.state) == []


# --- the special condition --------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.special.minelaying")
def test_minelaying_at_alliance_bases_scores_five_points_a_period_at_most() -> None:
    text = "A9 0405 BATS base Haven known\nmines 0405 coalition 7\nmines 0303 coalition 1"
    at = at_mines(text, special_tables="pq17")
    state = at.state
    here, elsewhere = field_of(state, "coalition", "0405"), field_of(state, "coalition", "0303")
    score_minelaying(at, [here])
    assert state.ledger == []  # the condition was not rolled
    state.special.conditions.append(RolledCondition(side="coalition", name="minelaying", period=1))
    score_minelaying(at, [here, elsewhere, here, here])
    assert [line.amount for line in state.ledger] == [-1, -1, -1]
    score_minelaying(at, [here, here, here])
    assert state.total() == -5
    assert all(line.seen_by == ("coalition",) and not line.public for line in state.ledger)


@pytest.mark.rule("pq17", "12.4.4", "12.5.3.10")
def test_the_strength_of_a_minefield_is_told_as_laid_until_somebody_searches_it() -> None:
    """The layer is held at ID2, and its minefield so, too; 12.4.4 speaks of the time of a search."""
    at = after_laying("A1 0405 ML speed 2 ID2 route lay\nC1 0405 CA")
    field = field_of(at.state, "alliance", "0405")
    assert (field.level, field.known_strength, field.seen_laid) == (2, 1, True)
    assert "Strength 1 when laid" in told(at, "coalition")[-1]
    identify_field(at, minefields.as_force(field), IdLevel.ID2, "coalition", because("PQ-17 6.3.4.8"))
    assert not field.seen_laid
    assert "Strength 1 when last searched" in told(at, "coalition")[-1]


# --- scenes of mines --------------------------------------------------------------------------------------------------
# mines written down whole: what a force suffers in a minefield, what its owner is asked, how a minefield grows and
# wears, and who is told of it.
Request = pytest.FixtureRequest


def done(at: TurnContext[State], *acts: Callable[[TurnContext[State]], Any]) -> Generator[Any, Any, None]:
    """Steps that ask nobody."""
    for act in acts:
        act(at)
    yield from ()


@pytest.mark.rule("pq17", "12.7.3", "12.7.3.1", "12.7.3.2", "12.7.5", "12.7.6", "12.7.7", "12.7.8", "12.7.8.3")
def test_a_force_whose_minesweeper_screens_it(request: Request) -> None:
    # 4 - 1 for ID1 - 1 minesweeper + 1 = 3 attacks: on the minesweeper, then by lot on both; the third hits shield 3
    # of the other ship: 35 - 20 - 3 batteries = 12 internals
    at = at_mines("mines 0405 coalition 1 ID1\nA1 0405 SH+MS speed 2 plot stay", 4, 1, 2, 7, 7, 8, 6)
    move(at.state, "alliance")
    compare(request, scene(at, attacks.minefield_attack_steps(at)))


@pytest.mark.rule("pq17", "12.7.3", "12.7.3.2", "12.7.4", "12.7.7", "12.7.8")
def test_a_force_that_is_not_screened(request: Request) -> None:
    # 1 - 1 minesweeper + 1 = 1 attack, by lot on the second ship; 35 - 30 = 5 of 9 batteries hold shield 1
    at = at_mines("mines 0405 coalition 1\nA1 0405 SH[battery=9]+MS speed 2 plot stay", 1, 2, 8, 1)
    move(at.state, "alliance")
    compare(request, scene(at, attacks.minefield_attack_steps(at), {"screen alliance": [{"A1": {"screen": "no"}}]}))


@pytest.mark.rule("pq17", "C.random.residual-minefield", "12.7.3")
def test_a_residual_minefield(request: Request) -> None:
    at = at_mines("A1 0405 SH+MS speed 2", 2, 7)
    compare(request, scene(at, attacks.old_mines_steps(at, at.state.task_forces["A1"])))


@pytest.mark.rule("pq17", "12.7.6", "12.7.7")
def test_what_mines_do_to_ships(request: Request) -> None:
    # SH: 35 - 24 - 3 batteries = 8, then 35; its second shield is gone. The cruiser's shields are not known here
    at = at_mines("A1 0405 SH+CA+ND[battery=35] speed 2")
    sets = [[Hit("A1.SH", 2), Hit("A1.SH", 2), Hit("A1.CA", 1), Hit("A1.CA", 4), Hit("A1.ND", 1), Hit("A1.ND", 6)]]
    order = {"A1.SH": {"boxes": "warp 4, hull 6", "crippled": True}, "A1.CA": {"fate": "destroyed"}}
    compare(request, scene(at, damage.damage_steps(at, sets), {"mine damage alliance": [order]}))


@pytest.mark.rule("pq17", "12.7.6", "12.7.7")
def test_one_hit_on_a_shield_that_is_not_known_here(request: Request) -> None:
    at = at_mines("A1 0405 CA speed 2")
    compare(request, scene(at, damage.damage_steps(at, [[Hit("A1.CA", 1)]])))


@pytest.mark.rule("pq17", "12.7.6", "12.7.7", "11.4.9.3.5", "T5.note4")
def test_accounts_of_mine_damage_that_cannot_be(request: Request) -> None:
    at = at_mines("A1 0405 SH[crippled=yes] speed 2")
    ask = damage.damage_ask(at, "alliance", {"A1.SH": Suffered("A1.SH", volleys=[12])})
    assert ask is not None
    refused_as_written(request, ask)


@pytest.mark.rule("pq17", "12.5.3", "12.5.3.4", "12.5.3.8", "12.5.3.9", "12.5.3.10", "12.4.5")
def test_a_minefield_is_laid_in_three_impulses(request: Request) -> None:
    at = at_mines("settled 0405 alliance\nA1 0405 ML speed 2 ID2\nC1 0405 FF", mines={"A1.ML": 520})
    tf = at.state.task_forces["A1"]
    at.state.mines.loads["alliance 0405"] = 80
    found: list[str] = []
    detection.announce_detections(at)
    at.shared.reports.clear()
    for _ in range(3):
        at.state.set_mark(tf, "laying")
        at.state.set_mark(tf, "moved")
        found += scene(at, done(at, removal.minefield_step))
        at.shared.reports.clear()
    compare(request, found)


@pytest.mark.rule("pq17", "12.5.3.9")
def test_mines_that_do_not_suffice_for_a_point(request: Request) -> None:
    at = marked("A1 0405 ML speed 2", "moved", mines={"A1.ML": 199})
    compare(request, scene(at, done(at, removal.minefield_step)))


@pytest.mark.rule("pq17", "12.6.3", "12.6.3.2", "12.6.3.3", "12.6.1", "12.2.2")
def test_a_minefield_is_swept_away(request: Request) -> None:
    # column 3: force row U 01-20 and row 0 21-25, so that 26 fails and the minesweeper's 25 succeeds
    at = at_mines("mines 0405 coalition 1 ID0\nA1 0405 MS+CA speed 2", 5, 26, 25)
    detection.announce_detections(at)
    at.shared.reports.clear()

    def steps() -> Generator[Any, Any, None]:
        yield from combat_steps(at, "alliance")
        removal.minefield_step(at)

    compare(request, scene(at, steps(), {"attack alliance": [{"A1": {"target": "E1"}}]}, brief=["attack"]))


@pytest.mark.rule("pq17", "12.6.2", "SOP.2.c.iii", "12.2.1", "12.2.2")
def test_minefields_wear(request: Request) -> None:
    at = at_mines("mines 0405 coalition 4\nmines 0404 coalition 1\nmines 0303 coalition 2")
    for hex_id in ("0405", "0404"):
        field_of(at.state, "coalition", hex_id).attacked = True
    compare(request, scene(at, done(at, removal.wear_minefields)))
