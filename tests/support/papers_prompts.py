"""The papers' own prompts as documents: cut out of the papers at run time, never kept here.

Only what the papers fill in is replaced by our places. Each function returns the text of a document
by its name; all skip if the paper is absent.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.papers_world import paper, paper_repo

__all__ = [
    "autoeval_tod",
    "clem_todd",
    "document",
    "llm_user_agents",
    "td_eval",
    "td_eval_dialogue",
    "two_dimensional_dst",
    "written",
]


def document(source: str, text: str, reply: str = "", role: str = "user") -> str:
    """A document of one message; with `reply` it asks for text, in that format."""
    form = f"reply: {reply}\n" if reply not in ("", "text") else ""
    answer = f"answer: text\n{form}" if reply else ""
    body = re.sub(r"^# ", "#  ", text, flags=re.MULTILINE)  # no heading of ours
    return f"---\nversion: 1\nsource: {source}\n{answer}---\n# {role}\n{body.strip()}\n"


def written(folder: Path, documents: Mapping[str, str]) -> Path:
    """The documents in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def _cut(text: str, start: str, end: str) -> str:
    if start not in text:
        pytest.fail(f"the paper has no {start!r:.60}")
    first = text.index(start)
    return text[first : text.index(end, first + len(start))]


def _literals(code: str) -> str:
    """The text of the string literals in a piece of code, joined."""
    found = re.findall(r'"([^"]*)"', code)
    return "".join(found).replace("\\n", "\n")


def _filled(text: str, places: Mapping[str, str]) -> str:
    for theirs, ours in places.items():
        assert theirs in text, f"{theirs} is not in the prompt"
        text = text.replace(theirs, f"{{{{{ours}}}}}")
    return text


TURN = {
    "{dialogue_history}": "history",
    "{user_query}": "user",
    "{db_result}": "tools",
    "{agent_response}": "response",
}


def td_eval() -> dict[str, str]:
    """Figures 10 to 13 of TD-Eval."""
    text = paper("td-eval")
    figures = {
        "turn_conversation_cohesion": (
            "Evaluate the conversation consistency of the following task-oriented",
            "Figure 10:",
        ),
        "turn_backend_consistency": (
            "Evaluate the backend knowledge consistency of the following task-oriented",
            "Figure 11:",
        ),
        "turn_policy_compliance": (
            "Evaluate the policy compliance of the following task-oriented",
            "Figure 12:",
        ),
    }
    found = {
        name: document(f"TD-Eval, {end[:-1]}", _filled(_cut(text, start, end), TURN), "score")
        for name, (start, end) in figures.items()
    }
    arena = _cut(text, "Compare these two AI assistant conversations", "Figure 13:")
    arena = _filled(arena, {"{conv_a_formatted}": "one", "{conv_b_formatted}": "other"})
    return {**found, "comparison": document("TD-Eval, figure 13", arena, "choice")}


def td_eval_dialogue() -> dict[str, str]:
    """The dialogue-level prompts of TD-Eval's repository, by the dimension."""
    path = paper_repo("TD-Eval") / "judge" / "prompts" / "mwoz_autotod_judge_prompts.py"
    source = path.read_text(encoding="utf-8")
    names = {
        "conversation_cohesion": "conv_consistency",
        "backend_consistency": "backend_consistency",
        "policy_compliance": "policy_compliance",
    }
    found = {}
    for name, theirs in names.items():
        whole = source.partition(f"autotod_dial_level_prompt_{theirs} = ")[2]
        text = whole.split('"""')[1]
        places = {"{dialogue_history}": "dialogue"}
        if "{policy}" in text:
            places["{policy}"] = "policy"
        found[name] = document("TD-Eval's repository", _filled(text, places), "score")
    return found


