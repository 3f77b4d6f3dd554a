"""How far raters agree: people with each other, a judge with people.

The coefficients, their weights, and how each treats missing ratings are those of Gwet 2014,
Handbook of Inter-Rater Reliability. TD-Eval reports two of them, AC1 and Randolph's kappa.
"""
