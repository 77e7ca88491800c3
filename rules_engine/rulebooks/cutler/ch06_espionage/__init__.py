"""Chapters 4, 6 and 8: income, missions of espionage, scanning."""
