"""Chapter 5: prizes, razing, and planets that are taken, held and lost again."""
