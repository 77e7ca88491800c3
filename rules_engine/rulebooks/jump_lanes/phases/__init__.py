"""The Movement Phase in its order: cargo, exploration, movement, encounters, and what is seen at its end."""
