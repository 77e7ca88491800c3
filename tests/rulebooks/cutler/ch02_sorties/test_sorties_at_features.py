"""Sorties into hexes with terrain features: who defends, where the battle is, and what nobody learns by it."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch02_sorties.launching import sortie_ask
from rules_engine.rulebooks.cutler.ch02_sorties.phase import sorties_steps
from rules_engine.rulebooks.cutler.ch02_sorties.returning import return_sorties
from rules_engine.rulebooks.cutler.ch02_sorties.sortie_fights import squads_of
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.allocation import attackers_posting
from rules_engine.rulebooks.cutler.ch03_combat.terrain.flights import launch
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid
from rules_engine.rulebooks.cutler.records.combat.terrain import HexTerrain, TerrainFeature
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Moment
from rules_engine.rulebooks.cutler.sequence import end_impulse
from tests.expected.kept import Kept, cases
from tests.form_documents import form_text
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.ch02_sorties import test_sorties
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words, refusals, sees, table_of, world


# --- sheets ----------------------------------------------------------------------------------------------------------
def flown() -> Run:
    """Three races with six fighters each over one hex."""
    fly = {("sortie", race): {f"{race}-F2-CV": test_sorties.fly()} for race in ("hydran", "klingon", "lyran")}
    return test_sorties.phase(test_sorties.THREE, fly, {"order": [6]})


@cases("kind, proves", "")
def test_what_is_asked_of_sorties(kind: str, kept: Kept) -> None:
    assert on_sheet(flown().asked("hydran", kind)[0]) == kept()


@pytest.mark.rule("cutler", "2.9.5", "2.9.8", "2.9.9", "2.10", "2.4.1.5", "2.6.2.1")
def test_what_is_refused_of_sorties_and_how_they_read(kept: Kept) -> None:
    text = (
        "turn 1 impulse 3\nhydran F1 0403 CV[fighters=12,tractors=1,tows=CV2]+CV[fighters=6]+PF+CA\n"
        "hydran F2 0504 CV[fighters=6,cloak=up]\nlyran F1 0404 CC\ntogether hydran lyran\n"
    )
    ask = sortie_ask(world(text), "hydran")
    lines = {f"hydran-{key}": {"target": "0404"} for key in ("F1-CV2", "F1-PF", "F1-CA", "F2-CV")}
    assert [said for key, line in lines.items() for said in refusal_words(ask, {key: line})] == kept("#1")
    (line,) = (one for one in ask.form.lines if one.key == "coordination")
    assert (line.label, line.fields[0].label) == ("Coordinated force", "Stay one force with the Lyran")
    sheets = (
        {"hydran-F1-CV": {"target": "0404", "fighters": 1}},
        {"hydran-F1-CV": {"target": "0404", "then": "land"}, "coordination": {"stay": False}},
        {},
    )
    assert [ask.read_back(ask.answer_from(one)) for one in sheets] == kept("#2")
    alone = sortie_ask(world(text.replace("together hydran lyran\n", "")), "hydran")
    assert refusal_words(alone, {"coordination": {"stay": False}}) == kept("#3")


@pytest.mark.rule("cutler", "2.9.7", "2.9.7.1", "2.9.7.2", "2.9.7.3", "2.9.8")
def test_how_interceptions_and_attacks_read_and_are_refused(kept: Kept) -> None:
    run = flown()
    ask = run.asked("hydran", "intercept")[0]
    sheets = ({}, {"sortie": {"against": "lyran"}}, {"sortie": {"against": "klingon", "fighters": 2}})
    assert [ask.read_back(ask.answer_from(one)) for one in sheets] == kept("#1")
    wrong = ({"sortie": {"against": "gorn"}}, {"sortie": {"against": "lyran", "fighters": 7}})
    assert [said for one in wrong for said in refusal_words(ask, one)] == kept("#2")
    ask = run.asked("hydran", "attack")[0]
    attacks = (
        {"lyran": {"fighters": 2}, "klingon": {"fighters": 3, "force": False}},
        {},
        {"gorn": {"fighters": 1}},
        {"lyran": {"fighters": 4}, "klingon": {"fighters": 3}},
    )
    assert [refusal_words(ask, one) or ask.read_back(ask.answer_from(one)) for one in attacks] == kept("#3")


@pytest.mark.rule("cutler", "2.9.6", "2.9.8", "3.3.7.5")
def test_what_is_told_of_sorties_that_find_nobody_and_of_their_return(kept: Kept) -> None:
    """A ship that disengaged from the Hydran, one that flees from its fighters, and carriers with too few boxes."""
    told: list[list[str]] = []
    for change in ("gone", "flees", "full"):
        state = world(test_sorties.PLAIN)
        if change == "gone":
            for key in ("klingon-F1-CW", "klingon-F1-FF"):
                state.units[key].disengaged_from = ["hydran"]
        turn = table_of(state, {"escape": [6] * 9, "pursuit": [1] * 9})
        away = {"wave": {"ships": ["klingon-F1-CW", "klingon-F1-FF"]}}
        answers = {
            ("sortie", "hydran"): {"hydran-F1-CV": {"target": "0404"}},
            ("attack", "hydran"): {"klingon": {"fighters": 12}},
            ("battle", ""): test_sorties.losing("H", test_sorties.LEFT),
        }
        answers |= {("wave", "klingon"): [away]} if change == "flees" else {}
        Run(turn, sorties_steps(turn.at("sortie")), answers)
        if change == "full":
            state.units["hydran-F1-CV"].record = state.units["hydran-F1-CV"].record.model_copy(update={"fighters": 5})
        return_sorties(turn.at("return"))
        told.append([one.text for one in turn.shared.reports if one.is_for("hydran")])
    assert told == kept()


# --- sorties at features ---------------------------------------------------------------------------------------------
EACH = "turn 1 impulse 3\n"
FLEETS = "hydran F1 0403 CV[fighters=12]\nklingon F1 0404 CW+FF\nlyran F1 0902 CC\n"
PLANET = EACH + "planet minor 0404 klingon rock\n" + FLEETS
FLIGHT = "hydran-fighters-1"
CW, FF = "klingon-F1-CW", "klingon-F1-FF"
POSTS = {CW: {"place": "planet"}, FF: {"place": "sun"}}


def phase(world_or_text: str | CutlerState = PLANET, **more: Any) -> Run:
    """The sortie phase: the Hydran's carrier sends all into 0404, against the Klingon."""
    turn = table_of(world(world_or_text) if isinstance(world_or_text, str) else world_or_text)
    answers = {
        ("sortie", "hydran"): {"hydran-F1-CV": {"target": "0404"}},
        ("attack", "hydran"): {"klingon": {"fighters": 12}},
        ("battle", ""): combats.fates(H="disengaged"),
    }
    run = Run(turn, sorties_steps(turn.at("sortie")), answers | {tuple(k.split("_")): v for k, v in more.items()})
    assert defects(turn.state) == []
    return run


