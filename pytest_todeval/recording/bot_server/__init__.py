"""A bot's server as a process of its own: started, waited for, its log kept, surely stopped."""
