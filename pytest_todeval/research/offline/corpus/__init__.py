"""The corpus Inform and Success: how the field scores delexicalised responses to MultiWOZ offline.

Nekvinda and Dusek 2021, "Shades of BLEU, Flavours of Success: The Case of MultiWOZ", which made one
definition of what had been computed in many ways since Budzianowski et al. 2018. It is *not* the
online metric of `evaluate.metrics.task_success`: here no venue is ever named and nothing is booked.
What the bot offered is guessed from its dialogue state, and bookings are copied from the corpus.

Written anew from that definition. Its quirks are kept, with their reason beside each, so that the
numbers equal published ones; none of them is meant for any other use.
"""

DEFINITION = "multiwoz-corpus 1"
"""Name and version of this definition, as results files carry it."""
