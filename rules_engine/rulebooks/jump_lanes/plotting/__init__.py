"""The sheet of a turn: its lines, every defect, what it says, and what it changes."""
