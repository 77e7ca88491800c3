"""Coordinated forces: agreed in secret, one force on the map, in stacking and in combat, ended by either."""

import json

import pytest

from rules_engine.core.basics.base import SideLabel
from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.protocol.asks import Ask
from rules_engine.rulebooks.cutler.boards import public_board
from rules_engine.rulebooks.cutler.ch02_movement.coordination import coordination_rows
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask, plotting_steps
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch08_scanning.phase import scanning_phase
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.state import CutlerState, Empire
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, refusal_words, refusals, sees, table_of, world

APART = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+FF\nklingon F1 0708 CW\n"
TOGETHER = "together hydran lyran\n"
THREE = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF\nklingon F1 0404 DN+CW\n" + TOGETHER
FIGHT = {"force": {"card": "combat"}}


def plotted(text: str = APART, **lines: dict[str, object]) -> Run:
    """A plotting phase in which all are asked, with these coordination lines."""
    state = world(text)
    for empire in state.empires.values():
        empire.asking = "each"
    turn = table_of(state)
    answers = {("plot", race): {"coordination": line} for race, line in lines.items()}
    return Run(turn, plotting_steps(turn.at("plot")), answers)


def combat(text: str, answers: dict[object, object] | None = None, dice: dict[str, list[int]] | None = None) -> Run:
    run = Run(turn := table_of(world(text), dice), combat_phase_steps(turn.at("combat")), answers)
    assert not defects(turn.state)
    return run


def with_(*races: str, **more: object) -> dict[str, object]:
    return {"partners": list(races), **more}


def forces(run: Run) -> list[list[str]]:
    return run.table.state.coordination.forces


BY_RATING = "The counter of a coordinated force goes by command rating."


# --- offers ----------------------------------------------------------------------------------------------------------
@cases("line, said")
def test_what_a_race_wishes_of_a_force_is_read_back(line: dict[str, object], said: list[str]):
    ask = plotted().asked("hydran", "plot")[0]
    assert [one for one in ask.read_back(ask.answer_from({"coordination": line})) if "force" in one] == said


@pytest.mark.rule("cutler", "2.10")
def test_a_wish_for_a_counter_is_given_up_by_leaving_it_to_the_ratings():
    run = plotted(hydran={"colour": "hydran"})
    assert run.table.state.coordination.colours == {"hydran": "hydran"}
    ask = plot_ask(run.table.state, "hydran")
    assert BY_RATING in ask.read_back(ask.answer_from({"coordination": {"colour": "rating"}}))
    Run(run.table, plotting_steps(run.table.at("next")), {("plot", "hydran"): {"coordination": {"colour": "rating"}}})
    assert run.table.state.coordination.colours == {}


@pytest.mark.rule("cutler", "2.10")
def test_both_must_order_it():
    assert forces(plotted(hydran=with_("lyran"))) == []
    both = plotted(hydran=with_("lyran"), lyran=with_("hydran"))
    assert forces(both) == [["hydran", "lyran"]]
    assert "Hydran and Lyran act as one force from now on." in both.texts("lyran")
    assert both.texts("klingon") == ""


@pytest.mark.rule("cutler", "2.10")
def test_an_offer_stands_until_it_is_answered_and_its_addressee_is_asked():
    run = plotted(hydran=with_("lyran"))
    for empire in run.table.state.empires.values():
        empire.asking = "contact"
    again = Run(run.table, plotting_steps(run.table.at("next")), {("plot", "lyran"): {"coordination": with_("hydran")}})
    assert [ask.parties for ask in again.asks] == [("lyran",)]
    assert "because the Hydran offers to act as one force" in again.asks[0].text
    assert forces(again) == [["hydran", "lyran"]]


