"""A logged match for others to read: a page, a cast, an account, a table."""
