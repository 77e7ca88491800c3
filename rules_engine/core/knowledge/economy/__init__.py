"""What a side owns, place by place: its figures, what is queued there, and what it stands to lose."""
