"""How battles of other rulebooks are tracked: set up by their books' conditions, or taken up, and flown from rest to
rest."""
