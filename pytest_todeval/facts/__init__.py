"""The one reader of what a dialogue shows: claims in the bot's words, facts in calls and bookings.

User, metrics, rules, judge, coverage and reports read a turn through this room and nothing else.
"""
