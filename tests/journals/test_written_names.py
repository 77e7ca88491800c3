"""A field of what is written down is renamed on purpose only."""

from pydantic import BaseModel

from tests.journals.written_names import LIST, names_in, written_names


def test_names_that_are_written_down_stay():
    """If one must go, raise the rulebook's version (and the snapshot's schema number), and write the list anew."""
    before = LIST.read_text(encoding="utf-8").splitlines()
    now = written_names()
    assert sorted(set(before) - set(now)) == [], "gone: campaigns written down before hold these"
    assert sorted(set(now) - set(before)) == [], "new: write the list anew (python -m tests.journals.written_names)"


def test_names_are_found_in_collections_unions_and_parts_of_parts():
    class Inner(BaseModel):
        deep: int

    class Outer(BaseModel):
        many: dict[str, list[Inner]]
        maybe: Inner | None = None
        again: "Outer | None" = None

    Outer.model_rebuild(_types_namespace={"Outer": Outer})
    assert set(names_in(Outer, "x")) == {"x.many", "x.many.*.*.deep", "x.maybe", "x.maybe.deep", "x.again"}
