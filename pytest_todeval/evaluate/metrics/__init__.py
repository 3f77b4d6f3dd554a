"""Dialogue (+ goal, backend) -> verdicts and scores."""
