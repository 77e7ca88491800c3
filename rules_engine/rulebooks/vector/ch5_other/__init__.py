"""Weasels, terrain, launching, landing and tractors. CJD1.5"""