@pytest.mark.rule("cutler", "2.10")
def test_a_force_of_three_needs_all_three():
    two = plotted(hydran=with_("lyran", "klingon"), lyran=with_("hydran", "klingon"), klingon=with_("hydran"))
    assert forces(two) == []
    three = plotted(
        hydran=with_("lyran", "klingon"), lyran=with_("hydran", "klingon"), klingon=with_("hydran", "lyran")
    )
    assert forces(three) == [["hydran", "lyran", "klingon"]]


@pytest.mark.rule("cutler", "2.10")
def test_either_ends_it_alone_and_the_rest_of_a_force_goes_on():
    run = plotted(APART + TOGETHER, lyran=with_())
    assert forces(run) == []
    assert "The Lyran ends the coordination with you." in run.texts("hydran")
    rest = plotted(APART + "together hydran lyran klingon", lyran=with_())
    assert forces(rest) == [["hydran", "klingon"]]
    assert "act as one force from now on" not in rest.texts("klingon")  # they never ceased to
    alone = plotted(APART + "together hydran lyran klingon", hydran=with_(), lyran=with_())
    assert "The Hydran and Lyran end the coordination with you." in alone.texts("klingon")


@pytest.mark.unseen("cutler", reports=("coordination",))
@pytest.mark.rule("cutler", "2.10")
@pytest.mark.unseen("cutler", reports=("coordination",), asks=("plot",))
def test_an_offer_is_known_to_the_two_alone():
    # Offered, refused, agreed, ended: the third sees the same byte for byte.
    quiet = plotted()
    for lines in (
        {"hydran": with_("lyran")},
        {"hydran": with_("lyran", colour="hydran"), "lyran": with_("klingon")} | {"lyran": with_()},
    ):
        run = plotted(**lines)
        assert sees(run.table, run.asks, "klingon") == sees(quiet.table, quiet.asks, "klingon")
        assert sees(run.table, run.asks, "lyran") != sees(quiet.table, quiet.asks, "lyran")
    far = APART.replace("lyran F1 0404", "lyran F1 0902")
    agreed, apart = plotted(far, hydran=with_("lyran"), lyran=with_("hydran")), plotted(far)
    assert sees(agreed.table, agreed.asks, "klingon") == sees(apart.table, apart.asks, "klingon")


@pytest.mark.rule("cutler", "2.10")
def test_what_cannot_be_ordered_is_refused_with_the_rule(kept: Kept):
    ask = plotted().asked("hydran", "plot")[0]
    assert refusal_words(ask, {"coordination": with_("hydran")}) == kept("#1")
    assert refusal_words(ask, {"coordination": with_("lyran", "lyran")}) == kept("#2")
    assert refusal_words(ask, {"coordination": with_("lyran", colour="gorn")}) == kept("#3")
    assert refusals(ask, {"coordination": with_("lyran", colour="lyran")}) == []
    ask = combat(APART).asked("hydran", "card")[0]
    assert refusal_words(ask, {"force": {"card": "combat", "stay": False}}) == kept("#4")


@pytest.mark.rule("cutler", "2.10")
def test_a_race_that_is_out_of_play_is_no_partner():
    state = world(APART + TOGETHER)
    state.out = ["lyran"]
    state.empires["hydran"].asking = "each"
    turn = table_of(state)
    ask = Run(turn, plotting_steps(turn.at("plot"))).asked("hydran", "plot")[0]
    assert refusals(ask, {"coordination": with_("lyran")}) == [("coordination.partners", "2.10, CU-N15")]
    assert state.coordination.forces == []


@pytest.mark.rule("cutler", "2.10")
def test_offers_are_read_in_the_scenarios_order_also_when_they_were_stored():
    # Written down, the Klingon's comes before the Lyran's.
    run = plotted(lyran=with_("hydran"), klingon=with_("hydran"))
    stored = CutlerState.from_json(json.loads(canonical(run.table.state.to_json())))
    rows = [coordination_rows(state, "hydran") for state in (run.table.state, stored)]
    assert rows[0] == rows[1] == [f"The {name} offers to act as one force." for name in ("Lyran", "Klingon")]


