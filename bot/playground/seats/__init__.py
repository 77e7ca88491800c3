"""What people use: the interface through which each user of the playground sees, writes, presses and fills in."""
