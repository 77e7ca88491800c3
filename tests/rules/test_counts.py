"""Enough illegal orders are tried, and enough worlds compared; ``python -m tests.rules.counts --list`` names them."""

from tests.rules.counts import LEAST, counts


def test_enough_illegal_orders_and_secrets_are_tried() -> None:
    found = counts("pq17")
    assert len(found.illegal) >= LEAST
    assert len(found.unseen) >= LEAST
    assert len(set(found.illegal)) == len(found.illegal)
    assert "rulebooks/pq17/plotting/test_impulse_plots.py::test_illegal_plots_are_refused" in found.illegal
    assert "rulebooks/pq17/ch12_mines/test_secrecy.py::test_the_owner_cannot_tell_a_hit_from_a_miss" in found.unseen


def test_a_test_without_a_refusal_is_not_counted() -> None:
    found = counts("pq17")
    assert (
        "rulebooks/pq17/ch12_mines/test_secrecy.py::test_the_owner_cannot_tell_a_hit_from_a_miss" not in found.illegal
    )
    assert "rulebooks/pq17/plotting/test_impulse_plots.py::test_illegal_plots_are_refused" not in found.unseen
