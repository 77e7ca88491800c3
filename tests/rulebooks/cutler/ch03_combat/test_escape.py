"""Chapter 3.3: escape waves, pursuit groups, escape rolls and escape battles."""

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps, opponents
from rules_engine.rulebooks.cutler.ch03_combat.escape import escape_modifiers, hunters, may_escape, may_run
from rules_engine.rulebooks.cutler.records.parts.craft import squadron, take_off
from rules_engine.rulebooks.cutler.sequence import end_impulse
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words, table_of, world

FIGHT = {"force": {"card": "combat"}}
TEXT = "turn 1 impulse 3\nhydran F1 0404 CA+DD+FF\nlyran F1 0404 CC+CW+FF+FF\n"


def run_away(*ships):
    return {"wave": {"ships": [f"hydran-F1-{ship}" for ship in ships]}}


def chase(**groups):
    return {f"lyran-F1-{ship}": {"group": group} for ship, group in groups.items()}


def combat(waves=(), pursuits=(), dice=None, text=TEXT, battles=None):
    """The Lyran fights; the Hydran runs in these waves and is pursued so."""
    answers = {
        ("card", "lyran"): FIGHT, ("wave", "hydran"): list(waves), ("pursuit", "lyran"): list(pursuits),
        ("battle", ""): list(battles or []),
    }  # fmt: skip
    return Run(turn := table_of(world(text), dice), combat_phase_steps(turn.at("combat")), answers)


def battles(run):
    return [ask for ask in run.asks if ask.kind == "battle"]


def fates(**said):
    """A result by the first letter of the units' keys."""
    return lambda ask: {line.key: {"fate": said.get(line.key[0], "intact")} for line in ask.form.lines}


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
@pytest.mark.rule("cutler", "3.3", "3.3.1", "3.3.2", "3.3.5")
def test_an_empty_wave_is_the_last_one():
    run = combat()
    assert len(run.asked("hydran", "wave")) == len(run.asked("lyran", "wave")) == 1
    assert len(battles(run)) == 1


@pytest.mark.rule("cutler", "3.3.3", "3.3.4", "3.3.6")
def test_waves_are_shown_as_s1_to_s5_and_pursued_in_turn(kept: Kept):
    run = combat([run_away("FF"), run_away("DD")], [chase(FF=1), chase(FF2=1, CW=2)], {"escape from": [6, 1, 1]})
    text = run.texts("lyran")
    assert "Escape wave 1 in 0404: 1 Hydran unit (size 4: FF)." in text
    assert "Escape wave 2 in 0404: 1 Hydran unit (size 4: DD)." in text
    assert "Pursuit of wave 2 in 0404, group 2: 1 Lyran unit (size 3: CW)." in run.texts("hydran")
    # The ship sent after wave 1 is not offered again for wave 2.
    offered = [line.key for line in run.asked("lyran", "pursuit")[1].form.lines]
    assert offered == ["lyran-F1-CC", "lyran-F1-CW", "lyran-F1-FF2"]
    # The Hydran, having sent no one in an empty wave 3, and all others: one main battle of what is left.
    assert sorted(line.label for line in battles(run)[-1].form.lines) == kept()


@pytest.mark.rule("cutler", "3.3.7.10")
def test_an_empty_wave_cannot_be_pursued(kept: Kept):
    run = combat()
    assert (run.asked("lyran", "pursuit"), run.asked("hydran", "pursuit")) == ([], [])
    # Beside a wave that is pursued, too: the Lyran's first one is empty, and so is the Hydran's second.
    run = combat([run_away("FF")], [chase(FF=1)])
    assert [(ask.parties, ask.title) for ask in run.asks if ask.kind == "pursuit"] == kept()
    assert "Lyran" not in "".join(one.text for one in run.told("hydran") if one.text.startswith("Escape wave"))


@pytest.mark.rule("cutler", "3.3.1", "3.3.5")
def test_everybody_may_run_and_then_there_is_no_main_battle():
    run = combat([run_away("CA", "DD", "FF")])
    assert battles(run) == []
    assert "nobody is left for a main battle" in run.texts("lyran")


