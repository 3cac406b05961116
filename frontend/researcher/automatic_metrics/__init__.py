"""The page of automatic metrics: scores, how they go with people, and where they do not."""
