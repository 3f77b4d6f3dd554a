"""Which of several bots is better, from games: two dialogues over one goal, and which is better."""
