"""Benchmarks and domains: one folder each, with goals, backend, user, evaluation and options.

What pytest has to know of them in every run stands here, as constants. The rest of a world is
imported when a marker asks for it.
"""

__all__ = ["MARKERS", "OPTIONS"]

OPTIONS = {
    "data": "Folder or zip with MultiWOZ (else TODEVAL_DATA, else the user's cache).",
    "tau-home": "Folder of a tau-bench checkout (else TAU_BENCH_HOME, else the installed package).",
    "tau2-home": "Folder of a tau2-bench checkout (else TAU2_BENCH_HOME, else what is installed).",
}
"""The options that worlds read, without `--todeval-`, and what they say."""

MARKERS = (
    "multiwoz(split='test', domains=None, booking=None, limit=None, seed=None, ids=None, "
    "exactly=None, every_domain_books=None, tasks=None): one test per MultiWOZ goal",
    "tau_bench(domain, split='test', tasks=None, limit=None, seed=None): one test per task of a "
    "tau-bench domain ('retail', 'airline'); tasks: their numbers or ids",
    "tau2(domain, split='base', tasks=None, limit=None, seed=None): one test per task of a tau2 "
    "domain ('airline', 'retail', 'telecom', ...); tasks: their numbers or ids",
)
"""The goal markers of worlds, as pytest lists them. Each is named like its world's folder."""
