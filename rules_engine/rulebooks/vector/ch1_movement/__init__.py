"""Vectors flown hex by hex. CJD1.1"""
