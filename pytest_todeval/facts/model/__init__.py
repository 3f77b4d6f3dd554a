"""The ear that is a model, held against the words and cross-checked by the rules."""