# --- one force on the map --------------------------------------------------------------------------------------------
def placed(text: str, **colours: str) -> list[tuple[str, str]]:
    state = world(text)
    state.coordination.colours = colours
    return [(counter.owner, counter.hex) for counter in public_board(state).counters]


@pytest.mark.rule("cutler", "2.10", "2.6.2")
def test_one_counter_stands_for_a_force_by_command_rating_or_as_agreed(kept: Kept):
    # CC 9 against CA 8; the Lyran's is the higher.
    assert placed(APART) == [("hydran", "0404"), ("lyran", "0404"), ("klingon", "0708")]
    assert placed(APART + TOGETHER) == [("lyran", "0404"), ("klingon", "0708")]
    assert placed(APART + TOGETHER, hydran="hydran") == [("lyran", "0404"), ("klingon", "0708")]
    assert placed(APART + TOGETHER, hydran="hydran", lyran="hydran") == [("hydran", "0404"), ("klingon", "0708")]
    assert placed(APART.replace("CA+DD", "DN") + TOGETHER)[0] == ("hydran", "0404")
    assert placed(APART.replace("lyran F1 0404", "lyran F1 0405") + TOGETHER)[:2] == kept()


@pytest.mark.rule("cutler", "2.10", "2.6.3")
def test_a_force_that_moves_together_moves_as_one_counter():
    text = (
        "turn 1 impulse 3\nhydran F1 0404 CA course 0405\nlyran F1 0404 CC course 0405\nlyran F2 0902 FF course 0903\n"
    )
    turns = {}
    for more in ("", TOGETHER):
        turn = table_of(world(text + more))
        execute_moves(turn)
        turns[more] = turn.shared.reports[0].text
    assert turns[""].endswith("Hydran CU 0404→0405; Lyran CU 0404→0405; Lyran CU 0902→0903.")
    assert turns[TOGETHER].endswith("movement: Lyran CU 0404→0405; Lyran CU 0902→0903.")


@pytest.mark.rule("cutler", "2.10", "2.5")
@pytest.mark.parametrize(("hydran", "entered"), [("CC+DD+DD+DD+DD", True), ("CC+DD+DD+DD+DD+DD", False)])
def test_one_stacking_limit_with_the_best_command_rating_of_both(hydran, entered):
    # A command cruiser, 9, leads ten ships. Five Lyran frigates, 3, could not even be led by their own.
    text = f"turn 1 impulse 3\nhydran F1 0404 {hydran}\nlyran F1 0403 FF+FF+FF+FF+FF course 0404\n"
    turn = table_of(world(text + TOGETHER))
    execute_moves(turn)
    tidy_fleets(turn.state)
    assert (turn.state.units["lyran-F1-FF"].hex == "0404") == entered
    alone = table_of(world(text))
    execute_moves(alone)
    assert alone.state.units["lyran-F1-FF"].hex == "0403"


@pytest.mark.rule("cutler", "2.10", "2.5")
def test_a_call_off_counts_the_movers_of_both_and_is_told_to_them_alone():
    text = "turn 1 impulse 3\nhydran F1 0405 CA+FF+FF+FF+FF course 0404\nlyran F1 0403 DD+FF+FF+FF+FF course 0404\n"
    turn = table_of(world(text + "klingon F1 0908 CW\n" + TOGETHER))
    execute_moves(turn)
    # Ten ships, and a cruiser leads nine: all stay.
    assert {unit.hex for unit in turn.state.alive("hydran")} == {"0405"}
    assert {unit.hex for unit in turn.state.alive("lyran")} == {"0403"}
    assert [one.to for one in turn.shared.reports] == [("hydran",), ("lyran",)]


@pytest.mark.rule("cutler", "2.10", "8.4")
def test_a_scan_sees_a_force_as_one_contact():
    state = world(THREE + "klingon F2 0405 SC")
    state.fleet("klingon", "F2").scans = ["0404"]
    turn = table_of(state, {"scan of": [1]})
    scanning_phase(turn)
    told = [one for one in turn.shared.reports if one.is_for("klingon") and one.facts]
    assert [fact.headline for one in told for fact in one.facts] == ["3 Hydran and Lyran units"]
    assert [fact.owner for one in told for fact in one.facts] == ["lyran"]


