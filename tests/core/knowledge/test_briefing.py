"""Briefings: forces and letters are told as far as somebody reads them."""

from rules_engine.core.knowledge.briefing import MOST_FORCES, MOST_TERMS, class_terms, forces_at_a_glance


def test_of_many_forces_the_rest_is_counted() -> None:
    named = [f"A{number}" for number in range(1, MOST_FORCES + 1)]
    assert forces_at_a_glance(named) == tuple(named)
    assert forces_at_a_glance([*named, "B1"]) == (*named, "and 1 more task force")
    assert forces_at_a_glance([*named, "B1", "B2"], "fleet") == (*named, "and 2 more fleets")


def test_letters_are_explained_once_the_most_frequent_first() -> None:
    classes = [
        ("DD", "Destroyer"),
        ("CA", "Cruiser"),
        ("DD", "Destroyer"),
        ("war_cruiser", "War Cruiser"),
        ("AA", "aa"),
    ]
    assert class_terms(classes) == (("DD", "Destroyer"), ("CA", "Cruiser"))
    many = [(f"C{number:02}", "Class") for number in range(MOST_TERMS + 1)]
    assert class_terms(many) == tuple(many[:MOST_TERMS])
