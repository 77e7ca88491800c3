"""Chapters 9 and 10: fuel, stores, transfers."""
