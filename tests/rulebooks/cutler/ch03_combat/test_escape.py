"""Chapter 3.3: escape waves, pursuit groups, escape rolls and escape battles."""

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps, opponents
from rules_engine.rulebooks.cutler.ch03_combat.escape import escape_modifiers, hunters, may_escape, may_run
from rules_engine.rulebooks.cutler.records.parts.craft import squadron, take_off
from rules_engine.rulebooks.cutler.sequence import end_impulse
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.shown import battles_of
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words, table_of, world

FIGHT = {"force": {"card": "combat"}}
TEXT = "turn 1 impulse 3\nhydran F1 0404 CA+DD+FF\nlyran F1 0404 CC+CW+FF+FF\n"


def run_away(*ships):
    return {"wave": {"ships": [f"hydran-F1-{ship}" for ship in ships]}}


def chase(**groups):
    return {f"lyran-F1-{ship}": {"group": group} for ship, group in groups.items()}


def runs(*waves, chased=(), battles=()):
    """The Lyran fights; the Hydran runs in these waves, and is pursued so; battles end with these results."""
    return {
        ("card", "lyran"): FIGHT, ("wave", "hydran"): list(waves), ("pursuit", "lyran"): list(chased),
        ("battle", ""): list(battles),
    }  # fmt: skip


def combat(waves=(), pursuits=(), dice=None):
    return combats.met(TEXT, runs(*waves, chased=pursuits), dice)


# --- modifiers -------------------------------------------------------------------------------------------------------
@cases("ships, hunters, terrain, total")
def test_what_is_added_to_the_escape_die(ships, hunters, terrain, total):
    state = world(f"hydran F1 0404 {ships}\nlyran F1 0404 {hunters}\n" + (f"{terrain} 0404" if terrain else ""))
    assert sum(escape_modifiers(state, "0404", state.alive("hydran"), state.alive("lyran")).values()) == total


@pytest.mark.rule("cutler", "3.3.2")
def test_sublight_and_fixed_units_neither_run_nor_pursue():
    state = world(
        "hydran F1 0404 CA+PF\nhydran F2 0404 DD[warp=0]\nhydran F3 0404 FF[warp=0,imp=0]\n"
        "hydran base 0404\nhydran police 0404"
    )
    assert [unit.id for unit in state.alive() if may_run(unit)] == ["hydran-F1-CA", "hydran-F1-PF"]


# --- waves and pursuit -----------------------------------------------------------------------------------------------


@cases("case, proves, answers, dice", "", made="answers")
def test_the_whole_account_of_an_escape(answers, dice, kept: Kept):
    assert combats.account(combats.met(TEXT, answers, dice)) == kept()


@cases("asked, sheet, words", made="sheet")
def test_illegal_waves_and_groups_are_refused(asked, sheet, words):
    said: list = []
    judged = {tuple(asked.split()): lambda ask: said.append(refusal_words(ask, sheet))}
    combats.met(TEXT + "hydran F2 0404 CW[warp=0]\n", runs(run_away("FF")) | judged)
    assert said[0] == words


# --- rolls -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.3.7.2", "3.3.7.3", "3.3.7.4")
def test_who_gets_away_is_safe_from_that_race_for_the_impulse():
    run = combat([run_away("FF")], [chase(FF=1)], {"escape from": [1]})
    state = run.table.state
    ff = state.units["hydran-F1-FF"]
    faced = [ff in opponents(state, "0404", "hydran", enemy) for enemy in ("lyran", "klingon")]
    end_impulse(run.table)
    assert [ff.hex, *faced, ff in opponents(state, "0404", "hydran", "lyran")] == ["0404", False, True, True]


@pytest.mark.rule("cutler", "3.6", "3.6.1", "3.6.1.1")
def test_the_escape_battles_sheet(kept: Kept):
    assert battles_of(combat([run_away("FF")], [chase(FF=1)], {"escape from": [5]}))[0].setup.panels[0].rows == kept()


