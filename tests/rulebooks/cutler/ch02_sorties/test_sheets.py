"""Chapter 2.9: the words of the sheets of a sortie."""

import pytest

from rules_engine.rulebooks.cutler.ch02_sorties.launching import sortie_ask
from rules_engine.rulebooks.cutler.ch02_sorties.phase import sorties_steps
from rules_engine.rulebooks.cutler.ch02_sorties.returning import return_sorties
from tests.rulebooks.cutler.ch02_sorties import test_sorties
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words, table_of, world


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


@pytest.mark.rule("cutler", "2.9.5", "2.9.8", "2.9.9", "2.10", "2.4.1.5", "2.6.2.1")
def test_what_is_refused_of_sorties_and_how_they_read() -> None:
    text = (
        "turn 1 impulse 3\nhydran F1 0403 CV[fighters=12,tractors=1,tows=CV2]+CV[fighters=6]+PF+CA\n"
        "hydran F2 0504 CV[fighters=6,cloak=up]\nlyran F1 0404 CC\ntogether hydran lyran\n"
    )
    ask = sortie_ask(world(text), "hydran")
    lines = {f"hydran-{key}": {"target": "0404"} for key in ("F1-CV2", "F1-PF", "F1-CA", "F2-CV")}
    assert [said for key, line in lines.items() for said in refusal_words(ask, {key: line})] == [
        (
            "hydran-F1-CV2.target: Hydran F1 Cv2 is in tow, and launches no fighters (2.4.1.5, CU-R21). "
            "Legal: no sortie."
        ),
        (
            "hydran-F1-PF.target: Hydran F1 Pf carries no fighters: shuttles, MRS, SWAC, PFs and ships do "
            "not sortie (2.9.8, 2.9.9). Legal: no sortie."
        ),
        (
            "hydran-F1-CA.target: Hydran F1 Ca carries no fighters: shuttles, MRS, SWAC, PFs and ships do "
            "not sortie (2.9.8, 2.9.9). Legal: no sortie."
        ),
        (
            "hydran-F2-CV.target: Hydran F2 Cv is under cloak, and launches no fighters (2.6.2.1, CU-N73). "
            "Legal: no sortie."
        ),
    ]
    (line,) = (one for one in ask.form.lines if one.key == "coordination")
    assert (line.label, line.fields[0].label) == ("Coordinated force", "Stay one force with the Lyran")
    sheets = (
        {"hydran-F1-CV": {"target": "0404", "fighters": 1}},
        {"hydran-F1-CV": {"target": "0404", "then": "land"}, "coordination": {"stay": False}},
        {},
    )
    assert [ask.read_back(ask.answer_from(one)) for one in sheets] == [
        [
            "1 fighter of Hydran F1 Cv: sortie into 0404, then back.",
        ],
        [
            "12 fighters of Hydran F1 Cv: sortie into 0404, then land there, if there is room.",
            "You end the coordination.",
        ],
        [
            "No fighters sortie.",
        ],
    ]
    alone = sortie_ask(world(text.replace("together hydran lyran\n", "")), "hydran")
    assert refusal_words(alone, {"coordination": {"stay": False}}) == [
        "coordination.stay: you are one force with nobody (2.10, CU-R33). Legal: stay.",
    ]


@pytest.mark.rule("cutler", "2.9.7", "2.9.7.1", "2.9.7.2", "2.9.7.3", "2.9.8")
def test_how_interceptions_and_attacks_read_and_are_refused() -> None:
    run = flown()
    ask = run.asked("hydran", "intercept")[0]
    sheets = ({}, {"sortie": {"against": "lyran"}}, {"sortie": {"against": "klingon", "fighters": 2}})
    assert [ask.read_back(ask.answer_from(one)) for one in sheets] == [
        [
            "You intercept nobody more.",
        ],
        [
            "6 fighters intercept the sortie of the Lyran.",
        ],
        [
            "2 fighters intercept the sortie of the Klingon.",
        ],
    ]
    wrong = ({"sortie": {"against": "gorn"}}, {"sortie": {"against": "lyran", "fighters": 7}})
    assert [said for one in wrong for said in refusal_words(ask, one)] == [
        (
            "sortie.against: this is no sortie into the hex that you may still intercept (2.9.7, 2.9.7.1). "
            "Legal: lyran, klingon."
        ),
        "sortie.fighters: you have 6 fighters here (2.9.7.3). Legal: 1 to 6.",
    ]
    ask = run.asked("hydran", "attack")[0]
    attacks = (
        {"lyran": {"fighters": 2}, "klingon": {"fighters": 3, "force": False}},
        {},
        {"gorn": {"fighters": 1}},
        {"lyran": {"fighters": 4}, "klingon": {"fighters": 3}},
    )
    assert [refusal_words(ask, one) or ask.read_back(ask.answer_from(one)) for one in attacks] == [
        [
            "2 fighters attack the Lyran, and its coordinated force if it is in one.",
            "3 fighters attack the Klingon.",
        ],
        [
            "Your fighters attack nobody.",
        ],
        [
            "gorn: you know of no such race here. Legal: lyran, klingon.",
        ],
        [
            "attack: 7 fighters would attack, you have 6 here (2.9.7.3). Legal: 6 in all.",
        ],
    ]


@pytest.mark.rule("cutler", "2.9.6", "2.9.8", "3.3.7.5")
def test_what_is_told_of_sorties_that_find_nobody_and_of_their_return() -> None:
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
    assert told == [
        [
            "Impulse 3, sorties: Hydran → 0404.",
            "The sortie of the Hydran into 0404 attacks the Klingon.",
            "Your sortie finds nobody to attack in 0404.",
            "Landed after the sortie into 0404: 12 fighters.",
        ],
        [
            "Impulse 3, sorties: Hydran → 0404.",
            "The sortie of the Hydran into 0404 attacks the Klingon.",
            "In 0404: 2 Klingon units (size 3: CW; size 4: FF).",
            "Escape wave 1 in 0404: 2 Klingon units (size 3: CW; size 4: FF).",
            "In 0404 nobody is left for the sortie to fight.",
            "Landed after the sortie into 0404: 12 fighters.",
        ],
        [
            "Impulse 3, sorties: Hydran → 0404.",
            "The sortie of the Hydran into 0404 attacks the Klingon.",
            "In 0404: 2 Klingon units (size 3: CW; size 4: FF).",
            "Sortie battle in 0404. The Hydran sets up first.",
            (
                "The battle in 0404 is over. H1 Fighters 1: disengaged; K1 Klingon F1 Cw: intact; K2 Klingon F1 "
                "Ff: intact."
            ),
            "In 0404: 2 Klingon units (size 3: CW; size 4: FF).",
            "No box for 7 fighters of the sortie into 0404: lost.",
            "Landed after the sortie into 0404: 5 fighters.",
        ],
    ]
