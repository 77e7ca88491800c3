"""Presses on cards that show at a glance what a side has."""
