"""What researchers use: the papers' systems, offline scoring, agreement of raters, an arena."""