# --- one force in combat ---------------------------------------------------------------------------------------------
def battle_of(run: Run) -> Ask:
    return next(ask for ask in run.asks if ask.kind == "battle")


@pytest.mark.rule("cutler", "2.10", "3.1")
def test_three_races_with_one_pair_are_fought_as_two_parties():
    run = combat(THREE, {("card", "lyran"): FIGHT})
    assert "Cards in 0404: Hydran and Lyran combat; Klingon bypass." in run.texts("klingon")
    assert not [ask for ask in run.asks if ask.kind == "challenge"]
    ask = battle_of(run)
    assert (ask.parties, ask.forces) == (("hydran", "lyran", "klingon"), (("hydran", "lyran"), ("klingon",)))
    assert [panel.title for panel in ask.setup.panels][-2:] == ["Hydran and Lyran force", "Klingon force"]
    assert "In 0404: 3 Hydran and Lyran units (size 3: CA; size 3: CC; size 4: FF)." in run.texts("klingon")


@pytest.mark.rule("cutler", "2.10")
def test_coordinated_races_by_themselves_do_not_fight():
    run = combat(APART + TOGETHER, {("card", "hydran"): FIGHT})
    assert [ask.kind for ask in run.asks] == ["card", "card"]
    assert run.told("hydran", "combat") == []


@pytest.mark.rule("cutler", "2.10")
@pytest.mark.parametrize("leaver", ["hydran", "lyran"])
def test_either_may_leave_as_combat_begins_and_fight_its_partner(leaver):
    run = combat(APART + TOGETHER, {("card", leaver): {"force": {"card": "combat", "stay": False}}})
    assert (battle_of(run).parties, forces(run), run.texts("klingon")) == (("hydran", "lyran"), [], "")


@pytest.mark.rule("cutler", "2.10")
def test_who_is_coordinated_is_not_told_by_how_the_third_is_asked():
    cards = {("card", "hydran"): FIGHT, ("card", "klingon"): FIGHT}
    one, other = combat(THREE, cards), combat(THREE.replace(TOGETHER, ""), cards)
    asked = [[(ask.id, ask.text) for ask in run.asked("klingon", "card")] for run in (one, other)]
    assert asked[0] == asked[1]
    assert [ask.parties for ask in one.asks][:3] == [ask.parties for ask in other.asks][:3]


@pytest.mark.rule("cutler", "2.10")
def test_who_is_coordinated_is_unseen_where_no_rule_shows_it():
    # Hidden bases share a hex, so no counter tells: one force or two, kept or ended, it looks the same to the third.
    text = "turn 1 impulse 3\nhydran base 0303 Rock\nlyran base 0303 Den\nklingon F1 0708 CW\n"
    leaves = {("card", "lyran"): {"force": {"stay": False}}}
    runs = [combat(text), combat(text + TOGETHER), combat(text + TOGETHER, leaves)]
    assert len({sees(run.table, run.asks, "klingon") for run in runs}) == 1
    assert len({sees(run.table, run.asks, "hydran") for run in runs}) == 3


@pytest.mark.rule("cutler", "2.10", "3.3.3", "3.3.4", "3.3.7.2")
def test_waves_and_pursuit_are_of_all_and_nobody_is_sent_by_its_partner(kept: Kept):
    answers = {
        ("card", "klingon"): FIGHT,
        ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-CA"]}}],
        ("wave", "lyran"): [{"wave": {"ships": ["lyran-F1-FF"]}}],
        ("pursuit", "klingon"): {"klingon-F1-CW": {"group": 1}},
    }
    # Two ships run: +1. A die of 2 gets them away, and no Klingon may fight them any more.
    run = combat(THREE, answers, {"escape from group 1": [2]})
    assert "Escape wave 1 in 0404: 2 Hydran and Lyran units (size 3: CA; size 4: FF)." in run.texts("klingon")
    for race in ("hydran", "lyran"):
        assert "Wave 1 of the Hydran and Lyran in 0404 gets away from group 1." in run.texts(race)
    assert run.table.state.units["lyran-F1-FF"].escaped_from == ["klingon"]
    assert refusal_words(run.asked("hydran", "wave")[0], {"wave": {"ships": ["lyran-F1-FF"]}}) == kept()


