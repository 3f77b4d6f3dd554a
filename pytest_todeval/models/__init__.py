"""Asking models: the chat client, prompts (documents in `prompts/`), and reading what they answer.

`settings` says which model plays a role and `models_file` where that is written; `client` asks it,
`prompt` renders a prompt document, `fence` keeps hostile text apart from instructions, `ask` asks
until the answer can be read, and `reading` reads it. `usage` counts what it took. Behind the client
stand `endpoint` (HTTP), `limits` (how many calls at once), `completion` (what came back), `refusal`
(which part of a request is not taken) and `failure` (whose fault it is if nothing came back).
`profiles` knows makes of endpoints, `run_models` what a run says of its models, and `abilities`
asks an endpoint for what it can do.
"""
