"""Set-ups of coordinated forces: their races place units one after the other, for each sees what is placed. 2.10"""

from collections.abc import Iterator, Sequence

from rules_engine.core.basics.rules import rule
from rules_engine.core.tactics.conditions import Code, Condition, OneOf, SetUpStep
from rules_engine.rulebooks.cutler.ch03_combat.tactics.distances import Codes


@rule("2.10")
def shared_out(step: SetUpStep, races: Sequence[Codes]) -> Iterator[SetUpStep]:
    """A step of a force as a step of each of its races that has units in it. A condition is judged of each race's own
    units, together with those of its force that are placed before; one that any unit may meet, of the last who could
    meet it. 2.10, CU-N156"""
    own = [tuple(code for code in codes if code in step.units) for codes in races]
    own = [codes for codes in own if codes]
    if len(own) == 1:
        yield step
        return
    force = {code for codes in own for code in codes}
    for number, codes in enumerate(own):
        after = {code for later in own[number + 1 :] for code in later}
        shares = [_share(one, codes, force, after) for one in step.conditions]
        conditions = tuple(one for one in shares if one is not None)
        yield step.model_copy(update={"units": codes, "conditions": conditions})


def _share(one: Condition, codes: Codes, force: set[Code], after: set[Code]) -> Condition | None:
    """What of a condition concerns a race's units when those of its force that come ``after`` are not placed yet."""
    if isinstance(one, OneOf):
        return _one_share(one, codes, force, after)
    units = tuple(code for code in one.units if code in codes)
    others = tuple(code for code in one.others if code not in after)
    if not units or others == units[:1]:
        return None
    return one.model_copy(update={"units": units, "others": others})


def _one_share(one: OneOf, codes: Codes, force: set[Code], after: set[Code]) -> OneOf | None:
    """What any unit may meet, whole; what all meet in one way or another, of a race's own units."""
    units = {code for distance in one.distances for code in distance.units} & force
    if all(len({*distance.units} & force) <= 1 for distance in one.distances):
        return one if units & {*codes} and not units & after else None
    distances = [
        distance.model_copy(update={"units": tuple(code for code in distance.units if code in codes)})
        if {*distance.units} & force
        else distance
        for distance in one.distances
    ]
    return one.model_copy(update={"distances": tuple(distances)})
