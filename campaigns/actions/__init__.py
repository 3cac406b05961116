"""Every write to people and campaigns: keyword-only, atomic, returning the thing, raising one error a seam."""
