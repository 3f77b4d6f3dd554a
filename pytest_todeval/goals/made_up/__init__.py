"""Goals that nobody wrote: over the database of a goal set, in the shape of its own goals.

After clem:todd (Chalamalasetti et al. 2025, section 5.3 and appendix A.7), which tests bots on
combinations of slots that its data set has not, and on wishes that nobody can meet.
"""
