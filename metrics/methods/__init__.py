"""What was done to get a campaign's numbers, in sentences fit for a paper, with their sources."""
