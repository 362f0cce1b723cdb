"""Agent frameworks, one file each: framework request in, :class:`~nbask.Ask`; reply out, the framework's answer."""
