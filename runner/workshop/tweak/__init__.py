"""Tweak: a prompt pack judged while it is edited."""
