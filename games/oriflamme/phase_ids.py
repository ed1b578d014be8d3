"""The ids of the phases; those in which the owner of a card chooses start at CHOICE_PHASES."""

PLACEMENT = 1
RESOLUTION = 2
ROUND_END = 3
GAME_OVER = 4
CHOICE_PHASES = 10
"""The phase in which the owner of a type chooses has this id plus the number of the type."""
