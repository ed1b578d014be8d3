"""Seats over MCP: a server that hosts matches, and tools with which clients take seats in them."""
