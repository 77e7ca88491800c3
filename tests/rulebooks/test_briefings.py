"""What commanders are briefed about in each book that runs: their own, in numbers, and nothing of the others'."""

from pathlib import Path
from typing import Any

from rules_engine import rulebooks
from rules_engine.core.knowledge.briefing import Briefing
from tests.checkout import ROOT
from tests.expected.kept import Kept
from tests.rulebooks.cutler.ch01_setup.ring import opened as before_the_set_up


def opened(book: str, scenario: str = "intro") -> tuple[Any, Any]:
    """A rulebook and the state before the first turn of a scenario."""
    files = sorted(Path(ROOT / "config" / "scenarios" / book / scenario).glob("*.toml"))
    found = rulebooks.rulebook(book)
    return found, found.set_up(found.read_scenario({one.name: one.read_text(encoding="utf-8") for one in files}))


def told(briefing: Briefing) -> str:
    return briefing.model_dump_json()


def test_pq17_tells_each_side_its_own_aim_and_forces():
    book, state = opened("pq17")
    alliance, coalition = (book.briefing(state, side) for side in ("alliance", "coalition"))
    assert alliance.objective == "Bring the total to +1 victory points by the end of turn 8."
    assert coalition.objective == "Keep the total below +1 victory points until the end of turn 8."
    assert alliance.victory[0] == coalition.victory[0]
    assert alliance.victory[0] == (
        "At +1 or more after the last turn the Alliance wins, else the Coalition; the total is 0 now."
    )
    assert alliance.length == "8 turns of 3 impulses, two turns a day, to day 4 PM"
    assert alliance.forces[0] == "A1 Vanguard: 3 units in 0403"
    assert alliance.forces[-1] == "A9: Haven Station in 0402"
    assert ("MCA", "Meridian cruiser") in alliance.terms
    assert "Skarn" not in told(alliance)
    assert "Vanguard" not in told(coalition)


def test_pq17_tells_periods_where_there_are_several():
    book, state = opened("pq17", "campaign")
    assert book.briefing(state, "alliance").length.startswith("660 turns of 3 impulses in 22 periods, ")
    assert book.briefing(state, "alliance").objective.startswith("Bring the total to +330 ")


def test_pq17_tells_a_side_the_total_that_it_knows():
    """Points that the other side alone was told of count for nobody else."""
    from rules_engine.rulebooks.pq17.nations.victory_points import lines_for, total_for

    book, state = opened("pq17")
    assert lines_for(state, "coalition") == []
    assert total_for(state, "coalition") == 0
    before = told(book.briefing(state, "coalition"))
    state.task_forces["A1"].hex = "0101"
    state.task_forces["A1"].name = "Elsewhere"
    assert told(book.briefing(state, "coalition")) == before


def test_cutler_tells_a_race_its_planets_bases_fleets_and_rate(kept: Kept):
    book, state = opened("cutler")
    briefing = book.briefing(state, "hydran")
    assert briefing.objective == "Have the planets that make the most CPV when turn 4 is over."
    assert briefing.victory == (
        "After turn 4 the race with the highest CPV rate wins; of several that make as much, whose fleet is worth "
        "most. You make 200 a turn now.",
        "It ends before if one race alone is left in play.",
    )
    assert briefing.length == "4 turns of 6 impulses"
    assert briefing.to_know == kept()
    assert briefing.terms == (
        ("CPV", "campaign point value, which is money"),
        ("CU", "campaign unit, what a counter stands for"),
        ("F1", "fleet 1"),
    )
    assert briefing.forces[:3] == (
        "Planets: Azure Throne 0205, Tidewater 0303, Kelp Rock 0307, Pale Shoal 0103",
        "Bases: Azure Station 0205",
        "F1: 3 ships in 0205",
    )


def test_in_cutler_nobody_is_told_of_others_fleets_and_bases():
    book, state = opened("cutler")
    before = told(book.briefing(state, "hydran"))
    for unit in state.units.values():
        if unit.race != "hydran":
            unit.hex, unit.name = "0101", "Elsewhere"
    state.empires["lyran"].base_pool += 100
    assert told(book.briefing(state, "hydran")) == before


def test_before_a_set_up_is_over_nothing_is_said_of_forces():
    state, _ = before_the_set_up(3)
    told_now = rulebooks.rulebook("cutler").briefing(state, state.races()[0])
    assert told_now.forces == ("Your planets and forces are chosen in the set-up.",)
    assert "You make" not in told_now.victory[0]
