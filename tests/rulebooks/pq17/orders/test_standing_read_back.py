"""Standing orders as their owner reads them back: each order, and the whole sentence that it stands for."""

import pytest

from rules_engine.rulebooks.pq17.orders.standing_precedence import CONVOY, layers_of, whose
from rules_engine.rulebooks.pq17.orders.standing_read_back import say_orders
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders, write_orders
from rules_engine.rulebooks.pq17.records.standing_orders import PRESETS, StandingClauses
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import world


def orders(text: str) -> StandingClauses:
    found, refusals = read_orders(text, "side.doctrine", of_side=True)
    assert refusals == []
    return found


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("ask on contact", "When a contact is made you are asked once, on one sheet."),
        ("ask every step", "You are asked at every step that leaves a choice."),
        ("search ask", "Asks whether to search."),
        ("search never", "Searches nobody."),
        ("search", "Searches what appears."),
        ("search below id3", "Searches what appears."),  # ID3 is the most outside of combat (6.2.6)
        ("search below id2", "Searches what appears below ID2."),
        (
            "search below id1 fuel>2.5",
            "Searches what appears below ID1 if every ship keeps more than 2 1/2 (2.5) fuel.",
        ),
        ("shadow", "Shadows what it finds."),
        ("shadow fuel>10", "Shadows what it finds if every ship keeps more than 10 fuel."),
        ("shadow never", "Does not begin to shadow."),
        ("probes 0", "Spends no probes."),
        ("probes 1", "Spends up to 1 probe on a search that succeeds."),
        ("probes 2", "Spends up to 2 probes on a search that succeeds."),
        ("attack ask", "Asks whether to attack."),
        ("attack never", "Attacks nobody."),
        ("attack", "Attacks what it holds at ID0 or better; never bases or what stands beside one."),
        ("attack id3 bases", "Attacks what it holds at ID3 or better, bases too."),
        (
            "attack x2 fuel>4",
            "Attacks what it holds at ID1 or better, if its movement cost is known and at most 2 times ours if every "
            "ship "
            "keeps more than 4 fuel; never bases or what stands beside one.",
        ),
        ("raid ask", "Asks whether to raid a settled hex."),
        ("raid never", "Raids no settled hex."),
        ("raid", "Raids an enemy settled hex that it comes to."),
        ("sweep ask", "Asks whether to sweep mines."),
        ("sweep never", "Sweeps no mines."),
        ("sweep", "Sweeps mines if it has a minesweeper."),
        ("ask moves", "Asks where to go while in contact."),
        ("go on", "Flies on along its route, contact or not."),
        ("hold", "Stays in its hex while in contact."),
        ("withdraw", "Leaves a hex with a contact at its next move, towards home."),
        ("pursue ask", "Asks whom to pursue."),
        ("pursue never", "Pursues nobody."),
        ("pursue shadow", "Pursues those who withdraw, to shadow them."),
        ("pursue battle", "Pursues those who withdraw, to fight them."),
        ("power full", "Attacked, it fights with full power."),
        ("power ask", "Attacked, it asks about power."),
        ("regroup keep", "After a battle task forces stay as they are."),
        ("regroup ask", "Asks how to regroup after a battle."),
        ("settled search", "Settled hexes search on their own."),
        ("settled never", "Settled hexes do not search."),
        ("", ""),
    ],
)
def test_an_order_is_read_back_in_one_sentence(order: str, sentence: str) -> None:
    assert say_orders(orders(order), of_side=True) == sentence


@pytest.mark.parametrize(
    "order",
    [
        "ask on contact", "ask every step", "search ask", "search never", "search", "search below id1 fuel>2.5",
        "search below id2 fuel>2/3", "shadow", "shadow fuel>10", "shadow never", "probes 0", "probes 1", "probes 2",
        "attack ask", "attack never", "attack", "attack id3 bases", "attack x2 fuel>4", "attack id2 x1.5 bases",
        "raid ask", "raid never", "raid", "sweep ask", "sweep never", "sweep", "ask moves", "go on", "hold", "withdraw",
        "pursue ask", "pursue never", "pursue shadow", "pursue battle", "power full", "power ask", "regroup keep",
        "regroup ask", "settled search", "settled never", "search fuel>10; shadow; attack id2 x1.5; probes 1; withdraw",
    ],
)  # fmt: skip
def test_what_is_read_back_can_be_typed(order: str) -> None:
    said = say_orders(orders(order), of_side=True)
    assert orders(said) == orders(order)
    assert orders(said.lower().removesuffix(".")) == orders(order)
    assert orders(f"All task forces: {said}") == orders(order)


def test_what_is_read_back_may_stand_beside_what_is_written() -> None:
    assert orders("Searches nobody. probes 2; hold") == orders("search never; probes 2; hold")
    assert read_orders("Searches nobody. Searches what appears.", "side.doctrine")[1]


def test_a_task_force_is_told_nothing_about_settled_hexes() -> None:
    assert say_orders(orders("hold; settled never")) == "Stays in its hex while in contact."


@cases("asks, written")
def test_the_presets_as_they_would_be_written(asks: str, written: str) -> None:
    assert write_orders(PRESETS["contact" if asks == "contact" else "steps"]) == written


def test_the_preset_of_convoys_keeps_out_of_everything() -> None:
    assert write_orders(CONVOY) == "search never; shadow never; attack never; raid never; sweep never; go on"


def test_an_order_is_given_the_name_of_the_layer_that_it_comes_from(kept: Kept) -> None:
    """The convoy's preset steps in where its side wants to be asked on contact, and after its own orders."""
    state = world("A1 0405 FT\nA2 0404 CA\nA3 0403 CA")
    state.doctrine["alliance"].orders = orders("ask on contact; probes 1")
    state.task_forces["A1"].doctrine = orders("hold")
    state.task_forces["A1"].meeting = orders("shadow")
    clauses = ("shadow", "move", "search", "probes", "power")
    assert [whose(state, state.task_forces["A1"], one) for one in clauses] == kept()
    assert [one.name for one in layers_of(state, state.task_forces["A2"])] == ["your side's standing orders"]
    assert whose(state, state.task_forces["A3"], "move") == "the usual orders"
