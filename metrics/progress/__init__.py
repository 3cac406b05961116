"""How a campaign comes on while it is judged: counts made by the database, pace, and who needs attention."""
