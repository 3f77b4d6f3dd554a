"""A second opinion on what the rules hear: a linear model of words beside them."""
