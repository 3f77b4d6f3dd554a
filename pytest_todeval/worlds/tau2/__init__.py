"""tau2-bench: tasks, tools, tables and rewards, run by the user's own checkout."""

OPTIONS = {
    "tau2-home": "Folder of a tau2-bench checkout (else TAU2_BENCH_HOME, else what is installed)."
}
MARKER = (
    "tau2(domain, split='base', tasks=None, limit=None, seed=None): one test per task of a tau2 "
    "domain ('airline', 'retail', 'telecom', ...); tasks: their numbers or ids"
)
