"""The numbers of the report: tables and properties, no disk."""
