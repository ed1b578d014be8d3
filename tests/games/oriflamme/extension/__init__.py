"""Card types beyond the standard ones, each a file as it would stand in games/oriflamme/cards."""
