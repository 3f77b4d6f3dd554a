"""Runs that end as soon as their gates and their baseline are decided."""
