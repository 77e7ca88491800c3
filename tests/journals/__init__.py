"""Recorded campaigns. A change of the rules that makes one of them come out otherwise needs a new rulebook version."""
