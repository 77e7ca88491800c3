"""Stop conditions of a made-up book."""

from rules_engine.core.standing.stops import read_conditions


def number(piece: str) -> int:
    if not piece.isdecimal():
        raise ValueError("it is no number")
    return int(piece)


def test_several_are_read_each_once_and_every_defect_is_named() -> None:
    found, refusals = read_conditions("7;  8,x\n7; ;9 y", "F1.stop", number, legal="7; 8", offered=("xx", "8"))
    assert found == (7, 8)
    assert [(one.problem, one.path, one.legal) for one in refusals] == [
        ("“x”: it is no number", "F1.stop", "7; 8"),
        ("“9 y”: it is no number", "F1.stop", "7; 8"),
    ]
    assert "xx" in refusals[0].nearest
    assert read_conditions("", "F1.stop", number, legal="7", offered=()) == ((), [])
