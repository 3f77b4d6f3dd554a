"""tau2's domains, run by the user's own checkout of tau2: everything that touches it is here."""
