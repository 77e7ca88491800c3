"""Scenarios: their files, every defect in them, and the state that they begin with."""
