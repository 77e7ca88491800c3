"""Chapter 2.9: the words of the sheets of a sortie."""

import pytest

from tests.rulebooks.cutler.ch02_sorties import test_sorties
from tests.rulebooks.cutler.worlds import Run, on_sheet


def flown() -> Run:
    """Three races with six fighters each over one hex."""
    fly = {("sortie", race): {f"{race}-F2-CV": test_sorties.fly()} for race in ("hydran", "klingon", "lyran")}
    return test_sorties.phase(test_sorties.THREE, fly, {"order": [6]})


@pytest.mark.rule("cutler", "2.9", "2.9.2", "2.9.6")
def test_which_fighters_fly_whither_is_asked() -> None:
    assert on_sheet(flown().asked("hydran", "sortie")[0]) == [
        "Turn 1, impulse 3: sorties",
        "Fighters with warp boosters may fly into a neighbouring hex. All targets are announced at once.",
        "No fighters sortie.",
        "Hydran F2 Cv (CV) (at 0403, 6 fighters with boosters)",
        "- Sortie: To 0402, To 0503, To 0504, To 0404, To 0304, To 0303; None",
        "- Fighters: 1 to 6; 6",
        "- Afterwards: Come back, Land there, if there is room; 'return'",
    ]


@pytest.mark.rule("cutler", "2.9.7", "2.9.7.1")
def test_whom_a_sortie_intercepts_is_asked() -> None:
    assert on_sheet(flown().asked("hydran", "intercept")[0]) == [
        "0404: interception",
        "Other sorties fly into 0404, too. You may intercept one of them, and then the next.",
        "You intercept nobody.",
        "Your fighters over 0404",
        "- Intercept the sortie of: Lyran, Klingon; None",
        "- With fighters: 1 to 6; 6; the rest goes on by itself",
    ]


@pytest.mark.rule("cutler", "2.9.7.2", "2.9.8")
def test_whom_a_sortie_attacks_is_asked() -> None:
    assert on_sheet(flown().asked("hydran", "attack")[0]) == [
        "0404: attack of your sortie",
        "You have 6 fighters over 0404. You learn who is there only by an attack.",
        "Your fighters attack nobody.",
        "Attack the Lyran",
        "- Fighters: 0 to 6; 0",
        "- Its coordinated force, too, if it is in one: flag; True",
        "Attack the Klingon",
        "- Fighters: 0 to 6; 0",
        "- Its coordinated force, too, if it is in one: flag; True",
    ]