def test_illegal_waves_and_groups_are_refused(kept: Kept):
    judged: list = []
    text = TEXT + "hydran F2 0404 CW[warp=0]\n"

    def wave(ask):
        for ships in (["hydran-F2-CW"], ["lyran-F1-CC"], ["hydran-F1-CA", "hydran-F1-CA"]):
            judged.extend(refusal_words(ask, {"wave": {"ships": ships}}))
        return run_away("FF")

    def pursuit(ask):
        judged.extend(refusal_words(ask, {"hydran-F1-FF": {"group": 1}, "lyran-F1-CC": {"group": 5}}))

    combat([wave], [pursuit], text=text)
    assert judged == kept()


# --- rolls -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "3.3.7.1", "3.3.7.2", "3.3.7.9")
@pytest.mark.parametrize(("die", "escapes"), [(3, True), (4, False)])
def test_three_or_less_gets_away(die, escapes):
    run = combat([run_away("FF")], [chase(FF=1)], {"escape from": [die]}, battles=[None, None])
    kinds = [ask.setup.title.split(" in")[0] for ask in battles(run)]
    assert kinds == (["Battle"] if escapes else ["Escape battle", "Battle"])
    assert ("gets away" in run.texts("hydran")) is escapes


@pytest.mark.rule("cutler", "3.3.7.1")
def test_three_ships_need_a_two():
    # The book's own second wave: a 2 gets three ships away (+1), a 3 does not.
    for die, away in ((2, True), (3, False)):
        run = combat([run_away("CA", "DD", "FF")], [chase(CW=1)], {"escape from": [die]})
        assert ("gets away" in run.texts("lyran")) is away


@pytest.mark.rule("cutler", "3.3.7.2", "3.3.7.3", "3.3.7.4")
def test_who_gets_away_is_safe_from_that_race_for_the_impulse():
    run = combat([run_away("FF")], [chase(FF=1)], {"escape from": [1]})
    state = run.table.state
    ff = state.units["hydran-F1-FF"]
    assert (ff.hex, ff.escaped_from) == ("0404", ["lyran"])
    assert ff not in opponents(state, "0404", "hydran", "lyran")
    assert ff in opponents(state, "0404", "hydran", "klingon")
    # Neither the escaped ship nor its hunter stands in the main battle.
    keys = {line.label for line in battles(run)[0].form.lines}
    assert not any("Ff (ff)" in key and "Hydran" in key for key in keys)
    assert len(keys) == 2 + 3
    end_impulse(run.table)
    assert ff in opponents(state, "0404", "hydran", "lyran")


@pytest.mark.rule("cutler", "3.3.7.6")
def test_groups_are_rolled_one_after_another():
    # The book's example: away from the first group, caught by the second.
    run = combat([run_away("CA", "DD", "FF")], [chase(CW=1, FF=1, CC=2)], {"group 1": [2], "group 2": [3]})
    assert "gets away from group 1" in run.texts("hydran")
    assert "is caught by group 2" in run.texts("hydran")
    assert [line.label.split(":")[1].split()[0] for line in battles(run)[0].form.lines].count("Lyran") == 1


@pytest.mark.rule("cutler", "3.3.7.6", "3.3.7.8")
def test_a_wave_that_disengages_is_rid_of_the_other_groups():
    run = combat([run_away("FF")], [chase(CW=1, CC=2)], {"group 1": [6]}, battles=[fates(H="disengaged")])
    assert [roll.purpose for roll in run.table.shared.rolls if "escape" in roll.purpose] == ["escape from group 1"]
    ff = run.table.state.units["hydran-F1-FF"]
    assert ff.disengaged_from == ["lyran"]
    assert ff.retreat_hex != ""


@pytest.mark.rule("cutler", "3.3.7.6")
def test_a_wave_that_beats_one_group_meets_the_next():
    run = combat(
        [run_away("FF")], [chase(CW=1, CC=2)], {"group 1": [6], "group 2": [6]}, battles=[fates(L="destroyed"), fates()]
    )
    assert [set(ask.parties) for ask in battles(run)[:2]] == [{"hydran", "lyran"}] * 2
    assert run.table.state.units["lyran-F1-CW"].destroyed
    assert run.table.state.units["hydran-F1-FF"].escaped_from == ["lyran"]


