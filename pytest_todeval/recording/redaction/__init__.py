"""Redaction: secrets give way to a placeholder in what is kept, never in what is sent."""