def battles(run: Run) -> list[Any]:
    return [ask.setup for ask in run.asks if ask.kind == "battle"]


@cases("case, proves, text, answers", "", made="text, answers")
def test_the_whole_account_of_a_sortie_at_a_feature(text: str, answers: Any, kept: Kept) -> None:
    assert combats.account(phase(text, **answers)) == kept()


@pytest.mark.rule("cutler", "3.5.6")
def test_who_fought_a_sortie_at_a_feature_fights_at_no_other_in_that_impulse():
    state = world(PLANET.replace("lyran F1 0902", "lyran F1 0404"))
    state.presence["0404"] = {"klingon": Moment(turn=1, impulse=0), "lyran": Moment(turn=1, impulse=3)}
    turn = phase(state, allocate_klingon=POSTS).table
    assert state.fought_at == {CW: "planet"}
    found: list[Any] = []

    def tried(ask: Any) -> Any:
        found.append(refusals(ask, {CW: {"place": "sun"}, FF: {"place": "planet"}}))
        return {CW: {"place": "planet"}}

    answers = {("card", "lyran"): {"force": {"card": "combat"}}, ("allocate", "klingon"): tried}
    Run(turn, combat_phase_steps(turn.at("combat")), answers)
    assert found == [[(f"{CW}.place", "3.5.6")]]
    end_impulse(turn)
    assert state.fought_at == {}


@pytest.mark.rule("cutler", "3.5.6")
def test_a_base_is_known_by_itself_and_who_fought_at_one_that_is_gone_goes_nowhere():
    state = world(EACH + "klingon base 0404\nlyran F1 0404 CC+CW")
    ship, other = state.units["lyran-F1-CC"], state.units["lyran-F1-CW"]
    ground = HexTerrain(features=[TerrainFeature(key="base2", name="base", kind="point")], bases={"near": "base2"})
    ground.note_fought([ship.id], "base2")
    assert ground.fought_at == {ship.id: "near"}
    assert (ground.where_fought(ship.id), ground.where_fought(other.id)) == ("base2", "")
    again = HexTerrain(features=ground.features, bases={"near": "base1"}, fought_at=ground.fought_at)
    assert again.where_fought(ship.id) == "base1"
    gone = Fight(ground=HexTerrain(features=ground.features, fought_at=ground.fought_at))
    assert list(attackers_posting(gone, [ship, other]).posts) == [other.id]


