"""What somebody who means ill costs the others."""
