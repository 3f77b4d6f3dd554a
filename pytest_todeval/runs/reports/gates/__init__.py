"""Gates: what a run has to reach, and whether its goals decide that it has."""
