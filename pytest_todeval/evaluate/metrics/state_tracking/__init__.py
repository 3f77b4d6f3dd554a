"""State tracking: whether the bot's belief state says what the user said, turn by turn.

`belief` reads states, `schema` says what can be in them, `labels` compares them with labels,
`running` keeps joint goal accuracy without labels, `report` is what comes of it. The judge that
needs no labels is `evaluate.judge.llm_judge.state`.
"""
