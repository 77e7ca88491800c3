"""Supply, score, income, storms, how a campaign ends, and the pace of a turn of forty units a Team."""

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.border_patrol.campaign.boundaries import close_turn
from rules_engine.rulebooks.border_patrol.campaign.supply import determine_supply
from rules_engine.rulebooks.border_patrol.campaign.victory import ending
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import order_cloak
from rules_engine.rulebooks.border_patrol.records.settings import Scoring, Supply, TeamIncome, Zones
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.plays import POINTS, play, world
from tests.rulebooks.border_patrol.squadrons import Asking, Sailing, sailed, squadrons


class TestSupply:
    """Sol is in 0101, and supply reaches six hexes."""

    def supplied(self, lines: str) -> dict[str, bool]:
        state = world(lines, supply=Supply(reach=6))
        determine_supply(state)
        return {key: unit.in_supply for key, unit in state.units.items() if unit.team == "blue" and unit.kind == "ship"}

    @pytest.mark.rule("border_patrol", "V8.13")
    def test_within_reach_of_a_star_system_or_a_base(self):
        assert self.supplied("blue B1 0107 CA\nblue B2 0108 CA") == {"B1-CA": True, "B2-CA": False}
        assert self.supplied("blue B1 0108 CA\nblue base 0505 BATS") == {"B1-CA": True}

    @pytest.mark.rule("border_patrol", "V8.13")
    def test_not_past_others_and_their_zones_but_where_own_units_stand(self):
        barrier = "\n".join(f"red R{number} 0{number}04 CA" for number in (1, 3, 5, 7))
        assert self.supplied(f"blue B1 0106 CA\n{barrier}") == {"B1-CA": False}
        crippled = barrier.replace("CA", "CA[crippled=yes]")
        assert self.supplied(f"blue B1 0106 CA\n{crippled}") == {"B1-CA": True}
        held = "\n".join(f"blue B{number} 010{number} CA" for number in (3, 4, 5, 7))
        assert self.supplied(f"{held}\n{barrier}")["B7-CA"]

    @pytest.mark.rule("border_patrol", "V8.56")
    def test_who_is_hidden_bars_nothing(self):
        state = world("blue B1 0107 CA\nred R1 0104 CA[cloak_cost=10]", supply=Supply(reach=6))
        order_cloak(state.units["R1-CA"], "all turn")
        determine_supply(state)
        assert state.units["B1-CA"].in_supply

    @pytest.mark.rule("border_patrol", "V8.13")
    def test_it_is_fixed_for_the_turn_and_doubles_the_cost(self):
        state = world("blue B1 0109 CA", supply=Supply(reach=6))
        play(state, {"B1": {"route": "0108 0107"}})
        assert not state.units["B1-CA"].in_supply
        assert state.units["B1-CA"].allowed_in[8] == 2  # 30 boxes for 12


class TestScore:
    PROVINCE = "province rim nobody 0505 0506"

    def scored(self, lines: str, **more: object) -> tuple[int, int]:
        state = world(f"{self.PROVINCE}\n{lines}")
        game = play(state, **more)  # type: ignore[arg-type]
        self.told = game.texts("blue", "score")
        return state.teams["blue"].score, state.teams["red"].score

    def test_a_province_held_alone(self):
        assert self.scored("blue B1 0505 CA\nred R1 0808 CA") == (1, 0)
        assert self.told == ["Blue Team 1 (+1): held Rim 1.", "Red Team 0, as before."]

    @cases("lines")
    def test_not_with_others_nor_by_the_crippled(self, lines: str):
        assert self.scored(lines) == (0, 0)

    def test_by_one_in_supply(self):
        state = world(f"{self.PROVINCE}\nblue B1 0505 CA", supply=Supply(reach=2))
        play(state)
        assert state.teams["blue"].score == 0

    @pytest.mark.rule("border_patrol", "V8.56")
    def test_who_is_under_cloak_neither_holds_nor_contests(self):
        lines = "blue B1 0505 CA\nred R1 0506 CA[cloak_cost=10]"
        assert self.scored(lines, red={"R1": {"cloak": "all turn"}}) == (1, 0)
        assert self.scored("blue B1 0505 CA[cloak_cost=10]", blue={"B1": {"cloak": "all turn"}}) == (0, 0)

    @pytest.mark.parametrize(("count", "said"), [(3, "held P1, P2, P3 3"), (4, "held 4 provinces 4")])
    def test_few_provinces_are_named_and_more_are_counted(self, count: int, said: str):
        provinces = "".join(f"province p{n} nobody 0{n}0{n}\nblue B{n} 0{n}0{n} CA\n" for n in range(1, count + 1))
        assert play(world(provinces)).texts("blue", "score")[0] == f"Blue Team {count} (+{count}): {said}."

    def test_income_is_each_teams_own_business(self):
        state = world("province home blue 0101 0102\nblue B1 0505 CA")
        state.economy = TeamIncome(province=2, system=3)
        play(state)
        assert (state.teams["blue"].treasury, state.teams["red"].treasury) == (5, 3)


