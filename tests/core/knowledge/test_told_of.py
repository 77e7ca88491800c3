"""Which reports a sentence on a map rests on."""

from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.reports import Report, Sighted, because
from rules_engine.core.knowledge.told_of import is_about, reports_of


def report(text: str, *, seen: str = "", why: bool = True, inputs: str = "") -> Report:
    facts = (Sighted(track="E1", hex=seen),) if seen else ()
    reason = because("1.1", {"of": inputs}) if why else None
    return Report(number=1, place="T1", when=When(turn=1), to=("red",), kind="news", text=text, facts=facts, why=reason)


def test_a_report_is_about_the_hexes_that_it_names_or_shows() -> None:
    assert is_about(["0505"], report("Battle in 0505: won."))
    assert is_about(["0404", "0505"], report("It is there.", seen="0505"))
    assert not is_about(["0505"], report("Battle in 05051.", seen="0404"))
    assert is_about(["a1"], report("Battle at A1."))


def test_those_that_share_the_most_words_are_given_in_order() -> None:
    told = [
        report("A Destroyer is in 0505."),
        report("A Destroyer destroyed in 0505."),
        report("A Destroyer destroyed in 0606."),
        report("Points are scored in 0505.", inputs="a Destroyer destroyed"),
        report("A Destroyer destroyed in 0505, too.", why=False),
    ]
    assert reports_of(["0505"], "0505: a Destroyer destroyed", told) == [1, 3]
    assert reports_of(
        ["0505"], "0505: E1 meets A1", [report("E1 is seen in 0505."), report("E1 meets A1 in 0505.")]
    ) == [1]


def test_at_most_three_are_given_the_newest() -> None:
    assert reports_of(["0505"], "0505: battle", [report("Battle in 0505.") for _ in range(5)]) == [2, 3, 4]


def test_where_nothing_speaks_of_it_with_a_reason_there_are_none() -> None:
    assert reports_of(["0505"], "0505: battle", [report("Battle in 0606."), report("Battle in 0505.", why=False)]) == []
    assert reports_of(["0505"], "0505: battle", []) == []


def test_short_words_tell_nothing_and_codes_do() -> None:
    told = [report("E7 is in it, in 0505."), report("a b is in 0505.")]
    assert reports_of(["0505"], "0505: E7 is a b", told) == [0]
