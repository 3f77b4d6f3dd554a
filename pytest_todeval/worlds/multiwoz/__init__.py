"""MultiWOZ: goals and databases downloaded by the user, played with the agenda user."""

OPTIONS = {"data": "Folder or zip with MultiWOZ (else TODEVAL_DATA, else the user's cache)."}
MARKER = (
    "multiwoz(split='test', domains=None, booking=None, limit=None, seed=None, ids=None, "
    "exactly=None, every_domain_books=None, tasks=None): one test per MultiWOZ goal"
)
