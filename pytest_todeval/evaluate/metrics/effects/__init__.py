"""What the steps of a goal come to, held against the records of a backend, calls or words."""
