"""What a scenario adds to the text: supply, score, income, storms, and how it ends."""
