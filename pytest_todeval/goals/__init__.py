"""Where goals come from: MultiWOZ, the demo world, files of one's own."""
