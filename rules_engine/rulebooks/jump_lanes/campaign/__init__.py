"""What a scenario adds to the text: supply, colonies, reinforcements, score, and how a campaign ends."""
