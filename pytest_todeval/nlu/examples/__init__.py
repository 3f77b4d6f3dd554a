"""What a project teaches the ear by example sentences (`hearing:`)."""
