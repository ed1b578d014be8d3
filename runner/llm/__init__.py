"""Calls to language models: requests, the one judgement of every outcome, reading answers, money, and the offline model."""
