"""The papers' systems, over any chat model, to compare one's own bot with.

Monolithic, Modular-Prog and Modular-LLM of clem:todd (3.3.2), AutoTOD and the pipeline of Hudeček
and Dušek as clem:todd plays them (3.3.1), and function calling after FnCTOD.
"""
