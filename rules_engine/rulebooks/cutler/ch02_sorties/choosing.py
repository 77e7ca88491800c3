"""Chapter 2.9.7: whom a sortie meets. Interceptions and attacks are chosen one force after another."""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted, verb
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.records.parts.sorties import (
    InterceptLine,
    InterceptSheet,
    SortieAttackLine,
    SortieAttackSheet,
)
from rules_engine.rulebooks.cutler.records.state import CutlerState

SPLIT = "the rest goes on by itself"


@rule("2.9.7", "2.9.7.1", "2.9.7.3")
def intercept_ask(
    state: CutlerState, race: Side, hex_id: HexId, opposing: dict[Side, str], fighters: int
) -> Ask[InterceptSheet]:
    """Whether one race's fighters meet another sortie into the same hex, and with how many of them. ``opposing`` are
    the sorties that may still be met, in words. 2.9.7, 2.9.7.1, 2.9.7.3"""
    ways = tuple(Choice(value=side, label=name) for side, name in opposing.items())
    fields = (
        Field(key="against", label="Intercept the sortie of", kind="one", choices=ways, optional=True),
        Field(key="fighters", label="With fighters", kind="number", least=1, most=fighters, value=fighters, help=SPLIT),
    )

    def judge(sheet: InterceptSheet) -> list[Refusal]:
        line, refusals = sheet.line, list[Refusal]()
        if line.against is not None and line.against not in opposing:
            legal = ", ".join(opposing)
            text = "this is no sortie into the hex that you may still intercept"
            near = nearest(line.against, opposing)
            refusals.append(illegal(text, "2.9.7, 2.9.7.1", "sortie.against", legal=legal, nearest=near))
        if line.against is not None and line.fighters is not None and line.fighters > fighters:
            text = f"you have {counted(fighters, 'fighter')} here"
            refusals.append(illegal(text, "2.9.7.3", "sortie.fighters", legal=f"1 to {fighters}"))
        return refusals

    def read_back(sheet: InterceptSheet) -> list[str]:
        if sheet.line.against is None:
            return ["You intercept nobody more."]
        number = sheet.line.fighters or fighters
        does = verb(number, "intercepts", "intercept")
        return [f"{counted(number, 'fighter')} {does} the sortie of the {opposing[sheet.line.against]}."]

    return Ask(
        kind="intercept",
        parties=(race,),
        title=f"{hex_id}: interception",
        text=f"Other sorties fly into {hex_id}, too. You may intercept one of them, and then the next.",
        question=Question(
            f"Interception in {hex_id}?",
            f"Other sorties fly into {hex_id}, too; you may intercept one of them.",
            (hex_id,),
        ),
        model=InterceptSheet,
        form=Form(lines=(Line(key="sortie", label=f"Your fighters over {hex_id}", fields=fields),)),
        rule="2.9.7.1",
        default=InterceptSheet({"sortie": InterceptLine()}),
        default_says="You intercept nobody.",
        pace="decision",
        check=judge,
        read_back=read_back,
    )


@rule("2.9.7.2", "2.9.8")
def targets_of(state: CutlerState, race: Side, hex_id: HexId, knowledge: Knowledge) -> list[Side]:
    """The races that a sortie may attack: those of which its race knows that they are in the hex, by their counters or
    from what it was told. So to be asked tells nothing. 2.9.7.2, 2.9.8, CU-N92"""
    force = state.coordination.force_of(race)
    seen = {other for other, at in state.counters() if at == hex_id}
    seen |= {contact.owner for contact in knowledge.held() if contact.latest.hex == hex_id and contact.live}
    return [other for other in state.races() if other in seen and other not in force]


@rule("2.9.7.2", "2.9.7.3", "2.9.8")
def attack_ask(
    state: CutlerState, race: Side, hex_id: HexId, targets: Sequence[Side], fighters: int
) -> Ask[SortieAttackSheet]:
    """How many fighters attack which race; those that attack nobody learn nothing. 2.9.7.2, 2.9.7.3, 2.9.8"""
    lines = tuple(
        Line(
            key=other,
            label=f"Attack the {state.name_of(other)}",
            fields=(
                Field(key="fighters", label="Fighters", kind="number", least=0, most=fighters, value=0),
                Field(key="force", label="Its coordinated force, too, if it is in one", kind="flag", value=True),
            ),
        )
        for other in targets
    )

    def judge(sheet: SortieAttackSheet) -> list[Refusal]:
        refusals = [
            malformed("you know of no such race here", key, legal=", ".join(targets), nearest=nearest(key, targets))
            for key in sheet.root
            if key not in targets
        ]
        sent = sum(line.fighters for line in sheet.root.values())
        if sent > fighters:
            text = f"{sent} fighters would attack, you have {fighters} here"
            refusals.append(illegal(text, "2.9.7.3", "attack", legal=f"{fighters} in all"))
        return refusals

    def read_back(sheet: SortieAttackSheet) -> list[str]:
        said = [
            f"{counted(line.fighters, 'fighter')} {verb(line.fighters, 'attacks', 'attack')} the {state.name_of(key)}"
            + (", and its coordinated force if it is in one." if line.force else ".")
            for key, line in sheet.root.items()
            if line.fighters
        ]
        return said or ["Your fighters attack nobody."]

    return Ask(
        kind="attack",
        parties=(race,),
        title=f"{hex_id}: attack of your sortie",
        text=f"You have {counted(fighters, 'fighter')} over {hex_id}. You learn who is there only by an attack.",
        question=Question(
            f"Your sortie in {hex_id}",
            f"Whom do your {counted(fighters, 'fighter')} attack? You learn who is there only by an attack.",
            (hex_id,),
        ),
        model=SortieAttackSheet,
        form=Form(lines=lines),
        rule="2.9.7.2",
        default=SortieAttackSheet({other: SortieAttackLine() for other in targets}),
        default_says="Your fighters attack nobody.",
        pace="decision",
        check=judge,
        read_back=read_back,
    )