@pytest.mark.rule("cutler", "2.10", "3.3.7.2")
def test_who_escapes_from_a_force_has_escaped_from_all_of_it():
    answers = {
        ("card", "klingon"): FIGHT, ("wave", "klingon"): [{"wave": {"ships": ["klingon-F1-CW"]}}],
        ("pursuit", "lyran"): {"lyran-F1-FF": {"group": 2}}, ("pursuit", "hydran"): {"hydran-F1-CA": {"group": 2}},
    }  # fmt: skip
    run = combat(THREE, answers, {"escape from group 2": [1]})
    assert "Pursuit of wave 1 in 0404, group 2: 2 Hydran and Lyran units" in run.texts("klingon")
    assert run.table.state.units["klingon-F1-CW"].escaped_from == ["hydran", "lyran"]


@pytest.mark.rule("cutler", "2.10", "5.1", "3.4.5.3")
def test_a_captor_is_named_where_the_enemy_is_of_two_races(kept: Kept):
    line = {"fate": "intact"}
    result = {
        "H1": line, "L1": line, "L2": line, "K1": {"fate": "captured", "captor": "lyran"},
        "K2": {"fate": "disengaged"},
    }  # fmt: skip
    run = combat(THREE, {("card", "klingon"): FIGHT, ("battle", ""): result})
    units = run.table.state.units
    assert (units["klingon-F1-DN"].race, units["klingon-F1-CW"].disengaged_from) == ("lyran", ["hydran", "lyran"])
    known = {race: empire.known_ships.get("klingon-F1-DN") for race, empire in run.table.state.empires.items()}
    assert known == {"hydran": "lyran", "klingon": "lyran", "lyran": None}
    stranger = {**result, "K1": {"fate": "captured", "captor": "klingon"}}
    assert refusal_words(battle_of(combat(THREE, {("card", "klingon"): FIGHT})), stranger) == kept()


@pytest.mark.rule("cutler", "2.10")
def test_either_race_may_account_for_the_force():
    run = combat(THREE, {("card", "klingon"): FIGHT}, {"set-up, Hydran": [6], "set-up, Klingon": [1]})
    assert "Battle in 0404. The Hydran and Lyran set up first." in run.texts("lyran")
    ask = battle_of(run)
    assert ask.setup is not None
    assert ask.setup.panels[0].rows[0].startswith("Hydran and Lyran set up first, all their units within 10 hexes ")
    account = ask.answer_from({key: {"fate": "intact"} for key in ("H1", "L1", "L2", "K1", "K2")})
    assert ask.agree is not None
    assert ask.agree({"hydran": account, "klingon": account}).settled == account
    assert ask.force_of("lyran") == ("hydran", "lyran")


@pytest.mark.rule("cutler", "2.10", "3.7.1", "3.7.8")
def test_a_flanking_group_is_of_all_and_its_turn_known_to_all_of_the_force(kept: Kept):
    answers = {
        ("card", "klingon"): FIGHT,
        ("flank", "hydran"): {"hydran-F1-CA": {"group": 1}},
        ("flank", "lyran"): {"lyran-F1-FF": {"group": 1}},
    }
    run = combat(THREE, answers, {"flank 1, hydran": [4]})
    setup = battle_of(run).setup
    rows = {
        race: [row for panel in setup.secret[race] for row in panel.rows if "Arrives" in row] for race in setup.secret
    }
    assert rows == kept()
    dice = [roll for roll in run.table.shared.rolls if "flank" in roll.label]
    assert [roll.seen_by for roll in dice] == [frozenset({"hydran", "lyran"})] * 2  # when, and who first


