"""Wire format: responses and SDK exceptions in, outcomes out. Importing it does not import the SDK."""
