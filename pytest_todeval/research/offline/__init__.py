"""Scoring what lies in files: predictions, stored dialogues, trajectories. Nothing is played."""
