"""Bots made with agent frameworks, as `tod_system`: a line in a conftest for each.

    from pytest_todeval.frameworks import AgentsSystem

    @pytest.fixture(scope="session")
    def tod_system():
        return AgentsSystem(triage_agent)

Each is a factory, called once per dialogue. It keeps the history and reports tool calls, hand-offs
and usage. A framework is imported when a dialogue begins, never before.
"""
