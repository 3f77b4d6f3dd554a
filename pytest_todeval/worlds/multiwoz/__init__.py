"""MultiWOZ: goals and databases downloaded by the user, played with the agenda user."""
