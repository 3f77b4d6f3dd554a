"""The gateway: how the calls of bots in other processes, in any language, come to the tapes.

Their clients ask an address of this machine instead of the provider's. Each request is put into
the lane of the dialogue it belongs to and made again there, with the standard library's client: its
adapter plays or records it, as it does with calls of this process.
"""
