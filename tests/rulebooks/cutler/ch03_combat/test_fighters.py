"""Fighters in normal combat: sent after escaping ships or around the flank with boosters, lost and landing again."""

from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.invariants import defects
from tests.expected.kept import Kept
from tests.form_documents import form_text
from tests.rulebooks.cutler.ch03_combat import test_combat, test_hydraxx, test_surround, test_work_between_battles
from tests.rulebooks.cutler.ch03_combat.terrain import test_terrain
from tests.rulebooks.cutler.shown import battles_of, heads, panels
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words, sees, table_of, world

# --- sheets ----------------------------------------------------------------------------------------------------------
LOCATION = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]"
PLACE = {("allocate", "hydran"): test_terrain.at(CA="asteroids")}
DEEP = {("depth", "hydran"): {"battle": {"depth": "deep"}}}


@pytest.mark.rule("cutler", "3.3.2", "3.3.4", "3.6.1.1")
def test_what_the_sheets_of_a_pursuit_say(kept: Kept) -> None:
    assert heads(test_surround.surrounded("", test_surround.NAVIGATOR), "lyran") == kept()


@pytest.mark.rule("cutler", "3.6", "3.6.1", "3.6.1.1", "3.4.5")
def test_how_an_escape_battle_is_set_up(kept: Kept) -> None:
    assert panels(battles_of(test_surround.surrounded())[0], "hydran") == kept()


@pytest.mark.rule("cutler", "3.4.3", "3.4.4", "3.4.5", "3.7.2", "3.7.4", "3.7.6")
def test_how_a_battle_in_open_space_with_flanks_is_set_up(kept: Kept) -> None:
    assert panels(battles_of(test_surround.flanked({"flank": [3]}))[0], "hydran") == kept()


@pytest.mark.rule("cutler", "3.7", "3.3.2")
def test_what_the_sheets_of_a_battle_in_open_space_say(kept: Kept) -> None:
    assert heads(test_surround.flanked({}), "hydran") == kept()


@pytest.mark.rule("cutler", "3.5.3", "3.5.5", "3.5.6")
def test_what_the_defender_of_a_planet_is_asked(kept: Kept) -> None:
    assert heads(test_terrain.fought(), "hydran") == kept()


@pytest.mark.rule("cutler", "3.5.3", "3.5.5", "3.5.6")
def test_what_the_attacker_of_a_planet_is_asked(kept: Kept) -> None:
    assert heads(test_terrain.fought(), "lyran") == kept()


@pytest.mark.rule("cutler", "3.5.9")
def test_how_a_battle_at_a_planet_is_set_up(kept: Kept) -> None:
    assert panels(battles_of(test_terrain.fought())[-1], "lyran") == kept()


@pytest.mark.rule("cutler", "3.5.9")
def test_how_a_battle_at_the_edge_of_a_location_is_set_up(kept: Kept) -> None:
    assert panels(battles_of(test_terrain.fought(LOCATION, PLACE))[-1], "lyran") == kept()


@pytest.mark.rule("cutler", "3.5.9")
def test_how_a_battle_deep_within_a_location_is_set_up(kept: Kept) -> None:
    assert panels(battles_of(test_terrain.fought(LOCATION, PLACE | DEEP))[-1], "lyran") == kept()


@pytest.mark.rule("cutler", "3.5.9")
def test_what_the_defender_of_a_location_is_asked(kept: Kept) -> None:
    assert on_sheet(test_terrain.fought(LOCATION, PLACE).asked("hydran", "depth")[0]) == kept()


@pytest.mark.rule("cutler", "3.8", "3.5.6")
def test_what_the_attacker_of_several_features_is_asked(kept: Kept) -> None:
    assert [one for one in heads(test_hydraxx.played(), "klingon") if one.startswith(("order", "pursuit"))] == kept()


@pytest.mark.rule("cutler", "3.2")
def test_what_a_race_is_asked_that_acts_among_three(kept: Kept) -> None:
    run = test_combat.combat(test_combat.THREE, {("card", "lyran"): test_combat.FIGHT}, {"acting player, Hydran": [6]})
    assert on_sheet(run.asked("hydran", "challenge")[0]) == kept()


@pytest.mark.rule("cutler", "3.4", "2.4.1.6")
def test_what_the_sheet_of_a_battle_asks_of_each_unit(kept: Kept) -> None:
    assert on_sheet(battles_of(test_combat.battle())[0]) == kept()


@pytest.mark.rule("cutler", "3.9")
def test_what_may_be_moved_after_combat_is_said(kept: Kept) -> None:
    run = test_work_between_battles.combat(test_work_between_battles.stocked())
    assert on_sheet(run.asked("hydran", "transfer")[0])[:9] == kept()


