"""The rulings that players may read: those of the common list that decide here, and our own."""
