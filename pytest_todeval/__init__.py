"""Dialogue regression tests for task-oriented bots."""
