"""The judge that is a model.

`judge` is what a test is handed, `panel` asks one or several models, `context` says what they are
shown of a dialogue; each other module holds one kind of question.
"""
