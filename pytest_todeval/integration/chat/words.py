"""What a person may write in a chat besides words for the bot."""

COMMANDS = {
    "/play": "let the simulated user go on: /play 2 for two turns; Enter takes over again",
    "/goal": "what the user wants",
    "/records": "what stands in the backend",
    "/save": "keep it when it ends: /save test FILE or /save goal FILE",
    "/end": "end the dialogue and see the verdicts (also Ctrl-D)",
    "/help": "this list",
}


def goal_lines(goal: object) -> list[str]:
    """Returns what a goal wants, in words."""
    from pytest_todeval.core.goal import Goal

    assert isinstance(goal, Goal)
    if goal.message:
        return [" ".join(goal.message)]
    lines = []
    for part in goal.parts:
        wanted = {**part.inform, **part.book}
        said = [f"{slot} {value}" for slot, value in wanted.items()]
        said += [f"wants to know the {slot}" for slot in part.request]
        lines.append(f"{part.domain}: {', '.join(said) or 'anything'}")
    return lines
