"""The built-in prompt pack: one folder a game, one template a role, and what they share."""
