"""Presses on what stands in the threads of battles."""
