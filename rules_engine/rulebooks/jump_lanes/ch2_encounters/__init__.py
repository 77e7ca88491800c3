"""Encounters of opposing groups, at places and in lanes. 13.2"""
