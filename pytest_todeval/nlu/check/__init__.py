"""Wordings against expectations: files for `todeval hear --check`."""
