"""What stands on a map and where: its layout, its terrain, its counters and courses, its heading and legend."""
