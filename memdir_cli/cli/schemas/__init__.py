"""JSON Schemas (2020-12) of memory files and of every JSON document that a command prints."""
