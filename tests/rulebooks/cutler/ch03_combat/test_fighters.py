"""Fighters in normal combat: sent after escaping ships or around the flank with boosters, lost and landing again."""

from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.invariants import defects
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.form_documents import form_text
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.ch03_combat import test_combat, test_hydraxx, test_surround, test_work_between_battles
from tests.rulebooks.cutler.ch03_combat.terrain import test_terrain
from tests.rulebooks.cutler.shown import battles_of, heads, panels
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words, sees, table_of, world

# --- sheets ----------------------------------------------------------------------------------------------------------
LOCATION = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]"
PLACE = {("allocate", "hydran"): test_terrain.at(CA="asteroids")}
DEEP = {("depth", "hydran"): {"battle": {"depth": "deep"}}}


THREE_RACES = {("card", "lyran"): test_combat.FIGHT}
NOTATION = {
    "LOCATION": LOCATION, "PLACE": PLACE, "DEEP": DEEP, "THREE_RACES": THREE_RACES, "heads": heads, "panels": panels,
    "battles_of": battles_of, "on_sheet": on_sheet, "test_combat": test_combat, "test_hydraxx": test_hydraxx,
    "test_surround": test_surround, "test_terrain": test_terrain, "test_work": test_work_between_battles,
}  # fmt: skip


@cases("case, proves, said", "")
def test_all_that_sheets_and_panels_say(said: str, kept: Kept) -> None:
    assert evaluated(said, NOTATION) == kept()


# --- fighters --------------------------------------------------------------------------------------------------------
LIGHT = "hydran-F1-CV2"
HUNT = {f"{LIGHT}/fighters": {"group": 1}, "hydran-F1-CV/fighters": {"group": 1}}
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
    return [row for panel in ask.setup.secret[side] if panel.title == title for row in panel.rows]


@cases("case, proves, text, dice, answers", "", made="text, answers")
def test_the_whole_account_of_fighters_in_combat(text, dice, answers, kept: Kept):
    assert combats.account(combat(text, dice, **answers)) == kept()


@pytest.mark.rule("cutler", "3.3.2")
def test_fighters_without_boosters_do_not_pursue_and_none_escape(kept: Kept):
    text = BUSHWHACKED.replace("fighters=6", "fighters=6,boosters=4").replace("fighters=12", "fighters=12,boosters=0")
    run = combat(text, **RUN)
    (ask,) = run.asked("hydran", "pursuit")
    assert [(line.key, line.label) for line in ask.form.lines] == kept("#1")
    assert refusal_words(ask, {"hydran-F1-CV/fighters": {"group": 1}}) == kept("#2")
    wave = run.asked("hydran", "wave")[0]
    assert [choice.value for choice in wave.form.lines[0].fields[0].choices] == ["hydran-F1-CV", LIGHT]


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
