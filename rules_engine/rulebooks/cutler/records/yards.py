"""The book's numbers, and those of rulings, about what is built where."""

from rules_engine.rulebooks.cutler.records.tables import BaseType, HullFamily

BUILDS_FROM_SIZE: dict[BaseType, int] = {"SB": 1, "BATS": 4, "BS": 6, "FRD": 7}
"""The size class from which on a base builds, up to the smallest; BLM and SAMS build nothing. 4.2.1.2, CU-R83"""

CAPITAL_HULLS: frozenset[HullFamily] = frozenset({"DN", "SCS", "CVA"})
CARRIER_HULLS: frozenset[HullFamily] = frozenset({"SCS", "CVA"})

POOLED_BASES: frozenset[BaseType] = frozenset({"SB", "BATS", "BS", "SAMS"})
"""Bases that are built at their site from the Base Pool; BLMs and FRDs are built as ships and towed. 4.4.1"""

LEAST_REFIT = 10
"""The fewest CPV of a refit or retrofit. 4.2.3.2, CU-R85"""
