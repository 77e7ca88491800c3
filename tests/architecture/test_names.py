"""One word, one meaning: a public class name stands once in the product, and names that are written down stay."""

import ast
from collections import defaultdict

from tests.architecture.test_rooms import ROOT, modules, parsed

BOOKS = "rules_engine/rulebooks/"
PLAYGROUND = "bot/playground/"

NOUN_OF_EACH_BOOK = {"Battle", "BattleResult", "ScenarioFile", "Unit", "UnitEntry"}
"""The field's own nouns, which every rulebook has for itself."""

DISCORDS_NOUN = {"Channel", "Message", "Overwrite", "Store"}
"""What stands once in the bot and once in the playground, which never import each other."""


def places() -> dict[str, list[str]]:
    """The files in which each public class name stands."""
    found: dict[str, list[str]] = defaultdict(list)
    for package in ("rules_engine", "map_render", "bot"):
        for path in modules(package):
            for node in parsed(path).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(str(path.relative_to(ROOT)))
    return found


def test_a_public_class_name_means_one_thing():
    wrong: dict[str, list[str]] = {}
    for name, where in places().items():
        owners = [
            "/".join(one.split("/")[:3])
            if one.startswith(BOOKS) and name in NOUN_OF_EACH_BOOK
            else PLAYGROUND
            if one.startswith(PLAYGROUND) and name in DISCORDS_NOUN
            else "the product"
            for one in where
        ]
        if len(set(owners)) < len(where):
            wrong[name] = where
    assert wrong == {}


def test_the_names_that_may_repeat_do():
    """A name that stands once again leaves the list."""
    repeated = {name for name, where in places().items() if len(where) > 1}
    assert repeated == NOUN_OF_EACH_BOOK | DISCORDS_NOUN