# --- fighters --------------------------------------------------------------------------------------------------------
LIGHT = "hydran-F1-CV2"
BUSHWHACKED = "turn 1 impulse 3\nhydran F1 0404 CV[fighters=12]+CV[fighters=6]\nlyran F1 0404 CC+CW+FF\n"
FIGHT = {("card", "hydran"): {"force": {"card": "combat"}}}
RUN: dict[str, Any] = {"wave_lyran": [{"wave": {"ships": ["lyran-F1-CW", "lyran-F1-FF"]}}]}


def combat(text: str = BUSHWHACKED, dice: dict[str, list[int]] | None = None, **answers: Any) -> Run:
    """A combat phase that the Hydran opens, with answers named ``kind_side``."""
    turn = table_of(world(text), dice)
    scripted = {tuple(name.split("_", 1)): value for name, value in answers.items()}
    run = Run(turn, combat_phase_steps(turn.at("combat")), {**FIGHT, **scripted})
    assert not defects(turn.state)
    return run


def battles(run: Run) -> list[AnyAsk]:
    return [ask for ask in run.asks if ask.kind == "battle"]


def rows(ask: AnyAsk, side: str, title: str) -> list[str]:
    assert ask.setup is not None
    return [row for panel in ask.setup.secret[side] if panel.title == title for row in panel.rows]


@pytest.mark.rule("cutler", "3.3.2", "3.3.4", "3.3.7.1")
@pytest.mark.parametrize(("die", "away"), [(2, True), (3, False)])
def test_fighters_with_boosters_pursue_at_speed_6_and_land_again(die, away):
    # The Lyran's two ships run from a base and a carrier: +1 for two ships, nothing for the fighters' speed.
    hunt = {f"{LIGHT}/fighters": {"group": 1}, "hydran-F1-CV/fighters": {"group": 1}}
    lost = {"H1": {"fate": "damaged", "fighters_lost": 2}, "H2": {"fate": "intact"}}

    def over(ask: AnyAsk) -> dict[str, Any]:
        return {line.key: lost.get(line.key, {"fate": "disengaged"}) for line in ask.form.lines}

    run = combat(dice={"escape from group 1": [die]}, **RUN, pursuit_hydran=hunt, battle_=over)
    assert "group 1: 18 Hydran units (size 6: fighters ×18)" in run.texts("lyran")
    assert ("gets away" in run.texts("lyran")) == away
    units = run.table.state.units
    assert [units[key].fighters for key in (LIGHT, "hydran-F1-CV")] == ([6, 12] if away else [6, 10])
    fought = [[line.key for line in ask.form.lines] for ask in battles(run)]
    assert fought[: len(fought) - 1] == ([] if away else [["L1", "L2", "H1", "H2"]])


@pytest.mark.rule("cutler", "3.3.2")
def test_fighters_without_boosters_do_not_pursue_and_none_escape(kept: Kept):
    text = BUSHWHACKED.replace("fighters=6", "fighters=6,boosters=4").replace("fighters=12", "fighters=12,boosters=0")
    run = combat(text, **RUN)
    (ask,) = run.asked("hydran", "pursuit")
    assert [(line.key, line.label) for line in ask.form.lines] == kept("#1")
    assert refusal_words(ask, {"hydran-F1-CV/fighters": {"group": 1}}) == kept("#2")
    wave = run.asked("hydran", "wave")[0]
    assert [choice.value for choice in wave.form.lines[0].fields[0].choices] == ["hydran-F1-CV", LIGHT]


@pytest.mark.rule("cutler", "3.3.2")
def test_fighters_that_pursued_land_on_another_carrier_or_are_lost():
    hunt = {"hydran-F1-CV/fighters": {"group": 1}}

    def over(ask: AnyAsk) -> dict[str, Any]:
        own = {line.key: {"fate": "destroyed" if "Cv (CV)" in line.label else "intact"} for line in ask.form.lines}
        return own | {line.key: {"fate": "disengaged"} for line in ask.form.lines if line.key[0] == "L"}

    # The carrier is lost in the main battle; five of its twelve fighters find boxes on the other one.
    text = BUSHWHACKED.replace("fighters=6", "fighters=6,aboard=1")
    run = combat(text, {"escape from group 1": [1]}, **RUN, pursuit_hydran=hunt, battle_=over)
    assert run.table.state.units[LIGHT].fighters == 6
    assert "No box in 0404 for 7 fighters that fought apart from their carriers: lost." in run.texts("hydran")
    assert "No box" not in run.texts("lyran")


@pytest.mark.rule("cutler", "3.3.2", "3.3.7.3")
def test_fighters_that_pursue_fight_nowhere_else(kept: Kept):
    run = combat(dice={"escape from group 1": [1]}, **RUN, pursuit_hydran={f"{LIGHT}/fighters": {"group": 1}})
    assert rows(battles(run)[-1], "hydran", "Your fighters") == kept()


