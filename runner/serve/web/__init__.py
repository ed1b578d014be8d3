"""What browsers get: pages, a script and a style of their own, beside parts of match pages."""
