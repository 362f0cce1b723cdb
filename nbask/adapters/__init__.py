"""Agent frameworks, a file or a folder each: its request in, as an :class:`~nbask.Ask`; a reply out, as its answer."""
