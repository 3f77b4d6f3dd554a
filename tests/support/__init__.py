"""What several tests share: worlds, dialogues, servers, suites."""
