"""Goals as drafts: made of a sentence, of a tool, or of a conversation, to be read and kept."""