@pytest.mark.rule("cutler", "2.9.8", "3.5")
@pytest.mark.parametrize("planet", ["", "planet minor 0404 klingon rock\n", "planet minor 0404 lyran rock\n"])
def test_bases_that_a_sortie_does_not_fight_are_no_features_of_it(planet):
    ends: list[tuple[str, str]] = []
    shown: list[list[str]] = []
    for more in ("", "lyran base 0404 Den[orbit=apart]\n", "hydran base 0404 Nest[orbit=apart]\n"):
        run = phase(EACH + planet + FLEETS + more, allocate_klingon=POSTS if planet else {})
        ends.append((sees(run.table, run.asks, "klingon"), sees(run.table, run.asks, "hydran")))
        shown.append([f"{ask.title} {form_text(ask.form)}" for ask in run.asks])
        assert ("allocate" in {ask.kind for ask in run.asks}) == bool(planet)
    assert ends[0] == ends[1]
    assert shown[0] == shown[1] == shown[2]


@pytest.mark.rule("cutler", "3.5.8", "2.9.8")
def test_between_two_sorties_fighters_that_were_apart_are_aboard():
    text = PLANET.replace("klingon F1 0404 CW+FF", "klingon F1 0404 CV[fighters=6]")
    state = world(text.replace("lyran F1 0902 CC", "lyran F1 0304 CV[fighters=6]"))
    turn = table_of(state, {"sortie order, Hydran": [6], "sortie order, Lyran": [1]})
    posts = {"klingon-F1-CV": {"place": "planet", "fighters": 6, "fighters_to": "approach"}}
    mine: list[list[str]] = []

    def allocate(ask: Any) -> Any:
        mine.append([unit.id for unit in squads_of(state, "0404", ["klingon", "lyran"])])
        return posts

    answers = {
        **{("sortie", race): {f"{race}-F1-CV": {"target": "0404"}} for race in ("hydran", "lyran")},
        ("attack", "hydran"): {"klingon": {"fighters": 12}},
        ("attack", "lyran"): {"klingon": {"fighters": 6}},
        ("allocate", "klingon"): [allocate, allocate],
        ("battle", ""): lambda ask: {
            line.key: {"fate": "intact" if line.key[0] == "K" else "disengaged"} for line in ask.form.lines
        },
        ("intercept", "hydran"): None,
    }
    asks = Run(turn, sorties_steps(turn.at("sortie")), answers).asked("klingon", "allocate")
    # Both times all six are aboard, to be sent apart; none of them is a sortie's.
    assert [[field.most for field in ask.form.lines[0].fields if field.key == "fighters"] for ask in asks] == [[6], [6]]
    assert mine == [["lyran-fighters-1"]] * 2
    state.fights = {"0404": Fight()}
    launch(state.fights["0404"], state.units["klingon-F1-CV"], 6, "planet")
    assert squads_of(state, "0404", ["klingon"]) == []


@pytest.mark.rule("cutler", "4.2.4.5.2", "2.9.8")
def test_mines_at_the_feature_take_part_in_a_sorties_battle_there():
    state = world(PLANET)
    field = MinesLaid(race="klingon", around="rock", hex="0404", places={"A8": 30})
    state.minefields[field.key] = field
    (setup,) = battles(phase(state, allocate_klingon=POSTS))
    assert "Your minefields here" in [panel.title for panel in setup.secret["klingon"]]
    assert field.fought


@pytest.mark.rule("cutler", "2.9.8", "3.1.3")
def test_who_is_attacked_learns_nothing_of_other_units_of_the_race_whose_fighters_came():
    seen = []
    for more in ("hydran F2 0404 DD\n", "hydran F2 0404 DD+FF\n"):
        run = phase(PLANET + more, allocate_klingon=POSTS)
        assert battles(run)
        assert "size 4: DD" not in run.texts("klingon")  # they meet in the combat phase
        assert "2 Klingon units (size 3: CW; size 4: FF)" in run.texts("hydran")  # whom it fought, it has seen
        seen.append("\n".join(one.text for one in run.told("klingon")))
    assert seen[0] == seen[1]
