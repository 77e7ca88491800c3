"""What the tracker cannot know: reports between the pieces of a turn, and who confirms them."""