@pytest.mark.rule("cutler", "3.7.5", "3.7.1")
def test_fighters_flank_only_with_boosters_and_may_drop_them_before_they_appear(kept: Kept):
    text = BUSHWHACKED.replace("fighters=12", "fighters=12,boosters=0")
    run = combat(text, {"flank 1, hydran": [2]}, flank_hydran={f"{LIGHT}/fighters": {"group": 1}})
    (ask,) = run.asked("hydran", "flank")
    assert [line.key for line in ask.form.lines] == ["hydran-F1-CV", LIGHT, f"{LIGHT}/fighters"]
    assert refusal_words(ask, {"hydran-F1-CV/fighters": {"group": 1}}) == kept("#1")
    assert rows(battles(run)[0], "hydran", "Your flanking groups") == kept("#2")


@pytest.mark.rule("cutler", "3.7.5", "3.7.8")
def test_flanking_fighters_and_those_aboard_are_unseen_by_the_enemy():
    flank = {f"{LIGHT}/fighters": {"group": 1}}
    seen = {
        sees(run.table, run.asks, "lyran")
        for run in (
            combat(),
            combat(flank_hydran=flank),
            combat(BUSHWHACKED.replace("fighters=6", "fighters=6,aboard=2,boosters=1")),
        )
    }
    assert len(seen) == 1


@pytest.mark.rule("cutler", "5.1")
def test_a_battle_costs_fighters_and_a_captured_carrier_all_of_them(kept: Kept):
    ask = battles(combat())[0]
    fates = {line.key: {"fate": "intact"} for line in ask.form.lines}
    losses = {"fate": "intact", "fighters_lost": 4, "boosters_lost": 5}
    light = combat(battle_={**fates, "H2": losses, "L1": {"fate": "destroyed"}}).table.state.units[LIGHT]
    assert (light.fighters, light.booster_sets) == (2, 13)
    carrier = combat(battle_={**fates, "H1": {"fate": "captured"}}).table.state.units["hydran-F1-CV"]
    assert (carrier.race, carrier.fighters, carrier.booster_sets) == ("lyran", 0, 0)
    before = combat(battle_={**fates, "H2": {"fate": "intact", "fighters_lost": 6}}).table.state.units[LIGHT]
    assert before.fighters == 0
    assert refusal_words(ask, {**fates, "H2": {"fate": "intact", "fighters_lost": 7}}) == kept()


@pytest.mark.rule("cutler", "3.3.2", "3.2")
def test_fighters_that_pursued_are_back_aboard_before_another_encounter():
    text = "turn 1 impulse 3\nhydran F1 0404 CV[fighters=12]\nlyran F1 0404 CC+FF\nklingon F1 0404 CW\n"
    acting = {f"{n}/acting player, Hydran": [6] for n in (1, 2)}
    acting |= {f"{n}/acting player, {race}": [1] for n in (1, 2) for race in ("Lyran", "Klingon")}
    run = combat(
        text,
        acting | {"escape from group 1": [1]},
        challenge_hydran=[{"challenge": {"race": "lyran"}}, {"challenge": {"race": "klingon"}}],
        wave_lyran=[{"wave": {"ships": ["lyran-F1-FF"]}}],
        pursuit_hydran=[{"hydran-F1-CV/fighters": {"group": 1}}],
    )
    first, second = [rows(ask, "hydran", "Your fighters") for ask in battles(run)]
    assert first == ["H1 Hydran F1 Cv: 0 of 12 fighters aboard, 24 sets of warp booster packs"]
    assert second == ["H1 Hydran F1 Cv: 12 of 12 fighters aboard, 36 sets of warp booster packs"]


@pytest.mark.rule("cutler", "2.10", "3.7.1", "3.3.4", "3.7.8")
@pytest.mark.parametrize("partner", ["CV[fighters=6,boosters=0]+CA", "CV[fighters=6]+CA[warp=0]"])
def test_fighters_and_engines_of_partners_are_unseen_on_sheets_for_groups(partner):
    def asked(theirs: str) -> list[str]:
        text = "turn 1 impulse 3\nhydran F1 0404 CA\nklingon F1 0404 CC+FF\ntogether hydran lyran\n"
        wave = [{"wave": {"ships": ["klingon-F1-FF"]}}]
        run = combat(f"{text}lyran F1 0404 {theirs}\n", {"escape from": [1]}, wave_klingon=wave)
        asks = [*run.asked("hydran", "pursuit"), *run.asked("hydran", "flank")]
        assert len(asks) == 2
        return [form_text(ask.form) for ask in asks]

    assert asked("CV[fighters=6]+CA") == asked(partner)
