"""What moves by plots that nobody changes, and what the sheets say of it."""
