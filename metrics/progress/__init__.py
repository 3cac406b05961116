"""The progress of a campaign: counts made by the database, pace, and who needs attention."""