@pytest.mark.rule("cutler", "3.3.4", "3.3.7.3", "3.3.7.7", "2.10")
def test_who_pursues_one_wave_of_a_force_is_not_offered_for_its_other(kept: Kept):
    # The Lyran runs to the planet and the Klingon away from it: two waves, with one pursuer sent after each at most.
    text = "turn 2 impulse 3\nplanet minor 0404 hydran rock\nhydran F1 0404 CA+DD\n"
    text += "lyran F1 0404 CC[from=0505]\nklingon F1 0404 CW[from=0505]\ntogether lyran klingon\n"
    answers = {
        ("card", "lyran"): FIGHT,
        ("wave", "lyran"): [{"wave": {"ships": ["lyran-F1-CC"], "to": "planet"}}],
        ("wave", "klingon"): [{"wave": {"ships": ["klingon-F1-CW"]}}],
        ("pursuit", "hydran"): [{"hydran-F1-CA": {"group": 1}}, {"hydran-F1-DD": {"group": 1}}],
    }
    run = combats.met(text, answers, {"escape from": [1, 1]})
    places = [ask.id.split("/wave/1/")[1] for ask in run.asked("hydran", "pursuit")]
    assert places == ["pursuit/pursuit/hydran", "pursuit/2/pursuit/hydran"]
    assert combats.account(run) == kept()


# --- word for word ---------------------------------------------------------------------------------------------------
@cases("ships, chasers, terrain, expected")
def test_every_cause_that_changes_the_escape_die_is_named(ships, chasers, terrain, expected):
    state = world(f"hydran F1 0404 {ships}\nlyran F1 0404 {chasers}\n")
    state.terrain |= {"0404": terrain} if terrain else {}
    assert escape_modifiers(state, "0404", state.alive("hydran"), state.alive("lyran")) == expected


@pytest.mark.rule("cutler", "3.3.2")
def test_who_may_run_who_may_escape_and_who_may_pursue(kept: Kept):
    state = world(
        "hydran F1 0404 CV[fighters=6]+DD[warp=0]+FF[warp=0,imp=0]+CV[fighters=6,boosters=0]\n"
        "hydran base 0404 Fort[fighters=4]\nhydran police 0404\n"
    )
    carrier, light = state.units["hydran-F1-CV"], state.units["hydran-F1-CV2"]
    boosted = squadron("wing", "hydran", "Wing", "0404", take_off(carrier, 2))
    bare = squadron("bare", "hydran", "Bare", "0404", take_off(light, 2))
    everyone = [*state.alive("hydran"), boosted, bare]
    assert [unit.id for unit in everyone if may_run(unit)] == ["hydran-F1-CV", "hydran-F1-CV2"]
    assert [unit.id for unit in everyone if may_escape(unit)] == ["hydran-F1-CV", "hydran-F1-CV2"]
    assert [unit.id for unit in hunters(everyone)] == kept()


@pytest.mark.rule("cutler", "3.3.3", "3.3.4", "3.3.7.1", "3.3.7.6")
def test_waves_pursuits_and_rolls_are_told_in_words_with_their_reasons(kept: Kept):
    waves = [run_away("FF"), run_away("CA", "DD")]
    run = combat(waves, [chase(FF=1), chase(CW=1, FF2=2)], {"escape from group 1": [4, 2], "escape from group 2": [3]})
    said = [(one.text, one.to) for one in run.table.shared.reports if "ave " in one.text]
    _both, _hydran, _lyran = ("hydran", "lyran"), ("hydran",), ("lyran",)
    assert said == kept()
    reasons = [
        (dict(one.why.inputs), [(roll.faces, roll.total) for roll in one.why.dice])
        for one in run.told("hydran", "combat")
        if one.text.startswith("Wave")
    ]
    two = {"2 ships escaping": "+1"}
    assert reasons == [
        ({"result": "4", "escapes at": "3 or less"}, [(6, 4)]),
        ({**two, "result": "3", "escapes at": "3 or less"}, [(6, 2)]),
        ({**two, "result": "4", "escapes at": "3 or less"}, [(6, 3)]),
    ]
    assert [[ask.title, *on_sheet(ask)[-2:]] for ask in run.asked("hydran", "wave")] == kept("sheets")
    places = [[ask.id.removeprefix("T1/combat/0404/vs/hydran/lyran") for ask in run.asked(side, kind)]
              for side, kind in (("hydran", "wave"), ("lyran", "pursuit"))]  # fmt: skip
    assert places == kept("places")
    assert [ask.title for ask in run.asked("lyran", "pursuit")] == kept("#1")
    one, two_ = run.asked("lyran", "pursuit")
    assert one.text.startswith("1 Hydran unit (size 4: FF) tries to get away. ")
    assert "cannot be called off" in one.text
    assert two_.text.startswith("2 Hydran units (size 3: CA; size 4: DD) try to get away. ")


