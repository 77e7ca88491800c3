"""Recorded campaigns. A change of the rules that changes the outcome of one of them needs a new rulebook version."""
