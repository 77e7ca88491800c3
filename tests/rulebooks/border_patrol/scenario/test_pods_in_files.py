"""Pods that lie on a map when a campaign begins."""

from rules_engine.rulebooks.border_patrol.scenario.opening import set_up
from rules_engine.rulebooks.border_patrol.scenario.reading import read_scenario
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.worlds import files, refused

POD = '\n[[pod]]\nname = "Cargo"\nweight = 2\nteam = "romulan"\nhex = "0805"\n'


def with_pod(text: str = POD) -> dict[str, str]:
    texts = files("intro")
    return texts | {"units.toml": texts["units.toml"] + text}


def test_a_pod_lies_where_the_file_says():
    (pod,) = set_up(read_scenario(with_pod())).pods_lying.values()
    assert (pod.id, pod.team, pod.hex, pod.name, pod.weight) == ("P1", "romulan", "0805", "Cargo", 2)


@cases("old, new, where, words")
def test_what_is_wrong_with_one_is_said(old: str, new: str, where: str, words: str):
    (told,) = refused(with_pod(POD.replace(old, new)))
    assert where in told
    assert words in told
