"""The sheet of a strategic turn (steps 3A and 3B1): its lines, every defect, what it says, and what it changes."""
