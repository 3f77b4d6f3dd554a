"""Runs against a real model, which whoever wants them serves: `python benchmarks/real_model.py`."""
