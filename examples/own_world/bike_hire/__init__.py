"""A bike hire, played by pytest-todeval: `@pytest.mark.goals("bike_hire")`."""
