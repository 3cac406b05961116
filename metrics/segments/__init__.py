"""The segments of a campaign: how far their judgments lie apart, which ones a reader looks for, and one in full."""
