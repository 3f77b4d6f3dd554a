"""A bot's text in blocks, sentences and words; and how far a sentence says that something is so."""
