"""tau-bench: tasks, tools, tables and policies from the user's own checkout or installation."""

OPTIONS = {
    "tau-home": "Folder of a tau-bench checkout (else TAU_BENCH_HOME, else the installed package)."
}
MARKER = (
    "tau_bench(domain, split='test', tasks=None, limit=None, seed=None): one test per task of a "
    "tau-bench domain ('retail', 'airline'); tasks: their numbers or ids"
)
