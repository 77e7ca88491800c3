"""What is recorded of battles, escapes and terrain while hexes are fought over. Chapter 3"""
