"""Checking prompts: by reading the templates, and by rendering them for decisions of every kind."""
