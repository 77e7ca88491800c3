"""Chapters 6 and 8: espionage missions, scanning."""
