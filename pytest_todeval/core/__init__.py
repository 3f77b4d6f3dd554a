"""The nouns: goal, dialogue, verdict, score, outcome. Standard library only."""
