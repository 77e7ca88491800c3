"""What befalls ships beside their damage: officers aboard, cloaks, tows."""
