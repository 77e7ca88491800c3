"""Signs: which there are, and how texts hold them."""
