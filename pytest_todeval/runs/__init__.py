"""Many dialogues: statistics, results, reports, gates, history, and the page that shows them."""
