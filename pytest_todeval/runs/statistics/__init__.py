"""What many dialogues say together: rates over trials, with their intervals."""
