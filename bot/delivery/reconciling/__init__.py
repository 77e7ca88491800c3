"""What should be on a server beside what is: places, overwrites, roles, who holds which, and open battles' threads."""
