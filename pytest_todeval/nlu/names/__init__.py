"""Which venues and items a text puts forward, denies, asks about, or only mentions."""
