"""User <-> bot (<-> backend): the loop, the users, the adapters for bots."""
