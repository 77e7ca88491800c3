"""Chapters 4, 6 and 8: income, espionage missions, scanning."""
