"""Domain rules, checked turn by turn without a model; after AutoEval-ToD, section 3.4.

Each rule gets 1 (the turn complies), 0 (it breaks the rule) or -1 (the rule does not apply), with
its reason. Rules come from YAML files, see docs/rules.md; `sets/` holds those that are shipped.
"""
