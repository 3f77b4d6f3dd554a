"""What a bot asks of its user: slots, options, who they are, whether that is right."""
