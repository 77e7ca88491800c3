"""Flies battles impulse by impulse, and foresees what one plot comes to."""
