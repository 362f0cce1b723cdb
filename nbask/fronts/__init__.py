"""Ways to reach the person, one file each behind :class:`~nbask.fronts.base.Front`."""
