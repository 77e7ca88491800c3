"""What the referee of a campaign may do: its clock, rulings, corrections, going back, and handing its record out."""
