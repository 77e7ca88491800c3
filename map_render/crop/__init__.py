"""Crops: the picture of a numbered place or of an area, large enough for a phone, and the bare maps that cards hold."""
