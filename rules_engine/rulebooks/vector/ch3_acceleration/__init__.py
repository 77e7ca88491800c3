"""Acceleration, and emergency deceleration. CJD1.3"""
