"""Every write to assignments and judgments: keyword-only, returning the thing, raising one error a seam."""