@pytest.mark.rule("cutler", "2.10", "3.2")
def test_a_force_rolls_and_challenges_as_one():
    # Four races, two of them one force: three sides, of which the force acts first.
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 DN+CW\n" + TOGETHER)
    state.sides = (*state.sides, SideLabel(key="gorn", name="Gorn", emblem="G"))
    state.empires["gorn"] = Empire(race="gorn")
    state.units["klingon-F1-CW"].race = "gorn"
    state.fleets["klingon/F1"].units = ["klingon-F1-DN"]
    state.new_fleet("gorn", ["klingon-F1-CW"])
    turn = table_of(
        state, {"1/acting player, Hydran": [6], "1/acting player, Klingon": [2], "1/acting player, Gorn": [3]}
    )
    answers = {("card", "gorn"): FIGHT, ("challenge", ""): [{"challenge": {"race": "gorn"}}]}
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    ask = next(ask for ask in run.asks if ask.kind == "challenge")
    assert (ask.parties, ask.forces) == (("hydran", "lyran"), (("hydran", "lyran"),))
    assert battle_of(run).forces == (("hydran", "lyran"), ("gorn",))
    assert "the Hydran and Lyran act and challenge the Gorn" in run.texts("klingon")


def test_a_partner_that_is_gone_takes_its_colour_along():
    state = world(APART + TOGETHER)
    state.coordination.colours["hydran"] = "lyran"
    state.empires["hydran"].asking = state.empires["lyran"].asking = "each"
    turn = table_of(state)
    Run(turn, plotting_steps(turn.at("plot")), {("plot", "lyran"): {"coordination": with_()}})
    ask = Run(turn, plotting_steps(turn.at("again"))).asked("hydran", "plot")[0]
    assert refusals(ask, ask.form.prefilled()) == []


# --- with what other chapters have -----------------------------------------------------------------------------------
LURKS = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC[cloak=up]\nklingon F1 0404 DN\n"


@pytest.mark.rule("cutler", "2.10", "2.6.2.1")
def test_a_hidden_partner_is_in_no_force_and_unseen_by_the_enemy():
    # The Hydran fights by itself; whether the Lyran under cloak is its partner, there alone, or not there looks alike.
    cards = {("card", "hydran"): FIGHT}
    worlds = (LURKS + TOGETHER, LURKS, LURKS.replace("lyran F1 0404", "lyran F1 0101"))
    runs = [combat(text, cards) for text in worlds]
    assert [battle_of(run).parties for run in runs] == [("hydran", "klingon")] * 3
    assert len({sees(run.table, run.asks, "klingon") for run in runs}) == 1


@pytest.mark.rule("cutler", "2.10", "2.6.2.1")
def test_a_partner_that_shows_itself_fights_in_the_force_and_one_that_is_found_by_itself():
    state = world(LURKS + TOGETHER)
    state.units["lyran-F1-CC"].engaged = True
    shown = Run(turn := table_of(state), combat_phase_steps(turn.at("combat")), {("card", "klingon"): FIGHT})
    assert set(battle_of(shown).parties) == {"hydran", "lyran", "klingon"}
    state = world(LURKS + TOGETHER)
    state.units["lyran-F1-CC"].found_by = ["klingon"]
    found = Run(turn := table_of(state), combat_phase_steps(turn.at("combat")), {("card", "klingon"): FIGHT})
    assert [ask.parties for ask in found.asks if ask.kind == "battle"] == [("hydran", "klingon"), ("klingon", "lyran")]