@pytest.mark.rule("cutler", "3.3.7.6")
def test_a_wave_that_was_destroyed_is_not_rolled_for_again():
    run = combat([run_away("FF")], [chase(CW=1, CC=2)], {"group 1": [6]}, battles=[fates(H="destroyed")])
    assert len([roll for roll in run.table.shared.rolls if "escape" in roll.purpose]) == 1


@pytest.mark.rule("cutler", "3.6", "3.6.1", "3.6.1.1")
def test_the_escape_battles_sheet():
    run = combat([run_away("FF")], [chase(FF=1)], {"escape from": [5]})
    rows = " ".join(battles(run)[0].setup.panels[0].rows)
    assert "Hydran (escaping): within 10 hexes" in rows
    assert "weapon status 0" in rows
    assert "Lyran (pursuing): 30 to 34 hexes" in rows
    assert "one at exactly 30" in rows
    assert "weapon status 2" in rows
    assert "1-3" in rows
    # Nobody flanks in an escape battle: the one flanking ask belongs to the main battle.
    assert (len(run.asked("hydran", "flank")), battles(run)[1].setup.panels[0].title) == (1, "Set-up (3.4.3)")


@pytest.mark.rule("cutler", "3.3.7.7")
def test_pursuit_cannot_be_called_off_and_hunters_miss_the_main_battle():
    run = combat([run_away("FF")], [chase(CC=1, CW=1, FF=1)], {"escape from": [1]})
    assert sorted(line.key for line in battles(run)[-1].form.lines) == ["H1", "H2", "L1"]
    assert "cannot be called off" in run.asked("lyran", "pursuit")[0].text


@pytest.mark.rule("cutler", "3.3.1")
def test_both_sides_may_run():
    turn = table_of(world(TEXT))
    answers = {
        ("card", "lyran"): FIGHT,
        ("wave", "hydran"): [run_away("FF")],
        ("wave", "lyran"): [{"wave": {"ships": ["lyran-F1-FF"]}}],
    }
    run = Run(turn, combat_phase_steps(turn), answers)
    units = turn.state.units
    assert (units["hydran-F1-FF"].escaped_from, units["lyran-F1-FF"].escaped_from) == (["lyran"], ["hydran"])
    assert len(run.asked("hydran", "pursuit")) == len(run.asked("lyran", "pursuit")) == 1


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
    turn = table_of(world(text), {"escape from": [1, 1]})
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    asks = run.asked("hydran", "pursuit")
    assert [ask.id.split("/wave/1/")[1] for ask in asks] == ["pursuit/pursuit/hydran", "pursuit/2/pursuit/hydran"]
    assert [[line.key for line in ask.form.lines] for ask in asks] == kept()
    assert "Pursuit of wave 1 in 0404, group 1: 1 Hydran unit (size 3: CA)." in run.texts("klingon")
    assert "Pursuit of wave 2 in 0404, group 1: 1 Hydran unit (size 4: DD)." in run.texts("lyran")


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
    assert [ask.title for ask in run.asked("hydran", "wave")] == ["0404: escape wave 1", "0404: escape wave 2"]
    places = [[ask.id.removeprefix("T1/combat/0404/vs/hydran/lyran") for ask in run.asked(side, kind)]
              for side, kind in (("hydran", "wave"), ("lyran", "pursuit"))]  # fmt: skip
    assert places == kept("places")
    assert [ask.title for ask in run.asked("lyran", "pursuit")] == kept("#1")
    one, two_ = run.asked("lyran", "pursuit")
    assert one.text.startswith("1 Hydran unit (size 4: FF) tries to get away. ")
    assert two_.text.startswith("2 Hydran units (size 3: CA; size 4: DD) try to get away. ")


@pytest.mark.rule("cutler", "3.3.1", "3.3.5")
def test_who_sends_no_wave_is_not_asked_for_another_while_the_other_goes_on():
    run = combat([run_away("FF"), run_away("DD"), {"wave": {"ships": []}}])
    assert (len(run.asked("lyran", "wave")), len(run.asked("hydran", "wave"))) == (1, 3)
    assert [line.label for line in run.asked("hydran", "wave")[2].form.lines] == ["Wave 3"]
    assert on_sheet(run.asked("hydran", "wave")[2])[-1] == "- Ships that run: Hydran F1 Ca (CA); []"


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
