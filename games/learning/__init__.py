"""Observations, action numbers and learning environments for every game."""
