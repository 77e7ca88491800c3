"""Buttons and forms of letters between sides."""