@pytest.mark.rule("cutler", "3.5.5", "3.5.8")
def test_a_wave_at_a_planet_says_where_it_runs_and_what_it_leaves(kept: Kept):
    text = "turn 2 impulse 3\nplanet minor 0404 hydran rock\nhydran F1 0404 CV[fighters=6]+DD\n"
    text += "lyran F1 0404 CC[from=0505]+CV[from=0505,fighters=4]\n"
    judged = []

    def elsewhere(ask):
        ship = ask.form.lines[0].fields[0].choices[0].value
        judged.append(refusal_words(ask, {"wave": {"ships": [ship], "to": "moon1"}}))

    answers = {("card", "lyran"): FIGHT, ("allocate", "hydran"): {"hydran-F1-CV": {"place": "planet"}}}
    answers |= {("wave", "lyran"): [elsewhere], ("wave", "hydran"): [elsewhere, elsewhere]}
    run = Run(turn := table_of(world(text)), combat_phase_steps(turn.at("combat")), answers)
    assert judged == kept("judged")
    past = run.asked("lyran", "wave")[0]
    assert on_sheet(past) == kept("on_sheet(past)")
    ship = {"ships": ["lyran-F1-CC"]}
    sheets = [{"wave": {**ship, **more}} for more in ({}, {"to": "away"}, {"to": "planet"})]
    assert [refusal_words(past, sheet) or past.read_back(past.answer_from(sheet)) for sheet in sheets] == kept("#1")
    leave = run.asked("hydran", "wave")[-1]
    assert on_sheet(leave) == kept("on_sheet(leave)")
    carrier = "hydran-F1-CV"
    sheets = [
        {"wave": {"ships": [carrier], "left": [carrier]}}, {"wave": {"ships": [], "left": [carrier]}},
        {"wave": {"ships": [carrier], "left": [carrier, carrier]}},
        {"wave": {"ships": [carrier], "left": ["hydran-F1-DD"]}}, {"wave": {"ships": []}},
    ]  # fmt: skip
    assert [refusal_words(leave, sheet) or leave.read_back(leave.answer_from(sheet)) for sheet in sheets] == kept("#3")


@pytest.mark.rule("cutler", "3.5.6")
def test_a_ship_that_has_fought_elsewhere_is_told_where_it_may_run():
    text = "turn 2 impulse 3\nplanet minor 0404 hydran rock\nhydran F1 0404 CA\n"
    state = world(f"{text}lyran F1 0404 CC[from=0505]+CW[from=0505]\n")
    state.fought_at = {"lyran-F1-CC": "planet"}
    turn = table_of(state)
    ask = Run(turn, combat_phase_steps(turn.at("combat")), {("card", "lyran"): FIGHT}).asked("lyran", "wave")[0]
    law = "wave.ships: this ship has fought at another feature in this impulse (3.5.6). Legal: planet."
    both = ["lyran-F1-CC", "lyran-F1-CW"]
    found = {to: refusal_words(ask, {"wave": {"ships": both, "to": to}}) for to in ("sun", "planet", "away")}
    assert found == {"sun": [law], "planet": [], "away": []}
    assert refusal_words(ask, {"wave": {"ships": both[1:], "to": "sun"}}) == []
