"""Standing orders as their owner reads them back: each order, and the whole sentence that it stands for."""

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


@cases("order, sentence")
def test_an_order_is_read_back_in_one_sentence(order: str, sentence: str) -> None:
    assert say_orders(orders(order), of_side=True) == sentence


@cases("order", "")
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