def autoeval_tod() -> dict[str, str]:
    """Prompts H.2, H.3 and J.1 to J.6 of AutoEval-ToD."""
    text = paper("autoeval-tod")
    checker = _filled(
        _cut(text, "Your task is to check whether the given solution", "### Prompt H.3"),
        {"{recommendation}": "recommendation", "{solution}": "solution"},
    )
    rules = _cut(text, "You are a chatbot output evaluator", "## I Dynamic User Simulator")
    first, last = rules.index("<rule1> {rule1}"), rules.index("</pre-defined rules>")
    rules = f"{rules[:first]}{{{{rules}}}}\n{rules[last:]}"
    rules = _filled(
        rules,
        {
            "{domain}": "domain",
            "{user_language}": "user_language",
            "{utterance}": "response",
            "{history}": "history",
        },
    )
    variation = _filled(
        _cut(text, "As a text modifier, your role", "### Prompt H.2"),
        {"{context}": "history", "{original_text}": "utterance"},
    )
    user = _cut(text, "You are a human user who is facing", "## J Response Quality")
    user = _filled(
        user,
        {
            "{product\\_details}": "persona",
            "{core\\_issue\\_observed}": "goal",
            "{historical\\_conversation}": "history",
        },
    )
    found = {
        "solution_checker": document("AutoEval-ToD, H.2", checker, "tag"),
        "variation": document("AutoEval-ToD, H.1", variation, "text"),
        "user_autoeval_tod": document("AutoEval-ToD, I.1", user),
        "rules_turn": document("AutoEval-ToD, H.3", rules, "xml"),
    }
    names = (
        "factual_correctness",
        "completeness",
        "entailment",
        "unbiased",
        "empathy",
        "language_correctness",
    )
    for at, name in enumerate(names, 1):
        end = f"### Prompt J.{at + 1}" if at < len(names) else "## K Additional"
        whole = _cut(text, f"### Prompt J.{at}", end).partition("\n")[2]
        known = {"{chunks}": "chunks", "{response}": "response", "{history}": "history"}
        places = {theirs: ours for theirs, ours in known.items() if theirs in whole}
        found[f"quality_{name}"] = document(f"AutoEval-ToD, J.{at}", _filled(whole, places), "tag")
    return found


def clem_todd() -> dict[str, str]:
    """Templates A.7.1 (the user) and A.7.4 (the judge) of clem:todd."""
    text = paper("clem-todd")
    judge = _cut(text, "You are required to evaluate a task oriented dialogue", "Figure 9:")
    judge = _filled(judge.replace("\\$", "$"), {"$user_goal": "goal", "$dialogue": "dialogue"})
    user = _cut(text, "ROLE: You are a user simulator", "Figure 6:").replace("\\$", "$")
    user = _filled(user, {"$goal": "goal"})
    row = document("clem:todd, A.7.4", judge, "row")
    simulator = (
        "---\nversion: 1\nsource: clem:todd, A.7.1\n---\n"
        f"# system\n{user.strip()}\n# user\nBegin.\n# user\n{{{{answer}}}}\n"
    )
    return {"conversation": row, "fulfilment": row, "user_clem_todd": simulator}


def two_dimensional_dst() -> dict[str, str]:
    """Tables 6 and 7 of the two-dimensional evaluation of state tracking."""
    text = paper("dst-two-dimensional")
    places = {
        "{The dialogue history}": "history",
        "{system}": "agent",
        "{user}": "user",
        "{turn_label}": "state",
    }
    accuracy = _cut(text, "Prompt Template for Accuracy Evaluation:", "Table 6:")
    completeness = _cut(text, "Prompt Template for Completeness Evaluation:", "Table 7:")
    return {
        name: document(f"Two-dimensional DST, {table}", _filled(whole.partition("\n")[2], places))
        for name, table, whole in (
            ("state_accuracy", "table 6", accuracy),
            ("state_completeness", "table 7", completeness),
        )
    }


def llm_user_agents() -> dict[str, str]:
    """The judge's rubric, the extractor and the users of LLM user agents' repository."""
    home = paper_repo("user-agent")
    code = (home / "auto_evaluation" / "goal_completion_gpt_4.py").read_text(encoding="utf-8")
    template = _cut(code, "###Task Description:", '"""')
    instruction = _cut(code, "Placeholder values like", '",')
    rubric = _cut(code, "Score 0: The model did not", '"\n').replace("\\n", "\n")
    template = template.replace("{instruction}", instruction).replace("{rubric}", rubric)
    completion = document(
        "LLM user agents, repository", _filled(template, {"{response}": "dialogue"}), "result"
    )
    extractor = (home / "auto_evaluation" / "extractor.txt").read_text(encoding="utf-8")
    extractor = _filled(extractor, {"{list_user}": "keywords", "{conversation}": "dialogue"})
    coverage = document("LLM user agents, repository", extractor, "flags")
    player = (home / "model" / "GPT" / "gpt3.py").read_text(encoding="utf-8")
    task = _literals(_cut(player, '"You are a user', "self.example"))
    now = _literals(_cut(player, '"Now do it for', "frame.instruct_message"))
    users = {}
    for name, file in (("vanilla", "example.txt"), ("thought", "example_thought_only.txt")):
        example = (home / "model" / "GPT" / file).read_text(encoding="utf-8")
        users[f"user_{name}"] = (
            "---\nversion: 1\nsource: LLM user agents, repository\nanswer: text\nreply: said\n---\n"
            f"# system\n{task}{example}\n\n{now}\n{{{{goal}}}}\n"
            "# user\nConversation:\nUser:\n# user\nSystem: {{answer}}\nUser:\n"
        )
    return {"completion": completion, "coverage": coverage, **users}