class TestTheEnd:
    BOTH = "blue B1 0505 CA\nred R1 0808 CA\nprovince rim nobody 0505"

    def test_not_before_the_first_turn_nor_in_the_middle(self):
        state = world(self.BOTH)
        assert ending(state) is None
        play(state)
        assert ending(state) is None

    def test_after_the_last_turn_by_points(self):
        state = world(self.BOTH, turns=1)
        play(state)
        found = ending(state)
        assert found is not None
        assert (found.winners, found.scores) == (("blue",), {"blue": "1 point", "red": "0 points"})
        assert (found.text, found.rule) == ("The last turn is over. The Blue Team has won.", "BP-N20")

    def test_nobody_wins_with_equal_points(self):
        state = world(self.BOTH.replace("nobody 0505", "nobody 0506"), turns=1)
        play(state)
        found = ending(state)
        assert found is not None
        assert found.winners == ()

    def test_by_an_agreed_lead(self):
        state = world(self.BOTH, scoring=Scoring.model_validate({**POINTS.model_dump(), "lead": 2}))
        play(state)
        assert ending(state) is None
        play(state)
        found = ending(state)
        assert found is not None
        assert (found.winners, found.text) == (
            ("blue",),
            "A lead of 2 points ends the campaign. The Blue Team has won.",
        )

    def test_when_a_team_has_nothing_left_that_moves_whatever_it_scored(self):
        state = world("blue B1 0505 CA\nred R1 0808 CA[warp_dropped=yes]\nred base 0909 BATS")
        state.teams["red"].score = 99
        play(state)
        found = ending(state)
        assert found is not None
        assert (found.winners, found.text) == (
            ("blue",),
            "Red Team has nothing left that moves. The Blue Team has won.",
        )


def test_storms_drift_to_the_edge_of_the_map():
    state = world("storm gale 0103\nblue B1 0505 CA")
    state.storms["gale"].drift = 5
    play(state)
    assert state.storms["gale"].hex == "0101"


@pytest.mark.rule("border_patrol", "V8.45")
def test_a_system_is_held_unless_others_alone_stand_there():
    state = world("system eden blue 0505\nred R1 0505 CA")
    state.turn = 1
    game = play(world("blue B1 0505 CA"))
    for held, hex_id in ((False, "0505"), (True, "0606")):
        state.stacks["R1"].hex = state.units["R1-CA"].hex = hex_id
        close_turn(type(game.table)(state, game.table.shared))
        assert state.systems["eden"].held is held


@cases("others, held")
def test_whose_presence_counts_where_a_system_is_held(others: str, held: bool):
    state = world(f"system eden blue 0505\n{others}")
    play(state)
    assert state.systems["eden"].held is held


def test_who_is_under_cloak_takes_no_system():
    state = world("system eden blue 0505\nred R1 0505 CA[cloak_cost=10]")
    play(state, None, {"R1": {"cloak": "all turn"}})
    assert state.systems["eden"].held


@pytest.mark.rule("border_patrol", "V8.13")
class TestWhatBarsSupply:
    """Sol is in 0101, and supply reaches six hexes."""

    def supplied(self, lines: str, **settings: object) -> bool:
        state = world(f"blue B1 0106 CA\n{lines}", supply=Supply(reach=6), **settings)
        determine_supply(state)
        return state.units["B1-CA"].in_supply

    def test_a_monster_at_the_source_and_nobody_else(self):
        assert not self.supplied("monster moon 0101 stays driven_off_by=9")
        assert self.supplied("monster moon 0101 stays driven_off_by=9\nblue B2 0101 FF")
        assert self.supplied("monster moon 0102 stays driven_off_by=9"), "there is a way round"

    def test_zones_as_far_as_the_scenario_says(self):
        assert self.supplied("red R1 0402 CA")
        assert not self.supplied("red R1 0402 CA", zones=Zones(reach=4, at_bases=4))

    def test_a_base_of_others_bars_its_own_hex_and_those_beside(self):
        state = world("red base 0505 BATS\nred R1 0101 CA[sublight=yes]\nblue B1 0107 CA", supply=Supply(reach=6))
        determine_supply(state)
        assert not state.units["B1-CA"].in_supply, "who stands in the source alone bars it, sublight or not"


def test_a_province_is_held_by_nobody_whose_only_sound_unit_is_out_of_supply():
    state = world(
        "province rim nobody 0505 0506\nblue B1 0505 CA[crippled=yes]\nblue B2 0506 CA", supply=Supply(reach=2)
    )
    play(state)
    assert state.teams["blue"].score == 0


# --- pace ------------------------------------------------------------------------------------------------------------
def asked(game: Sailing) -> dict[tuple[str, str], int]:
    """How often each Team was asked each kind of thing in the first turn."""
    found: dict[tuple[str, str], int] = {}
    for ask in _of_the_turn(game):
        for side in ask.parties:
            found[side, ask.kind] = found.get((side, ask.kind), 0) + 1
    return found


def _of_the_turn(game: Sailing) -> list[AnyAsk]:
    return [ask for step in game.steps for ask in step.opened if ask.awaited and ask.id.startswith("T1/")]


def test_without_contact_each_team_has_one_sheet_and_play_rests_once() -> None:
    game = sailed(Sailing, squadrons())
    state = game.adjudicator._state
    assert (len(state.units), len({*state.captains})) == (80, 8)
    assert all(stack.hex[:2] in ("03", "22") for stack in state.stacks.values()), "everybody moved"
    assert (asked(game), game.closings) == ({("west", "plot"): 1, ("east", "plot"): 1}, 1)


def test_with_one_contact_those_who_met_report_their_battle_and_nobody_is_asked_more() -> None:
    game = sailed(Sailing, squadrons(meet=True))
    assert asked(game) == {(side, kind): 1 for side in ("west", "east") for kind in ("plot", "battle")}
    assert game.closings == 2
    (battle,) = (ask for ask in _of_the_turn(game) if ask.kind == "battle")
    assert len(battle.form.lines) == 6, "the two stacks that met, of eighty units"


def test_who_wants_to_be_asked_is_asked_of_the_stack_that_met_somebody_alone() -> None:
    game = sailed(Asking, squadrons(meet=True))
    assert asked(game)["west", "onward"] == 1
    assert {line.key for ask in _of_the_turn(game) if ask.kind == "onward" for line in ask.form.lines} == {"W1"}
    assert game.closings > 2