@pytest.mark.rule("cutler", "2.10", "2.6.2.1")
def test_partners_who_both_found_a_hidden_ship_hunt_it_as_one(kept: Kept):
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 DN[cloak=up]\n" + TOGETHER)
    state.units["klingon-F1-DN"].found_by = ["hydran", "lyran"]
    run = Run(turn := table_of(state), combat_phase_steps(turn.at("combat")), {("card", "lyran"): FIGHT})
    (battle,) = [ask for ask in run.asks if ask.kind == "battle"]
    assert battle.forces == (("hydran", "lyran"), ("klingon",))
    assert refusal_words(run.asked("hydran", "card")[-1], {"force": {"card": "combat", "stay": False}}) == kept("#1")
    assert state.empires["klingon"].alerts == kept("state.empires(klingon).alerts")


@pytest.mark.rule("cutler", "2.10", "2.6.2.1")
def test_the_counter_of_a_force_does_not_tell_of_a_hidden_flagship():
    # The Lyran command cruiser would have the higher rating; under cloak it counts for nothing that others see.
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 FF\nlyran F2 0404 CC[cloak=up]\n" + TOGETHER
    assert world(text).counters() == world(text.replace("lyran F2 0404 CC[cloak=up]\n", "")).counters()


ROCK = "turn 2 impulse 3\nplanet minor 0404 hydran rock\nhydran F1 0404 CA\nlyran F1 0404 CC+FF[from=0303]\n"
BESIEGED = ROCK + "klingon F1 0404 DN[from=0505]+CW[from=0505]\n" + TOGETHER


@pytest.mark.rule("cutler", "2.10", "3.5.4", "3.5.4.2")
def test_a_force_defends_a_planet_as_one_and_each_race_sends_its_own(kept: Kept):
    # The Lyran has just come, as the Klingon has; its partner has been there all the time.
    answers = {
        ("card", "klingon"): FIGHT,
        ("allocate", "hydran"): {"hydran-F1-CA": {"place": "planet"}},
        ("allocate", "lyran"): {"lyran-F1-CC": {"place": "planet"}, "lyran-F1-FF": {"place": "sun"}},
        ("allocate", "klingon"): {"klingon-F1-DN": {"place": "planet"}, "klingon-F1-CW": {"place": "planet"}},
    }
    run = combat(BESIEGED, answers)
    assert "Hydran and Lyran were here first and defend." in run.texts("klingon")
    assert {ask.parties: [line.key for line in ask.form.lines] for ask in run.asks if ask.kind == "allocate"} == kept()
    battle = battle_of(run)
    assert battle.forces == (("hydran", "lyran"), ("klingon",))
    assert [line.key for line in battle.form.lines] == ["H1", "L1", "K1", "K2"]


@pytest.mark.rule("cutler", "2.10", "3.6.1.1")
def test_the_races_of_a_force_surround_together_each_with_its_own():
    answers = {
        ("card", "hydran"): FIGHT, ("wave", "klingon"): [{"wave": {"ships": ["klingon-F1-CW"]}}],
        ("pursuit", "hydran"): {"hydran-F1-CA": {"group": 1}}, ("pursuit", "lyran"): {"lyran-F1-CC": {"group": 1}},
        ("surround", "hydran"): {"rest": {"direction": 2}}, ("surround", "lyran"): {"lyran-F1-CC": {"group": 1}},
    }  # fmt: skip
    run = combat(THREE, answers, {"escape from group 1": [6], "surround, group 1": [1], "direction, group 1": [4]})
    asked = {ask.parties: [line.key for line in ask.form.lines] for ask in run.asks if ask.kind == "surround"}
    assert asked == {("hydran",): ["rest", "hydran-F1-CA"], ("lyran",): ["rest", "lyran-F1-CC"]}
    assert "The Hydran and Lyran try to surround in 0404: group 1 comes up in direction 4." in run.texts("klingon")
    (panel,) = [one for one in battle_of(run).setup.panels if one.title.startswith("Where the pursuers")]
    assert panel.rows[:2] == ("Direction 2: H1 Hydran F1 Ca", "Direction 4: L1 Lyran F1 Cc")
