"""The light encoder: texts in, vectors of their pieces out, with numpy alone. No Django, no database, no network."""
