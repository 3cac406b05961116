"""Every write of this room: scores derived and imported, people forgotten, stale numbers computed anew."""
