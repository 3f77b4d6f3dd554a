"""Goal coverage by rule beside GPT-4's stored replies (LLM user agents, table 1), file by file.

    python benchmarks/coverage_agreement.py --data DATA/llm_user_agents --multiwoz DATA/multiwoz

DATA/llm_user_agents holds auto_evaluation/UA of github.com/TaahaKazi/user-agent. Counted are the
dialogues with words, a reply that could be read, and a message that is a goal's of MultiWOZ's
validation split. Printed are both means, Pearson's r over dialogues, and the mean difference.
"""

import argparse
from pathlib import Path
from statistics import correlation, fmean

from pytest_todeval.evaluate.metrics.coverage import coverage
from pytest_todeval.research.offline.transcripts import KnownGoals, read_transcripts

Pair = tuple[float, float]


def pairs(file: Path, keywords: str, goals: KnownGoals) -> list[Pair]:
    """What GPT-4 and the rules give each dialogue."""
    found: list[Pair] = []
    for each in read_transcripts(file, "llm-user-agents", goals).found:
        stored = [score.value for score in each.scores.get("goal_coverage", ())]
        known = each.dialogue.turns and each.dialogue.goal.domains
        if not known or not stored or stored[0] is None:
            continue
        heard = coverage(each.dialogue, keywords).score.value
        if heard is not None:
            found.append((stored[0], heard))
    return found


def main() -> None:
    """Print a row per file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--keywords", choices=("phrases", "slots"), default="phrases")
    parser.add_argument("--multiwoz", type=Path, required=True)
    args = parser.parse_args()
    goals = KnownGoals(["multiwoz"], split="val", settings={"data": args.multiwoz})
    print(f"{'file':42} dialogues  model   rule      r  difference ({args.keywords})")
    for file in sorted(args.data.rglob("*_res.jsonl")):
        found = pairs(file, args.keywords, goals)
        model, rule = (list(side) for side in zip(*found, strict=True))
        apart = fmean(abs(one - other) for one, other in found)
        print(
            f"{file.stem[:42]:42} {len(found):9}  {fmean(model):.3f}  {fmean(rule):.3f}  "
            f"{correlation(model, rule):5.2f}  {apart:.3f}"
        )


if __name__ == "__main__":
    main()
