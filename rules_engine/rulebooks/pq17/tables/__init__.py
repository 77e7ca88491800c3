"""The rulebook's printed tables, and the lists that a scenario gives."""
